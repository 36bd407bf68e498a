// Package budget is the screen of the cost of every definition, and of what the
// settings of tool search would change about it: the user turns knobs, and sees
// the result beside the state on disk.
//
// Invariants:
//   - every number of tokens is counted by the method in the heading;
//   - figures "on disk" come from the state without knobs.
package budget

import (
	"context"
	"image"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Screen is Budget.
type Screen struct {
	screen.Base
	host  desk.Desk
	state *workbench.State

	view     view
	w, h     int // of the last picture
	areas    [viewCount]image.Rectangle
	list     costList
	listing  listingList
	cursor   int // among knobs
	knobList ui.Window
	parts    []engine.Parts // tokens of the parts of every definition, by the index of the tool
	partsOf  countedBy
	counting ui.Job[countedBy, []engine.Parts]
	outlook  outlook
	hits     func(t *ui.Theme, w, h int) (heading, note string, lines []string)
}

// view is an area of the screen. Where all have room, only list and knobs get the keys.
type view int

const (
	viewCosts view = iota // toolsets and tools
	viewMakeup
	viewListing // what the model is shown of the deferred tools; only where the generation lists them
	viewKnobs
	viewChange  // on disk against now
	viewCurve   // over contexts: the threshold, or the listing; the hits of the query while a knob of the ranking is turned
	viewSession // habits and break-even
	viewCount
)

var _ screen.Framed = (*Screen)(nil)

// New returns the screen before anything is loaded. Hits draws the best hits for Explore's
// query in at most h lines, and returns their heading.
func New(d desk.Desk, g ui.Glyphs, hits func(t *ui.Theme, w, h int) (heading, note string, lines []string)) *Screen {
	s := &Screen{Base: screen.Base{Label: "Budget"}, host: d, hits: hits}
	nothingToTurn := ui.When(func() bool { return s.turns() == "" }, "nothing to turn here: v goes to the knobs")
	keys := &ui.Group{Title: "Budget", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "open or close, or type the value of a knob", "", "enter").Does(s.open).Says(s.opens).Unless(ui.When(func() bool { return s.opens() == "" }, "nothing to open in this view")),
		ui.Bind(ui.Less, g.Left+" h", "fold, or turn the knob down", "Turn the knob down", "left", "h").Does(func() tea.Cmd { return s.turn(-1) }).Unless(nothingToTurn),
		ui.Bind(ui.More, g.Right+" l", "unfold, or turn the knob up", "Turn the knob up", "right", "l").Does(func() tea.Cmd { return s.turn(1) }).Says(s.turns).Unless(nothingToTurn),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.list.filter) }),
	}}
	copies := &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		ui.Bind(CopyListing, "l", "listing that the model sees", "Copy the listing that the model sees", "l").Does(func() tea.Cmd {
			return s.host.Clip.Copy("the listing", desk.CopyText, s.state.Snapshot.Assembly().Listing.Text())
		}).Unless(func() string {
			switch {
			case s.state == nil || !s.lists():
				return "the agent of june-2026 lists no tools: the knob agent tries september-2026"
			case s.state.Budget.Listing.Form == tokens.ListNone:
				return "the model is shown no list: the view listing says what one would take"
			}
			return ""
		}),
	}}
	s.All = []*ui.Group{keys, copies}
	s.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(
		ui.More.After(ui.Less, "turn or fold"), ui.View.As("view"), ui.Open.As("open"), ui.Reset.As("reset all"),
		ui.Down.After(ui.Up, "rows"), ui.Help, ui.Find, ui.Palette, ui.Session, ui.Quit)}
	return s
}

// lists reports whether the generation lists the deferred tools in the request.
func (s *Screen) lists() bool { return s.state != nil && s.state.Budget.Listing != nil }

// settings returns the knobs of settings that the generation reads.
func (s *Screen) settings() []*desk.Knob {
	generation := config.June2026
	if s.state != nil {
		generation = s.state.Budget.Generation
	}
	knobs := s.host.Knobs
	return slices.DeleteFunc(desk.KnobsOf(desk.BudgetKnobs), func(k *desk.Knob) bool { return !k.Reads(generation) || knobs.NamedElsewhere(k) })
}

// knobs returns the knobs of the screen: settings', then the habits of a session.
func (s *Screen) knobs() []*desk.Knob {
	return append(s.settings(), desk.KnobsOf(desk.SessionKnobs)...)
}

