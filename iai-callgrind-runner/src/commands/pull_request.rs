//! The pull request that a job of GitHub measures. What is checked out there is a merge that exists
//! nowhere else, so reports name what it merges.

use std::path::Path;

use serde::Deserialize;

use base::regular_file;
use cli::env::RunnerEnvironment;
use records::summary::short_commit;

/// Longest description of an event that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// The fields of an event that are used here.
#[derive(Debug, Deserialize)]
struct GithubEvent {
    number: Option<u64>,
    pull_request: PullRequestEvent,
}

#[derive(Debug, Deserialize)]
struct PullRequestEvent {
    base: MergedBranch,
    head: MergedBranch,
}

#[derive(Debug, Deserialize)]
struct MergedBranch {
    sha: String,
    #[serde(rename = "ref")]
    name: String,
}

/// `merge of pull request 12: 3e3457e (main) and f3ab7bb (json)`. `None`: this is no such job, or
/// another commit was measured.
pub(crate) fn headline(environment: &RunnerEnvironment, commit: Option<&str>) -> Option<String> {
    let text = |name: &str| environment.get(name).and_then(|value| value.to_str());
    // Only this variable shows that the commit is the merge.
    text("GITHUB_SHA").filter(|merge| Some(*merge) == commit)?;
    let event = regular_file::read(Path::new(text("GITHUB_EVENT_PATH")?), LONGEST).ok()?;
    of_event(&event)
}

fn of_event(event: &[u8]) -> Option<String> {
    let GithubEvent {
        number,
        pull_request: PullRequestEvent { base, head },
    } = serde_json::from_slice(event).ok()?;
    let number = number.map_or(String::new(), |number| format!(" {number}"));
    let short = |branch: &MergedBranch| format!("{} ({})", short_commit(&branch.sha), branch.name);
    Some(format!(
        "merge of pull request{number}: {} and {}",
        short(&base),
        short(&head)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_event_names_base_and_head() {
        let event = r#"{"action":"synchronize","number":12,"pull_request":{"id":1,
            "base":{"sha":"3e3457e0aa","ref":"main"},"head":{"sha":"f3ab7bb0aa","ref":"json"}}}"#;
        let expected = "merge of pull request 12: 3e3457e (main) and f3ab7bb (json)";
        assert_eq!(of_event(event.as_bytes()).as_deref(), Some(expected));
        for other in [
            "",
            "{}",
            r#"{"ref":"refs/heads/main","after":"f3ab7bb"}"#,
            "[1]",
        ] {
            assert_eq!(of_event(other.as_bytes()), None, "{other}");
        }
    }
}
