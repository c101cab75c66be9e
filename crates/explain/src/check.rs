//! Checks indices and orders of a digest, so that all indices of a checked one can be followed.

use super::digest::{
    BodyCode, BodyId, Digest, FileId, FunctionId, NodeFrame, NodeId, StringId, LONGEST_CODE,
    MOST_CODE,
};

/// Reason why a digest does not hold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("item {index} of the section `{section}` is wrong")]
pub struct DigestFault {
    /// The section.
    pub section: &'static str,
    /// Position of the item.
    pub index: usize,
}

impl Digest {
    /// Checks that each index leads to an item, that parents stand before their nodes, that a body
    /// has one node at most, that everything is in its order, and that each row has costs.
    ///
    /// # Errors
    ///
    /// The first item that is wrong.
    pub fn check(&self) -> Result<(), DigestFault> {
        self.check_head()?;
        self.check_names()?;
        self.check_nodes()?;
        self.check_costs()?;
        self.check_texts()?;
        self.check_code()
    }

    fn has_string(&self, id: StringId) -> bool {
        id.index() < self.strings.len()
    }

    fn has_file(&self, id: Option<FileId>) -> bool {
        id.is_none_or(|id| id.index() < self.files.len())
    }

    fn has_function(&self, id: FunctionId) -> bool {
        id.index() < self.functions.len()
    }

    fn has_body(&self, id: BodyId) -> bool {
        id.index() < self.bodies.len()
    }

    fn has_node(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len()
    }

    fn check_head(&self) -> Result<(), DigestFault> {
        let head = &self.head;
        let mut texts = head.events.iter().chain(&head.producer).chain(&head.target);
        let is_right = texts.all(|text| self.has_string(*text))
            && head.events.len() == head.totals.len()
            && head.roots.iter().all(|root| self.has_body(*root))
            && head.roots.is_sorted_by(|a, b| a < b);
        is_right.then_some(()).ok_or(DigestFault {
            section: "head",
            index: 0,
        })
    }

    fn check_names(&self) -> Result<(), DigestFault> {
        all("objects", &self.objects, |_, object| {
            self.has_string(object.name)
        })?;
        all("files", &self.files, |_, file| {
            self.has_string(file.path)
                && file.package.is_none_or(|package| self.has_string(package))
        })?;
        all("functions", &self.functions, |_, function| {
            self.has_string(function.name)
                && function.instance.is_none_or(|text| self.has_string(text))
                && self.has_file(function.file)
        })?;
        all("bodies", &self.bodies, |_, body| {
            self.has_function(body.function) && body.object.index() < self.objects.len()
        })
    }

    fn check_nodes(&self) -> Result<(), DigestFault> {
        let mut has_node = vec![false; self.bodies.len()];
        all("nodes", &self.nodes, |index, node| {
            let is_right = match node.frame {
                // A second node would hide the first: flamegraphs enter a body at one node.
                NodeFrame::Body(body) => has_node
                    .get_mut(body.index())
                    .is_some_and(|has_node| !std::mem::replace(has_node, true)),
                NodeFrame::Inlined { parent, function } => {
                    // With parents first there are no circles, and each walk over the nodes is one
                    // pass.
                    parent.index() < index && self.has_function(function)
                }
            };
            is_right && self.has_file(node.call_file)
        })
    }

    fn check_costs(&self) -> Result<(), DigestFault> {
        let events = self.head.events.len();
        let fits = |costs: &[u64]| costs.len() <= events;
        let tables = [
            ("rows", self.rows.len(), &self.row_costs),
            ("calls", self.calls.len(), &self.call_costs),
        ];
        for (section, items, table) in tables {
            let misfit = table.rows().position(|costs| !fits(costs));
            // Readers zip items and costs, which would drop the rest of the longer list in silence.
            if let Some(index) = misfit.or((table.len() != items).then_some(0)) {
                return Err(DigestFault { section, index });
            }
        }
        let rows = &self.rows;
        all("rows", rows, |index, row| {
            let is_next = index == 0 || rows[index - 1] < *row;
            is_next && self.has_node(row.node) && self.has_file(row.file)
        })?;
        let place = |index: usize| {
            let call = &self.calls[index];
            (call.node, call.line, call.callee)
        };
        all("calls", &self.calls, |index, call| {
            let is_next = index == 0 || place(index - 1) < place(index);
            is_next && self.has_node(call.node) && self.has_body(call.callee)
        })
    }

    fn check_texts(&self) -> Result<(), DigestFault> {
        let place = |index: usize| (self.texts[index].file, self.texts[index].line);
        all("texts", &self.texts, |index, text| {
            let is_next = index == 0 || place(index - 1) < place(index);
            is_next && self.has_file(Some(text.file)) && self.has_string(text.text)
        })
    }

    fn check_code(&self) -> Result<(), DigestFault> {
        all("code", &self.code, |index, code| {
            let is_next = index == 0 || self.code[index - 1].body < code.body;
            index < MOST_CODE && is_next && self.has_body(code.body) && self.has_parts(code)
        })?;
        let place = |index: usize| (self.constants[index].body, self.constants[index].offset);
        all("constants", &self.constants, |index, constant| {
            let is_next = index == 0 || place(index - 1) < place(index);
            is_next && self.has_body(constant.body)
        })?;
        all("merged", &self.merged, |index, (body, name)| {
            let is_next = index == 0 || self.merged[index - 1].0 <= *body;
            is_next && self.has_body(*body) && self.has_string(*name)
        })
    }

    fn has_parts(&self, code: &BodyCode) -> bool {
        let length = code.bytes.len();
        // An instruction has a byte at least.
        let instructions = code.executions.len();
        let mut targets = code.targets.iter();
        (1..=LONGEST_CODE).contains(&length)
            && (1..=length).contains(&instructions)
            && code.lines.len() == instructions
            && targets.all(|(at, name)| (*at as usize) < length && self.has_string(*name))
            && code.targets.is_sorted_by(|a, b| a.0 < b.0)
    }
}

/// Finds the first item that is wrong.
fn all<T>(
    section: &'static str,
    items: &[T],
    mut is_right: impl FnMut(usize, &T) -> bool,
) -> Result<(), DigestFault> {
    let wrong = items
        .iter()
        .enumerate()
        .position(|(index, item)| !is_right(index, item));
    wrong.map_or(Ok(()), |index| Err(DigestFault { section, index }))
}
