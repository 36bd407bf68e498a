package explore

import (
	"context"
	"slices"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// pin is the expected tool: for every query Explore shows its rank, what
// stopped it, and which change would bring it within the limit. It is expected
// of one query only, which may be reworded: another one ends it.
type pin struct {
	name   string // qualified name; empty for none
	shown  string
	query  string         // that it is expected of; empty: of the next one that is typed
	result *whatif.Answer // for the newest query; nil while it is computed
	asking ui.Job[question, whatif.Answer]
}

// question identifies what an answer about a tool belongs to.
type question struct {
	state       *workbench.State
	query, name string // empty for no query; the name is qualified
	draft       string // of the tool's description; empty for none
}

// expect pins a tool for a query.
func (p *pin) expect(t *model.Tool, query string) {
	p.name, p.shown, p.query = t.Qualified, t.ShownName, ui.OneLine(query)
}

// unpin unpins the tool.
func (p *pin) unpin() {
	p.asking.Reset()
	*p = pin{}
}

// edited takes in that the query was edited. The tool stays expected while a text is reworded, or
// deleted; one that begins anew, also in the place of the whole text, is another question, which
// expects nothing.
func (p *pin) edited(before, after string) {
	before, after = ui.OneLine(before), ui.OneLine(after)
	switch {
	case p.name == "", after == "":
	case before != p.query, utf8.RuneCountInString(after) == 1 && utf8.RuneCountInString(before) > 2, !rewords(before, after):
		p.unpin()
	default:
		p.query = after
	}
}

// rewords reports whether a text is another one edited at one place: half of the shorter one
// stands at the beginning and the end of both. Several letters may come at once.
func rewords(before, after string) bool {
	a, b := []rune(before), []rune(after)
	shorter := min(len(a), len(b))
	first := 0
	for first < shorter && a[first] == b[first] {
		first++
	}
	last := 0
	for last < shorter-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return 2*(first+last) >= shorter
}

// expectedOf reports whether the tool is expected of a query.
func (p *pin) expectedOf(query string) bool {
	return p.name != "" && (p.query == "" || p.query == ui.OneLine(query))
}

// another ends the notices about the pin.
const another = "; w again: another, or none"

// whyNot shows why the pinned tool is not found. Without one it asks for a tool, the
// selected one first. Where the pane has the keys already, it asks which tool to expect instead.
func (s *Screen) whyNot() tea.Cmd {
	switch {
	case s.pin.name == "":
		return s.chooseTool("which tool do you expect?", s.selectedFirst(), s.pinTool)
	case s.focus == PaneWhy:
		first := s.selectedFirst()
		title := "expect which tool instead of " + s.pin.shown + "?"
		first = append(first, ui.Choice{ID: chooseNone, Label: "unpin " + s.pin.shown, Note: "expect no tool"})
		return s.chooseTool(title, first, s.pinTool)
	}
	s.setFocus(PaneWhy)
	return s.host.Notify(ui.LevelInfo, s.pin.shown+" is pinned"+another)
}

// chooseNone is the row of the chooser that expects no tool.
const chooseNone = "\x00none"

// selectedFirst returns the selected tool as the first row of a chooser, unless it is pinned.
func (s *Screen) selectedFirst() []ui.Choice {
	t := s.Tool()
	if t == nil || t.Qualified == s.pin.name {
		return nil
	}
	return []ui.Choice{{ID: t.Qualified, Label: t.ShownName, Note: "the selected hit"}}
}

// unpinTool expects no tool.
func (s *Screen) unpinTool() tea.Cmd {
	s.pin.unpin()
	s.hits.pinned = ""
	return s.host.Notify(ui.LevelInfo, "nothing is pinned")
}

// pinTool pins a tool and shows the explanation.
func (s *Screen) pinTool(t *model.Tool) tea.Cmd {
	instead := ""
	if was := s.pin.shown; was != "" && s.pin.name != t.Qualified {
		instead = " instead of " + was
	}
	s.pin.unpin()
	s.pin.expect(t, s.query.Value())
	s.hits.pinned = t.Qualified
	if s.hits.browsing { // the user types a query next
		s.hits.setFilter("")
		s.reveal(PaneWhy)
		s.setFocus(PaneQuery)
		return s.host.Notify(ui.LevelInfo, "pinned "+t.ShownName+instead+": type what should find it, and why says why not")
	}
	if s.hits.selectName(t.Qualified) { // its score is explained below the answer
		s.reselect()
	}
	s.setFocus(PaneWhy)
	return s.host.Notify(ui.LevelInfo, "pinned "+t.ShownName+instead+another)
}

// WhyNot asks a query, and shows why a tool is not found by it; with no tool that is the
// pinned one of the same query, else one that it asks for.
func (s *Screen) WhyNot(query string, expected *model.Tool) tea.Cmd {
	if expected == nil && query == s.query.Value() {
		s.setFocus(PaneHits)
		return s.whyNot()
	}
	s.Ask(query, expected)
	if expected == nil {
		return s.chooseTool("which tool do you expect?", nil, s.pinTool)
	}
	return s.pinTool(expected)
}

// chooseWhy is the row of the chooser that shows why the expected tool is found or not.
const chooseWhy = "\x00why"

// Expect asks which tool is expected of a query, and pins it; what has the keyboard keeps it.
// Where a tool is expected already, the first row calls why, which shows its reasons.
func (s *Screen) Expect(query string, already *model.Tool, why func() tea.Cmd) tea.Cmd {
	var first []ui.Choice
	title := "which tool do you expect?"
	if already != nil {
		title = "expect which tool instead of " + already.ShownName + "?"
		first = []ui.Choice{{ID: chooseWhy, Label: "why " + already.ShownName + " is found, or not", Note: "in Explore"}}
	}
	if s.query.Value() != query {
		s.Ask(query, already)
	}
	return s.choose(title, first, func(id string, t *model.Tool) tea.Cmd {
		if id == chooseWhy {
			return why()
		}
		s.pin.unpin()
		s.pin.expect(t, s.query.Value())
		s.hits.pinned = t.Qualified
		return s.host.Notify(ui.LevelInfo, "expected: "+t.ShownName+"; w again: another, or why it is not found")
	})
}

// ShowWhy gives the keyboard to the reasons of a rank where the hits would hide them.
func (s *Screen) ShowWhy() {
	if slices.Contains(s.layout.tabbed, PaneHits) {
		s.setFocus(PaneWhy)
	}
}

// pinHint returns the footer's label for whyNot where it asks.
func (s *Screen) pinHint() string {
	if s.pin.name != "" && s.focus == PaneWhy {
		return "expect another"
	}
	return ""
}

// askPin returns a command that computes why the pinned tool is not found for
// the current query; nil when it has been asked already or nothing is pinned.
func (s *Screen) askPin() tea.Cmd {
	p := &s.pin
	q := question{s.state, s.query.Value(), p.name, ""}
	if p.asking.Begun && p.asking.Of == q {
		return nil
	}
	p.result = nil
	if p.name == "" || s.state == nil || s.hits.browsing {
		p.asking.Reset()
		return nil
	}
	bench := s.host.Bench
	return p.asking.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (whatif.Answer, error) {
		return whatif.WhyNotFirst(ctx, bench.Builder, q.state.Snapshot, q.query, q.name)
	})
}

