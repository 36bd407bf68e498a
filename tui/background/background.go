// Package background keeps a bubbletea v1 program from waiting for its
// terminal. That library asks for the background colour in a package
// initialiser and waits five seconds for terminals that never answer, before
// main begins and even for --help.
//
// Importing this package for its effect declares the background dark, so that
// nothing is asked. The real background is found out later, without waiting,
// by package tui.
//
// It works only by order: Go initialises packages sorted by import path, as
// soon as what they import is ready. This one imports nothing but lipgloss,
// and its path sorts before bubbletea's. Anything added to its imports, or a
// module path that sorts later, brings the wait back; a test of package tui
// fails then.
//
// Non-goals: detecting or choosing colours.
package background

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
