package budget

import (
	"cmp"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// listingList has the groups of the list of deferred tools, each with the very
// text that the model is shown of it. Selection and folding are kept by label.
type listingList struct {
	open map[string]bool // labels of the groups that show their text
	pane report.Pane
}

// foldGroup shows the text of the group under the cursor, or hides it.
func (s *Screen) foldGroup(open bool) {
	p := &s.listing
	if p.pane.ID == "" || p.open[p.pane.ID] == open {
		return
	}
	if p.open == nil {
		p.open = map[string]bool{}
	}
	p.open[strings.Clone(p.pane.ID)] = open // not a part of the registry file, which it would keep
}

// drawListing draws the groups of the list with their costs, and what a richer one would take.
func (s *Screen) drawListing(t *ui.Theme, w, h int) []string {
	s.look()
	p := &s.listing
	if s.lists() {
		table := report.Columns("group", ">tools", "form", ">tokens")
		assembled := s.state.Snapshot.Assembly().Listing
		for i, g := range s.state.Budget.Listing.Groups {
			text, fold := "", t.Collapsed
			if assembled != nil {
				text = assembled.GroupText(i)
			}
			if !s.list.holds(g.Label) && !s.list.holds(text) {
				continue
			}
			if p.open[g.Label] {
				fold = t.Expanded
			}
			table.Row(report.Textf("%s %s", fold, report.Name(g.Label)), g.Tools, cmp.Or(string(g.Form), "none"), g.Tokens)
			table.About(report.News{ID: g.Label})
			if p.open[g.Label] {
				table.Below(func(r *report.Report) { r.Quote(cmp.Or(text, "(the model is shown nothing of it)")) })
			}
		}
		r := new(report.Report)
		if !table.Empty() {
			r.Table(table)
		}
		p.pane.Show(r, w)
	}
	heading := ui.Longest(max(0, w-5), "what the model is shown of the deferred tools", "what the model is shown", "listing")
	lines := []string{ui.DrawHeading(t, w, s.focused(viewListing), heading, "")}
	b := s.state.Budget
	phrases := [][]ui.Phrase{{{Style: t.Text, Text: "The model is shown " + report.Listing(*b.Listing).String() + "."}}}
	for _, say := range report.ListingOutlook(s.state.Snapshot, s.outlook.lists) {
		phrases = append(phrases, []ui.Phrase{{Style: t.Faint, Text: say.String()}})
	}
	about := []string{ui.DrawHeading(t, w, false, "what more tokens would buy", "")}
	for _, p := range phrases {
		about = append(about, ui.Flow(w, 1, p)...)
	}
	if len(about)+4 > h {
		about = about[:max(0, min(len(about), h-4))]
	}
	room := max(0, h-1-len(about))
	if p.pane.Len() > 0 {
		return append(append(lines, p.pane.Draw(t, w, room, s.focused(viewListing))...), about...)
	}
	text := "nothing is deferred, so nothing is listed"
	if len(s.state.Budget.Listing.Groups) > 0 {
		text = "no group contains " + safetext.Line(s.list.filter)
	}
	return append(append(lines, ui.Centered(t, w, room, text)...), about...)
}
