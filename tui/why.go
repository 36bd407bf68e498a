package tui

import (
	"fmt"
	"slices"
	"strconv"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/tui/cells"
)

// whyPane shows why the selected tool has its score: one row per query token,
// whose values sum to the score.
type whyPane struct {
	tool    *model.Tool
	tree    retrieval.Explanation
	state   whyState
	rows    []whyRow
	list    window
	version uint64
	scrolls int // lines that scroll, and lines they have, when last drawn
	room    int
}

// whyState says what there is to explain.
type whyState uint8

const (
	whyNothing  whyState = iota // no tool, or no query
	whyScored                   // tree explains the score
	whyByName                   // found by the literal fallback
	whyNoMatch                  // in the catalog, scores nothing
	whyOutside                  // not in the catalog
	whyNoTokens                 // the query holds nothing the ranker reads
)

// whyRow is one contribution to the score.
type whyRow struct {
	label  string
	detail string
	value  float64
}

// explain fills the pane for a tool and a query.
func (p *whyPane) explain(s *engine.Snapshot, query string, t *model.Tool, fallback bool) {
	p.version++
	p.tool, p.rows, p.tree = t, nil, retrieval.Explanation{}
	p.list.top = 0
	if s == nil || t == nil || query == "" {
		p.state = whyNothing
		return
	}
	tree, inCatalog := s.Explain(query, t)
	switch {
	case !inCatalog:
		p.state = whyOutside
		return
	case fallback:
		p.state = whyByName
	case len(tree.Children) == 0:
		p.state = whyNoTokens
		return
	case tree.Value == 0:
		p.state = whyNoMatch
	default:
		p.state = whyScored
	}
	p.tree = tree
	for _, c := range tree.Children {
		p.rows = append(p.rows, whyRow{label: model.Sanitize(c.Token), detail: whyDetail(c), value: c.Value})
	}
}

// whyDetail is the arithmetic behind one contribution.
func whyDetail(e retrieval.Explanation) string {
	switch {
	case e.DF == 0:
		return "in no tool"
	case e.Value == 0:
		return "not in this tool"
	case e.IDF == 0:
		return e.Message
	default:
		return fmt.Sprintf("idf %.2f × %.2f", e.IDF, e.Value/e.IDF)
	}
}

// title returns the heading of the pane.
func (p *whyPane) title() string {
	switch p.state {
	case whyScored, whyByName:
		return "why " + strconv.FormatFloat(p.tree.Value, 'f', 3, 64)
	default:
		return "why"
	}
}

// move scrolls by lines.
func (p *whyPane) move(by int) {
	p.version++
	p.list.scroll(by, p.room, p.scrolls)
}

// draw returns exactly h lines of w cells: what there is to say about the
// pinned tool, and the explanation. Where that is too much, all but the sum
// scrolls.
func (p *whyPane) draw(t *Theme, pinned []string, w, h int) []string {
	words, explained := p.words()
	var lines, foot []string
	if explained {
		rows, sum, detail := p.lines(t, w)
		lines, foot = slices.Concat(pinned, rows, detail), []string{sum}
		if len(lines) < h {
			if len(pinned) > 0 && len(lines)+1 < h {
				pinned = append(pinned, cells.Spaces(w))
			}
			lines, foot = slices.Concat(pinned, rows, foot, detail), nil
		}
	} else {
		lines = slices.Concat(pinned, message(t, w, max(0, h-len(pinned)), words...))
	}
	p.scrolls, p.room = len(lines), max(0, h-len(foot))
	p.list.clamp(p.room, p.scrolls)
	lines = lines[p.list.top:]
	lines = slices.Concat(lines[:min(len(lines), p.room)], foot)
	for len(lines) < h {
		lines = append(lines, cells.Spaces(w))
	}
	return lines[:h]
}

// words says why there is no score to explain; ok is true where there is one.
func (p *whyPane) words() (words []string, ok bool) {
	switch p.state {
	case whyNothing:
		return []string{"type a query to see why a tool has its score"}, false
	case whyOutside:
		return []string{p.tool.ShownName + " is not in this session's catalog,", "so search can never find it"}, false
	case whyNoTokens:
		return []string{"the query has no token that bm25 reads"}, false
	case whyByName:
		return []string{"no token scores anywhere, so bm25 falls back:", "the name holds the query, and every such tool scores 0.1"}, false
	}
	return nil, true
}

// lines draws the rows, the sum, and the numbers behind one of the rows where
// there are any.
func (p *whyPane) lines(t *Theme, w int) (rows []string, sum string, detail []string) {
	label, most := 4, 0.0
	for _, r := range p.rows {
		label = max(label, cells.Width(r.label))
		most = max(most, r.value)
	}
	label = min(label, w/3)
	var l cells.Line
	for _, r := range p.rows {
		l.Start(w)
		l.Gap(1)
		style := t.Match
		if r.value == 0 {
			style = t.Faint
		}
		l.Cell(style, r.label, label)
		l.Gap(2)
		l.Cell(t.Faint, r.detail, min(18, max(0, l.Room()-8)))
		l.CellRight(t.Number, strconv.FormatFloat(r.value, 'f', 3, 64), min(8, l.Room()))
		l.Gap(2)
		if most > 0 {
			bar{fraction: r.value / most, mark: -1, fill: t.GaugeFill, thin: true}.draw(&l, t, min(l.Room(), 16))
		}
		rows = append(rows, l.End())
	}
	if line := p.documentDetail(); line != "" {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Faint, line)
		detail = append(detail, l.End())
	}
	l.Start(w)
	l.Gap(1)
	l.Cell(t.Faint, "sum", label)
	l.Gap(2)
	l.Cell(t.Faint, p.sumDetail(), min(18, max(0, l.Room()-8)))
	l.CellRight(t.Strong, strconv.FormatFloat(p.tree.Value, 'f', 3, 64), min(8, l.Room()))
	return rows, l.End(), detail
}

// sumDetail says what the sum is of.
func (p *whyPane) sumDetail() string {
	if p.state == whyNoMatch {
		return "no token matches"
	}
	return plural(len(p.rows), "query token")
}

// documentDetail tells the numbers behind the first matching token.
func (p *whyPane) documentDetail() string {
	for _, c := range p.tree.Children {
		if c.Value > 0 && c.DL > 0 {
			return fmt.Sprintf("%s: in %s, %s here; tool of %s", model.Sanitize(c.Token),
				plural(c.DF, "tool"), plural(c.TF, "time"), plural(c.DL, "token"))
		}
	}
	return ""
}
