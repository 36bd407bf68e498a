package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/safetext"
	"caliper/model/words"
)

// The limits of Markdown, which keep it within the 65,536 characters of a
// GitHub issue.
const (
	MaxRows     = 32   // rows of a table; every K of a frontier
	maxBlock    = 6000 // characters of a fenced text
	maxCode     = 120  // characters of a name or a value
	maxSentence = 600
)

// Markdown returns a report as Markdown, and whether it replaced characters of
// foreign text that act on a terminal or are invisible.
func (r *Report) Markdown() (text string, removed bool) {
	var m markdown
	for _, b := range r.blocks {
		if b.kind == blank || b.kind == drawing {
			continue
		}
		if m.b.Len() > 0 {
			m.b.WriteByte('\n')
		}
		switch b.kind {
		case heading:
			m.b.WriteString(strings.Repeat("#", b.number) + " " + m.text(b.texts[0]) + "\n")
		case list:
			for _, item := range b.texts {
				m.b.WriteString("- " + m.text(item) + "\n")
			}
		case fence, quote:
			// SECURITY: only a run of backticks at least as long as the opening one ends a
			// fence (GFM 4.5), and the text has no run as long.
			m.look(b.raw)
			text := shortened(safetext.Lines(b.raw), b.number, "\n")
			marks := strings.Repeat("`", max(3, longestRun(text)+1))
			fmt.Fprintf(&m.b, "%s%s\n%s\n%s\n", marks, b.name, strings.TrimSuffix(text, "\n"), marks)
		case grid:
			titles := make([]Text, len(b.table.columns))
			for i, c := range b.table.columns {
				titles[i] = c.title
			}
			m.row(titles)
			m.row(slices.Repeat([]Text{TextOf("---")}, len(titles)))
			for r := range b.table.each {
				if r.ruler != "" {
					r.cells = make([]Text, len(titles))
					r.cells[0] = TextOf(r.ruler)
				}
				m.row(r.cells)
			}
		default:
			m.b.WriteString(m.text(b.texts[0]) + "\n")
		}
	}
	return m.b.String(), m.removed
}

// markdown builds Markdown. Text of this program is markup; foreign text is written only by
// code and in fences.
type markdown struct {
	b       strings.Builder
	removed bool
}

// text returns a text as markup on one line.
func (m *markdown) text(t Text) string {
	var b strings.Builder
	for _, s := range t {
		switch s.origin {
		case ours, blocks:
			b.WriteString(s.text)
		case number:
			b.WriteString(words.Minus(strconv.Itoa(s.number)))
		default:
			b.WriteString(m.code(s.text, cmp.Or(s.number, maxCode)))
		}
	}
	return b.String()
}

// look records whether text has characters that are replaced. White space does
// not count.
func (m *markdown) look(text string) {
	text = strings.NewReplacer("\r\n", "\n", "\t", " ").Replace(text)
	m.removed = m.removed || safetext.Lines(text) != text
}

// row writes one row of a table.
//
// SECURITY: a row is one line, and only a pipe without a backslash before it
// ends a cell, also within code (GFM 4.10). GFM removes the backslash before it
// parses the cell, so it is never visible.
func (m *markdown) row(cells []Text) {
	for _, c := range cells {
		m.b.WriteString("| " + strings.ReplaceAll(m.text(c), "|", `\|`) + " ")
	}
	m.b.WriteString("|\n")
}

// code returns text as a code span on one line, cut to most characters; empty for empty
// text.
//
// SECURITY: within code nothing is markup: no link, no mention, no HTML. Only a
// run of backticks exactly as long as the opening one ends a span (GFM 6.3),
// and the text has no run as long.
func (m *markdown) code(text string, most int) string {
	m.look(text)
	text = shortened(safetext.Line(text), most, "")
	if text == "" {
		return ""
	}
	marks, space := strings.Repeat("`", longestRun(text)+1), ""
	// GFM removes one space when both ends have one, and a backtick at an end
	// would join the delimiter.
	if edge := text[:1] + text[len(text)-1:]; strings.Contains(edge, "`") || edge == "  " {
		space = " "
	}
	return marks + space + text + space + marks
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

// shortened returns text cut to n characters. A cut text ends with the
// separator and its original length.
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
