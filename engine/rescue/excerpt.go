package rescue

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"caliper/model/safetext"
	"caliper/model/words"
)

// excerpt is the work on one handle.
type excerpt struct {
	data   []byte
	meta   Meta
	limits Limits
	kind   Kind
	items  *items // of JSON
	errors *suspects
	grep   string // the search that a handle proposes, as a pattern
	search string // and as a question; each is empty when the blob has no such word
	resume int    // the line to go on from
	rest   int    // the character to go on from, where there is one line

	// Of an excerpt of one member inside another.
	within string // its pointer, safe to show
	of     string // its name, quoted and safe to show
}

// body returns an excerpt of at most room characters, of whole lines.
func (x *excerpt) body(room int) ([]Line, []Gap) {
	switch {
	case x.kind == Binary:
		// Show the first bytes as hexadecimal digits.
		const perLine, most = 16, 256
		head := x.data[:min(len(x.data), most)]
		p := page{room: room}
		for at := 0; at < len(head); at += perLine {
			if !p.add(Line{fmt.Sprintf("%d| % x", at, head[at:min(len(head), at+perLine)]), LineContent}) {
				break
			}
		}
		return p.lines, nil
	case x.kind.IsJSON() && !x.items.empty():
		return x.json(room)
	default:
		return x.text(room)
	}
}

// page collects lines up to a number of characters.
type page struct {
	lines []Line
	room  int
}

// add adds lines if all of them fit, and reports whether they did.
func (p *page) add(lines ...Line) bool {
	n := charsOfLines(lines)
	if n > p.room {
		return false
	}
	p.room -= n
	p.lines = append(p.lines, lines...)
	return true
}

// charsOfLines counts the characters of lines, each with its line break.
func charsOfLines(lines []Line) int {
	n := len(lines)
	for _, l := range lines {
		n += charsOf(l.Text)
	}
	return n
}

// charsOf counts the characters of a text of ours.
func charsOf(s string) int { return utf8.RuneCountInString(s) }

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
