package tokens

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The fixed texts of a list. Every length in ours follows from them.
const (
	listHeader   = "Tools that can be found with this tool, by where they come from:"
	beforeCount  = " ("
	afterCount   = "):"
	summaryTail  = " tools): search to see their names"
	bullet       = "- "
	beforeSay    = ": "
	betweenNames = ", "
)

// ours has the lengths of our fixed texts.
var ours = wording{
	header:      utf8.RuneCountInString(listHeader),
	head:        len(beforeCount) + len(afterCount),
	summary:     len(beforeCount) + len(summaryTail),
	line:        len(bullet),
	lineWithSay: len(bullet) + len(beforeSay),
	separator:   len(betweenNames),
}

// Text returns what the model is shown; empty for None.
func (l List) Text() string {
	if l.Form == ListNone {
		return ""
	}
	var b strings.Builder
	b.WriteString(listHeader)
	for i := range l.Groups {
		b.WriteByte('\n')
		l.Groups[i].write(&b)
	}
	return b.String()
}

// GroupText returns the part of the text that is about group i; empty for None.
func (l List) GroupText(i int) string {
	if l.Form == ListNone {
		return ""
	}
	var b strings.Builder
	l.Groups[i].write(&b)
	return b.String()
}

// write writes a group in its form.
func (g *ListGroup) write(b *strings.Builder) {
	b.WriteString(g.Label + beforeCount + strconv.Itoa(g.Tools))
	if g.Form == ListSummary {
		b.WriteString(summaryTail)
		return
	}
	b.WriteString(afterCount)
	if g.Form == ListNames {
		b.WriteString(" " + strings.Join(g.names, betweenNames))
		return
	}
	for i, name := range g.names {
		b.WriteString("\n" + bullet + name)
		if say := g.sentences[i]; say != "" {
			b.WriteString(beforeSay + say)
		}
	}
}