// pinBlock returns the answer about the pinned tool and what divides it from the lines
// below: when they are about another tool, their title.
func (s *Screen) pinBlock(t *ui.Theme, w int) []string {
	// Grants adds the change of the configuration that grants it.
	var lines []string
	grants := s.grants()
	if s.pin.name != "" {
		out := ui.Flow(w, 1, []ui.Phrase{{Style: t.Warn, Text: t.Pin + " " + s.pin.shown}, {Style: t.Faint, Text: "expected"}})
		r := s.pin.result
		if r == nil {
			lines = out
		} else {
			out = append(out, ui.Flow(w, 1, desk.WhyNot(t, r))...)
			remedies := make([][]ui.Phrase, 0, len(r.Remedies))
			for _, remedy := range r.Remedies {
				remedies = append(remedies, desk.Remedy(t, r, remedy))
			}
			for _, remedy := range r.First {
				remedies = append(remedies, []ui.Phrase{{Style: t.Ok, Text: remedy.String()}, {Style: t.Faint, Text: "and it is first"}})
			}
			n := len(remedies)
			if grants {
				n++
				remedies = append(remedies, []ui.Phrase{{Style: t.Ok, Text: grantText}, {Style: t.Faint, Text: "a diff of the configuration; O"}})
			}
			if n == 0 && r.Stage != whatif.StageFound && r.Stage != whatif.StageCore {
				remedies = [][]ui.Phrase{{{Style: t.Faint, Text: "no small change brings it within the limit"}, {Style: t.Faint, Text: r.Described()}}}
			}
			for _, remedy := range remedies {
				out = append(out, ui.Flow(w, 3, remedy)...)
			}
			var keys [][]ui.Phrase
			if n > 0 {
				takes := "takes one of them"
				if n == 1 {
					takes = "takes it"
				}
				keys = append(keys, []ui.Phrase{{Style: t.Key, Text: "enter"}, {Style: t.Faint, Text: takes}})
			}
			if r.Stage == whatif.StageNoMatch || r.Stage == whatif.StageBelowLimit || r.Stage == whatif.StageFound && r.Rank != nil && *r.Rank > 1 {
				keys = append(keys, []ui.Phrase{{Style: t.Key, Text: "t"}, {Style: t.Faint, Text: "edits its description"}})
			}
			lines = append(out, ui.Flow(w, 3, keys...)...)
		}
	}
	switch {
	case lines == nil:
		return nil
	case s.aboutTwo():
		return append(lines, ui.DrawHeading(t, w, false, "score of "+s.why.tool.ShownName, ""))
	}
	return append(lines, ui.Spaces(w))
}

// aboutTwo reports whether the why pane is about the pinned tool and about another one.
func (s *Screen) aboutTwo() bool {
	return s.pin.name != "" && s.why.tool != nil && s.why.tool.Qualified != s.pin.name && !s.showsOverview()
}
