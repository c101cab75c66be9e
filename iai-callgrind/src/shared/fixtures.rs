//! Copies of fixtures in the sandboxes of the runner and of the test mode.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Copies a file or a directory with everything in it into a sandbox, under its own name. `follow`:
/// what symbolic links refer to is copied instead of the links. An earlier copy of the same name is
/// replaced.
///
/// # Errors
///
/// Something cannot be read or written, or is neither a file nor a directory nor a link. A link to
/// follow leads back to a directory above it; one to copy leads out of the sandbox.
#[inline]
pub fn copy_into(from: &Path, directory: &Path, follow: bool) -> io::Result<()> {
    let Some(name) = from.file_name() else {
        return refused("the path has no name at its end".to_owned());
    };
    let to = directory.join(name);
    // A fixture that is itself a link is what the user named, as the link's target.
    let data = fs::metadata(from)?;
    copy(from, &to, &data, follow, &mut Vec::new())
}

/// `above` are the directories that are being copied, to see links that lead back to one of them.
#[inline]
fn copy(
    from: &Path,
    to: &Path,
    data: &Metadata,
    follow: bool,
    above: &mut Vec<PathBuf>,
) -> io::Result<()> {
    if fs::symlink_metadata(to).is_ok_and(|there| !there.is_dir()) {
        // An earlier fixture of this name. Through a link we would write to what is outside.
        fs::remove_file(to)?;
    }
    if data.is_symlink() {
        let target = fs::read_link(from)?;
        // The directories above have been made by us, so their number is the real depth.
        if !stays_inside(&target, above.len()) {
            return refused(format!(
                "the link `{}` leads out of the sandbox, to `{}`; with `follow_symlinks(true)` what \
                 it refers to is copied instead",
                from.display(),
                target.display()
            ));
        }
        return link(&target, to);
    }
    if data.is_file() {
        fs::copy(from, to)?;
        // Keeps the time like `cp -p`; programs may compare the times of files.
        return set_modified(to, data);
    }
    if !data.is_dir() {
        // Reading from a pipe or a device might take for ever.
        return refused(format!(
            "`{}` is neither a file nor a directory nor a link",
            from.display()
        ));
    }
    let this = fs::canonicalize(from)?;
    if above
        .iter()
        .any(|above| above.as_os_str() == this.as_os_str())
    {
        return refused(format!(
            "the link `{}` leads back to a directory above it",
            from.display()
        ));
    }
    above.push(this);
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let path = entry.path();
        let data = match follow {
            true => fs::metadata(&path)?,
            false => fs::symlink_metadata(&path)?,
        };
        copy(&path, &to.join(entry.file_name()), &data, follow, above)?;
    }
    above.pop();
    Ok(())
}

#[inline]
fn refused(text: String) -> io::Result<()> {
    Err(io::Error::other(text))
}

/// Does a link in a directory `depth` levels below the sandbox stay in it? A `..` behind a name is no,
/// since the name may be another link, whose directory is elsewhere.
#[inline]
fn stays_inside(target: &Path, depth: usize) -> bool {
    let mut levels = depth;
    let mut named = false;
    for component in target.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(_) => named = true,
            Component::ParentDir if !named && levels > 0 => levels -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

#[cfg(unix)]
#[inline]
fn set_modified(to: &Path, data: &Metadata) -> io::Result<()> {
    File::open(to)?.set_modified(data.modified()?)
}

/// A copy that cannot be written cannot be given the time of its origin here.
#[cfg(not(unix))]
#[inline]
fn set_modified(to: &Path, data: &Metadata) -> io::Result<()> {
    match File::options().append(true).open(to) {
        Ok(file) => file.set_modified(data.modified()?),
        Err(_) => Ok(()),
    }
}

#[cfg(unix)]
#[inline]
fn link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
#[inline]
fn link(_target: &Path, link: &Path) -> io::Result<()> {
    let text = format!("`{}` is a symbolic link", link.display());
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_inside_only_by_names_and_leading_parents() {
        let inside = [
            ("file", 0),
            ("./sub/file", 0),
            ("../file", 1),
            ("../..", 2),
            ("", 0),
        ];
        for (target, depth) in inside {
            assert!(stays_inside(Path::new(target), depth), "{target} {depth}");
        }
        let outside = [
            ("/file", 3),
            ("..", 0),
            ("../../file", 1),
            ("sub/../file", 2),
            ("./..", 0),
        ];
        for (target, depth) in outside {
            assert!(!stays_inside(Path::new(target), depth), "{target} {depth}");
        }
    }
}
