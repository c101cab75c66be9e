//! Flamegraphs of a benchmark, from its results to files of pictures.

mod callgrind;
mod heap;
mod place;

pub(super) use self::callgrind::Drawing;
pub(super) use self::heap::HeapDrawing;
pub(super) use self::place::{DrawnFlamegraphs, PicturePlace};
