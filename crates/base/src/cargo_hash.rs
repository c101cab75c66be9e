//! Names of executables that cargo builds: `<target>-<hash>`.

/// Digits of the hash.
const HASH: usize = 16;

/// The name without the hash. `None`: it has none.
pub fn without(name: &str) -> Option<&str> {
    let (target, hash) = name.rsplit_once('-')?;
    let is_hash = hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_of_a_target_differ_in_their_hash() {
        assert_eq!(without("app-0123456789abcdef"), Some("app"));
        assert_eq!(without("my-app-0123456789abcdef"), Some("my-app"));
        for other in [
            "app",
            "app-0123456789abcdef.d",
            "app-012345678",
            "libapp.rlib",
        ] {
            assert_eq!(without(other), None, "{other}");
        }
    }
}
