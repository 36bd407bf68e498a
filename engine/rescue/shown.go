package rescue

import (
	"strings"
	"unicode/utf8"

	"caliper/model/safetext"
	"caliper/model/words"
)

// SECURITY: everything of a handle that is not ours passes through this file.
// A name is one line between quotes. A line of content is one line, made safe,
// behind a gutter that begins with a digit or a slash and ends with "| ";
// none of our own lines begins so, so no content can pass for one of them.

// longestNameSeen bounds a foreign name in a line of ours, in code points.
const longestNameSeen = 64

// shownName returns a foreign name as it stands in a sentence of ours: one
// line, bounded, quoted, safe for a terminal.
func shownName(name string) string {
	s := safetext.Line(words.First(name, longestNameSeen))
	if len(s) < len(name) && utf8.RuneCountInString(name) > longestNameSeen {
		s += "…"
	}
	return `"` + nameQuoter.Replace(s) + `"`
}

var nameQuoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// shownLine returns content as one safe line. It has at most as many
// characters as the content. Tabs stay: they are the indentation of code.
func shownLine(content []byte) string {
	fields := strings.Split(string(content), "\t")
	for i, f := range fields {
		fields[i] = safetext.Line(f)
	}
	return strings.Join(fields, "\t")
}

// firstCharsOf returns the first n characters of b.
func firstCharsOf(b []byte, n int) []byte {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return b[:at]
}

// lastCharsOf returns the last n characters of b.
func lastCharsOf(b []byte, n int) []byte {
	at := len(b)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(b[:at])
		at -= size
	}
	return b[at:]
}
