package screen

import tea "github.com/charmbracelet/bubbletea"

// TextQuestion asks for a line of text in a box over the screen.
type TextQuestion struct {
	Title   string
	Empty   string                          // what stands in the empty field
	Text    string                          // what it begins with; typing replaces it, moving the cursor keeps it
	Longest int                             // characters that can be typed
	Note    func(text string) string        // what enter will do with the text, safe for a terminal
	Take    func(text string) (cmd tea.Cmd) // called by enter; the box stays until it is closed
}
