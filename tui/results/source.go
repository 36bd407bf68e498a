package results

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
	"caliper/watch"
)

// source is a result to look at: a file, or what was pasted.
type source struct {
	name     string // as the user gave it; pastedName, with a number from the second on, for what was pasted
	data     []byte
	err      error  // why the file cannot be read
	revision int    // another number for other data
	path     string // from the root, of a file that was opened here; else empty
	held     bool   // it was opened or pasted here: no watcher reports it
	beside   string // name of the tool that Explore had found when it was opened or pasted; empty for none
	pasted   bool

	// stale is why the file does not hold data any more, nil while it does: what
	// it held last stays on screen.
	stale error
}

// pastedName is the name of what was pasted.
const pastedName = "pasted"

// errEmptied is that a file that held a result is empty now. A program that
// writes a file again empties it first; a file that stays empty is an empty result.
var errEmptied = errors.New("it is empty now")

// emptyAfter is how long a file that was emptied is waited for.
const emptyAfter = 2 * time.Second

// emptiedMsg tells that a source was waited for whose file was emptied.
type emptiedMsg source

// take takes in the files of results. A file whose bytes are the same is no new
// source; one that breaks keeps what it held. The command waits for files that
// were emptied.
func (s *Screen) take(files []watch.File) tea.Cmd {
	var now []source
	var cmds []tea.Cmd
	for _, f := range files {
		r := source{name: f.Name, data: f.Data, err: f.Err}
		var was source
		if i := slices.IndexFunc(s.sources, func(was source) bool { return was.name == f.Name }); i >= 0 {
			was = s.sources[i]
		}
		good := was.revision > 0 && was.err == nil
		emptied := f.Err == nil && len(f.Data) == 0 && len(was.data) > 0
		switch {
		case good && f.Err != nil:
			r, r.stale = was, f.Err
		case good && emptied && !errors.Is(was.stale, errEmptied):
			r, r.stale = was, errEmptied
			if !s.options.Still {
				cmds = append(cmds, tea.Tick(emptyAfter, func(time.Time) tea.Msg { return emptiedMsg(r) }))
			}
		case was.revision > 0 && (was.err == nil) == (f.Err == nil) && bytes.Equal(was.data, f.Data):
			r.revision = was.revision
		default:
			r.revision = s.nextNumber()
		}
		now = append(now, r)
	}
	for _, was := range s.sources {
		if was.held && !slices.ContainsFunc(now, func(r source) bool { return r.name == was.name }) {
			now = append(now, was)
		}
	}
	s.sources = now
	return tea.Batch(cmds...)
}

// nextNumber returns a number that nothing has yet.
func (s *Screen) nextNumber() int {
	s.number++
	return s.number
}

// at returns the index of the source that is looked at.
func (s *Screen) at() int {
	return max(0, slices.IndexFunc(s.sources, func(r source) bool { return r.name == s.chosen }))
}

// source returns the source that is shown, nil if there are no sources.
func (s *Screen) source() *source {
	if len(s.sources) == 0 {
		return nil
	}
	return &s.sources[s.at()]
}

// choose looks at a source.
func (s *Screen) choose(name string) {
	if r := s.source(); r != nil && r.name == name {
		s.chosen = name // which it may be as the first of all
		return
	}
	s.chosen, s.gap, s.Below.Top = name, 0, 0
}

// anyTool stands for a tool when nothing says which one a result is of. No
// registry has it, and its name makes it one of an MCP server.
const anyTool = "mcp_result"

// tool returns the name of the tool that a source is of: the one that was chosen
// for it, else the one that its file is named for, else the one that was found in
// Explore when it was opened, or is for a file that is watched, else anyTool.
func (s *Screen) tool(r *source) string {
	if name, ok := s.tools[r.name]; ok {
		return name
	}
	name := stem(r.name)
	if s.state != nil && rescue.Subject(s.state.Snapshot.Registry, s.state.Config.Rescue, name).Rule != rescue.RuleUnknown {
		return name
	}
	if r.beside != "" {
		return r.beside
	}
	if c := s.host.Case(); !r.held && c.Tool != nil && c.Query != "" {
		return c.Tool.Name
	}
	return anyTool
}