// firstHabit returns where the habits begin among knobs.
func (s *Screen) firstHabit() int { return len(s.settings()) }

// Start returns the command that counts what definitions are made of, while visible.
func (s *Screen) Start(visible bool) tea.Cmd {
	if s.state == nil || !visible || s.counted() {
		return nil
	}
	snap, counting := s.state.Snapshot, &s.counting
	of := countedBy{snap.Registry, snap.Tokenizer}
	if counting.Begun && counting.Of == of {
		return nil
	}
	return counting.Start(s.host.Context(), of, func(ctx context.Context, _ ui.Progress) (parts []engine.Parts, err error) {
		for _, t := range snap.Registry.Tools {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			parts = append(parts, snap.Parts(t))
		}
		return parts, nil
	})
}

// countedBy holds the inputs that the counts depend on.
type countedBy struct {
	registry  *model.Registry
	tokenizer tokens.Method
}

// counted reports whether the counts belong to the state.
func (s *Screen) counted() bool {
	return s.partsOf == countedBy{s.state.Snapshot.Registry, s.state.Snapshot.Tokenizer}
}

// sum adds up the parts of the definitions of tools.
func (s *Screen) sum(tools []*model.Tool) engine.Parts {
	var sum engine.Parts
	for _, t := range tools {
		sum = sum.Add(s.parts[t.Index])
	}
	return sum
}

// Update takes in the outcome of the newest count.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		s.state = msg.After
		s.list.of = nil
		s.listing.pane.Drop()
		if s.view == viewListing && !s.lists() {
			s.view = viewCosts
		}
		s.cursor = min(s.cursor, len(s.knobs())-1)
		return nil
	case report.Case:
		without := s.host.Knobs.Files().Snapshot
		if s.state.Baseline == nil {
			without = nil
		}
		return s.host.Clip.CopyReport("repro of Budget", msg.Budget(without, s.host.Knobs.Habits()))
	}
	counted, cmd, _ := s.counting.Update(msg)
	if counted != nil {
		s.partsOf, s.parts = s.counting.Of, *counted
	}
	return cmd
}

// Frame returns the frame: in the note how many knobs are turned.
func (s *Screen) Frame() ui.Frame {
	if s.state == nil {
		return ui.Frame{}
	}
	heading, note, b := "", "", s.state.Budget
	if s.list.filter != "" {
		heading = "/" + safetext.Line(s.list.filter) + "  "
	}
	heading += ui.Thousands(b.EagerTokens) + " tok " + string(b.Tokenizer) + " in "
	if all := len(s.state.Snapshot.Registry.Tools); b.Tools < all { // the session is not granted all
		heading += ui.Thousands(b.Tools) + " of " + ui.Count(all, "tool")
	} else {
		heading += ui.Count(all, "tool")
	}
	if n := s.host.Knobs.CountTurned(); n > 0 {
		note = ui.Count(n, "knob") + " changed"
	}
	f := ui.Frame{Title: heading, Note: note, Whole: s.list.filter != "", Beyond: ui.Beyond(0, 0)}
	switch {
	case s.view == viewListing && s.lists():
		f.Beyond = ui.Beyond(s.listing.pane.Hidden())
	case !s.areas[viewCosts].Empty() && len(s.list.rows) > 0:
		f.Beyond = ui.Beyond(s.list.cursor.Hidden())
	}
	return f
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w, s.h = w, h
	s.areas = [viewCount]image.Rectangle{}
	if s.state == nil {
		return ui.Centered(t, w, h)
	}
	s.listCosts()
	switch size := s.sizeIn(w, h); {
	case size == large && s.view == viewListing:
		return s.sideBySide(t, 0, 0, min(w/2, 84), w, h, []viewRow{{viewListing, h}}, nil)
	case size == large:
		left := min(w/2, 84)
		return s.sideBySide(t, 0, 0, left, w, h, []viewRow{{viewCosts, h - makeupRows}, {viewMakeup, makeupRows}}, nil)
	case size == medium && s.view == viewListing:
		return s.drawView(t, viewListing, 0, 0, w, h)
	case size == medium && s.keysIn() == viewCosts: // the makeup is below the list, as on a small screen that grew
		return s.stack(t, 0, 0, w, h, []viewRow{{viewCosts, h - makeupRows}, {viewMakeup, makeupRows}})
	case size == medium:
		return s.tune(t, 0, w, h)
	}
	return s.drawView(t, s.view, 0, 0, w, h)
}

// Version changes whenever the picture may.

