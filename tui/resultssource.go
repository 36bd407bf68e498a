package tui

import (
	"bytes"
	"errors"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// resultSource is a result to look at: a file, or what was pasted.
type resultSource struct {
	name string // as the user gave it; pastedName for what was pasted
	data []byte
	err  error
	rev  int // changes with the data

	// stale is why the file is no more what data holds, nil while it is: what it
	// held last stays on screen.
	stale error
}

// errEmptied is said of a file that held a result and is empty now. Who writes
// a file anew empties it first; one that stays empty is an empty result.
var errEmptied = errors.New("it is empty now")

// emptyAfter is how long a file that was emptied is waited for.
const emptyAfter = 2 * time.Second

// emptiedMsg tells that a file that was emptied was waited for.
type emptiedMsg struct {
	name string
	rev  int
}

// pastedName is the name of what was pasted.
const pastedName = "pasted"

// longestPaste bounds what is pasted as a result, in characters. What is
// beyond is dropped, and said.
const longestPaste = 1 << 20

// take takes in the files of results. One whose bytes are the same is no new
// one; one that breaks keeps what it held. The command waits for what was
// emptied.
func (s *resultsScreen) take(change Change) tea.Cmd {
	s.changes++
	var now []resultSource
	var cmds []tea.Cmd
	for _, f := range change.Files {
		r := resultSource{name: f.Name, data: f.Data, err: f.Err}
		var was resultSource
		if at := slices.IndexFunc(s.sources, func(was resultSource) bool { return was.name == f.Name }); at >= 0 {
			was = s.sources[at]
		}
		good := was.rev > 0 && was.err == nil
		emptied := f.Err == nil && len(f.Data) == 0 && len(was.data) > 0
		switch {
		case good && f.Err != nil:
			r, r.stale = was, f.Err
		case good && emptied && !errors.Is(was.stale, errEmptied):
			r, r.stale = was, errEmptied
			if !s.app.opt.Still {
				cmds = append(cmds, tea.Tick(emptyAfter, func(time.Time) tea.Msg { return emptiedMsg{r.name, r.rev} }))
			}
		case was.rev > 0 && (was.err == nil) == (f.Err == nil) && bytes.Equal(was.data, f.Data):
			r.rev = was.rev
		default:
			s.gen++
			r.rev = s.gen
			if len(was.data) >= worthGivingBack {
				cmds = append(cmds, giveBack)
			}
		}
		now = append(now, r)
	}
	for _, was := range s.sources {
		if was.name == pastedName {
			now = append(now, was)
		}
	}
	s.sources = now
	return tea.Batch(cmds...)
}

// emptied takes a file that stayed empty for an empty result. The command gives
// back the memory of what it held.
func (s *resultsScreen) emptied(msg emptiedMsg) (give tea.Cmd) {
	for i := range s.sources {
		if r := &s.sources[i]; r.name == msg.name && r.rev == msg.rev && errors.Is(r.stale, errEmptied) {
			s.gen++
			if len(r.data) >= worthGivingBack {
				give = giveBack
			}
			*r = resultSource{name: r.name, rev: s.gen}
			s.changes++
		}
	}
	return give
}

// worthGivingBack is from how many bytes on the memory of what a file held
// before is given back at once.
const worthGivingBack = 16 << 20

// giveBack gives the memory of what a file held before back to the system,
// beside the screen. Nothing holds it any more, but the collector runs when
// the heap has grown to twice what it was, and an explorer that waits for the
// next change allocates nothing: a file of 100 MB that is written anew would
// keep 350 MB more than it needs until then.
func giveBack() tea.Msg {
	debug.FreeOSMemory()
	return nil
}

// at returns the place of the result that is looked at.
func (s *resultsScreen) at() int {
	return max(0, slices.IndexFunc(s.sources, func(r resultSource) bool { return r.name == s.chosen }))
}

// source returns the result that is looked at, nil when there is none.
func (s *resultsScreen) source() *resultSource {
	if len(s.sources) == 0 {
		return nil
	}
	return &s.sources[s.at()]
}

// choose looks at a result.
func (s *resultsScreen) choose(name string) {
	if r := s.source(); r != nil && r.name == name {
		return
	}
	s.chosen, s.mark = name, 0
	s.below.top = 0
	s.changes++
}

// anyTool stands for a tool when nothing says which one a result is of. No
// registry has it, and its name makes it one of an MCP server.
const anyTool = "mcp_result"

// tool returns the name of the tool that a result is of: the one that was
// chosen for it, else the one that its file is named for, else the one that was
// found in Explore, else anyTool.
func (s *resultsScreen) tool(r *resultSource) string {
	if name, ok := s.tools[r.name]; ok {
		return name
	}
	name := stem(r.name)
	if s.state != nil && rescue.Subject(s.state.Snapshot.Registry, workbench.RescueLimits(s.state.Config.Rescue), name).Rule != rescue.RuleUnknown {
		return name
	}
	if t := s.app.selected(); t != nil && s.app.query.Value() != "" {
		return t.Name
	}
	return anyTool
}

// assumed reports whether nothing but a guess says which tool a result is of.
func (s *resultsScreen) assumed(name, tool string) bool {
	_, chosen := s.tools[name]
	return !chosen && stem(name) != tool
}

// stem is the last part of a path without its suffix.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// setTool says of which tool the result is.
func (s *resultsScreen) setTool(name string) {
	if r := s.source(); r != nil {
		s.tools[r.name] = name
		s.below.top, s.mark = 0, 0
		s.changes++
	}
}

// pick opens the picker of results.
func (s *resultsScreen) pick() tea.Cmd {
	if len(s.sources) == 0 {
		return s.app.notices.show(levelInfo, "no results: start with --result FILE, or paste one")
	}
	var choices []choice
	for i, r := range s.sources {
		note := size(len(r.data))
		switch {
		case r.err != nil:
			note = "cannot be read"
		case r.stale != nil:
			note += ", STALE"
		}
		choices = append(choices, choice{id: r.name, label: model.Sanitize(filepath.Base(r.name)), note: note, current: i == s.at()})
	}
	s.app.top = newChooser(purposeResult, "result", choices)
	return nil
}

// pickTool opens the picker of the registry's tools.
func (s *resultsScreen) pickTool() tea.Cmd {
	r := s.source()
	if r == nil {
		return s.app.notices.show(levelInfo, "no result to choose a tool for")
	}
	now := s.tool(r)
	var choices []choice
	seen := map[string]bool{}
	if len(s.state.Snapshot.Registry.Tools) == 0 {
		return s.app.notices.show(levelInfo, "no tools: the registry holds none")
	}
	for _, t := range s.state.Snapshot.Registry.Tools {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		choices = append(choices, choice{id: t.Name, label: t.ShownName, note: s.rules.note(t.Name), current: t.Name == now})
	}
	s.app.top = newChooser(purposeOfTool, "the result is of", choices)
	return nil
}

// useTool makes the tool under the cursor the one that the result is of.
func (s *resultsScreen) useTool() tea.Cmd {
	rows := s.ruleRows()
	l := s.list()
	if l.cursor >= len(rows) || s.source() == nil {
		return nil
	}
	s.setTool(rows[l.cursor].name)
	return s.app.notices.show(levelInfo, "the result is of "+rows[l.cursor].shown+" now")
}

// startPaste opens the box that takes a paste.
func (s *resultsScreen) startPaste() {
	s.typing, s.paste = typingPaste, nil
	s.changes++
}

// pasteKey takes a key, or a whole paste, into the box.
func (s *resultsScreen) pasteKey(k tea.KeyMsg) tea.Cmd {
	s.changes++
	switch {
	case k.String() == "backspace" && len(s.paste) > 0:
		s.paste = s.paste[:len(s.paste)-1]
	case k.String() == "ctrl+u":
		s.paste = nil
	case (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && (!k.Alt || k.Paste):
		room := longestPaste - len(s.paste)
		s.paste = append(s.paste, k.Runes[:min(len(k.Runes), room)]...)
		if dropped := len(k.Runes) - room; dropped > 0 {
			return s.app.notices.show(levelWarn, "a paste holds "+thousands(longestPaste)+" characters: "+thousands(dropped)+" were dropped; --result FILE takes them all")
		}
	}
	return nil
}

// usePaste makes what was pasted a result.
func (s *resultsScreen) usePaste() tea.Cmd {
	text := string(s.paste)
	if text == "" {
		return s.app.notices.show(levelInfo, "nothing was pasted yet")
	}
	if !strings.Contains(text, "\n") { // terminals paste ends of lines as the enter key
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	s.leave()
	s.gen++
	pasted := resultSource{name: pastedName, data: []byte(text), rev: s.gen}
	s.sources = append(slices.DeleteFunc(s.sources, func(r resultSource) bool { return r.name == pastedName }), pasted)
	s.choose(pastedName)
	s.part, s.area = partSeen, areaList
	return nil
}

// drawPaste draws the box that takes a paste, with the end of what is in it.
func (s *resultsScreen) drawPaste(t *Theme, w, h int) []string {
	var l cells.Line
	l.Start(w)
	l.Text(t.Accent, t.Prompt+" ")
	if len(s.paste) == 0 {
		l.Text(t.Placeholder, "paste a result, enter uses it")
	} else {
		l.Text(t.Text, thousands(len(s.paste))+" of "+thousands(longestPaste)+" characters")
	}
	lines := []string{l.End()}
	end := s.paste[max(0, len(s.paste)-w*h):]
	text := strings.ReplaceAll(strings.ReplaceAll(string(end), "\r\n", "\n"), "\r", "\n")
	wrapped := cells.Wrap(model.SanitizeText(text), max(1, w-2))
	for _, line := range wrapped[max(0, len(wrapped)-(h-1)):] {
		l.Start(w)
		l.Gap(1)
		l.Text(t.Faint, line)
		lines = append(lines, l.End())
	}
	return filled(lines, w, h)
}
