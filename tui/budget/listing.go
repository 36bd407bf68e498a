package budget

import (
	"slices"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// listingList has the groups of the list of deferred tools, each with the very
// text that the model is shown of it. Selection and folding are kept by label.
type listingList struct {
	of     *workbench.State // that the rows show; nil: they must be made
	width  int              // that texts are wrapped to
	rows   []listingRow
	open   map[string]bool // labels of the groups that show their text
	cursor int
	window ui.Window
}

// listingRow is a group, or a line of its text.
type listingRow struct {
	group int
	line  string // empty: the group itself
}

// listGroups makes the rows, unless those of the state are there.
func (s *Screen) listGroups(width int) {
	p := &s.listing
	if p.of == s.state && p.width == width || !s.lists() {
		return
	}
	label := s.listingLabel()
	p.of, p.width, p.rows = s.state, width, p.rows[:0]
	assembled := s.state.Snapshot.Assembly().Listing
	for i, g := range s.state.Budget.Listing.Groups {
		text := ""
		if assembled != nil {
			text = assembled.GroupText(i)
		}
		if !s.list.holds(g.Label) && !s.list.holds(text) {
			continue
		}
		p.rows = append(p.rows, listingRow{group: i})
		if !p.open[g.Label] {
			continue
		}
		if text == "" {
			text = "(the model is shown nothing of it)"
		}
		for paragraph := range strings.Lines(text) {
			for _, line := range cells.Wrap(safetext.Line(strings.TrimSuffix(paragraph, "\n")), width) {
				p.rows = append(p.rows, listingRow{i, line})
			}
		}
	}
	if !slices.ContainsFunc(p.rows[:min(len(p.rows), p.cursor+1)], func(r listingRow) bool { return s.labelOf(r) == label }) {
		p.cursor = max(0, slices.IndexFunc(p.rows, func(r listingRow) bool { return s.labelOf(r) == label }))
	}
	p.moveTo(p.cursor)
}

// moveTo moves to a row, or to the nearest there is.
func (p *listingList) moveTo(row int) { p.cursor = max(0, min(row, len(p.rows)-1)) }

// isOpen reports whether the group under the cursor shows its text.
func (p *listingList) isOpen() bool {
	if p.cursor >= len(p.rows) {
		return false
	}
	group := p.rows[p.cursor].group
	return slices.ContainsFunc(p.rows, func(r listingRow) bool { return r.group == group && r.line != "" })
}

// labelOf returns the label of the group of a row.
func (s *Screen) labelOf(r listingRow) string {
	groups := s.state.Budget.Listing.Groups
	if r.group >= len(groups) { // of a state before
		return ""
	}
	return groups[r.group].Label
}

// listingLabel returns the label of the group under the cursor, empty for none.
func (s *Screen) listingLabel() string {
	p := &s.listing
	if p.cursor >= len(p.rows) {
		return ""
	}
	return s.labelOf(p.rows[p.cursor])
}

// foldGroup shows the text of the group under the cursor, or hides it.
func (s *Screen) foldGroup(open bool) {
	p := &s.listing
	label := s.listingLabel()
	if len(p.rows) == 0 || p.open[label] == open {
		return
	}
	if p.open == nil {
		p.open = map[string]bool{}
	}
	p.open[strings.Clone(label)] = open // not a part of the registry file, which it would keep
	p.of = nil
	s.changes++
	if !open {
		group := p.rows[p.cursor].group
		p.cursor = slices.IndexFunc(p.rows, func(r listingRow) bool { return r.group == group })
	}
}

// clickListing selects the row on a line of the list, and opens or closes a group
// that is selected already.
func (s *Screen) clickListing(line int) {
	row := s.listing.window.Top + line
	if line < 0 || row >= len(s.listing.rows) {
		return
	}
	again := s.view == viewListing && s.listing.cursor == row
	s.view = viewListing
	s.listing.moveTo(row)
	if again {
		s.foldGroup(!s.listing.isOpen())
	}
}

// drawListing draws the groups of the list with what each costs, and below them what
// the list takes and what a richer one would.
func (s *Screen) drawListing(t *ui.Theme, w, h int) []string {
	s.look()
	p, share := &s.listing, s.state.Budget.Listing
	s.listGroups(w - 5)
	heading := ui.Longest(max(0, w-len(listingHeads)-5), "what the model is shown of the deferred tools", "what the model is shown", "listing")
	lines := []string{ui.DrawHeading(t, w, s.focused(viewListing), heading, listingHeads)}
	about := s.aboutListing(t, w)
	if len(about)+4 > h {
		about = about[:max(0, min(len(about), h-4))]
	}
	room := max(0, h-1-len(about))
	if len(p.rows) == 0 {
		text := "nothing is deferred, so nothing is listed"
		if len(share.Groups) > 0 {
			text = "no group contains " + safetext.Line(s.list.filter)
		}
		return append(append(lines, ui.Centered(t, w, room, text)...), about...)
	}
	p.window.Follow(p.cursor, room, len(p.rows))
	var l cells.Line
	for i := p.window.Top; i < len(p.rows) && i < p.window.Top+room; i++ {
		l.Start(w)
		s.drawGroup(&l, t, i)
		lines = append(lines, l.End())
	}
	return append(ui.FitLines(lines, w, h-len(about)), about...)
}

// listingHeads are the headings of the columns of the listing.
const listingHeads = "tools  form    tokens"

// drawGroup draws a row of the listing.
func (s *Screen) drawGroup(l *cells.Line, t *ui.Theme, i int) {
	p := &s.listing
	row := p.rows[i]
	if i == p.cursor && s.focused(viewListing) {
		ui.DrawGutter(l, t, true, true)
	} else {
		l.Gap(1)
		if i == p.cursor {
			l.Under(t.SelectionBlur)
		}
	}
	if row.line != "" {
		l.Gap(4)
		l.Text(t.Text, row.line)
		return
	}
	g := s.state.Budget.Listing.Groups[row.group]
	glyph := t.Collapsed
	if p.open[g.Label] {
		glyph = t.Expanded
	}
	l.Text(t.Faint, glyph+" ")
	const columns = 6 + 2 + 8 + tokenCells - 2
	at := l.At() + max(0, l.Room()-columns)
	l.Text(t.Accent, ui.FitName(safetext.Line(g.Label), max(0, at-l.At()-1)))
	l.To(at)
	l.CellRight(t.Text, ui.Thousands(g.Tools), 6)
	l.Gap(2)
	form, tokens := string(g.Form), ui.Thousands(g.Tokens)
	if g.Form == "" {
		form, tokens = "none", "0"
	}
	l.Cell(t.Faint, form, 8)
	l.CellRight(t.Number, tokens, tokenCells-2)
}

// aboutListing says in lines of w cells what the list takes, what limits it, and how
// many tokens more would give a richer form.
func (s *Screen) aboutListing(t *ui.Theme, w int) []string {
	b := s.state.Budget
	phrases := [][]ui.Phrase{{{Style: t.Text, Text: "The model is shown " + report.Listing(*b.Listing).String() + "."}}}
	for _, say := range report.ListingOutlook(s.state.Snapshot, s.outlook.lists) {
		phrases = append(phrases, []ui.Phrase{{Style: t.Faint, Text: say.String()}})
	}
	lines := []string{ui.DrawHeading(t, w, false, "what more tokens would buy", "")}
	for _, p := range phrases {
		lines = append(lines, ui.Flow(w, 1, p)...)
	}
	return lines
}
