//! One sheet, then many: from image files to game documents.
