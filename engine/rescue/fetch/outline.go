package fetch

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

const (
	// mostEntries bounds an outline; the others are counted in its last
	// entry.
	mostEntries = 2000
	// longestEntry bounds an entry in code points.
	longestEntry = 160
)

// outline answers mode outline: a page of entries, each without a line ending.
func outline(x *text, kind rescue.Kind, q Request, l rescue.Limits) (Answer, error) {
	entries, err := x.entries(kind, q.Pointer, l.ErrorLinePatterns)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Mode: Outline, From: q.Start, To: q.Start - 1, Total: int64(len(entries)), Unit: Entries}
	if q.Start > max(1, a.Total) {
		return a, rescue.Errorf(CodePastEnd, "start is %d and the outline has %s, counted from 1", q.Start, words.CountOf(a.Total, "entry", "entries"))
	}
	var b strings.Builder
	room := l.FetchMaxChars
	for _, e := range entries[min(q.Start-1, a.Total):] {
		e = words.Clip(e, longestEntry)
		n := utf8.RuneCountInString(e) + 1
		if n > room || q.Count > 0 && a.To-a.From+1 == q.Count {
			break
		}
		room -= n
		b.WriteString(e)
		b.WriteByte('\n')
		a.To++
	}
	a.Text = b.String()
	if a.To < a.Total {
		q.Start = a.To + 1
		a.Next = &q
	}
	return a, nil
}

// entries returns the outline of a blob of a kind, or of the value at a pointer.
// patterns are those of lines that look like errors.
func (x *text) entries(kind rescue.Kind, pointer string, patterns []string) ([]string, error) {
	if pointer != "" {
		from, to, err := x.value(pointer)
		if err != nil {
			return nil, err
		}
		out, _, err := outlineJSON(x.data[from:to], from, pointer, kind.IsJSON())
		return out, err
	}
	note := ""
	if kind.IsJSON() || slices.Contains([]rescue.Kind{"", rescue.Text, rescue.JSONLines}, kind) {
		out, broken, err := outlineJSON(x.data, 0, "", kind.IsJSON())
		if err == nil && (broken || !kind.IsJSON()) { // a handle shows it as lines, and counts these
			found := clustersOf(x.data, patterns)
			out = found.list(out)
		}
		var m *malformed
		if !errors.As(err, &m) {
			return out, err
		}
		if kind.IsJSON() {
			note = "not JSON throughout: " + m.Error() + "; outlined as text"
		}
	}
	return outlineText(x, kind, note, patterns), nil
}
