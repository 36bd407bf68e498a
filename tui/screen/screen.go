// Package screen defines what a screen of the explorer is, and what it may ask
// of the app around it. The app knows its screens only as Screen, and a screen
// knows the app only as Host. A new screen is therefore a package of its own
// and one line in the app's list of screens.
//
// Responsibilities:
//   - the app draws the header, the tabs, the footer, the frame around a screen,
//     the boxes over it and the search line of a list, and handles the keys that
//     mean the same on every screen;
//   - a screen has its state, its keys and its background work, and draws the
//     content of the frame.
//
// Invariants of every Screen:
//   - it reads, writes and waits only inside the commands that it returns;
//   - what it draws has exactly the requested size, and changes only with a message;
//   - all work that a screen began ends when Host.Context is cancelled.
package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/ui"
)

// Screen is one of the screens behind the tabs. All but Explore are Framed. Base has
// the answers of a screen that does not know a question.
type Screen interface {
	// Name returns the label of the tab.
	Name() string

	// Start returns the command of work that is needed and has not begun, and
	// stops work that is no longer needed. It is called after every message.
	Start(visible bool) tea.Cmd
	// Update handles a message: a new state (desk.Loaded), the wish to copy the picture
	// as a Markdown report (report.Case), and what its own work reports. A screen ignores
	// messages of other screens.
	Update(msg tea.Msg) tea.Cmd

	// Layer returns the keys of the screen that work now. The app adds those
	// that work everywhere.
	Layer() *ui.Layer
	// Groups returns all keys of the screen, for the help and the palette.
	Groups() []*ui.Group
	// Words returns what the cursor is on, and what the focused pane prints beside
	// it, the most important first: labels of the glossary, or keys of settings.
	// Both may be empty.
	Words() (here, pane []string)

	// Views returns the names of the views that take turns and can be shown now, and
	// which of them is; none for a screen of one view. The app has the keys and clicks
	// that go to them. ShowView shows the view with an index among those names.
	Views() (names []string, current int)
	ShowView(i int)
	// Move moves by rows in the list that has the keyboard. Page returns the
	// rows of a page of that list.
	Move(rows int)
	Page() int
	// Next moves the keyboard by some lists, and Beside returns the name of the
	// next list; empty when there is only one.
	Next(by int)
	Beside() string
	// Click and Wheel handle the mouse in a cell of the screen.
	Click(x, y int)
	Wheel(x, y, rows int)

	// Filter shows only the rows that contain a text. It returns false when the
	// text is empty and nothing was filtered.
	Filter(text string) bool
	// Back goes one level back inside the screen; it returns false at the first
	// level.
	Back() bool

	// Tool returns the tool that is selected on the screen, nil for none.
	Tool() *model.Tool
	// Asked returns what the selected row asks. It returns false where that is the query
	// of Explore and the selected tool.
	Asked() (Question, bool)

	// Tokenizers returns the methods that the screen alone can count tokens by, as far as
	// there is data for them, as choices. CountBy counts by the one with an ID, or, when
	// that is empty, by the app's.
	Tokenizers() []ui.Choice
	CountBy(id string)
	// Opened returns the paths of the files that the user opened in the screen, from the
	// root, which the next run opens again. Reopen takes the run before's; it is
	// called before there is a state.
	Opened() []string
	Reopen(paths []string)
	// AtStake names the things that are lost when the program ends.
	AtStake() []string
}

// Framed is a Screen in one frame, which the app draws.
type Framed interface {
	Screen
	// Frame returns the title and the note of the frame, and how many rows are hidden
	// in the last picture. The title stands behind the tabs of the views.
	Frame() ui.Frame
	// Draw returns exactly h lines of w cells. Front is false while a box covers
	// the screen.
	Draw(t *ui.Theme, w, h int, front bool) []string
}

// Question is a query with the tool that should answer it, in a session.
type Question struct {
	Query string
	Tool  *model.Tool // nil when none is known
	Shown bool        // the screen itself shows what another tool would change

	Session string // of the row; empty for the header's
}
