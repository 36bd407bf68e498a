package explore

import (
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// A row has its toolset and the first words of its description where they have at least
// leastAbout cells between the column of names and what ends the row. A name of more than
// longName cells makes the column no wider.
const (
	leastAbout  = 20
	longName    = 44
	toolsetCell = 14
	tiedCell    = 8 // of most scores with the sign of a tie
)

// endCell returns the width of what ends a row, with the gap before it.
func (p *hits) endCell() int {
	const status, score, change = 13, 9, 5
	switch {
	case p.browsing:
		return status
	case p.compared() == nil && !p.drafted:
		return score
	}
	return score + change
}

// scored reports whether rows have their scores. Beside the ranks of rivals, whose columns have
// titles, a column of scores that a name in sight has no room for goes as a whole.
func (p *hits) scored(w, h, rankWidth int) bool {
	if len(p.rivals) == 0 {
		return true
	}
	room := w - 2 - rankWidth - len(p.rivals)*p.rivalCell(w) - p.endCell()
	for row := p.list.Top; row < min(p.list.Top+h, p.count()); row++ {
		if ui.Width(p.tool(p.at(row)).ShownName) > room {
			return false
		}
	}
	return true
}

// drawRow draws one tool. Its score gives way before its name is cut.
func (p *hits) drawRow(l *ui.Line, t *ui.Theme, w, row, rankWidth, nameCell int, scored, focused bool) {
	i := p.at(row)
	tool := p.tool(i)
	name, number, about, mark, near := t.Text, t.Number, t.Faint, t.Match, t.Near
	below := !p.browsing && (!p.results.Hits[i].Within || p.abstains())
	if below || p.snapshot.Status(tool) > engine.Deferred {
		name, number, mark, near = t.Faint, t.Faint, t.Faint, t.Faint
	}
	selected := row == p.cursor && p.beside == ""
	ui.DrawGutter(l, t, selected, focused)
	if selected {
		name, number = t.Text, t.Text
	}
	changed, change, score := t.Faint, "", ""
	if p.browsing {
		score = report.ToolStatus(p.snapshot, tool)
	} else {
		hit := p.results.Hits[i]
		rank := strconv.Itoa(hit.Rank)
		if !hit.Sure() {
			rank = t.Tie
		}
		l.CellRight(t.Faint, rank, rankWidth)
		l.Gap(1)
		cell := p.rivalCell(w)
		for i := range p.rivals {
			rank := p.rivals[i].rank(p.results.Query, hit.Tool)
			end := l.At() + cell
			if rank == 0 {
				l.Text(t.Removed, ui.NoRank)
				l.To(end)
				continue
			}
			number := strconv.Itoa(rank)
			style, change := ui.RankChange(t, hit.Rank, rank)
			if change = " " + change; rank == hit.Rank || ui.Width(number+change) >= cell {
				change = "" // an arrow without its number says nothing
			}
			l.Text(t.Faint, number)
			l.Text(style, change)
			l.To(end)
		}
		changed, change = p.changeOf(t, hit)
		if score = strconv.FormatFloat(hit.Score, 'f', 3, 64); hit.Tied {
			score = t.Tie + " " + score
		}
	}
	texts := l.At() + nameCell + 2 // where toolset and description begin
	if p.pinned != "" && tool.Qualified == p.pinned {
		l.Text(t.Warn, t.Pin+" ")
	}
	room := l.Room()
	if change != "" {
		room -= ui.Width(change) + 1
	}
	if !scored || ui.Width(tool.ShownName)+1+ui.Width(score) > room {
		score = ""
	} else {
		score = " " + score
	}
	p.marks.draw(l, name, mark, near, ui.FitName(tool.ShownName, room-ui.Width(score)))
	texts = max(texts, l.At()+2)
	if room = l.At() + l.Room() - texts - p.endCell(); room >= leastAbout {
		l.To(texts)
		cells := room
		if cells >= leastAbout+toolsetCell {
			l.Cell(about, ui.Truncate(tool.ShownToolset(), toolsetCell), toolsetCell)
			l.Gap(2)
			cells -= toolsetCell + 2
		}
		p.marks.draw(l, about, mark, near, ui.FirstWords(beginning(tool, 8*cells), cells))
	}
	end := ui.Width(score)
	if change != "" && score != "" { // changes stand in one column, beside tied scores and others
		end = max(end, min(tiedCell, l.Room()-ui.Width(change)-1))
	}
	l.Gap(l.Room() - ui.Width(change) - end)
	l.Text(changed, change)
	l.CellRight(number, score, end)
}

// beginning returns the description of a tool, which may be a book, in at most so many bytes.
func beginning(t *model.Tool, most int) string {
	head := t.Description
	if len(head) > most {
		head = strings.ToValidUTF8(head[:most], "")
	}
	return safetext.Line(head)
}

// changeOf returns how the rank of a hit differs from what it is compared with; empty where it
// does not, and where it is compared with nothing.
func (p *hits) changeOf(t *ui.Theme, hit engine.Hit) (ui.Style, string) {
	if p.compared() == nil && !p.drafted {
		return t.Faint, ""
	}
	style, change := ui.RankChange(t, p.rankBefore(hit.Tool), hit.Rank)
	if change == t.Same { // no heading explains the sign
		change = ""
	}
	return style, change
}

// marks are the words to highlight: those of a query, and those near to them in meaning.
type marks struct {
	tokens []string // of the query
	near   []string // stems of words near in meaning; nil with a ranker that compares none
	stems  []string // of tokens, where near is not nil: that ranker takes words of a stem as one
}

// newMarks returns the marks of a query, without stop words where meanings are compared.
func newMarks(query string, near []string) marks {
	m := marks{tokens: retrieval.Tokens(query), near: near}
	if near != nil {
		m.tokens = slices.DeleteFunc(m.tokens, func(token string) bool { return retrieval.EnglishLexicon().Kind([]byte(token)) == retrieval.StopWord })
		for _, token := range m.tokens {
			m.stems = append(m.stems, retrieval.Stem(token))
		}
	}
	return m
}

// draw draws a text with its words of the query in one style, those near in another.
func (m marks) draw(l *ui.Line, st, same, near ui.Style, text string) {
	spans, exact := m.spans(text)
	l.SpansOf(st, text, spans, func(span int) ui.Style {
		if exact[span] {
			return same
		}
		return near
	})
}

// spans returns the byte ranges of a text that are words of the query, which are exact, or near
// to one in meaning. Tokens are lower-case runs of ASCII letters
// and digits, as in the ranker.
func (m marks) spans(text string) (spans [][2]int, exact []bool) {
	for from := 0; from < len(text); {
		to := from
		for ; to < len(text); to++ { // ASCII letters and digits are a token
			if b := text[to]; !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9') {
				break
			}
		}
		word := text[from:to]
		same, alike := slices.ContainsFunc(m.tokens, func(token string) bool {
			return len(token) == len(word) && strings.EqualFold(token, word)
		}), false
		if !same && m.near != nil {
			root := retrieval.Stem(strings.ToLower(word))
			same, alike = slices.Contains(m.stems, root), slices.Contains(m.near, root)
		}
		if to > from && (same || alike) {
			spans, exact = append(spans, [2]int{from, to}), append(exact, same)
		}
		from = max(to, from+1)
	}
	return spans, exact
}

// abstains reports whether confidence is too low to show the model any hit.
func (p *hits) abstains() bool { return p.sure.Abstains && !p.drafted }

// cut returns the row above which the cut line is drawn; ok is false when there is no cut line.
func (p *hits) cut() (row int, ok bool) {
	if p.abstains() {
		return 0, p.count() > 0
	}
	if p.browsing || p.results.Fallback && p.results.Scored <= p.results.Limit {
		return 0, false
	}
	if p.rows != nil {
		row, _ = slices.BinarySearch(p.rows, p.results.Limit)
	} else {
		row = p.results.Limit
	}
	return row, row < p.count()
}

// rowOf returns the row drawn on a line; ok is false for the cut line and below the last row.
func (p *hits) rowOf(line int) (row int, ok bool) {
	cut, drawn := p.cut()
	switch {
	case drawn && line == cut:
		return 0, false
	case drawn && line > cut:
		line--
	}
	return line, line >= 0 && line < p.count()
}
