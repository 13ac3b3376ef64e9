//! Tests of the sample bots from outside, in one program.

mod conversation;
mod matches;
mod pages;
