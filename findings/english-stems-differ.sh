#!/usr/bin/env bash
# A good engineer would guess: "English (Snowball, Porter2)" is one frozen algorithm, so an index of tools that a
# Python service stems and a query that a Go program stems meet, and an index survives an update of the stemmer.
#
# True of snowballstemmer 3.1.1 (Python, from the makers of Snowball), nltk 3.10.4 and
# github.com/kljensen/snowball v0.10.0 (Go) (2026-11): the algorithm changed with Snowball 3. The newest Python package
# gives other stems for everyday words of tool descriptions than the other two, which still have the rules of
# Snowball 2, as snowballstemmer 2.2.0 has. "organization" and "organic", "add" and "ad", "past" and "paste" are
# one term for one side and two for the other; a query "organization" finds nothing in an index of the other side.
#
# Output seen (word: snowballstemmer 3.1.1, 2.2.0, nltk 3.10.4, Go):
#   organization: organiz organ organ organ
#   internal: internal intern intern intern
#   added: add ad ad ad
#   evening: evening even even even
#   paste: paste past past past
#   universal: universal univers univers univers
#   create: creat creat creat creat
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
words="organization internal added evening paste universal create"
python3 -m venv new && new/bin/pip install -q --disable-pip-version-check snowballstemmer==3.1.1 nltk==3.10.4
python3 -m venv old && old/bin/pip install -q --disable-pip-version-check snowballstemmer==2.2.0
stems='import sys, snowballstemmer; print(*map(snowballstemmer.stemmer("english").stemWord, sys.argv[1:]), sep="\n")'
new/bin/python -c "$stems" $words >three
old/bin/python -c "$stems" $words >two
new/bin/python -c 'import sys; from nltk.stem.snowball import SnowballStemmer; print(*map(SnowballStemmer("english").stem, sys.argv[1:]), sep="\n")' $words >nltk
mkdir stems
cat >stems/main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/kljensen/snowball/english"
)

func main() {
	for _, word := range os.Args[1:] {
		fmt.Println(english.Stem(word, true))
	}
}
EOF
cd stems
{ go mod init stems && GOMODCACHE="$dir/mod" go get github.com/kljensen/snowball@v0.10.0; } >/dev/null 2>&1
GOMODCACHE="$dir/mod" go run . $words >../go
cd ..
printf '%s\n' $words | paste -d' ' - three two nltk go | sed 's/ /: /' | tee seen
diff seen - <<'EOF'
organization: organiz organ organ organ
internal: internal intern intern intern
added: add ad ad ad
evening: evening even even even
paste: paste past past past
universal: universal univers univers univers
create: creat creat creat creat
EOF
