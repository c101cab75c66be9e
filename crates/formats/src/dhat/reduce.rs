//! DHAT's file without the points that do not count, for DHAT's own viewer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::{ParseError, ParseErrorKind};
use super::mended;

/// Rewrites a file with some of its points, for example to open these alone in DHAT's viewer.
///
/// `keep` has a value for each point, in the order of [`DhatProfile::points`](super::DhatProfile);
/// points beyond its end are left out. Frames that no remaining point has are left out as well;
/// everything else stays.
///
/// # Errors
///
/// The file is not JSON, or has no lists of points and frames.
pub fn reduced(bytes: &[u8], keep: &[bool]) -> Result<Vec<u8>, ParseError> {
    let mut file: Map<String, Value> = serde_json::from_str(&mended(bytes))?;
    let points = list(&mut file, "pps")?;
    let mut flags = keep.iter();
    points.retain(|_| flags.next().copied().unwrap_or(false));
    // Frame 0 is `[root]`: DHAT writes it first, and no point has it.
    let mut renumbered: BTreeMap<u64, u64> = BTreeMap::from([(0, 0)]);
    for point in points.iter_mut() {
        for frame in frames(point) {
            let number = frame.as_u64().unwrap_or_default();
            let next = renumbered.len() as u64;
            *frame = Value::from(*renumbered.entry(number).or_insert(next));
        }
    }
    let table = list(&mut file, "ftbl")?;
    let mut names = vec![Value::Null; renumbered.len()];
    for (old, new) in renumbered {
        if let Some(name) = table.get_mut(old as usize) {
            names[new as usize] = name.take();
        }
    }
    *table = names;
    Ok(serde_json::to_vec(&file)?)
}

fn list<'a>(file: &'a mut Map<String, Value>, key: &str) -> Result<&'a mut Vec<Value>, ParseError> {
    let list = file.get_mut(key).and_then(Value::as_array_mut);
    list.ok_or(ParseError::Content(ParseErrorKind::UnknownLine))
}

fn frames(point: &mut Value) -> impl Iterator<Item = &mut Value> {
    let frames = point.get_mut("fs").and_then(Value::as_array_mut);
    frames.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const FILE: &str = r#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":false,
        "bkacc":false,"tu":"instrs","Mtu":"Minstr","cmd":"x","pid":1,"te":9,"pps":[
        {"tb":1,"tbk":1,"fs":[1,2]},{"tb":2,"tbk":1,"fs":[3,2]},{"tb":4,"tbk":1,"fs":]}],
        "ftbl":["[root]","0x1: a (f.c:1)","0x2: main (f.c:2)","0x3: b (f.c:3)"]}"#;

    #[test]
    fn points_and_their_frames_are_left_out() {
        let file = reduced(FILE.as_bytes(), &[false, true, true]).unwrap();
        let profile = read(file.as_slice()).unwrap().unwrap();
        let bytes: Vec<u64> = profile
            .points
            .iter()
            .map(|point| point.total_bytes)
            .collect();
        assert_eq!(bytes, [2, 4]);
        let functions: Vec<&str> = profile.functions(&profile.points[0]).collect();
        assert_eq!(functions, ["b", "main"]);
        assert_eq!(profile.frames.len(), 3);
        assert_eq!(profile.frames[0], "[root]");
    }

    #[test]
    fn what_is_no_file_of_dhat_is_an_error() {
        for text in ["", "[]", "{}", r#"{"pps":1,"ftbl":[]}"#] {
            reduced(text.as_bytes(), &[]).unwrap_err();
        }
    }
}
