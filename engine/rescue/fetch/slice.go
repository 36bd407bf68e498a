package fetch

import (
	"fmt"
	"strings"
	"time"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// slice answers mode range.
func slice(x *text, q Request, l rescue.Limits) (Answer, error) {
	if q.Unit == Chars {
		if q.Start >= x.chars && q.Start > 0 {
			return Answer{}, pastEnd(q.Start, Chars, x)
		}
		return x.cut(q, x.char(q.Start), q.Start, x.chars, l.FetchMaxChars), nil
	}
	if q.Start > x.lines { // past the end, the last lines answer
		q.Start = max(1, x.lines-q.Count+1)
	}
	a := Answer{Mode: Range, From: q.Start, To: q.Start - 1, Total: x.lines, Unit: Lines}
	if x.lines == 0 {
		return a, nil
	}
	off := x.line(q.Start)
	b := x.data[off:]
	size, _ := prefix(b, int64(l.FetchMaxChars))
	used := 0
	for used < size && a.To-a.From+1 < q.Count {
		at, n := rescue.NextBreak(b[used:])
		if used+at+n > size {
			break
		}
		used += at + n
		a.To++
	}
	if used == 0 {
		char, _ := x.charAndLine(off)
		return x.cut(Request{Mode: Range, Unit: Chars}, off, char, x.chars, l.FetchMaxChars), nil
	}
	a.Text = shown(b[:used])
	if a.To < x.lines {
		a.Next = &Request{Mode: Range, Start: a.To + 1, Count: q.Count, Unit: Lines}
	}
	return a, nil
}

// cut answers with the characters from char, which begins at byte off, up to
// the character end: q.Count of them, or as many as the budget holds.
func (x *text) cut(q Request, off int, char, end int64, budget int) Answer {
	want := min(end-char, int64(budget))
	if q.Count > 0 {
		want = min(want, q.Count)
	}
	size, chars := prefix(x.data[off:], want)
	a := Answer{Mode: q.Mode, Text: shown(x.data[off : off+size]), From: char, To: char + chars - 1, Total: x.chars, Unit: Chars}
	if a.To+1 < end {
		q.Start, q.Unit = a.To+1, Chars
		a.Next = &q
	}
	return a
}

// full answers mode full.
func full(x *text, l rescue.Limits) (Answer, error) {
	if x.chars > int64(l.FullFetchMaxChars) && l.RefuseFullFetch {
		return Answer{}, rescue.Errorf(CodeFull,
			"the blob has %s in %s and mode full gives %d at most: use outline, grep or search to find the place, and range to read it",
			words.Count(x.chars, "character"), words.Count(x.lines, "line"), l.FullFetchMaxChars)
	}
	a := x.cut(Request{Mode: Full}, 0, 0, x.chars, l.FullFetchMaxChars)
	if a.Next != nil {
		a.Next = &Request{Mode: Range, Start: a.To + 1, Unit: Chars}
	}
	return a, nil
}

func pastEnd(start int64, unit string, x *text) *rescue.Error {
	if unit == Chars {
		return rescue.Errorf(CodePastEnd, "start is %d and the blob has %s, counted from 0: the last is %d", start, words.Count(x.chars, "char"), max(0, x.chars-1))
	}
	return rescue.Errorf(CodePastEnd, "start is %d and the blob has %s, counted from 1", start, words.Count(x.lines, "line"))
}

// stat answers with the facts of the blob. Its numbers are counted, not
// taken from the store's notes.
func stat(x *text, m rescue.Meta, l rescue.Limits) Answer {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\n", words.Clip(quoteless(m.ID), 64))
	// SECURITY: the tool's name is foreign; quoted, it cannot begin a line.
	fmt.Fprintf(&b, "tool: %s\n", words.Clip(fmt.Sprintf("%q", m.Tool), 60))
	fmt.Fprintf(&b, "type: %s\n", words.Clip(quoteless(string(m.Kind)), 40))
	fmt.Fprintf(&b, "size: %s, %s, %s\n", words.Count(len(x.data), "byte"), words.Count(x.chars, "char"), words.Count(x.lines, "line"))
	text := b.String()
	stored := ""
	if !m.Stored.IsZero() {
		stored = "stored: " + m.Stored.UTC().Format(time.RFC3339) + "\n"
	}
	for _, more := range []string{
		stored,
		fmt.Sprintf("an answer holds at most %s, mode full %d\n", words.Count(l.FetchMaxChars, "char"), l.FullFetchMaxChars),
		"lines count from 1, chars from 0\n",
	} {
		if len(text)+len(more) <= l.FetchMaxChars {
			text += more
		}
	}
	return Answer{Mode: Stat, Text: text, From: 1, To: 0, Total: x.lines, Unit: Lines}
}

// quoteless returns s when it is plain printable text, and quoted otherwise.
func quoteless(s string) string {
	for _, c := range s {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("%q", s)
		}
	}
	return s
}