// viewNames are the names of the views.
var viewNames = [viewCount]string{"tools", "made of", "listing", "knobs", "change", "curve", "session"}

// inTurn returns the views that take turns to be seen or, with room for all, to have the keys.
func (s *Screen) inTurn() []view {
	views := []view{viewCosts, viewListing, viewKnobs}
	if s.sizeIn(s.w, s.h) == small {
		views = []view{viewCosts, viewMakeup, viewListing, viewKnobs, viewChange, viewCurve, viewSession}
	}
	return slices.DeleteFunc(views, func(v view) bool { return v == viewListing && !s.lists() })
}

// Views returns the names of the views that take turns, and which has its turn.
func (s *Screen) Views() (names []string, current int) {
	views := s.inTurn()
	for _, v := range views {
		names = append(names, viewNames[v])
	}
	return names, max(0, slices.Index(views, s.keysIn()))
}

// ShowView shows one of the views that take turns, and gives it the keys.
func (s *Screen) ShowView(i int) {
	s.view = s.inTurn()[i]
}

// focused reports whether a view has the keyboard.
func (s *Screen) focused(v view) bool { return s.keysIn() == v }

// keysIn returns the view that has the keys: in most sizes one of the lists or the knobs.
func (s *Screen) keysIn() view {
	switch {
	case s.sizeIn(s.w, s.h) == small:
		return s.view
	case s.view == viewMakeup:
		return viewCosts
	case s.view == viewCosts, s.view == viewListing:
		return s.view
	}
	return viewKnobs
}

// Move moves the cursor of the view that has the keys.
func (s *Screen) Move(rows int) {
	switch s.keysIn() {
	case viewCosts, viewMakeup:
		s.listCosts()
		s.list.cursor.Move(s.list.listed(), rows)
	case viewListing:
		s.listing.pane.Move(rows)
	default:
		s.cursor = max(0, min(s.cursor+rows, len(s.knobs())-1))
		s.host.Knobs.Pause()
	}
}

// Click selects the row under the pointer; on a selected toolset it folds or unfolds.
func (s *Screen) Click(x, y int) {
	at := image.Pt(x, y)
	for v, area := range s.areas {
		if !at.In(area) {
			continue
		}
		line := y - area.Min.Y - 1
		switch view(v) {
		case viewCosts:
			line := y - area.Min.Y
			again, ok := s.list.cursor.Press(s.list.listed(), line-1)
			if ok {
				again = again && s.view == viewCosts
				s.view = viewCosts
				if row, _ := s.list.at(); again && row.tool == nil {
					s.fold()
				}
			}
		case viewListing:
			again := s.listing.pane.Press(line) && s.view == viewListing
			s.view = viewListing
			if again {
				s.foldGroup(!s.listing.open[s.listing.pane.ID])
			}
		case viewKnobs:
			s.clickKnob(s.knobList.Top + line)
		case viewSession:
			if line >= 0 {
				s.clickKnob(s.firstHabit() + line)
			}
		}
	}
}

// clickKnob selects a knob.
func (s *Screen) clickKnob(i int) {
	if i >= 0 && i < len(s.knobs()) {
		s.view, s.cursor = viewKnobs, i
		s.host.Knobs.Pause()
	}
}

// Filter shows only the tools and listing groups that hold the text.
func (s *Screen) Filter(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == s.list.filter {
		return text != ""
	}
	s.list.filter = text
	s.list.makeRows()
	return true
}

// Next gives the next view the keys.
func (s *Screen) Next(by int) {
	names, at := s.Views()
	s.ShowView((at + by + len(names)) % len(names))
}

// Beside names the next view.
func (s *Screen) Beside() string { return "view" }

// Back closes the toolset under the cursor.
func (s *Screen) Back() bool {
	row, _ := s.list.at()
	if s.view != viewCosts || s.list.filter != "" || !s.list.open[row.set] {
		return false
	}
	s.foldTo(false)
	return true
}

// Page returns how far a page is.
func (s *Screen) Page() int { return max(1, s.h-1) }

// Wheel moves the selection.
func (s *Screen) Wheel(_, _, rows int) { s.Move(rows) }

// Area returns where a view was drawn, by the names that other screens have for their areas.
func (s *Screen) Area(name string) image.Rectangle {
	v, ok := map[string]view{"list": viewCosts, "below": viewSession, "knobs": viewKnobs}[name]
	if !ok {
		return image.Rectangle{}
	}
	return s.areas[v]
}
