#!/usr/bin/env bash
# Packs a built runner with its licences: `archive.sh TARGET EXECUTABLE DIRECTORY`. The directory
# gets the archive and a file with its checksum. The same files make the same archive, whenever and
# wherever it is made.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

target=${1:?the target is missing} executable=${2:?the executable is missing} directory=${3:?the directory is missing}
[ -x "$executable" ] || fail "$executable cannot be executed; \`cargo build --release --package $runner\` makes it"

archive=$(binstall pkg-url "$target")
archive=${archive##*/}
inside=$(binstall bin-dir "$target")
mkdir -p "$directory"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/$(dirname "$inside")"
install -m 755 "$executable" "$work/$inside"
for file in LICENSE-APACHE LICENSE-MIT README.md THIRD-PARTY-LICENSES.txt; do
    install -m 644 "$repository/$runner/$file" "$work/$(dirname "$inside")/$file"
done
tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git -C "$repository" log -1 --format=%ct)" "$(dirname "$inside")" |
    gzip --no-name --best >"$directory/$archive"
(cd "$directory" && sha256sum "$archive" >"$archive.sha256")
printf '%s\n' "$directory/$archive"
