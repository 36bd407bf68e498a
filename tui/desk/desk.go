// Package desk is the things that the screens of the explorer share beside the app: what they
// turn, load and copy, and what several of them say of a state. Package screen has
// their contract, which knows none of it.
//
// # Copying
//
// A Clipper copies text to the clipboard: the terminal's by OSC 52,
// and the desktop's. When neither works, it writes the text to a file. A
// picture is always written to a file, and copied when a clipboard takes it.
//
// Invariants:
//   - only text that SafeToCopy returned reaches a clipboard or the file;
//   - CopiedMsg reports when SafeToCopy removed characters.
package desk

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/retrieval/learned"
	"caliper/tui/knob"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Desk is the tools that a screen works with.
type Desk struct {
	screen.Host
	Clip   *Clipper
	Knobs  *knob.Set // the settings and descriptions that are tried
	Bench  *workbench.Workbench
	Input  *workbench.Input // of the next load
	Header *Header
	Texts  *terminal.EditedTexts // that are edited in the editor
}

// Loaded is the message about a new state, with the state before it.
type Loaded struct {
	Before *workbench.State // nil for the first load
	After  *workbench.State
	Reload *workbench.Reload // what the files changed; nil when no file was read again
}

// Record asks for an event in Activity.
type Record struct {
	Title   report.Line
	Details []report.Line
}

// Forget asks whether to delete a labelled query from the file that the ranker learned
// learns from.
type Forget struct{ Lesson learned.Lesson }

// Back goes one level back, as esc does.
func (d Desk) Back() tea.Cmd { return d.Do(ui.Back) }

// EveryRanker tells that the ranks of all rankers are seen from now on.
const EveryRanker = "every ranker has a column of ranks now"

// CompareRankers has every ranker rank from the next load on, and says where their ranks are
// seen. Where every ranker ranks already, the active one does alone from then on.
func (d Desk) CompareRankers(where string) tea.Cmd {
	if len(d.Input.Rivals) > 0 {
		d.Input.Rivals, where = nil, "ranks of the active ranker alone"
	} else {
		d.Input.Rivals = config.Rankers
	}
	return tea.Batch(d.Load(true), d.Notify(ui.LevelInfo, where))
}
