//! What a figure was measured on.

use crate::step::{output_of, root};
use std::process::Command;

/// Processor and cores, compiler and commit: the head of every stored result.
pub struct Machine {
    processor: String,
    cores: usize,
    compiler: String,
    commit: String,
    load: String,
}

impl Machine {
    /// This machine now.
    pub fn here() -> Result<Machine, String> {
        let compiler = output_of(Command::new("rustc").arg("--version"))?.trim().to_string();
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        Ok(Machine { processor: processor(), cores, compiler, commit: commit(), load: load() })
    }

    /// A folder name such as `amd-epyc-2-cores`.
    pub fn folder(&self) -> String {
        let words = self.processor.to_lowercase();
        let words: Vec<&str> =
            words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        format!("{}-{}-cores", words.join("-"), self.cores)
    }

    /// The lines that stand above a table.
    pub fn header(&self) -> String {
        format!(
            "{}, {} cores, load average {} at the start\n{}\ncommit {}\n",
            self.processor, self.cores, self.load, self.compiler, self.commit
        )
    }
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, m)| m));
    model.unwrap_or(std::env::consts::ARCH).to_string()
}

fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|l| !l.is_empty()).unwrap_or("unknown").to_string()
}

/// The commit, marked when files differ from it.
fn commit() -> String {
    let git = |args: &[&str]| output_of(Command::new("git").args(args).current_dir(root()));
    let id = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|_| "unknown".into());
    let changed = git(&["status", "--porcelain"]).is_ok_and(|s| !s.trim().is_empty());
    format!("{}{}", id.trim(), if changed { " with uncommitted changes" } else { "" })
}
