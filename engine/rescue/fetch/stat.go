package fetch

import (
	"fmt"
	"strings"
	"time"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// stat answers with the facts of the blob. Its numbers are counted, not
// taken from the store's notes.
func (r *Reader) stat(x *index, l rescue.Limits) Answer {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\n", words.Clip(quoteless(r.meta.ID), 64))
	// SECURITY: the tool's name is foreign; quoted, it cannot begin a line.
	fmt.Fprintf(&b, "tool: %s\n", words.Clip(fmt.Sprintf("%q", r.meta.Tool), 60))
	fmt.Fprintf(&b, "type: %s\n", words.Clip(quoteless(string(r.meta.Kind)), 40))
	fmt.Fprintf(&b, "size: %s, %s, %s\n", words.Count(x.size, "byte"), words.Count(x.chars, "char"), words.Count(x.lines, "line"))
	text := b.String()
	for _, more := range []string{
		stored(r.meta.Stored),
		fmt.Sprintf("an answer holds at most %s, mode full %d\n", words.Count(l.FetchMaxChars, "char"), l.FullFetchMaxChars),
		"lines count from 1, chars from 0\n",
	} {
		if len(text)+len(more) <= l.FetchMaxChars {
			text += more
		}
	}
	return Answer{Mode: Stat, Text: text, From: 1, To: 0, Total: x.lines, Unit: Lines}
}

func stored(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "stored: " + t.UTC().Format(time.RFC3339) + "\n"
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
