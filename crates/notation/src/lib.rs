//! Text of chess moves: how people write them.
