#!/usr/bin/env bash
# A good engineer would guess: BM25Okapi, the class that everybody takes of rank_bm25, gives a document that has a word
# of the query a score above 0; its epsilon keeps scores of frequent words from being negative; so "score > 0" is "found".
#
# True of rank_bm25 0.2.2 (PyPI, 2026-11): the weight of a word is log((N - n + 0.5) / (n + 0.5)), so that one in half
# of the documents weighs 0, and the floor for negative weights is epsilon times the mean weight of all words, which in a
# small catalog is negative itself. A session with two tools therefore finds nothing: the one word that tells them apart
# scores 0 for both, and a word of both is negative for both. Among three tools, the one without the word can come first.
# BM25L and BM25Plus of the same package do not do so.
#
# Output seen (scores of each document):
#   2 tools, folder: BM25Okapi [0.0, 0.0] BM25L [0.0, 0.866] BM25Plus [1.099, 2.197]
#   2 tools, read folder: BM25Okapi [-0.201, -0.201] BM25L [0.228, 1.094] BM25Plus [1.91, 3.008]
#   3 tools, issue: BM25Okapi [-0.282, -0.282, 0.0] BM25L [0.561, 0.561, 0.0] BM25Plus [1.329, 1.329, 0.693]
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check rank_bm25==0.2.2 numpy==2.3.5
env/bin/python - <<'EOF' | tee seen
from rank_bm25 import BM25L, BM25Okapi, BM25Plus

def show(query, tools):
    row = [f"{kind.__name__} {kind([t.split() for t in tools]).get_scores(query.split()).round(3).tolist()}" for kind in (BM25Okapi, BM25L, BM25Plus)]
    print(f"{len(tools)} tools, {query}:", *row)

show("folder", ["read a file", "read a folder"])
show("read folder", ["read a file", "read a folder"])
show("issue", ["list issue", "list issue", "list"])
EOF
diff seen - <<'EOF'
2 tools, folder: BM25Okapi [0.0, 0.0] BM25L [0.0, 0.866] BM25Plus [1.099, 2.197]
2 tools, read folder: BM25Okapi [-0.201, -0.201] BM25L [0.228, 1.094] BM25Plus [1.91, 3.008]
3 tools, issue: BM25Okapi [-0.282, -0.282, 0.0] BM25L [0.561, 0.561, 0.0] BM25Plus [1.329, 1.329, 0.693]
EOF
