package explore

import (
	"image"
	"slices"

	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// Pane is one of the panes of Explore.
type Pane int

// The panes in reading order.
const (
	PaneQuery Pane = iota
	PaneHits
	PaneSchema
	PaneWhy
	PaneDryRun
	PaneDraft // only while a description is edited
	paneCount
)

// String returns the title of the pane.
func (p Pane) String() string {
	return [paneCount]string{"query", "hits", "schema", "why", "dry run", "draft"}[p]
}

// The smallest screen that fits the hits and one more pane, and the smallest
// that fits all panes at once.
const (
	mediumWidth, mediumHeight = 80, 20
	largeWidth, largeHeight   = 120, 25
)

const (
	queryHeight = 2 // a border and the query
	minHits     = 50
	maxBeside   = 100 // a schema is not wider
)

// layout is the position of the panes on a screen of w×h cells. The boxes of
// the visible panes cover the screen and do not overlap; the other boxes are
// empty.
type layout struct {
	w, h   int
	boxes  [paneCount]ui.Box
	tabbed []Pane // panes that share one box with tabs in its title; nil for none
	shown  Pane   // the visible one of tabbed
}

// arrange returns the layout for a screen of w×h cells.
func (s *Screen) arrange(w, h int) layout {
	l := layout{w: w, h: h, shown: s.shown}
	all := image.Rect(0, 0, w, h)
	if s.draft.tool != nil {
		h := l.h
		switch {
		case l.w >= mediumWidth:
			// query │ draft
			// hits  │
			left, right := splitLeft(all, l.w/2)
			l.stack(left, stackedPane{PaneQuery, queryHeight}, stackedPane{PaneHits, h - queryHeight})
			l.stack(right, stackedPane{PaneDraft, h})
		case h >= draftHitsHeight:
			// query
			// hits
			// draft
			hits := max(4, h/3)
			l.stack(all, stackedPane{PaneQuery, queryHeight}, stackedPane{PaneHits, hits}, stackedPane{PaneDraft, h - queryHeight - hits})
		case h >= draftQueryHeight:
			l.stack(all, stackedPane{PaneQuery, queryHeight}, stackedPane{PaneDraft, h - queryHeight})
		default:
			l.stack(all, stackedPane{PaneDraft, h})
		}
		return l
	}
	switch {
	case s.zoom || w < mediumWidth || h < mediumHeight:
		// query
		// shown
		sharing := []Pane{PaneHits, PaneSchema, PaneWhy, PaneDryRun}
		if s.showsOverview() {
			sharing = []Pane{PaneWhy, PaneHits, PaneSchema, PaneDryRun}
		}
		l.share(sharing...)
		l.stack(all, stackedPane{PaneQuery, queryHeight}, stackedPane{l.shown, h - queryHeight})
	case w < largeWidth || h < largeHeight:
		// query │ shown
		// hits  │
		below := s.below()
		l.shown = s.beside
		l.share(below...)
		left, right := splitLeft(all, w/2)
		l.stack(left, stackedPane{PaneQuery, queryHeight}, stackedPane{PaneHits, h - queryHeight})
		l.stack(right, stackedPane{l.shown, h})
	default:
		// query │ schema    query │ overview
		// hits  │ why       hits  │
		//       │ dry run         │
		left, right := splitLeft(all, hitsWidth(w))
		l.stack(left, stackedPane{PaneQuery, queryHeight}, stackedPane{PaneHits, h - queryHeight})
		if s.opening() {
			l.stack(right, stackedPane{PaneWhy, h})
			break
		}
		below := s.below()
		rows := s.heights.divide(h, [3]Pane(below), screen.Question{Query: s.query.Value(), Tool: s.Tool()}, s.focus == PaneHits || s.focus == PaneQuery, s.focus != PaneDryRun && s.dry.quiet())
		l.stack(right, stackedPane{below[0], rows[0]}, stackedPane{below[1], rows[1]}, stackedPane{below[2], rows[2]})
	}
	return l
}

// below returns the panes beside the hits in reading order.
func (s *Screen) below() []Pane {
	if s.showsOverview() {
		return []Pane{PaneWhy, PaneSchema, PaneDryRun}
	}
	return []Pane{PaneSchema, PaneWhy, PaneDryRun}
}

// title returns the name of a pane on the screen as it is.
func (s *Screen) title(p Pane) string {
	if p == PaneWhy && s.showsOverview() {
		return "overview"
	}
	return p.String()
}

// hitsWidth returns the width of the hits on a screen of w cells that fits all panes.
func hitsWidth(w int) int { return max(w*9/20, minHits, min(w/2, w-maxBeside)) }

// draftQueryHeight is the least height with the query above a draft, draftHitsHeight with the hits too.
const draftQueryHeight, draftHitsHeight = 10, 14

// share makes panes share one box, where one is visible.
func (l *layout) share(panes ...Pane) {
	l.tabbed = panes
	if !slices.Contains(panes, l.shown) {
		l.shown = panes[0]
	}
}

// stackedPane is a pane in a column and its height, borders included.
type stackedPane struct {
	pane   Pane
	height int
}

// stack positions panes one below the other; neighbours share a border, which is the lower one's.
func (l *layout) stack(column image.Rectangle, panes ...stackedPane) {
	for i, p := range panes {
		rect := column
		rect.Max.Y = min(column.Min.Y+p.height, column.Max.Y)
		column.Min.Y = rect.Max.Y
		l.boxes[p.pane] = ui.NewBox(rect, i > 0, i == len(panes)-1)
	}
}

// Box returns where the pane with a name was drawn; empty when it was not.
func (s *Screen) Box(name string) ui.Box {
	for p := range paneCount {
		if p.String() == name {
			return s.layout.boxes[p]
		}
	}
	return ui.Box{}
}

// splitLeft cuts columns from the left of r.
func splitLeft(r image.Rectangle, columns int) (left, rest image.Rectangle) {
	left, rest = r, r
	left.Max.X = min(r.Min.X+columns, r.Max.X)
	rest.Min.X = left.Max.X
	return left, rest
}

// at returns the visible pane under a point.
func (l *layout) at(p image.Point) (Pane, bool) {
	for pane, b := range l.boxes {
		if p.In(b.Rect) {
			return Pane(pane), true
		}
	}
	return 0, false
}

// Blocks draws the panes.
func (s *Screen) Blocks(t *ui.Theme, w, h int, front bool) []ui.Block {
	if !s.zoom && w >= largeWidth && h >= largeHeight {
		column := w - hitsWidth(w)
		if column != s.heights.width {
			s.heights.width, s.heights.rows = column, nil
		}
		inner := max(1, column-2)
		height := 1
		if s.schema.tool != nil {
			s.schema.fit(inner)
			height = headLines + max(1, len(s.schema.rows))
		}
		s.heights.asks[PaneSchema] = ui.Ask{Least: leastRows[PaneSchema].Least, Rows: height + 1}
		why := ui.Ask{Least: leastRows[PaneWhy].Least, Rows: s.whyHeight(t, inner) + 1}
		if _, explained := s.why.reason(); !explained {
			why.Least = why.Rows // a sentence that is cut says nothing
		}
		s.heights.asks[PaneWhy] = why
		rows := 3 // the frame and the arguments
		if s.dry.tool != nil {
			rows += len(s.dry.lines(t, inner-1, 0, s.focus != PaneDryRun))
		}
		s.heights.asks[PaneDryRun] = ui.Ask{Least: min(rows, leastRows[PaneDryRun].Least), Rows: rows}
	}
	s.layout = s.arrange(w, h)
	var blocks []ui.Block
	for pane, box := range s.layout.boxes {
		if !box.Empty() {
			blocks = append(blocks, ui.Block{At: box.Rect, Lines: s.drawPane(t, Pane(pane), front)})
		}
	}
	return blocks
}

// shownAs is how a pane is shown: whether it has the keyboard, and what its title says.
type shownAs struct {
	focused, above bool
	away           bool   // it is the query box, and a key leads into it
	find           string // text in the search line that was opened for the pane
}

// drawPane returns the lines of a pane with its frame.
func (s *Screen) drawPane(t *ui.Theme, pane Pane, front bool) []string {
	box := s.layout.boxes[pane]
	as := shownAs{focused: front && s.focus == pane}
	above := s.layout.boxes[s.focus] // it may share its border with this pane
	as.above = front && box.Join && !above.Empty() && above.Rect.Max.Y == box.Rect.Min.Y && above.Rect.Min.X == box.Rect.Min.X
	text, finding := s.host.Finding()
	if finding && s.finds == pane {
		as.find = text
	}
	as.away = pane == PaneQuery && front && !as.focused && !finding && s.Layer().Type == nil
	w, h := box.Inner.Dx(), box.Inner.Dy()
	var content []string
	switch pane {
	case PaneQuery:
		l := ui.StartLine(w, 1)
		l.Text(t.Accent, t.Prompt+" ")
		s.query.Draw(&l, t, l.Room(), as.focused)
		content = []string{l.End()}
	case PaneHits:
		content = s.hits.draw(t, w, h, as.focused)
	case PaneSchema:
		content = s.schema.draw(t, w, h, as.focused)
	case PaneWhy:
		pinned := s.pinBlock(t, w)
		if !s.showsOverview() {
			s.why.besides = s.aboutTwo()
			content = s.why.draw(t, pinned, w, h)
		} else {
			v := &s.overview
			parts := s.drawOverview(t, w, h-len(pinned), as.focused)
			v.list.Follow(slices.Index(v.lines, v.cursor), h-len(pinned), len(parts))
			parts, v.lines = parts[v.list.Top:], slices.Concat(slices.Repeat([]int{-1}, len(pinned)), v.lines[v.list.Top:])
			content = ui.FitLines(slices.Concat(pinned, parts), w, h)
		}
	case PaneDryRun:
		folded := s.focus != PaneDryRun && len(s.layout.tabbed) == 0
		if s.dry.tool == nil {
			content = s.dry.draw(t, w, h, folded)
		} else {
			l := ui.StartLine(w, 1)
			if s.dry.example && !s.editing {
				l.Text(t.Faint, "example  "+ui.Truncate(safetext.Line(s.args.Value()), l.Room()-len("example  ")))
			} else {
				s.args.Draw(&l, t, l.Room(), as.focused && s.editing)
			}
			lines := []string{l.End()}
			for _, line := range s.dry.draw(t, w-1, h-1, folded) {
				lines = append(lines, " "+line)
			}
			content = lines
		}
	case PaneDraft:
		d := &s.draft
		ruled := h >= 2*draftFacts+2
		room := h - min(h-1, draftFacts)
		if ruled {
			room = min(max(d.text.Rows(w-2)+1, 4), h/2)
		}
		for _, line := range d.text.Draw(t, w-2, room, as.focused) {
			content = append(content, " "+line+" ")
		}
		if ruled {
			content = append(content, ui.DrawHeading(t, w, false, "what it does", ""))
		}
		content = ui.FitLines(append(content, s.draftFacts(t, w, h-len(content))...), w, h)
	}
	return s.frame(pane, as).Draw(t, box, content)
}

// leastKeyNote is the least width of a query box whose title names its key.
const leastKeyNote = 24

// frame returns the border of a pane.
func (s *Screen) frame(pane Pane, as shownAs) ui.Frame {
	f := ui.Frame{Focused: as.focused, Above: as.above}
	switch pane {
	case PaneQuery:
		f.Title = "query"
		if as.away && s.layout.boxes[pane].Rect.Dx() >= leastKeyNote {
			f.Note = "i types"
		}
	case PaneHits:
		f.Title, f.Note = s.hits.title()
		f.Beyond = ui.Beyond(s.hits.above, s.hits.below)
	case PaneSchema:
		f.Title = "schema"
		if t := s.schema.tool; t != nil {
			f.Title, f.Note = t.ShownName, "schema"
			f.Beyond = ui.Beyond(s.schema.list.Hidden())
		}
	case PaneWhy:
		if f.Title = s.why.title(); s.showsOverview() || s.aboutTwo() {
			f.Title = s.title(pane)
		}
	case PaneDryRun:
		f.Title = "dry run"
		if s.state != nil {
			f.Title, f.Note = s.dry.title(s.state.Snapshot)
			f.Beyond = ui.Beyond(s.dry.list.Hidden())
		}
	case PaneDraft:
		f.Title = pane.String()
		if edited := s.draft.tool; edited != nil {
			f.Title, f.Note = edited.ShownName, "draft description"
		}
	}
	if len(s.layout.tabbed) > 0 && pane == s.layout.shown {
		f.Note = ""
		var tabs ui.Tabs
		for i, p := range s.layout.tabbed {
			tabs.Labels = append(tabs.Labels, s.title(p))
			if p == s.layout.shown {
				tabs.Active = i
			}
		}
		f.Tabs = tabs
	}
	switch {
	case as.find != "" && pane == PaneSchema:
		f.Title, f.Note = "schema", as.find+"  "+s.schema.matches()
	case as.find != "":
		f.Note = as.find
	case pane == PaneSchema && s.schema.find != "":
		f.Note = s.schema.matches()
	}
	if as.find != "" { // the typed text is worth more than the tabs
		f.Tabs = ui.Tabs{}
	}
	return f
}

// walkTabs shows the tab by some steps after the current one; after the last comes
// the first. The keyboard goes with the tab, unless it is in a pane beside the tabs.
func (s *Screen) walkTabs(by int) {
	tabs := s.layout.tabbed
	n := len(tabs)
	to := tabs[(slices.Index(tabs, s.layout.shown)+by+n)%n]
	if slices.Contains(tabs, s.focus) {
		s.setFocus(to)
		return
	}
	s.reveal(to)
	s.layout = s.arrange(s.layout.w, s.layout.h)
}

// noTabs returns why there are no tabs to go to.
func (s *Screen) noTabs() string {
	if len(s.layout.tabbed) > 0 {
		return ""
	}
	return "all panes of Explore are on the screen; tab goes to the next"
}

// Wheel scrolls the pane under the pointer.
func (s *Screen) Wheel(x, y, rows int) {
	if pane, ok := s.layout.at(image.Pt(x, y)); ok {
		s.moveIn(pane, rows)
	}
}

// Click moves the keyboard to the pane under the pointer and selects the row there.
func (s *Screen) Click(x, y int) {
	at := image.Pt(x, y)
	pane, ok := s.layout.at(at)
	if !ok {
		return
	}
	box := s.layout.boxes[pane]
	if s.draft.tool != nil { // what was typed stays
		inside := at.Sub(box.Inner.Min)
		switch {
		case pane == PaneHits && inside.Y >= 0:
			s.clickLine(pane, inside.Y)
		case pane == PaneDraft && s.draft.text.Click(inside.X-1, inside.Y):
		default:
			s.said = openDraft
		}
		return
	}
	if len(s.layout.tabbed) > 0 && pane == s.layout.shown {
		if i, ok := s.frame(pane, shownAs{}).TabAt(box, at); ok {
			s.setFocus(s.layout.tabbed[i])
			return
		}
	}
	s.setFocus(pane)
	if at.In(box.Inner) {
		s.clickLine(pane, y-box.Inner.Min.Y)
	}
}

// clickLine selects the row on a line of a pane.
func (s *Screen) clickLine(pane Pane, line int) {
	switch pane {
	case PaneHits:
		if row, ok := s.hits.rowOf(s.hits.list.Top + line - s.hits.heads); ok && line >= s.hits.heads && line < s.hits.foot {
			s.hits.moveTo(row)
			s.reselect()
		}
	case PaneSchema:
		row := s.schema.list.Top + line - headLines
		ok := line >= headLines && row < len(s.schema.rows)
		if ok {
			again := s.schema.cursor == row
			s.schema.move(row - s.schema.cursor)
			if node := s.schema.rows[row]; again || node.detail == "" {
				s.schema.toggle()
			}
		}
	case PaneWhy:
		if v := &s.overview; s.showsOverview() && line < len(v.lines) && v.lines[line] >= 0 {
			v.cursor = v.lines[line]
		}
	case PaneDryRun:
		s.editing = line == 0 && s.dry.tool != nil
	}
}
