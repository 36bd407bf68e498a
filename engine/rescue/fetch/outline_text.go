package fetch

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/words"
)

const (
	mostHeadings = 600 // of one kind of heading
	samples      = 20
)

// textOutline is the outline of a text in the making.
type textOutline struct {
	x      *text
	kind   rescue.Kind
	found  [2][]string // headings and definitions
	missed [2]int      // those past mostHeadings
}

// outlineText outlines lines: headings, definitions of code, lines that look
// like errors in clusters, and a sample when there is nothing of these.
func outlineText(x *text, kind rescue.Kind, note string, patterns []string) []string {
	t := &textOutline{x: x, kind: kind}
	errors := clustersOf(x.data, patterns)
	if kind == rescue.HTML {
		t.markup()
	} else {
		rest := x.data
		for line := int64(1); len(rest) > 0; line++ {
			var b []byte
			if b, rest = rescue.NextLine(rest); len(b) > 0 {
				t.start(b, line)
			}
		}
	}
	if kind == "" {
		kind = rescue.Text
	}
	out := []string{fmt.Sprintf("%s of %s and %s", quoteless(string(kind)), words.Count(x.lines, "line"), words.Count(x.chars, "char"))}
	if note != "" {
		out = append(out, note)
	}
	for i, name := range []string{"heading", "definition"} {
		if n := len(t.found[i]); n > 0 {
			out = append(out, fmt.Sprintf("%ss: %d", name, n+t.missed[i]))
			out = append(out, t.found[i]...)
			if t.missed[i] > 0 {
				out = append(out, fmt.Sprintf("  left out: %s", words.Count(t.missed[i], "more "+name)))
			}
		}
	}
	out = errors.list(out)
	if len(t.found[0])+len(t.found[1]) == 0 && errors.lines == 0 && len(x.data) > 0 {
		return x.sample(out)
	}
	return out
}

// start notes a line by how it begins.
func (t *textOutline) start(b []byte, line int64) {
	if t.kind == rescue.Diff { // its files and their parts
		for _, mark := range []string{"diff ", "+++ ", "@@ "} {
			if bytes.HasPrefix(b, []byte(mark)) {
				t.note(0, line, b)
			}
		}
		return
	}
	if b[0] == '#' && t.kind != rescue.Code {
		level := len(b) - len(bytes.TrimLeft(b, "#"))
		if level <= 6 && level < len(b) && b[level] == ' ' {
			t.note(0, line, b)
		}
		return
	}
	if t.kind == rescue.Code && defines(b) {
		t.note(1, line, b)
	}
}

// note keeps a line as it is, cut.
func (t *textOutline) note(i int, line int64, b []byte) {
	if len(t.found[i]) >= mostHeadings {
		t.missed[i]++
		return
	}
	t.found[i] = append(t.found[i], fmt.Sprintf("  %d: %s", line, oneLine(b)))
}

// oneLine returns the beginning of a line as text for an entry.
func oneLine(b []byte) string {
	size, _ := prefix(b, longestEntry)
	return shown(rescue.TrimEnding(b[:size]))
}

var (
	qualifiers  = words.Set("export default pub public private protected internal static async abstract final sealed unsafe declare")
	definitions = words.Set("func def class type interface struct enum trait impl fn function module namespace")
)

// defines reports whether a line of code begins a definition: a word such as
// func or class, after any words such as public.
func defines(b []byte) bool {
	for range 6 {
		b = bytes.TrimLeft(b, " \t")
		n := 0
		for n < len(b) && 'a' <= b[n] && b[n] <= 'z' {
			n++
		}
		if n == 0 || n == len(b) || b[n] != ' ' {
			return false
		}
		if definitions[string(b[:n])] {
			// In class = 1 the word is a name.
			next := bytes.TrimLeft(b[n:], " ")
			return len(next) > 0 && (folded[next[0]] != 0 || bytes.IndexByte([]byte("_(*&$`<"), next[0]) >= 0)
		}
		if !qualifiers[string(b[:n])] {
			return false
		}
		b = b[n:]
	}
	return false
}

// heading begins the title or a heading of HTML.
var heading = words.LazyRegexp(`<(?i:h([1-6])[> \n]|title>)`)

// markup looks for the title and the headings of HTML.
func (t *textOutline) markup() {
	data := t.x.data
	for at := 0; ; at++ {
		n := bytes.IndexByte(data[at:], '<')
		if n < 0 {
			return
		}
		if at += n; at+1 == len(data) || !strings.ContainsRune("hHtT", rune(data[at+1])) {
			continue
		}
		piece := data[at:min(len(data), at+2048)]
		tag := heading().FindSubmatch(piece[:min(len(piece), len("<title>"))])
		if tag == nil {
			continue
		}
		if len(t.found[0]) >= mostHeadings {
			t.missed[0]++
			continue
		}
		name := "title"
		if tag[1] != nil {
			name = "h" + string(tag[1])
		}
		if n := strings.Index(strings.ToLower(string(piece)), "</"+name); n >= 0 {
			piece = piece[:n]
		}
		var out []byte // without tags
		inTag := false
		for _, c := range piece {
			switch {
			case c == '<':
				inTag = true
				out = append(out, ' ')
			case c == '>' && inTag:
				inTag = false
			case !inTag:
				out = append(out, c)
			}
		}
		char, line := t.x.charAndLine(at)
		if text := strings.Join(strings.Fields(html.UnescapeString(shown(out))), " "); text != "" {
			t.found[0] = append(t.found[0], fmt.Sprintf("  %d, char %d: %s %s", line, char, name, words.Clip(text, longestEntry)))
		}
	}
}

// sample shows how evenly spaced places begin: lines, or characters when there
// are few lines.
func (x *text) sample(out []string) []string {
	unit, total, first := Lines, x.lines, int64(1)
	if total < samples && x.chars > total*longestEntry {
		unit, total, first = Chars, x.chars, 0
	}
	n := min(samples, total)
	begins := words.Count(n, "place") + " begin"
	if n == 1 {
		begins += "s"
	}
	out = append(out, fmt.Sprintf("no headings and no errors; %s so:", begins))
	rest, at := x.data, int64(0) // at is how many lines or characters come before the rest
	for i := range n {
		if pos := i * total / n; unit == Chars {
			size, _ := prefix(rest, pos-at)
			rest, at = rest[size:], pos
		} else {
			for ; at < pos; at++ {
				_, rest = rescue.NextLine(rest)
			}
		}
		b, _ := rescue.NextLine(rest)
		size, _ := prefix(b, 100)
		out = append(out, fmt.Sprintf("  %s %d: %s", strings.TrimSuffix(unit, "s"), at+first, oneLine(b[:size])))
	}
	return out
}
