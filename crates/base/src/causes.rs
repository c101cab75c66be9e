//! Errors as texts, with their causes.

/// The causes of an error, the direct one first.
pub fn causes<'a>(
    error: &'a (dyn std::error::Error + 'a),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |error| error.source())
}

/// The text of an error and its causes, a line each.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    for cause in causes(error) {
        text += &format!("\ncaused by: {cause}");
    }
    text
}
