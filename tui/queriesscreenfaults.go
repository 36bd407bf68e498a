package tui

import (
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
)

// readFaults takes in what is wrong with lines of the file of labelled
// queries. Those lines are left out, the others are asked.
func (s *queriesScreen) readFaults() {
	var faults []model.Diagnostic
	if f := s.app.input.Queries; f != nil {
		for _, w := range s.state.Warnings {
			if w.File == model.Sanitize(f.Name) {
				faults = append(faults, w)
			}
		}
	}
	s.unsaid = len(faults) > 0 && !slices.Equal(faults, s.faults)
	s.faults = faults
}

// faulty counts the lines that are left out, as far as they are told one by
// one.
func (s *queriesScreen) faulty() (n int) {
	for _, f := range s.faults {
		if f.Line > 0 {
			n++
		}
	}
	return n
}

// sayFaults tells of faults that are new, with the place of the first in a
// notice and of all in Activity; without any, once more what was written here,
// which says more than that it was read.
func (s *queriesScreen) sayFaults() tea.Cmd {
	reread, did := s.reread, s.did
	if s.reread = false; reread {
		s.did = ""
	}
	switch {
	case s.unsaid:
	case reread && did != "":
		return s.app.notices.show(levelOk, did)
	default:
		return nil
	}
	s.unsaid = false
	var details []detail
	for _, f := range s.faults {
		details = append(details, detail{levelWarn, brief(f)})
	}
	out := plural(s.faulty(), "line") + " left out"
	s.app.activity.record(levelWarn, model.Sanitize(filepath.Base(s.app.input.Queries.Name))+": "+out, details...)
	return s.app.notices.show(levelWarn, brief(s.faults[0])+" · "+out)
}
