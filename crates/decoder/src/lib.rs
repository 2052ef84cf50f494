//! Lattices to the most likely legal game.
