package screen

// Worded is a Screen that tells the help which words its focused pane prints, so
// that their meanings come before those of the rest.
type Worded interface {
	Screen
	// Words returns what the cursor is on, and what the focused pane prints beside
	// it, the most important first: labels of the glossary, or keys of settings.
	// Both may be empty.
	Words() (here, pane []string)
}
