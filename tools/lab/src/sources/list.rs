//! Bench files that packages of the registry ship.

/// The framework that a source was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framework {
    Criterion,
    Divan,
}

impl Framework {
    /// The name of the dependency.
    pub(super) fn dependency(self) -> &'static str {
        match self {
            Self::Criterion => "criterion",
            Self::Divan => "divan",
        }
    }

    /// The package that stands in for it, and its folder.
    pub(super) fn package(self) -> &'static str {
        match self {
            Self::Criterion => "iai-callgrind-criterion",
            Self::Divan => "iai-callgrind-divan",
        }
    }
}

/// One bench file of a package.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ForeignSource {
    /// Name and version of the package.
    pub(super) package: &'static str,
    pub(super) bench: &'static str,
    pub(super) framework: Framework,
    /// Why counts are not the same in each run.
    pub(super) varies: Option<&'static str>,
}

impl ForeignSource {
    /// Name and version.
    pub(super) fn parts(&self) -> (&'static str, &'static str) {
        self.package.split_once(' ').expect("a name and a version")
    }

    /// The name in tables and on the command line.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.parts().0, self.bench)
    }
}

const fn criterion(package: &'static str, bench: &'static str) -> ForeignSource {
    ForeignSource {
        package,
        bench,
        framework: Framework::Criterion,
        varies: None,
    }
}

const fn divan(package: &'static str, bench: &'static str) -> ForeignSource {
    ForeignSource {
        package,
        bench,
        framework: Framework::Divan,
        varies: None,
    }
}

pub(super) const SOURCES: &[ForeignSource] = &[
    criterion("itoa 1.0.19", "bench"),
    criterion("ryu 1.0.23", "bench"),
    criterion("semver 1.0.28", "parse"),
    criterion("hex 0.4.3", "hex"),
    criterion("httparse 1.10.1", "parse"),
    criterion("itertools 0.15.0", "tuples"),
    criterion("itertools 0.15.0", "bench1"),
    criterion("smol_str 0.3.7", "bench"),
    ForeignSource {
        varies: Some("threads of the benchmark wait for each other"),
        ..criterion("concurrent-queue 2.5.0", "bench")
    },
    criterion("unicode-ident 1.0.27", "xid"),
    criterion("winnow 0.6.26", "number"),
    criterion("kstring 2.0.2", "clone"),
    criterion("rpds 1.2.1", "rpds_vector"),
    divan("annotate-snippets 0.11.5", "bench"),
    divan("int-interval 0.9.7", "between"),
    divan("int-interval 0.9.7", "contains"),
    divan("int-interval 0.9.7", "intersection"),
    divan("int-interval 0.9.7", "union"),
    divan("tui-term 0.3.4", "divan"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_of_each() {
        let of = |framework| {
            let sources = SOURCES.iter();
            sources
                .filter(|source| source.framework == framework)
                .count()
        };
        assert!(of(Framework::Criterion) >= 8);
        assert!(of(Framework::Divan) >= 4);
        let mut names: Vec<String> = SOURCES.iter().map(ForeignSource::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SOURCES.len());
    }
}
