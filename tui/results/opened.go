package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// opened is a file that the user named here, and what was found there.
type opened struct {
	path   string
	whole  string // the path from the root; empty where it is unknown
	data   []byte
	err    error
	pasted string // the text that may be its path; empty when the path was typed
}

// errNotAFile is that a path leads to a folder or a device.
var errNotAFile = errors.New("it is a folder or a device, not a file")

// askPath asks for the path of a file to look at.
func (s *Screen) askPath() tea.Cmd {
	return s.host.AskPath("open a result", "open", false, func(path string) tea.Cmd {
		return s.openFile(opened{path: path})
	})
}

// openFile reads a file beside the screen.
func (s *Screen) openFile(o opened) tea.Cmd {
	return s.opening.Start(s.host.Context(), o.path, func(ctx context.Context, _ ui.Progress) (opened, error) {
		return read(o), ctx.Err()
	})
}

// read reads the file at a path.
func read(o opened) opened {
	switch info, err := os.Stat(o.path); {
	case err != nil:
		o.err = err
	case !info.Mode().IsRegular():
		o.err = errNotAFile
	default:
		o.data, o.err = os.ReadFile(o.path)
	}
	o.whole, _ = filepath.Abs(o.path)
	return o
}

// openedFile looks at a file that was read; a pasted path is asked about first.
func (s *Screen) openedFile(o opened) tea.Cmd {
	switch {
	case o.pasted == "" && o.err != nil:
		return s.host.Notify(ui.LevelBad, "not opened: "+safetext.Line(fmt.Sprintf("%s: %v", o.path, workbench.Cause(o.err))))
	case o.pasted == "":
		s.hold(source{name: o.path, path: o.whole, data: o.data})
		return nil
	case o.err != nil:
		s.holdPasted(o.pasted)
		return nil
	}
	s.host.Choose("the pasted text is the path of a file", []ui.Choice{
		{ID: openIt, Label: "open the file", Note: safetext.Line(o.path)},
		{ID: "text", Label: "use the text itself as the result"},
	}, false, func(id string) tea.Cmd {
		if id == openIt {
			o.pasted = ""
			return s.openedFile(o)
		}
		s.holdPasted(o.pasted)
		return nil
	})
	return nil
}

// openIt is the ID of the row that opens the file of a pasted path.
const openIt = "open"

// hold looks at a source that no watcher reports. It stays until the program ends; a
// second one of the name or path takes the place of the first.
func (s *Screen) hold(r source) {
	r.held, r.revision = true, s.nextNumber()
	if c := s.host.Case(); c.Tool != nil && c.Query != "" {
		r.beside = c.Tool.Name
	}
	if i := slices.IndexFunc(s.sources, func(was source) bool { return was.name == r.name || r.path != "" && was.path == r.path }); i >= 0 {
		r.held, r.name = s.sources[i].held, s.sources[i].name
		s.sources[i] = r
	} else {
		s.sources = append(s.sources, r)
	}
	s.choose(r.name)
	s.goTo(viewSeen)
}

// holdPasted looks at a pasted text.
func (s *Screen) holdPasted(text string) {
	name := pastedName
	for n := 2; slices.ContainsFunc(s.sources, func(r source) bool { return r.name == name }); n++ {
		name = fmt.Sprintf("%s %d", pastedName, n)
	}
	s.hold(source{name: name, data: []byte(text), pasted: true})
}

// AtStake returns the results that are lost when the program ends: the pasted ones.
func (s *Screen) AtStake() []string {
	var names []string
	for _, r := range s.sources {
		if r.pasted {
			names = append(names, r.name+" ("+ui.Thousands(len(r.data))+" bytes)")
		}
	}
	return names
}

// usePaste looks at what was pasted; a text that may be the path of a file is looked up first.
func (s *Screen) usePaste() tea.Cmd {
	text := string(s.paste)
	if text == "" {
		return s.host.Notify(ui.LevelInfo, "nothing was pasted yet")
	}
	if !strings.Contains(text, "\n") { // terminals paste ends of lines as the enter key
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	s.leave()
	s.paste = nil
	// One short line that is not JSON may be the path of a file.
	line := strings.TrimSpace(text)
	if line != "" && len(line) <= 4096 && !strings.ContainsAny(line, "\n\r\x00") && !strings.ContainsAny(line[:1], "{[") {
		return s.openFile(opened{path: screen.TypedPath(s.options.Home, text), pasted: text})
	}
	s.holdPasted(text)
	return nil
}

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

// openedAgain takes in the files of the run before, and names those that cannot be read.
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
