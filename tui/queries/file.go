package queries

import (
	"errors"
	"io/fs"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// faulty counts the lines that are left out, as far as they are listed one by one.
func (s *Screen) faulty() (n int) {
	for _, f := range s.faults {
		if f.Line > 0 {
			n++
		}
	}
	return n
}

// notifyFaults shows faults that are new: the first in a notice, all in Activity.
// Without any it shows once more what was written here, which says more than that
// the file was read.
func (s *Screen) notifyFaults() tea.Cmd {
	reread, written := s.reread, s.written
	if s.reread = false; reread {
		s.written = ""
	}
	switch {
	case s.newFaults:
	case reread && written != "":
		return s.host.Notify(ui.LevelOk, written)
	default:
		return nil
	}
	s.newFaults = false
	var details []report.Line
	for _, f := range s.faults {
		details = append(details, report.Line{Level: report.Warn, Text: f.Brief()})
	}
	out := ui.Count(s.faulty(), "line") + " left out"
	s.host.Send(desk.Record{Title: report.Line{Level: report.Warn, Text: safetext.Line(filepath.Base(s.host.Input.Queries.Name)) + ": " + out}, Details: details})
	return s.host.Notify(ui.LevelWarn, s.faults[0].Brief()+" · "+out)
}

// labelled shows what was written to the file of labelled queries, and has it read.
func (s *Screen) labelled(msg workbench.LabelsWrittenMsg) tea.Cmd {
	if msg.Err != nil || msg.Did == "" {
		s.sought = ""
	}
	switch {
	case msg.Err != nil:
		text := msg.Err.Error()
		var path *fs.PathError
		if errors.As(msg.Err, &path) { // whose folders would take the room of the fault
			text = filepath.Base(path.Path) + ": " + path.Err.Error()
		}
		return s.host.Notify(ui.LevelBad, "not written: "+safetext.Line(text))
	case msg.Did == "":
		return s.host.Notify(ui.LevelInfo, "nothing to write: the labelled queries are like this already")
	}
	s.written = msg.Did
	return tea.Batch(s.host.Notify(ui.LevelOk, msg.Did), s.host.Send(screen.Reread(screen.QueriesFile)))
}
