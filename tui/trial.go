package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/editor"
	"caliper/tui/keymap"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// trial is the box in which the user types another description for a tool. The
// description is tried in memory and never written.
type trial struct {
	app   *App
	tool  string // qualified name
	shown string
	now   string // current description of the tool
	field *ui.Field
	layer *keymap.Layer
}

// longestDescription is the longest description that can be typed, in
// characters.
const longestDescription = 64 << 10

// lineEnd represents a line end in a description that is typed in one line.
const lineEnd = "⏎"

// The actions inside the box.
const (
	ApplyTrial    keymap.Action = "apply"
	TrialInEditor keymap.Action = "try in the editor"
)

// bindTrial declares the keys of the box. They apply to the topmost box.
func (a *App) bindTrial() *keymap.Group {
	top := func() *trial {
		t, _ := a.top().(*trial)
		return t
	}
	return &keymap.Group{Title: "Trying a description", Bindings: []keymap.Binding{
		keymap.Bind(ApplyTrial, "enter", "try it", "", "enter").Does(func() tea.Cmd {
			t := top()
			a.closeTop()
			return a.tryDescription(t.tool, t.text())
		}),
		keymap.Bind(keymap.Back, "esc", "leave", "", "esc").Runs(a.closeTop),
		keymap.Bind(TrialInEditor, "ctrl-o", "in the editor", "", "ctrl+o").Does(func() tea.Cmd {
			t := top()
			a.closeTop()
			return editDescription(a.opt.Getenv, t.tool, t.text())
		}),
	}}
}

// startTrial opens the box to try another description of a tool.
func (a *App) startTrial(t *model.Tool, text string) tea.Cmd {
	if typed := inOneLine(text); typed == "" && text != "" {
		return editDescription(a.opt.Getenv, t.Qualified, text)
	}
	a.goOnTrying(t, text)
	return nil
}

// goOnTrying opens the box again with a description that was typed before.
func (a *App) goOnTrying(t *model.Tool, text string) {
	box := &trial{app: a, tool: t.Qualified, shown: t.ShownName, now: t.Description, field: ui.NewField(longestDescription, "what the tool does")}
	box.field.Set(inOneLine(text))
	box.layer = &keymap.Layer{Groups: []*keymap.Group{a.keys.trial}, Hints: keymap.Hints(ApplyTrial, keymap.Back, TrialInEditor), Type: func(k tea.KeyMsg) tea.Cmd {
		box.field.Key(k)
		return nil
	}}
	a.over = nil
	a.open(box)
}

// Layer returns the keys of the box.
func (t *trial) Layer() *keymap.Layer { return t.layer }

// Move does nothing: the text is edited.
func (t *trial) Move(int) {}

// Page returns 1.
func (t *trial) Page() int { return 1 }

// Click does nothing.
func (t *trial) Click(int) tea.Cmd { return nil }

// inOneLine returns a description as one line with lineEnd marks, empty when
// the line would not hold all of it.
func inOneLine(text string) string {
	typed := strings.ReplaceAll(text, "\n", lineEnd)
	if strings.Contains(text, lineEnd) || ui.Typeable(typed) != typed {
		return ""
	}
	return typed
}

// text returns the typed description with its line ends.
func (t *trial) text() string { return strings.ReplaceAll(t.field.Value(), lineEnd, "\n") }

// subject returns the tool that is selected on the visible screen, nil for
// none.
func (a *App) subject() *model.Tool { return a.screen().Tool() }

// tryDescription adds a description to the values that are tried and loads
// them. The tool's own description ends the trial.
func (a *App) tryDescription(name, text string) tea.Cmd {
	if a.state == nil {
		return nil
	}
	own := a.state.OnDisk().Snapshot.Registry.Named(name)
	if own == nil {
		return a.notify(ui.LevelWarn, "the registry has no "+safetext.Line(name)+" any more")
	}
	if edit := a.editOf(name); edit == nil && text == own.Description || edit != nil && edit.Description == text {
		return a.notify(ui.LevelInfo, "the description is as it was")
	}
	edits := slices.DeleteFunc(slices.Clone(a.knobs.Edits()), func(e workbench.Edit) bool { return e.Tool == name })
	if text != own.Description {
		edits = append(edits, workbench.Edit{Tool: name, Description: text})
	}
	a.knobs.Edit(edits)
	return a.loadQuietly()
}

