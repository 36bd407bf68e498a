package fetch

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

const (
	textWindow   = 256 << 10
	mostHeadings = 600 // of one kind of heading
	samples      = 20
)

// textOutline is the outline of a text in the making.
type textOutline struct {
	x        *index
	kind     rescue.Kind
	headings []string
	defined  []string
	missed   [2]int // headings and definitions past mostHeadings
	errors   clusters
}

// outlineText outlines lines: headings, definitions of code, lines that look
// like errors in clusters, and a sample when there is nothing of these.
func outlineText(ctx context.Context, x *index, kind rescue.Kind, note string, patterns []string) ([]string, error) {
	t := &textOutline{x: x, kind: kind, errors: newClusters(patterns)}
	err := x.windows(ctx, func(b []byte, off, line int64, inLine bool) error {
		t.errors.add(b, line)
		if kind == rescue.HTML {
			return t.markup(b, off)
		}
		t.starts(b, line, inLine)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.entries(note)
}

// windows hands out a text from its beginning to its end in parts of whole lines, where a
// part has room for one, with the offset and the line where each begins, and whether it
// begins inside that line. A part is valid during the call.
func (x *index) windows(ctx context.Context, take func(b []byte, off, line int64, inLine bool) error) error {
	buf := make([]byte, textWindow)
	line, inLine := int64(1), false
	for off := int64(0); off < x.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := readAt(x.src, buf, off)
		if err != nil {
			return err
		}
		if off+int64(len(b)) < x.size {
			if b = rescue.WholeBeginning(b); len(rescue.WholeLines(b)) > 0 {
				b = rescue.WholeLines(b)
			}
		}
		if err := take(b, off, line, inLine); err != nil {
			return err
		}
		line += int64(rescue.CountBreaks(b))
		inLine = !rescue.BreakEnds(b, len(b))
		off += int64(len(b))
	}
	return nil
}

func (t *textOutline) entries(note string) ([]string, error) {
	kind := string(t.kind)
	if kind == "" {
		kind = string(rescue.Text)
	}
	out := []string{fmt.Sprintf("%s of %s and %s", quoteless(kind), words.Count(t.x.lines, "line"), words.Count(t.x.chars, "char"))}
	if note != "" {
		out = append(out, note)
	}
	for i, part := range []struct {
		name  string
		lines []string
	}{{"headings", t.headings}, {"definitions", t.defined}} {
		if len(part.lines) > 0 {
			out = append(out, fmt.Sprintf("%s: %d", part.name, len(part.lines)+t.missed[i]))
			out = append(out, part.lines...)
			if t.missed[i] > 0 {
				out = append(out, fmt.Sprintf("  left out: %s", words.Count(t.missed[i], "more "+strings.TrimSuffix(part.name, "s"))))
			}
		}
	}
	out = t.errors.list(out)
	if len(t.headings)+len(t.defined) == 0 && t.errors.lines == 0 && t.x.size > 0 {
		return t.sample(out)
	}
	return out, nil
}

// starts looks at how lines begin.
func (t *textOutline) starts(b []byte, line int64, inLine bool) {
	for at := 0; at < len(b); line++ {
		n, size := rescue.NextBreak(b[at:])
		if !inLine && n > 0 {
			t.start(b[at:at+n], line)
		}
		inLine = false
		at += n + size
	}
}

func (t *textOutline) start(b []byte, line int64) {
	if t.kind == rescue.Diff { // its files and their parts
		for _, mark := range []string{"diff ", "+++ ", "@@ "} {
			if bytes.HasPrefix(b, []byte(mark)) {
				t.note(0, &t.headings, line, b)
			}
		}
		return
	}
	if b[0] == '#' && t.kind != rescue.Code {
		level := len(b) - len(bytes.TrimLeft(b, "#"))
		if level <= 6 && level < len(b) && b[level] == ' ' {
			t.note(0, &t.headings, line, b)
		}
		return
	}
	if t.kind == rescue.Code && defines(b) {
		t.note(1, &t.defined, line, b)
	}
}

// note keeps a line as it is, cut.
func (t *textOutline) note(i int, list *[]string, line int64, b []byte) {
	if len(*list) >= mostHeadings {
		t.missed[i]++
		return
	}
	*list = append(*list, fmt.Sprintf("  %d: %s", line, oneLine(b)))
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

// markup looks for the title and the headings of HTML that begin in b.
func (t *textOutline) markup(b []byte, off int64) error {
	for at := 0; ; at++ {
		n := bytes.IndexByte(b[at:], '<')
		if n < 0 {
			return nil
		}
		at += n
		if at+2 < len(b) && !headingTag(b[at+1:]) {
			continue
		}
		if len(t.headings) >= mostHeadings {
			t.missed[0]++
			continue
		}
		piece, err := readAt(t.x.src, make([]byte, 2048), off+int64(at))
		if err != nil {
			return err
		}
		if !headingTag(piece[1:]) {
			continue
		}
		name, text := heading(piece)
		char, line, err := t.x.place(off + int64(at))
		if err != nil {
			return err
		}
		if text != "" {
			t.headings = append(t.headings, fmt.Sprintf("  %d, char %d: %s %s", line, char, name, words.Clip(text, longestEntry)))
		}
	}
}

// headingTag reports whether a tag's name, which begins b, is title or h1 to
// h6.
func headingTag(b []byte) bool {
	switch {
	case len(b) > 2 && lower(b[0]) == 'h':
		return '1' <= b[1] && b[1] <= '6' && (b[2] == '>' || b[2] == ' ' || b[2] == '\n')
	case len(b) > 5 && lower(b[0]) == 't':
		return strings.EqualFold(string(b[:5]), "title") && b[5] == '>'
	}
	return false
}

// heading returns the name of the tag that begins piece and the text of the
// element, without tags.
func heading(piece []byte) (name, text string) {
	name = "h" + string(piece[2])
	if lower(piece[1]) == 't' {
		name = "title"
	}
	end := name
	if n := strings.Index(strings.ToLower(string(piece)), "</"+end); n >= 0 {
		piece = piece[:n]
	}
	var out []byte
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
	return name, strings.Join(strings.Fields(html.UnescapeString(shown(out))), " ")
}

// sample shows how evenly spaced places begin: lines, or characters when there
// are few lines.
func (t *textOutline) sample(out []string) ([]string, error) {
	unit, total := Lines, t.x.lines
	if total < samples && t.x.chars > total*longestEntry {
		unit, total = Chars, t.x.chars
	}
	n := min(samples, total)
	begins := words.Count(n, "place") + " begin"
	if n == 1 {
		begins += "s"
	}
	out = append(out, fmt.Sprintf("no headings and no errors; %s so:", begins))
	for i := range n {
		pos := i * total / n
		off, err := int64(0), error(nil)
		if unit == Lines {
			pos++
			off, err = t.x.line(pos)
		} else {
			off, err = t.x.char(pos)
		}
		if err != nil {
			return nil, err
		}
		b, err := readAt(t.x.src, make([]byte, 100*utf8.UTFMax), off)
		if err != nil {
			return nil, err
		}
		b, _ = rescue.NextLine(b)
		size, _ := prefix(b, 100)
		out = append(out, fmt.Sprintf("  %s %d: %s", strings.TrimSuffix(unit, "s"), pos, oneLine(b[:size])))
	}
	return out, nil
}
