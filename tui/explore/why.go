package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// whyPane explains the score of the selected tool: one row per query token,
// grouped by component if the ranker has several. The values of the rows add up
// to the score.
type whyPane struct {
	tool    *model.Tool
	tree    retrieval.Explanation
	state   whyState
	ranker  string
	cut     string // why nothing is found
	rows    []whyRow
	list    ui.Window
	besides bool          // the answer about another tool stands above
	taught  engine.Taught // what labelled queries taught of the tool
	gated   string        // why that does not count; empty when it does
	scrolls int           // number of scrolling lines, and the room for them, in the last picture
	height  int
}

// whyState is the kind of explanation.
type whyState uint8

const (
	whyNothing whyState = iota // no query
	whyNoTool                  // no tool, because the search or the filter leaves none
	whyScored                  // tree explains the score
	whyByName                  // found by the literal fallback
	whyNoMatch                 // in the catalog, without a score
	whyOutside                 // not in the catalog
)

// explain fills the pane for a tool, nil for none, and a query.
func (p *whyPane) explain(s *engine.Snapshot, query string, t *model.Tool, fallback bool) {
	p.tool, p.rows, p.tree, p.cut = t, nil, retrieval.Explanation{}, ""
	p.list.Top = 0
	p.taught, p.gated = engine.Taught{}, ""
	if s != nil && p.tool != nil {
		p.taught, _ = s.Taught(p.tool)
		if support, ok := s.Support(); ok && support.Weight == 0 {
			p.gated = report.Learning(support).String()
		}
	}
	if s == nil || query == "" {
		p.state = whyNothing
		return
	}
	p.ranker = s.Config.ToolSearch.Ranker
	if t == nil {
		p.state, p.cut = whyNoTool, s.WhyNone(query)
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
		p.state, p.cut = whyNoTool, s.WhyNone(query)
		return
	case tree.Value == 0:
		p.state = whyNoMatch
	default:
		p.state = whyScored
	}
	p.tree = tree
	p.rows = whyRows(tree)
}

// title returns the heading of the pane.
func (p *whyPane) title() string {
	switch p.state {
	case whyScored, whyByName:
		return "why " + summand(p.tree.Value)
	default:
		return "why"
	}
}

// draw returns exactly h lines of w cells: the answer about the pinned tool,
// the explanation, and what was learned of the tool. When they do not fit, all lines but
// the sum scroll.
func (p *whyPane) draw(t *ui.Theme, pinned []string, w, h int) []string {
	reason, explained := p.reason()
	learned := p.learnedBlock(t, w)
	var lines, foot []string
	if explained {
		rows, detail := p.lines(t, w)
		detail = append(detail, learned...)
		lines = slices.Concat(pinned, rows, detail)
		if hidden := len(lines) - (h - 1); hidden > 0 {
			foot = []string{p.sum(t, w, hidden)}
		} else {
			lines = slices.Concat(pinned, rows, []string{p.sum(t, w, 0)}, detail)
		}
	} else {
		room := max(0, h-len(pinned)-len(learned))
		lines = slices.Concat(pinned, ui.Centered(t, w, max(room, min(h, len(reason))), reason...), learned)
	}
	p.scrolls, p.height = len(lines), max(0, h-len(foot))
	p.list.Clamp(p.height, p.scrolls)
	lines = lines[p.list.Top:]
	lines = slices.Concat(lines[:min(len(lines), p.height)], foot)
	return ui.FitLines(lines, w, h)
}

// reason returns why there is no score to explain; ok is true when there is one.
func (p *whyPane) reason() (lines []string, ok bool) {
	switch p.state {
	case whyNothing:
		return []string{"type a query to see why a tool has its score"}, false
	case whyOutside:
		return []string{p.tool.ShownName + " is not in this session's catalog,", "so search can never find it"}, false
	case whyNoTool:
		if p.cut == "" {
			return []string{"no tool is selected"}, false
		}
		return []string{p.ranker + " finds nothing:", p.cut}, false
	case whyByName:
		return []string{"no token scores anywhere, so " + p.ranker + " falls back:", "the name holds the query, and every such tool scores 0.1"}, false
	}
	return nil, true
}

