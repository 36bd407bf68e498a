package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/ui"
)

// Host is the app around a screen, as far as the screen may ask it.
type Host interface {
	// Context is cancelled when the program ends. Now returns the time.
	Context() context.Context
	Now() time.Time
	// Case returns what Explore shows.
	Case() Case

	// Notify shows a notice in the footer. The command removes it after its
	// time.
	Notify(level ui.Level, text string) tea.Cmd
	// Do runs the binding that the app has for an action outside text, otherwise the one of
	// another screen.
	Do(ui.Action) tea.Cmd
	// Send hands the app a message at once, before any further key: a request, or news
	// for the other screens.
	Send(tea.Msg) tea.Cmd
	// Load loads the input; with quietly it shows no notice about the changes.
	Load(quietly bool) tea.Cmd

	// Choose opens a list over the screen and calls take with the ID of the
	// chosen row. With stays the list stays open, so that several rows can be
	// chosen.
	Choose(title string, choices []ui.Choice, stays bool, take func(id string) tea.Cmd) *ui.Chooser
	// AskPath opens the box in which the path of a file is typed, with folders also of a
	// folder, and calls take with the path. Verb tells what enter does with it.
	AskPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd
	// AskText asks for a line of text in a box, and returns what closes the box.
	AskText(q TextQuestion) (closed func())
	// Open puts a box over the screen and over all boxes, and returns what takes it away.
	Open(Overlay) (closed func())
	// Find opens the search line of the screen with the text of its filter.
	// Finding returns the text in it as it is drawn; ok is false while it is
	// closed.
	Find(text string)
	Finding() (shown string, ok bool)
}

// Case is the case in Explore: the query in its box, the selected tool (nil for
// none) and the qualified name of the tool that is expected of the query (empty for none).
type Case struct {
	Query    string
	Tool     *model.Tool
	Expected string
	Labels   string // path of the labelled queries; empty for none
}

// TextQuestion asks for a line of text in a box over the screen.
type TextQuestion struct {
	Title   string
	Empty   string                          // what stands in the empty field
	Text    string                          // what it begins with; typing replaces it, moving the cursor keeps it
	Longest int                             // characters that can be typed
	Note    func(text string) string        // what enter will do with the text, safe for a terminal
	Take    func(text string) (cmd tea.Cmd) // called by enter; the box stays until it is closed
}

// End is more rows than any list has: Move(End) goes to the last row.
const End = 1 << 30

// Overlay is a box over the screen. It has the keyboard until it is closed.
type Overlay interface {
	// Layer returns the keys that work in the box.
	Layer() *ui.Layer
	// Draw returns the lines of the box for a screen of w×h cells.
	Draw(t *ui.Theme, w, h int) []string
	// Move moves by rows. Page returns the rows of a page.
	Move(rows int)
	Page() int
	// Click handles a click on a line of the box; line is -1 for a click outside
	// it.
	Click(line int) tea.Cmd
}
