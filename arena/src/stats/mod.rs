//! Ratings, intervals and the sequential test: pure functions of results. Runs nothing, reads no file.