// label returns how many cells of w the labels of the rows have.
func (p *whyPane) label(w int) int {
	label := 4
	for _, r := range p.rows {
		label = max(label, 2*r.depth+ui.Width(r.label))
	}
	return max(3, min(label, w/3))
}

// detailed returns how many cells of w the details of the rows have.
func (p *whyPane) detailed(w int) int {
	longest := sumCells
	for _, r := range p.rows {
		if !r.component {
			longest = max(longest, ui.Width(r.detail))
		}
	}
	return min(longest, max(sumCells, w-p.label(w)-valueCells-leastBar-5))
}

// lines draws the rows, and the details after the sum.
func (p *whyPane) lines(t *ui.Theme, w int) (rows, detail []string) {
	label, detailed, most := p.label(w), p.detailed(w), 0.0
	for _, r := range p.rows {
		most = max(most, math.Abs(r.value))
	}
	for _, r := range p.rows {
		name, number, fill := t.Match, t.Number, t.Accent
		switch {
		case r.value < 0:
			number, fill = t.Removed, t.Removed
		case r.value == 0:
			name = t.Faint
		case r.sums:
			fill = t.Faint
		}
		if r.component {
			name = t.Text
		}
		l := ui.StartLine(w, 1)
		end := l.At() + label
		l.Gap(min(2*r.depth, label))
		l.Cell(name, r.label, max(0, end-l.At()))
		l.Gap(2)
		detailed = min(detailed, max(0, l.Room()-valueCells))
		fitted := r.detail
		if space := strings.LastIndexByte(r.detail, ' '); r.near && space >= 0 && ui.Width(r.detail) > detailed { // a near word gives way before its similarity
			fitted = ui.Truncate(r.detail[:space], max(0, detailed-ui.Width(r.detail[space:]))) + r.detail[space:]
		}
		l.Cell(t.Faint, fitted, detailed)
		l.CellRight(number, summand(r.value), min(valueCells, l.Room()))
		l.Gap(2)
		if most > 0 {
			ui.Bar{Fraction: math.Abs(r.value) / most, Mark: -1, Fill: fill, Thin: true}.Draw(&l, t, min(l.Room(), 16))
		}
		rows = append(rows, l.End())
	}
	var notes []string
	for _, r := range p.rows {
		switch {
		case r.note == "" || slices.Contains(notes, r.note):
		case r.raised:
			notes = slices.Insert(notes, 0, r.note)
		default:
			notes = append(notes, r.note)
		}
	}
	if note := p.documentDetail(); note != "" {
		notes = append(notes, note)
	}
	for _, note := range notes {
		detail = append(detail, ui.Flow(w, 1, []ui.Phrase{{Style: t.Faint, Text: note}})...)
	}
	return rows, detail
}

// sum draws the line of the sum, with how many lines of the explanation have no room
// beside it: without that the rows on the screen would seem to be all of it.
func (p *whyPane) sum(t *ui.Theme, w, hidden int) string {
	label := p.label(w)
	l := ui.StartLine(w, 1)
	l.Cell(t.Faint, "sum", label)
	l.Gap(2)
	var detail string // what the sum consists of, or whose it is
	switch {
	case p.besides: // the title may be out of sight
		detail = "of " + ui.FitName(p.tool.ShownName, sumCells-3)
	case p.state == whyNoMatch:
		detail = "no token matches"
	default:
		words, named := 0, []whyRow{}
		for _, r := range p.rows {
			switch {
			case r.depth > 0:
			case r.component:
				named = append(named, r)
			default:
				words++
			}
		}
		switch {
		case len(named) == 0:
			detail = ui.Count(words, "query token")
		case words == 0:
			detail = ui.Count(len(named), "component")
		default:
			text := ui.Thousands(words)
			for _, r := range named {
				sign := " + "
				if r.value < 0 {
					sign = " − "
				}
				text += sign + r.label
			}
			detail = text
		}
	}
	cell, more := min(p.detailed(w), max(0, l.Room()-valueCells)), ""
	switch {
	case hidden == 0:
	case l.Room()-cell-valueCells < 3: // none behind the value
		detail = ui.Count(hidden, "line") + " more"
	default:
		more = ui.Count(hidden, "line") + " more"
	}
	l.Cell(t.Faint, detail, cell)
	l.CellRight(t.Strong, summand(p.tree.Value), min(valueCells, l.Room()))
	if more != "" {
		l.Gap(2)
		l.Text(t.Faint, ui.Longest(l.Room(), more, "…"))
	}
	return l.End()
}

