package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/workbench"
)

// Messages are facts, in the past tense. What can come late carries the
// generation it belongs to.

// changedMsg tells that watched files changed. more is false when the watcher
// has ended.
type changedMsg struct {
	part   Part
	change Change
	more   bool
}

// loadedMsg tells how a load ended.
type loadedMsg struct {
	gen    int
	state  workbench.State
	err    error
	took   time.Duration
	config *workbench.File // that the state was made of
	reload *reload         // since the state that was loaded before
}

// slowMsg tells that the load of a generation has been running for a while.
type slowMsg struct{ gen int }

// signalledMsg tells that the process was asked to end.
type signalledMsg struct {
	interrupt bool // by ctrl-c on the terminal, or its like
	at        time.Time
}

// editorReadyMsg tells which command line to hand the terminal to. closed
// makes the message of its end.
type editorReadyMsg struct {
	args   []string
	closed func(error) tea.Msg
}
