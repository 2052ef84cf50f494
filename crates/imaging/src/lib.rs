//! Page image to cells: preprocessing, table finding and cell cutting.
