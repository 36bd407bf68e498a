package repro

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model"
)

// document is Markdown under construction. What its methods are given is
// markup, but for the text of a fence; text from outside becomes markup by
// code and in no other way.
type document struct{ b strings.Builder }

// unsafe is what code and fences put before text of which they replaced
// characters that act on a terminal or hide. It is in no text, since it is such
// a character itself, and in no document.
const unsafe = "\x00"

// String returns the document.
func (d *document) String() string { return strings.ReplaceAll(d.b.String(), unsafe, "") }

// removed reports whether characters were replaced because they are unsafe.
func (d *document) removed() bool { return strings.Contains(d.b.String(), unsafe) }

// mark returns unsafe for text that holds unsafe characters, and nothing for
// other text. How lines and words are set apart is no danger.
func mark(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\t", " ").Replace(text)
	if model.SanitizeText(text) != text {
		return unsafe
	}
	return ""
}

// begin ends what stands before with an empty line.
func (d *document) begin() {
	if d.b.Len() > 0 {
		d.b.WriteByte('\n')
	}
}

// heading writes a heading of a level.
func (d *document) heading(level int, markup string) {
	d.line(strings.Repeat("#", level) + " " + markup)
}

// line writes a paragraph of one line.
func (d *document) line(markup string) {
	d.begin()
	d.b.WriteString(markup + "\n")
}

// list writes a list.
func (d *document) list(items []string) {
	d.begin()
	for _, item := range items {
		d.b.WriteString("- " + item + "\n")
	}
}

// fence writes text as a fenced block of a language, cut to maxBlock.
func (d *document) fence(language, text string) { d.block(language, text, maxBlock) }

// block writes text as a fenced block of a language, cut to so many characters.
//
// SECURITY: only a run of backticks at least as long as the opening one ends a
// fence (GFM 4.5), and the text has no run as long.
func (d *document) block(language, text string, most int) {
	d.begin()
	d.b.WriteString(mark(text))
	text = shortened(model.SanitizeText(text), most, "\n")
	marks := strings.Repeat("`", max(3, longestRun(text)+1))
	fmt.Fprintf(&d.b, "%s%s\n%s\n%s\n", marks, language, strings.TrimSuffix(text, "\n"), marks)
}

// table is a table with its rows, of cells that are markup.
type table struct {
	titles []string
	rows   [][]string
}

// tableOf returns a table without rows.
func tableOf(titles ...string) *table { return &table{titles: titles} }

// add appends a row.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// table writes a table.
func (d *document) table(t *table) {
	d.begin()
	d.row(t.titles)
	d.row(slices.Repeat([]string{"---"}, len(t.titles)))
	for _, cells := range t.rows {
		d.row(cells)
	}
}

// more writes how many rows a table had no room for, if any.
func (d *document) more(n int) {
	if n > 0 {
		d.line(fmt.Sprintf("And %d more.", n))
	}
}

// row writes one row of a table.
//
// SECURITY: a row is one line, and only a pipe without a backslash before it
// ends a cell, also within code (GFM 4.10). The backslash is taken away before
// anything else is read, so that it never shows.
func (d *document) row(cells []string) {
	for _, markup := range cells {
		d.b.WriteString("| " + strings.ReplaceAll(markup, "|", `\|`) + " ")
	}
	d.b.WriteString("|\n")
}

// code returns text as a code span on one line, cut to maxCode, and nothing
// for no text.
//
// SECURITY: within code nothing is markup: no link, no mention, no HTML. Only
// a run of backticks exactly as long as the opening one ends a span (GFM 6.3),
// and the text has no run as long.
func code(text string) string {
	found := mark(text)
	text = shortened(model.Sanitize(text), maxCode, "")
	if text == "" {
		return ""
	}
	marks, space := strings.Repeat("`", longestRun(text)+1), ""
	// One space is taken away where both ends have one, and a backtick at an
	// end would join the marks.
	if edge := text[:1] + text[len(text)-1:]; strings.Contains(edge, "`") || edge == "  " {
		space = " "
	}
	return found + marks + space + text + space + marks
}

// longestRun returns the length of the longest run of backticks in text.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// shortened returns text of at most n characters, with a note behind a
// separator of how many there were when it was cut.
func shortened(text string, n int, separator string) string {
	length := utf8.RuneCountInString(text)
	if length <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return fmt.Sprintf("%s%s… (%d characters in all)", text[:i], separator, length)
		}
		n--
	}
	return text
}

// summands returns what a score is the sum of, one deep: words of the query,
// components of the ranker, or both. What adds nothing is left out, and what is
// taken away stands behind a minus.
//
// SECURITY: a component is a name of our own, in letters; words of a query are
// code.
func summands(e retrieval.Explanation) string {
	var b strings.Builder
	for _, part := range e.Children {
		if part.Value == 0 {
			continue
		}
		sign, label := " + ", part.Component
		if part.Token != "" {
			label = code(shortened(part.Token, maxWord, ""))
		}
		switch {
		case part.Value < 0 && b.Len() > 0:
			sign = " − "
		case part.Value < 0:
			sign = "− "
		case b.Len() == 0:
			sign = ""
		}
		b.WriteString(sign + label + " " + number(math.Abs(part.Value)))
	}
	return b.String()
}
