package config

import (
	"bytes"
	"fmt"
	"strings"

	anchored "github.com/rogpeppe/go-internal/diff"
)

// Op says what became of a line.
type Op byte

// The operations, as the unified format writes them.
const (
	Same    Op = ' '
	Removed Op = '-'
	Added   Op = '+'
	Hunk    Op = '@'  // not a line but the head of those that follow
	NoBreak Op = '\\' // not a line but a remark: the one before ends without a line feed
)

// DiffLine is one line of a difference.
type DiffLine struct {
	Op   Op
	Text string // without the line feed; of a Hunk "@@ -a,b +c,d @@"
}

// Diff returns what differs, with up to three equal lines on both sides; nil for equal texts.
func Diff(old, new []byte) []DiffLine {
	out := anchored.Diff("a", old, "b", new)
	var list []DiffLine
	for i, text := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
		if i < 3 { // the names
			continue
		}
		l := DiffLine{Op: Op(text[0]), Text: string(text[1:])}
		switch l.Op {
		case Hunk:
			l.Text = string(text)
		case NoBreak:
			l.Text = strings.TrimPrefix(l.Text, " ")
		}
		list = append(list, l)
	}
	return list
}

// String returns a line as the unified format has it, without a line feed.
func (l DiffLine) String() string {
	switch l.Op {
	case Hunk:
		return l.Text
	case NoBreak:
		return `\ ` + l.Text
	}
	return string(l.Op) + l.Text
}

// Unified returns lines in the unified format under the names of both texts; "" for no lines.
func Unified(oldName, newName string, lines []DiffLine) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	for _, l := range lines {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}