// The cells beside the label of the sum, of a value, and of the shortest bar
// beside a detail that is cut.
const (
	sumCells   = 18
	valueCells = 8
	leastBar   = 13 // and of how many lines there are besides
)

// documentDetail returns the numbers of the first matching token, if only tokens score.
func (p *whyPane) documentDetail() string {
	for _, c := range p.tree.Children {
		if c.Value > 0 && c.DL > 0 {
			return fmt.Sprintf("%s: in %s, %s here; tool of %s", safetext.Line(c.Label()),
				ui.Count(c.DF, "tool"), ui.Count(c.TF, "time"), ui.Count(c.DL, "token"))
		}
	}
	return ""
}

// whyRow is one row of the explanation: the contribution of a query token or of
// a component, which may be the sum of the rows below it.
type whyRow struct {
	label     string
	detail    string // the arithmetic in short
	note      string // text that does not fit beside the row; empty for none
	value     float64
	depth     int
	component bool
	sums      bool // the rows below it make up its value
	near      bool // the detail is a word that is near in meaning, with its similarity
	raised    bool // the query makes the weight more than its setting
}

// whyRows returns the rows of a tree: the words of a query in its order, then components, and the
// rows below each, by value, largest first.
func whyRows(tree retrieval.Explanation) []whyRow {
	var rows []whyRow
	var add func(parts []retrieval.Explanation, of string, depth int)
	add = func(parts []retrieval.Explanation, of string, depth int) {
		for _, e := range parts {
			r := whyRow{label: safetext.Line(e.Label()), detail: whyDetail(e), value: e.Value, depth: depth, near: of == meaning.Component || len(e.From) > 0}
			if e.Token == "" {
				r.label, r.component, r.sums = safetext.Line(e.Component), e.Component != "", len(e.Children) > 0
			}
			r.raised = e.Setting != 0
			if e.Component == learned.Component {
				r.label = "your queries"
			}
			switch message := safetext.Line(e.Message); {
			case e.Token != "":
				r.note = safetext.Line(e.Note)
			case e.Component != "" && message != "":
				r.note = safetext.Line(e.Component) + ": " + message
			}
			rows = append(rows, r)
			if r.sums {
				most := func(a, b retrieval.Explanation) int { return cmp.Compare(b.Value, a.Value) }
				add(slices.SortedStableFunc(slices.Values(e.Children), most), e.Component, depth+1)
			}
		}
	}
	gains := func(e retrieval.Explanation) float64 { // of the words of a query none, so that they stay in its order
		if e.Component == "" || e.Token != "" {
			return math.Inf(1)
		}
		return math.Abs(e.Value)
	}
	most := func(a, b retrieval.Explanation) int { return cmp.Compare(gains(b), gains(a)) }
	add(slices.SortedStableFunc(slices.Values(tree.Children), most), "", 0)
	return rows
}

// whyDetail returns the arithmetic of one row.
func whyDetail(e retrieval.Explanation) string {
	switch {
	case e.Setting != 0:
		return fmt.Sprintf("%.2f × %.2f × %.2f", e.Setting, e.Weight/e.Setting, e.Value/e.Weight)
	case len(e.From) > 0:
		return fmt.Sprintf("%s %s %.2f", e.From[0].Sign, safetext.Line(e.Word), e.From[0].Near)
	case e.Token == "" && e.Weight != 0:
		return fmt.Sprintf("weight %.2f × %.2f", e.Weight, e.Value/e.Weight)
	case e.Token == "":
		return safetext.Line(e.Message)
	case e.Value == 0 && e.DF == 0:
		return "in no tool"
	case e.Value == 0:
		return "not in this tool"
	case e.IDF == 0:
		return safetext.Line(cmp.Or(e.Detail, e.Message))
	}
	return fmt.Sprintf("idf %.2f × %.2f", e.IDF, e.Value/e.IDF)
}

// summand formats a value of the sum, with a minus sign as wide as a digit.
func summand(v float64) string {
	return words.Minus(strconv.FormatFloat(v, 'f', 3, 64))
}
