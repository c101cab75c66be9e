#!/usr/bin/env bash
# Links the page in the summary of the job. The address of an artifact is known once it is uploaded.
# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A part has no report.
if [ -s "$page" ]; then
    # Backquotes are Markdown here.
    # shellcheck disable=SC2016
    printf '\nCauses, flamegraphs and lines of each benchmark: `page.html` in [the artifact](%s), with the results.\n' \
        "$ARTIFACT_URL" >>"$GITHUB_STEP_SUMMARY"
fi
