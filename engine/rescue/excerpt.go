package rescue

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"
)

// excerpt is the work on one handle.
type excerpt struct {
	ctx      context.Context
	src      io.ReaderAt
	size     int64
	meta     Meta
	limits   Limits
	kind     Kind
	items    *items // of JSON
	errors   *suspects
	proposal proposal
	fault    error // of a read between the lines of the tail
	resume   int   // the line to go on from
	rest     int   // the character to go on from, where there is one line

	// Of an excerpt of one member inside another.
	within string // its pointer, safe to show
	of     string // its name, quoted and safe to show
}

// settleKind finds out what the blob can be shown as.
func (x *excerpt) settleKind() (err error) {
	x.kind = x.meta.Kind
	switch x.kind {
	case JSONArray, JSONObject:
		x.items, err = scanItems(x.ctx, x.src, x.size, x.limits)
		switch {
		case err != nil:
			return err
		case x.items == nil:
			x.kind = Text
		case x.items.object:
			x.kind = JSONObject
		default:
			x.kind = JSONArray
		}
	case Binary, HTML, Code, Text, JSONLines, XML, Diff:
	default:
		x.kind = Text
	}
	return nil
}

// showsLines reports whether the excerpt is of lines, from the first one on.
func (x *excerpt) showsLines() bool {
	return x.kind != Binary && !(x.kind.IsJSON() && !x.items.empty())
}

// body returns an excerpt of at most room characters, of whole lines.
func (x *excerpt) body(room int) ([]Line, []Gap, error) {
	switch {
	case x.kind == Binary:
		b, err := x.binary(room)
		return b, nil, err
	case x.kind.IsJSON() && !x.items.empty():
		return x.json(room)
	default:
		return x.text(room)
	}
}

// binary shows the first bytes as hexadecimal digits.
func (x *excerpt) binary(room int) ([]Line, error) {
	const perLine, most = 16, 256
	head, err := readPart(x.src, 0, min(x.size, most))
	if err != nil {
		return nil, err
	}
	p := page{room: room}
	for at := 0; at < len(head); at += perLine {
		if !p.add(Line{fmt.Sprintf("%d| % x", at, head[at:min(len(head), at+perLine)]), LineContent}) {
			break
		}
	}
	return p.lines, nil
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