// assumed reports whether the tool of a source is a guess.
func (s *Screen) assumed(name, tool string) bool {
	_, chosen := s.tools[name]
	return !chosen && stem(name) != tool
}

// stem returns the last element of a path without its suffix.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// setTool records the tool of the source that is looked at.
func (s *Screen) setTool(name string) {
	if r := s.source(); r != nil {
		s.tools[r.name] = strings.Clone(name) // not a part of the registry file, which it would keep
		s.Below.Top, s.gap = 0, 0
	}
}

// pick opens the list of sources.
func (s *Screen) pick() tea.Cmd {
	if len(s.sources) == 0 {
		return s.host.Notify(ui.LevelInfo, "no result yet: "+s.KeyOf(OpenFile)+" opens a file, "+s.KeyOf(Paste)+" takes a pasted one")
	}
	var choices []ui.Choice
	for i, r := range s.sources {
		note := words.Size(len(r.data))
		switch {
		case r.err != nil:
			note = "cannot be read"
		case r.stale != nil:
			note += ", STALE"
		}
		choices = append(choices, ui.Choice{ID: r.name, Label: safetext.Line(filepath.Base(r.name)), Note: note, Current: i == s.at()})
	}
	s.host.Choose("result", choices, false, func(name string) tea.Cmd {
		s.choose(name)
		return nil
	})
	return nil
}

// pickTool opens the list of the registry's tools.
func (s *Screen) pickTool() tea.Cmd {
	r, tools := s.source(), s.state.Snapshot.Registry.Tools
	switch {
	case r == nil:
		return s.host.Notify(ui.LevelInfo, "no result to choose a tool for")
	case len(tools) == 0:
		return s.host.Notify(ui.LevelInfo, "no tools: the registry holds none")
	}
	now := s.tool(r)
	var choices []ui.Choice
	listed := map[string]bool{}
	for _, t := range tools {
		if !listed[t.Name] {
			listed[t.Name] = true
			var rule string
			l := s.ruleList()
			i, ok := slices.BinarySearchFunc(l.rows, t.Name, func(row ruleRow, tool string) int { return cmp.Compare(row.tool.Name, tool) })
			if ok {
				rule = l.rows[i].Rule
			}
			choices = append(choices, ui.Choice{ID: t.Name, Label: t.ShownName, Note: rule, Current: t.Name == now})
		}
	}
	s.host.Choose("the result is of", choices, false, func(name string) tea.Cmd {
		s.setTool(name)
		return nil
	})
	return nil
}

// longestPaste is the most characters that are taken from a paste.
const longestPaste = 1 << 20

// pasteUnasked takes a text that is pasted where nothing is typed into the box.
func (s *Screen) pasteUnasked(k tea.KeyMsg) tea.Cmd {
	s.typing = typingPaste
	s.paste = nil
	return s.typePaste(k)
}

// typePaste takes a key, or a whole paste, into the box.
func (s *Screen) typePaste(k tea.KeyMsg) tea.Cmd {
	switch {
	case k.String() == "backspace" && len(s.paste) > 0:
		s.paste = s.paste[:len(s.paste)-1]
	case k.String() == "ctrl+u":
		s.paste = nil
	case (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && (!k.Alt || k.Paste):
		room := longestPaste - len(s.paste)
		s.paste = append(s.paste, k.Runes[:min(len(k.Runes), room)]...)
		if dropped := len(k.Runes) - room; dropped > 0 {
			return s.host.Notify(ui.LevelWarn, "a paste holds "+ui.Thousands(longestPaste)+" characters: "+ui.Thousands(dropped)+" were dropped; "+s.KeyOf(OpenFile)+" opens a file of any size")
		}
	}
	return nil
}
