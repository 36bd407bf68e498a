package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
)

// Text is the text of a line, a paragraph or a cell. Each span records where
// its characters come from, so that every printer can make them safe.
type Text []span

// span is a piece of text with one origin and one style.
type span struct {
	origin origin
	style  style
	text   string
	number int // of origin number; of foreign text its most characters in Markdown, 0: maxCode
}

// origin is where the characters of a span come from.
type origin int

const (
	ours    origin = iota // words of this program; in Markdown they are markup
	foreign               // of a registry, a config, a query or a file: one line
	number                // digits are grouped in a terminal, and not in Markdown
	blocks                // a bar of block characters; a page of HTML has charts instead
)

// style is how a span looks in a terminal that shows styles. The text means the
// same without it. Markdown has no styles.
type style string

const (
	plain  style = ""
	strong style = "\x1b[1m"
	faint  style = "\x1b[2m"
	alarm  style = "\x1b[1;31m"
)

// Name returns foreign text, such as a name, a value or a query, as one line.
// In Markdown it is code.
//
//go:noinline // or each caller has a copy
func Name[S ~string](s S) Text {
	if safetext.Line(string(s)) == "" {
		return nil
	}
	return Text{{origin: foreign, text: string(s)}}
}

// Sentence returns foreign text as Name does, with more of it in Markdown: words of this
// program among which names are.
func Sentence(s string) Text {
	t := Name(s)
	if len(t) > 0 {
		t[0].number = maxSentence
	}
	return t
}

// Textf returns text formatted as by package fmt. A Text among the arguments
// keeps its spans, and an int under %d is a number. Everything else is text of
// this program.
//
// SECURITY: foreign text must be a Name, or Markdown would read it as markup.
func Textf(format string, args ...any) Text {
	if format == "" {
		return nil
	}
	out := make(Text, 0, 2*len(args)+1) // a span for each argument and around it
	for format != "" {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			return append(out, span{text: format})
		}
		if at > 0 {
			out = append(out, span{text: format[:at]})
		}
		format = format[at:]
		if format[1] == '%' {
			out, format = append(out, span{text: "%"}), format[2:]
			continue
		}
		end := strings.IndexFunc(format[1:], func(c rune) bool { return c >= 'a' && c <= 'z' }) + 2
		verb, arg := format[:end], args[0]
		format, args = format[end:], args[1:]
		_, whole := arg.(int)
		_, fraction := arg.(float64)
		_, text := arg.(Text)
		switch {
		case text || whole && verb == "%d":
			out = append(out, TextOf(arg)...)
		case fraction:
			out = append(out, span{text: words.Minus(fmt.Sprintf(verb, arg))})
		default:
			out = append(out, span{text: fmt.Sprintf(verb, arg)})
		}
	}
	return out
}

// TextOf returns one argument of a line or a cell as Text.
func TextOf(part any) Text {
	switch part := part.(type) {
	case Text:
		return part
	case string:
		return Text{{text: part}}
	case int:
		return Text{{origin: number, number: part}}
	}
	return Text{{text: fmt.Sprint(part)}}
}

// join returns the concatenation of arguments as Text.
func join(parts []any) Text {
	var out Text
	for _, p := range parts {
		out = append(out, TextOf(p)...)
	}
	return out
}

// Strong returns emphasised text.
func Strong(format string, args ...any) Text { return styled(strong, Textf(format, args...)) }

// Faint returns text that is less important.
func Faint(format string, args ...any) Text { return styled(faint, Textf(format, args...)) }

// Alarm returns text that must not be overlooked.
func Alarm(format string, args ...any) Text { return styled(alarm, Textf(format, args...)) }

// styled returns text in a style.
func styled(s style, t Text) Text {
	t = slices.Clone(t)
	for i := range t {
		t[i].style = s
	}
	return t
}

// Or returns t, or the given text when t is empty.
func Or(t Text, words string) Text {
	if len(t) == 0 {
		return TextOf(words)
	}
	return t
}

// String returns the text for a terminal, without styles.
//
// SECURITY: nothing in a foreign span can act on a terminal; the printer cleans
// the text of this program.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.String())
	}
	return b.String()
}

// String returns a span for a terminal, without its style.
func (s span) String() string {
	switch s.origin {
	case foreign:
		return ui.Clean(safetext.Line(s.text))
	case number:
		return words.Thousands(s.number)
	}
	return s.text
}

// Count returns a number with what it counts, in the plural unless it is one.
func Count(n int, noun string) Text {
	return Textf("%d "+words.Plural(n, noun), n)
}

// Percent returns a percentage with one decimal, which is left out when it is
// zero.
func Percent(pct float64) string {
	return words.Minus(strings.TrimSuffix(strconv.FormatFloat(pct, 'f', 1, 64), ".0")) + "%"
}

// Tenths returns a percentage with one decimal.
func Tenths(pct float64) string { return words.Minus(strconv.FormatFloat(pct, 'f', 1, 64)) + "%" }

// Names returns the first shown names of a list in one line. NamesCounted counts the others.
func Names(names []string, shown int) Text {
	var out Text
	for i, name := range names[:min(len(names), shown)] {
		if i > 0 {
			out = append(out, TextOf(", ")...)
		}
		out = append(out, Name(name)...)
	}
	return out
}

// NamesCounted returns the first names of a list in one line, and how many more there are.
func NamesCounted(names []string) Text {
	out := Names(names, NamesShown)
	if more := len(names) - NamesShown; more > 0 {
		out = Textf("%v and %d more", out, more)
	}
	return out
}

// NamesShown is the number of names that NamesCounted and FirstNames list.
const NamesShown = 5

// FirstNames returns the first names of a list in one line, and counts the
// others.
func FirstNames(names []string) string { return FirstOf(names, safetext.Line) }

// FirstOf implements FirstNames for a given way to show a name.
func FirstOf(names []string, shown func(string) string) string {
	var out []string
	for _, name := range names[:min(len(names), NamesShown)] {
		out = append(out, shown(name))
	}
	line := strings.Join(out, ", ")
	if more := len(names) - len(out); more > 0 {
		line += " and " + words.Thousands(more) + " more"
	}
	return line
}

// Joined returns the elements with commas between them.
func Joined[S ~string](list []S) string {
	var out strings.Builder
	for i, s := range list {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(string(s))
	}
	return out.String()
}

// OrNone returns n, or for 0 the text none unless that is empty.
func OrNone(n int, none string) any {
	if n == 0 && none != "" {
		return none
	}
	return n
}

// Signed returns a change with its sign.
func Signed(n int) Text {
	switch {
	case n > 0:
		return Textf("+%d", n)
	case n < 0:
		return Textf("−%d", -n)
	}
	return TextOf(0)
}

// OnOff returns the word for whether search is active.
func OnOff(active bool) string {
	if active {
		return "ON"
	}
	return "OFF"
}
