package fetch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// outline is the structure of a blob, or of the value at a pointer: entries,
// each without a line ending.
type outline struct {
	pointer string
	errors  []string // the patterns of lines that look like errors
	entries []string
}

const (
	// mostEntries bounds an outline; the others are counted in its last
	// entry.
	mostEntries = 2000
	// longestEntry bounds an entry in code points.
	longestEntry = 160
)

// outline answers mode outline: a page of entries.
func (r *Reader) outline(ctx context.Context, x *index, q Request, l rescue.Limits) (Answer, error) {
	o, err := r.structure(ctx, x, q.Pointer, l.ErrorLines)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Mode: Outline, From: q.Start, To: q.Start - 1, Total: int64(len(o.entries)), Unit: Entries}
	if q.Start > max(1, a.Total) {
		return a, faultf(CodePastEnd, "start is %d and the outline has %s, counted from 1", q.Start, words.CountOf(a.Total, "entry", "entries"))
	}
	var b strings.Builder
	room := l.FetchMaxChars
	for _, e := range o.entries[min(q.Start-1, a.Total):] {
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

// structure returns the outline, which is made once for each pointer in turn.
func (r *Reader) structure(ctx context.Context, x *index, pointer string, patterns []string) (*outline, error) {
	r.mu.Lock()
	kept := r.outlined
	r.mu.Unlock()
	if kept != nil && kept.pointer == pointer && slices.Equal(kept.errors, patterns) {
		return kept, nil
	}
	o := &outline{pointer: pointer, errors: patterns}
	from, to := int64(0), x.size
	if pointer != "" {
		v, err := r.value(ctx, pointer)
		if err != nil {
			return nil, err
		}
		from, to = v.from, v.to
	}
	var err error
	if pointer != "" || r.meta.Kind.IsJSON() || slices.Contains([]rescue.Kind{"", rescue.Text, rescue.JSONLines}, r.meta.Kind) {
		var broken bool
		o.entries, broken, err = outlineJSON(ctx, x, from, to, pointer, r.meta.Kind.IsJSON())
		if err == nil && pointer == "" && (broken || !r.meta.Kind.IsJSON()) { // a handle shows it as lines, and counts these
			errors := newClusters(patterns)
			err = x.windows(ctx, func(b []byte, _, line int64, _ bool) error { errors.add(b, line); return nil })
			o.entries = errors.list(o.entries)
		}
	} else {
		err = &malformed{}
	}
	var m *malformed
	if errors.As(err, &m) {
		if pointer != "" {
			return nil, notJSON(err)
		}
		note := ""
		if r.meta.Kind.IsJSON() {
			note = "not JSON throughout: " + m.Error() + "; outlined as text"
		}
		o.entries, err = outlineText(ctx, x, r.meta.Kind, note, patterns)
	}
	if err != nil {
		return nil, err
	}
	for i, e := range o.entries {
		o.entries[i] = words.Clip(e, longestEntry)
	}
	r.mu.Lock()
	r.outlined = o
	r.mu.Unlock()
	return o, nil
}
