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
//   - what it draws has exactly the requested size, and changes only when
//     Version does;
//   - all work that a screen began ends when Host.Context is cancelled.
//
// # Copying
//
// A Clipper copies text to the clipboard: that of the terminal by OSC 52,
// and that of the desktop. When neither works, it writes the text to a file. A
// picture is always written to a file, and copied when a clipboard takes it.
//
// Invariants:
//   - only text that SafeToCopy returned reaches a clipboard or the file;
//   - CopiedMsg reports when SafeToCopy removed characters.
package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/ui"
)

// Screen is one of the screens behind the tabs. Every screen also implements
// Framed or Paned.
type Screen interface {
	// Name returns the label of the tab.
	Name() string

	// Start returns the command of work that is needed and has not begun, and
	// stops work that is no longer needed. It is called after every message.
	Start(visible bool) tea.Cmd
	// Update handles a message: a new state (desk.Loaded), the wish to copy what is shown
	// as a Markdown report (report.Case), and what its own work reports. A screen ignores
	// messages of other screens.
	Update(msg tea.Msg) tea.Cmd

	// Layer returns the keys of the screen that work now. The app adds those
	// that work everywhere.
	Layer() *ui.Layer
	// Groups returns all keys of the screen, for the help and the palette.
	Groups() []*ui.Group

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
}

// Framed is a Screen in one frame, which the app draws.
type Framed interface {
	Screen
	// Title returns the heading of the frame and the note on the right.
	Title() (heading, note string)
	// Draw returns exactly h lines of w cells. Front is false while a box covers
	// the screen.
	Draw(t *ui.Theme, w, h int, front bool) []string
	// Version returns a number that changes whenever the picture may.
	Version() uint64
}

// Shortened is a Framed screen whose note has a short form, for where it does not fit.
type Shortened interface {
	Framed
	// Short returns the short form of the note of the title; empty for none.
	Short() string
}

// Scrolling is a Framed screen with a list that may have more rows than are seen. The app
// says in the frame how many there are.
type Scrolling interface {
	Framed
	// Hidden returns how many rows are above and below those of the last picture.
	Hidden() (above, below int)
}

// Viewed is a Framed screen of several views that take turns. The app draws them as
// tabs in the title of the frame, and has the keys and clicks that go to them. The
// heading of the screen stands behind the tabs.
type Viewed interface {
	Framed
	// Views returns the names of the views that can be shown now, and which of them
	// is.
	Views() (names []string, current int)
	// Filtered reports whether the heading tells a filter, or what else is worth more
	// than the note and the names of views further away.
	Filtered() bool
	// ShowView shows the view with an index among those names.
	ShowView(i int)
}

// Paned is a Screen of several panes. It draws their frames itself and caches
// the picture of each pane.
type Paned interface {
	Screen
	// Blocks returns the panes, which cover w×h cells and do not overlap.
	Blocks(t *ui.Theme, w, h int, front bool) []ui.Block
}

// Counting is a Screen that can count tokens by other methods than the app's.
type Counting interface {
	Screen
	// Tokenizers returns these methods, as far as there is data for them, as choices.
	Tokenizers() []ui.Choice
	// CountBy counts by the one with an ID, or, when that is empty, by the app's.
	CountBy(id string)
}