// editOf returns the tried description of a tool, nil for none.
func (a *App) editOf(name string) *workbench.Edit {
	for _, e := range a.knobs.Edits() {
		if e.Tool == name {
			return &e
		}
	}
	return nil
}

// tried returns the tried description to copy: that of the selected tool, else
// the newest one; nil for none.
func (a *App) tried() *workbench.Edit {
	edits := a.knobs.Edits()
	if len(edits) == 0 {
		return nil
	}
	if t := a.subject(); t != nil {
		if e := a.editOf(t.Qualified); e != nil {
			return e
		}
	}
	return &edits[len(edits)-1]
}

// dropTrials removes tried descriptions that the registry contains by now or
// whose tool is gone, and returns a text that says so; ok is false when it
// removed none.
func (a *App) dropTrials() (text string, ok bool) {
	edits := a.knobs.Edits()
	r := a.state.OnDisk().Snapshot.Registry
	kept := slices.DeleteFunc(slices.Clone(edits), func(e workbench.Edit) bool {
		t := r.Named(e.Tool)
		switch {
		case t == nil:
			text = join(text, "the registry has no "+safetext.Line(e.Tool)+" any more: its trial is dropped")
		case t.Description == e.Description:
			text = join(text, "the registry has the description of "+t.ShownName+" as in your draft, which is dropped")
		}
		return t == nil || t.Description == e.Description
	})
	if ok = len(kept) < len(edits); ok {
		a.knobs.DropEdits(kept)
	}
	return text, ok
}

// Draw returns the box: the whole description, and the line that is edited.
func (t *trial) Draw(th *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, 100))
	var content []string
	text := t.text()
	room := max(0, h-6)
	lines := cells.Wrap(safetext.Lines(text), inner)
	if len(lines) > room {
		lines = lines[len(lines)-room:]
	}
	var l cells.Line
	for _, line := range lines {
		l.Start(inner)
		l.Text(th.Text, line)
		content = append(content, l.End())
	}
	l.Start(inner)
	l.Repeat(th.Border, th.Horizontal, inner)
	content = append(content, l.End())
	l.Start(inner)
	l.Text(th.Accent, th.Prompt+" ")
	t.field.Draw(&l, th, inner-2, true)
	content = append(content, l.End())
	size := "  " + descriptionSize(t.now, text)
	if inner < 60 {
		return ui.Dialog(th, ui.FitName(t.shown, max(8, inner-cells.Width(size)-2))+size, content, inner+4)
	}
	return ui.Dialog(th, ui.FitName(t.shown, inner-cells.Width(size)-12)+" (draft)"+size, content, inner+4)
}

// descriptionSize returns the text that compares the lengths of two
// descriptions, in tokens by the chars4 estimate.
func descriptionSize(was, is string) string {
	return ui.Thousands(tokens.Chars4.Tokens(utf8.RuneCountInString(was))) + " → " + ui.Thousands(tokens.Chars4.Tokens(utf8.RuneCountInString(is))) + " tok " + string(tokens.Chars4)
}

// describedMsg reports the description of a tool as the editor left it.
type describedMsg struct {
	tool string // qualified name
	text string
	err  error
}

// editDescription returns a command that prepares to edit a description in the
// editor.
func editDescription(getenv func(string) string, tool, text string) tea.Cmd {
	return editor.Text(getenv, "caliper-description-*.txt", text, func(text string, err error) tea.Msg {
		return describedMsg{tool, strings.TrimSuffix(text, "\n"), err}
	})
}

// described tries the description that the editor left. When the editor failed,
// it opens the box with the typed text, so that nothing is lost.
func (a *App) described(msg describedMsg) tea.Cmd {
	if msg.err == nil {
		return a.tryDescription(msg.tool, msg.text)
	}
	if t := a.subject(); t != nil && t.Qualified == msg.tool && inOneLine(msg.text) != "" {
		a.goOnTrying(t, msg.text)
	}
	return nil
}
