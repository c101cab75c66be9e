//! The stacks of DHAT's points by address.
//!
//! DHAT writes a frame for each function that was inlined at an address, innermost first: frames
//! with one address that follow each other belong together, and the last one is the function that
//! was compiled.

use formats::dhat::{DhatProfile, ProgramPoint};

/// Address on a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StackAddress<'a> {
    /// Address in memory of the process. `None`: the frame has another form.
    pub(super) address: Option<u64>,
    /// Names of the functions as Valgrind has them, outermost first; at least one.
    pub(super) names: Vec<&'a str>,
}

impl StackAddress<'_> {
    /// The function that was compiled, if Valgrind knows it.
    pub(super) fn function(&self) -> Option<&str> {
        let name = self.names.first()?;
        // `UnknownInlinedFun` is Valgrind's name of a function inlined from another compilation
        // unit.
        let is_known = !name.is_empty() && *name != "???" && *name != "UnknownInlinedFun";
        is_known.then_some(name)
    }
}

/// The addresses of a point, outermost first.
pub(super) fn addresses<'a>(
    profile: &'a DhatProfile,
    point: &'a ProgramPoint,
) -> Vec<StackAddress<'a>> {
    let mut stack: Vec<StackAddress<'_>> = Vec::new();
    // DHAT has the innermost frame first.
    for frame in point.frames.iter().rev() {
        let Some(text) = profile.frames.get(*frame as usize) else {
            continue;
        };
        let address = address(text);
        let name = profile.function(*frame);
        match stack.last_mut() {
            Some(last) if address.is_some() && last.address == address => last.names.push(name),
            _ => stack.push(StackAddress {
                address,
                names: vec![name],
            }),
        }
    }
    stack
}

/// The address with which a frame begins: `0x<address>: `.
fn address(frame: &str) -> Option<u64> {
    let (address, _) = frame.strip_prefix("0x")?.split_once(": ")?;
    u64::from_str_radix(address, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_one_address_belong_together() {
        let profile = DhatProfile {
            frames: [
                "[root]",
                "0x10F: inner (a.rs:1)",
                "0x10F: f (a.rs:2)",
                "0x10E: f (a.rs:3)",
                "nowhere",
                "0xfg: odd",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..DhatProfile::default()
        };
        let mut point = ProgramPoint::default();
        point.frames = vec![1, 2, 3, 5, 4, 4];
        let stack: Vec<_> = addresses(&profile, &point)
            .into_iter()
            .map(|one| (one.address, one.names.join(" > ")))
            .collect();
        let expected = [
            (None, "nowhere"),
            (None, "nowhere"),
            (None, "odd"),
            (Some(0x10e), "f"),
            (Some(0x10f), "f > inner"),
        ];
        assert_eq!(
            stack,
            expected.map(|(address, names)| (address, names.to_owned()))
        );
    }
}
