package explore

import (
	"strconv"
	"strings"

	"caliper/engine"
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
		p.drawRivals(l, t, w, hit)
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
		p.drawAbout(l, about, mark, near, tool, room)
	}
	end := ui.Width(score)
	if change != "" && score != "" { // changes stand in one column, beside tied scores and others
		end = max(end, min(tiedCell, l.Room()-ui.Width(change)-1))
	}
	l.Gap(l.Room() - ui.Width(change) - end)
	l.Text(changed, change)
	l.CellRight(number, score, end)
}

// drawAbout draws the toolset of a tool and the first words of its description in w cells.
func (p *hits) drawAbout(l *ui.Line, st, mark, near ui.Style, tool *model.Tool, w int) {
	if w >= leastAbout+toolsetCell {
		l.Cell(st, ui.Truncate(tool.ShownToolset(), toolsetCell), toolsetCell)
		l.Gap(2)
		w -= toolsetCell + 2
	}
	p.marks.draw(l, st, mark, near, ui.FirstWords(beginning(tool, 8*w), w))
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
