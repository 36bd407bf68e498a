package rescue

import (
	"fmt"
	"unicode/utf8"
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
