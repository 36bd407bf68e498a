package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/ui"
)

// Base implements the methods of Screen that a screen with a single list does
// not need: they do nothing. Screens embed it.
type Base struct{}

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

// Note returns the note for the title of a screen: the text in its search line
// while that is open, else the given note.
func Note(h Host, note string) string {
	if text, ok := h.Finding(); ok {
		return text
	}
	return note
}
