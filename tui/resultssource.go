package tui

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

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
}

// pastedName is the name of what was pasted.
const pastedName = "pasted"

// longestPaste bounds what is pasted as a result, in characters. What is
// beyond is dropped, and said.
const longestPaste = 1 << 20

// take takes in the files of results. One whose bytes are the same is no new
// one.
func (s *resultsScreen) take(change Change) {
	s.changes++
	var now []resultSource
	for _, f := range change.Files {
		r := resultSource{name: f.Name, data: f.Data, err: f.Err}
		at := slices.IndexFunc(s.sources, func(was resultSource) bool { return was.name == f.Name })
		if at >= 0 && bytes.Equal(s.sources[at].data, f.Data) && (s.sources[at].err == nil) == (f.Err == nil) {
			r.rev = s.sources[at].rev
		} else {
			s.gen++
			r.rev = s.gen
		}
		now = append(now, r)
	}
	for _, was := range s.sources {
		if was.name == pastedName {
			now = append(now, was)
		}
	}
	s.sources = now
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
		if r.err != nil {
			note = "cannot be read"
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

// unread says why a result has no bytes, nil when it has.
func (r *resultSource) unread() error {
	if r.err == nil && len(r.data) == 0 {
		return errors.New("it is empty")
	}
	return r.err
}
