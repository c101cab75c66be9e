//! The macro `request!`, by which the functions of this module make a request.

/// `request!(default; NUMBER, argument, ..)` is Valgrind's answer, a `usize`, or `default`.
///
/// Up to five arguments, all `usize`. They are evaluated only if requests are active; otherwise
/// the constant condition removes them and the request, also from a build without optimization.
///
/// If all words are constants, the block of words is one too: the compiler promotes it to read-only
/// data, and the request costs two instructions and the sequence.
macro_rules! request {
    ($default:expr; $( $word:expr ),+) => {
        if $crate::client_requests::ACTIVE {
            $crate::valgrind_request::request($default, &words!($( $word ),+))
        } else {
            $default
        }
    };
}

/// The six words of a request; arguments that are not given are 0.
macro_rules! words {
    ($number:expr) => {
        [$number, 0, 0, 0, 0, 0]
    };
    ($number:expr, $a:expr) => {
        [$number, $a, 0, 0, 0, 0]
    };
    ($number:expr, $a:expr, $b:expr) => {
        [$number, $a, $b, 0, 0, 0]
    };
    ($number:expr, $a:expr, $b:expr, $c:expr) => {
        [$number, $a, $b, $c, 0, 0]
    };
    ($number:expr, $a:expr, $b:expr, $c:expr, $d:expr) => {
        [$number, $a, $b, $c, $d, 0]
    };
}
