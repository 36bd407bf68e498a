package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/ui"
)

// Base has the name and the keys of a screen, and answers for it what it does not answer
// itself, as a screen with a single list would. Screens embed it.
type Base struct {
	Label string           // of the tab
	Keys  *ui.Layer        // where the same keys work at all times
	Pick  func() *ui.Layer // else the keys of what has the keyboard
	All   []*ui.Group      // for the help and the palette; nil for the groups of Keys
}

// Rest is the Base of a screen that embeds a ui.Sheet too, which answers first.
type Rest struct{ Base }

// Name returns the label of the tab.
func (b *Base) Name() string { return b.Label }

// Layer returns the keys of what has the keyboard.
func (b *Base) Layer() *ui.Layer {
	if b.Pick != nil {
		return b.Pick()
	}
	return b.Keys
}

// Groups returns the keys for the help and the palette.
func (b *Base) Groups() []*ui.Group {
	if b.All != nil {
		return b.All
	}
	return b.Keys.Groups
}

// KeyOf returns the key of an action of the first group, as texts name it.
func (b *Base) KeyOf(a ui.Action) string { return b.Groups()[0].Binding(a).Help().Key }

// Start returns nil: there is no background work.
func (Base) Start(bool) tea.Cmd { return nil }

// Next does nothing: there is no other list.
func (Base) Next(int) {}

// Beside returns the empty string: there is no other list.
func (Base) Beside() string { return "" }

// Back returns false: the screen has only one level.
func (Base) Back() bool { return false }

// Tool returns nil: the screen is not about one tool.
func (Base) Tool() *model.Tool { return nil }

// Asked returns false: no row has a query of its own.
func (Base) Asked() (Question, bool) { return Question{}, false }

// Views returns nil, and ShowView does nothing: there is one view.
func (Base) Views() ([]string, int) { return nil, 0 }
func (Base) ShowView(int)           {}

// Tokenizers returns nil, and CountBy does nothing: the screen counts as the app does.
func (Base) Tokenizers() []ui.Choice { return nil }
func (Base) CountBy(string)          {}

// Opened, Reopen and AtStake know of no file and of nothing to lose.
func (Base) Opened() []string  { return nil }
func (Base) Reopen([]string)   {}
func (Base) AtStake() []string { return nil }

// Box has the keys of an Overlay, and answers for it as one in which nothing moves. Boxes
// embed it.
type Box struct {
	Keys   *ui.Layer
	Beside func() // called for a click outside of the box; nil for nothing
}

// Layer returns the keys.
func (b *Box) Layer() *ui.Layer { return b.Keys }

// Move does nothing, and Page returns 1.
func (*Box) Move(int)  {}
func (*Box) Page() int { return 1 }

// Click calls Beside for a click outside.
func (b *Box) Click(line int) tea.Cmd {
	if line < 0 && b.Beside != nil {
		b.Beside()
	}
	return nil
}

// Progress returns the progress of a job for the note of a title; empty when
// the job has ended or has not begun. Verb names the work: "evaluating". A
// narrow title shows only the numbers.
func Progress(s ui.Status, verb string, narrow bool) string {
	switch {
	case s.Held:
		return "enter starts it"
	case s.Stopped:
		return "cancelled, enter starts it"
	case s.Err != nil:
		return "failed, enter starts it"
	case !s.Running:
		return ""
	case s.Total > 0 && narrow:
		return ui.Thousands(s.Done) + "/" + ui.Thousands(s.Total)
	case s.Total > 0:
		return verb + " " + ui.Thousands(s.Done) + " of " + ui.Thousands(s.Total)
	}
	return verb
}
