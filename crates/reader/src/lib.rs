//! Cell image to lattice: the handwriting model.
