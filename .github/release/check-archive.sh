#!/usr/bin/env bash
# Unpacks an archive as a user would and runs what is inside: `check-archive.sh TARGET ARCHIVE`. A
# target with musl needs no library of the system.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

target=${1:?the target is missing} archive=${2:?the archive is missing}
(cd "$(dirname "$archive")" && sha256sum --check --quiet "$(basename "$archive").sha256") ||
    fail "$archive is not what its checksum says"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar --extract --gzip --file "$archive" --directory "$work"
inside=$work/$(binstall bin-dir "$target")

case $target in
    *-musl)
        # It ends with an error for what needs no loader.
        libraries=$(ldd "$inside" 2>&1 || true)
        case $libraries in
            *'not a dynamic executable'* | *'statically linked'*) ;;
            *) fail "the runner of $archive is not static: $libraries" ;;
        esac
        ;;
esac
said=$("$inside" --version)
[ "$said" = "$runner $(version)" ] || fail "the runner of $archive says \`$said\`, not \`$runner $(version)\`"
for file in LICENSE-APACHE LICENSE-MIT README.md THIRD-PARTY-LICENSES.txt; do
    [ -s "$(dirname "$inside")/$file" ] || fail "$archive has no $file"
done
