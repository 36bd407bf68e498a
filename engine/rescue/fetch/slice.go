package fetch

import (
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// slice answers mode range.
func (r *Reader) slice(x *index, q Request, l rescue.Limits) (Answer, error) {
	if q.Unit == Chars {
		if q.Start >= x.chars && q.Start > 0 {
			return Answer{}, pastEnd(q.Start, Chars, x)
		}
		off, err := x.char(q.Start)
		if err != nil {
			return Answer{}, err
		}
		return x.cut(q, off, q.Start, x.chars, int64(l.FetchMaxChars))
	}
	if q.Start > x.lines { // past the end, the last lines answer
		q.Start = max(1, x.lines-q.Count+1)
	}
	a := Answer{Mode: Range, From: q.Start, To: q.Start - 1, Total: x.lines, Unit: Lines}
	if x.lines == 0 {
		return a, nil
	}
	off, err := x.line(q.Start)
	if err != nil {
		return a, err
	}
	b, err := readAt(r.src, make([]byte, utf8.UTFMax*(l.FetchMaxChars+1)), off)
	if err != nil {
		return a, err
	}
	size, _ := prefix(b, int64(l.FetchMaxChars))
	atEnd := off+int64(size) == x.size
	used := 0
	for used < size && a.To-a.From+1 < q.Count {
		at, n := rescue.NextBreak(b[used:])
		if end := used + at + n; end > size || n == 0 && !atEnd {
			break
		}
		used += at + n
		a.To++
	}
	if used == 0 {
		char, _, err := x.place(off)
		if err != nil {
			return a, err
		}
		return x.cut(Request{Mode: Range, Unit: Chars}, off, char, x.chars, int64(l.FetchMaxChars))
	}
	a.Text = shown(b[:used])
	if a.To < x.lines {
		a.Next = &Request{Mode: Range, Start: a.To + 1, Count: q.Count, Unit: Lines}
	}
	return a, nil
}

// cut answers with the characters from char, which begins at byte off, up to
// the character end: q.Count of them, or as many as the budget holds.
func (x *index) cut(q Request, off, char, end, budget int64) (Answer, error) {
	want := min(end-char, budget)
	if q.Count > 0 {
		want = min(want, q.Count)
	}
	a := Answer{Mode: q.Mode, From: char, To: char - 1, Total: x.chars, Unit: Chars}
	b, err := readAt(x.src, make([]byte, min(utf8.UTFMax*want+utf8.UTFMax, x.size-off)), off)
	if err != nil {
		return a, err
	}
	size, chars := prefix(b, want)
	a.Text = shown(b[:size])
	a.To += chars
	if a.To+1 < end {
		q.Start, q.Unit = a.To+1, Chars
		a.Next = &q
	}
	return a, nil
}

// full answers mode full.
func (r *Reader) full(x *index, l rescue.Limits) (Answer, error) {
	limit := int64(l.FullFetchMaxChars)
	if x.chars > limit && l.RefuseFullFetch {
		return Answer{}, faultf(CodeFull,
			"the blob has %s in %s and mode full gives %d at most: use outline, grep or search to find the place, and range to read it",
			words.Count(x.chars, "character"), words.Count(x.lines, "line"), limit)
	}
	a, err := x.cut(Request{Mode: Full}, 0, 0, x.chars, limit)
	if a.Next != nil {
		a.Next = &Request{Mode: Range, Start: a.To + 1, Unit: Chars}
	}
	return a, err
}

func pastEnd(start int64, unit string, x *index) *Error {
	if unit == Chars {
		return faultf(CodePastEnd, "start is %d and the blob has %s, counted from 0: the last is %d", start, words.Count(x.chars, "char"), max(0, x.chars-1))
	}
	return faultf(CodePastEnd, "start is %d and the blob has %s, counted from 1", start, words.Count(x.lines, "line"))
}
