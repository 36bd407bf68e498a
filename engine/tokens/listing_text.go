package tokens

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/words"
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

// maxSentence is the length to which a sentence is cut, in code points, without
// the … that says so.
const maxSentence = 60

// FirstSentence returns the first sentence of a description with single blanks, cut at
// a word to 60 code points and a "…". A sentence ends with a ., ! or ? that stands
// before a blank or at the end; "e.g.", "i.e." and "etc." end none unless nothing
// follows. It is empty for a description without text.
func FirstSentence(description string) string {
	text := strings.Join(strings.FieldsFunc(description, words.PythonSpace), " ")
	for i := range len(text) {
		if strings.IndexByte(".!?", text[i]) < 0 || i+1 < len(text) && text[i+1] != ' ' {
			continue
		}
		ends := true
		for _, short := range []string{"e.g.", "i.e.", "etc."} {
			if before, ok := strings.CutSuffix(text[:i+1], short); ok && i+1 < len(text) {
				last, _ := utf8.DecodeLastRuneInString(before)
				ends = before != "" && words.PythonWord(last)
				break
			}
		}
		if ends {
			text = text[:i+1]
			break
		}
	}
	if utf8.RuneCountInString(text) <= maxSentence {
		return text
	}
	cut := text
	for i, n := 0, 0; i < len(text); n++ {
		if n == maxSentence {
			cut = text[:i]
			break
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	if at := strings.LastIndexByte(cut, ' '); at >= 0 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, ",;:") + "…"
}
