//! Names of executables that cargo builds: `<target>-<hash>`.

/// Digits of the hash.
const HASH: usize = 16;

/// The name without the hash. `None`: it has none.
pub fn without(name: &str) -> Option<&str> {
    let (target, hash) = name.rsplit_once('-')?;
    let is_hash = hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(target)
}
