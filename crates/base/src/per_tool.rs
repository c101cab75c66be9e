//! One value for each tool, indexed by the tool.

use std::ops::{Index, IndexMut};

use iai_callgrind::protocol::Tool;

/// One value for each tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PerTool<T>([T; Tool::ALL.len()]);

impl<T> Index<Tool> for PerTool<T> {
    type Output = T;

    fn index(&self, tool: Tool) -> &T {
        &self.0[tool as usize]
    }
}

impl<T> IndexMut<Tool> for PerTool<T> {
    fn index_mut(&mut self, tool: Tool) -> &mut T {
        &mut self.0[tool as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_value_of_its_own() {
        let mut names = PerTool::<&str>::default();
        for tool in Tool::ALL {
            names[tool] = tool.id();
        }
        assert_eq!(names.0, Tool::ALL.map(Tool::id));
    }
}
