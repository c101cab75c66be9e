//! Text for people: rows, explanations, histories, and how they look on a terminal and in a pipe.

pub mod accepted;
pub mod by_id_table;
pub mod columns;
pub mod exceeded;
pub mod expectations;
pub mod explained;
pub mod explanation;
pub mod header;
pub mod history;
pub mod paint;
pub mod parts;
pub mod piped_rows;
pub mod scaling;
pub mod screen;
pub mod sparkline;
pub mod style;
pub mod verification;
pub mod wall_time;

pub use self::explanation::heap_sites_text;
pub use self::explanation::{explanation_lines, explanation_markdown, explanation_text};
pub use self::paint::Ink;
pub use self::sparkline::Sparklines;
pub use self::style::{columns_of_stderr, Color, Style, Styles};
