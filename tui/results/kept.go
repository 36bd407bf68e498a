package results

import (
	"context"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
)

// This file opens the files of the run before again. Their paths are remembered, and not what
// they hold: it may be secret, and is read when the screen is first looked at.

// Opened returns the paths of the files that were opened here, the one that is looked at first;
// until they have been opened again the run before's.
func (s *Screen) Opened() []string {
	paths := slices.Clone(s.reopen)
	for i, r := range s.sources {
		switch {
		case !r.held || r.pasted || r.path == "" || slices.Contains(paths, r.path):
		case i == s.at():
			paths = slices.Insert(paths, 0, r.path)
		default:
			paths = append(paths, r.path)
		}
	}
	return paths
}

// Reopen takes the paths that a run before had opened. It is called before there is a state.
func (s *Screen) Reopen(paths []string) { s.reopen = slices.Clone(paths) }

// openAgain returns the command that reads the files of the run before; nil when there are
// none, or it runs.
func (s *Screen) openAgain() tea.Cmd {
	if len(s.reopen) == 0 || s.reopening.Running() {
		return nil
	}
	paths := s.reopen
	return s.reopening.Start(s.host.Context(), len(paths), func(ctx context.Context, _ ui.Progress) ([]opened, error) {
		var files []opened
		for _, path := range paths {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			files = append(files, read(opened{path: path}))
		}
		return files, nil
	})
}

// openedAgain takes in the files of the run before, and names those that cannot be read: they
// are forgotten.
func (s *Screen) openedAgain(files []opened) tea.Cmd {
	s.reopen = nil
	first := s.chosen == ""
	var gone []string
	for _, o := range files {
		switch {
		case o.err != nil:
			gone = append(gone, safetext.Line(filepath.Base(o.path)))
		case !slices.ContainsFunc(s.sources, func(r source) bool { return r.name == o.path || r.path == o.path }):
			s.sources = append(s.sources, source{name: o.path, path: o.path, data: o.data, held: true, revision: s.nextNumber()})
			if first {
				s.choose(o.path)
				first = false
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return s.host.Notify(ui.LevelWarn, "not opened again, and forgotten: "+words.And(gone))
}
