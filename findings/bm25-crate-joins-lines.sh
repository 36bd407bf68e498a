#!/usr/bin/env bash
# A good engineer would guess: one emoji in a description costs a search nothing, and a line break always parts two words.
#
# True of bm25 2.3.2 (crates.io, 2026-11), with its default tokenizer: the text is written in ASCII first (deunicode 1.6.2),
# and from the first character on that is not ASCII line breaks are dropped with the other controls, so that the last word of
# a line and the first of the next become one, which nobody asks for. A text of ASCII alone keeps its lines. In turn the emoji
# is found by its English name. A tool whose description has a list below a warning sign loses two words a line.
#
# Output seen:
#   "Ship it." and lines below:   docker finds 1, container finds 1, path finds 1
#   the same with a whale before: docker finds 0, container finds 0, path finds 0, whale finds 1
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "lines"
version = "0.1.0"
edition = "2021"

[dependencies]
bm25 = "=2.3.2"
deunicode = "=1.6.2"
TOML
cat >src/main.rs <<'RUST'
use bm25::{Language, SearchEngineBuilder};

fn main() {
    let plain = "Ship it in a docker\ncontainer that has a\npath";
    for (title, text, words) in [
        ("\"Ship it.\" and lines below:   ", plain.to_string(), vec!["docker", "container", "path"]),
        ("the same with a whale before: ", format!("\u{1f433} {plain} "), vec!["docker", "container", "path", "whale"]),
    ] {
        let engine = SearchEngineBuilder::<u32>::with_corpus(Language::English, [text.as_str()]).build();
        let found: Vec<String> = words.iter().map(|w| format!("{w} finds {}", engine.search(w, 5).len())).collect();
        println!("{title}{}", found.join(", "));
    }
}
RUST
cargo run -q --release | tee seen
diff seen - <<'SEEN'
"Ship it." and lines below:   docker finds 1, container finds 1, path finds 1
the same with a whale before: docker finds 0, container finds 0, path finds 0, whale finds 1
SEEN
