package tui

import (
	"errors"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// trial is a description that is typed in place of a tool's, in a box over the
// screen. Nothing of it leaves the program: it is tried in memory.
type trial struct {
	tool  string // qualified name
	shown string
	now   string // the description that the tool has now
	field *field
}

// longestDescription bounds what is typed as a description, in characters.
const longestDescription = 64 << 10

// lineEnd stands for a line end where a description is typed in one line.
const lineEnd = "⏎"

// startTrial opens the description of the tool that the screen is about.
func (a *App) startTrial() tea.Cmd {
	a.top = nil
	t := a.subject()
	if t == nil {
		return a.noTool()
	}
	text := t.Description
	if a.mode.Screen == ScreenQueries {
		text = a.queries.proposed(t)
	}
	if typed := inOneLine(text); typed == "" && text != "" {
		return editDescription(a.opt.Getenv, t.Qualified, text)
	}
	a.goOnTrying(t, text)
	return nil
}

// goOnTrying opens the box with a description that was typed already.
func (a *App) goOnTrying(t *model.Tool, text string) {
	a.trial = &trial{tool: t.Qualified, shown: t.ShownName, now: t.Description, field: newField(longestDescription, "what the tool does")}
	a.trial.field.Set(inOneLine(text))
}

// inOneLine returns a description as it is typed, empty when that would not be
// all of it.
func inOneLine(text string) string {
	typed := strings.ReplaceAll(text, "\n", lineEnd)
	if strings.Contains(text, lineEnd) || typeable(typed) != typed {
		return ""
	}
	return typed
}

// text returns the description as it is typed.
func (t *trial) text() string { return strings.ReplaceAll(t.field.Value(), lineEnd, "\n") }

// subject returns the tool that the screen is about, nil for none.
func (a *App) subject() *model.Tool {
	if a.mode.Screen == ScreenQueries {
		return a.queries.tool()
	}
	return a.selected()
}

// proposed returns what to start a trial from: the description that the
// remedy of the selected finding makes, else the tool's own.
func (s *queriesScreen) proposed(t *model.Tool) string {
	row, ok := s.row()
	if s.part != partFindings || !ok {
		return t.Description
	}
	r := s.found.report.Findings[row.i].Remedy
	if r == nil {
		return t.Description
	}
	for _, e := range r.Edits {
		if e.Description != nil && e.Tool.Qualified == t.Qualified && e.Tool.Description == t.Description {
			return *e.Description
		}
	}
	return t.Description
}

// applyTrial tries what was typed.
func (a *App) applyTrial() tea.Cmd {
	if a.trial == nil {
		return nil
	}
	tool, text := a.trial.tool, a.trial.text()
	a.trial = nil
	return a.tryDescription(tool, text)
}

// trialInEditor goes on typing in the editor.
func (a *App) trialInEditor() tea.Cmd {
	if a.trial == nil {
		return nil
	}
	t := a.trial
	a.trial = nil
	return editDescription(a.opt.Getenv, t.tool, t.text())
}

// tryDescription makes a description part of the next load, in memory, beside
// what else is tried. The tool's own takes it away.
func (a *App) tryDescription(name, text string) tea.Cmd {
	if a.state == nil {
		return nil
	}
	own := named(a.state.OnDisk().Snapshot.Registry, name)
	if own == nil {
		return a.notices.show(levelWarn, "the registry has no "+model.Sanitize(name)+" any more")
	}
	if edit := a.editOf(name); edit == nil && text == own.Description || edit != nil && edit.Description == text {
		return a.notices.show(levelInfo, "the description is as it was")
	}
	a.budget.remember()
	edits := slices.DeleteFunc(slices.Clone(a.input.Flags.Edits), func(e workbench.Edit) bool { return e.Tool == name })
	if text != own.Description {
		edits = append(edits, workbench.Edit{Tool: name, Description: text})
	}
	a.input.Flags.Edits = edits
	return a.budget.load()
}

// editOf returns the description that is tried for a tool, nil for none.
func (a *App) editOf(name string) *workbench.Edit {
	for i, e := range a.input.Flags.Edits {
		if e.Tool == name {
			return &a.input.Flags.Edits[i]
		}
	}
	return nil
}

// tried returns the description to copy: that of the tool that the screen is
// about, else the one that was tried last; nil when none is.
func (a *App) tried() *workbench.Edit {
	edits := a.input.Flags.Edits
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

// dropSettled takes away trials that the registry says by now. It returns a
// command that loads without them, nil when there are none.
func (a *App) dropSettled() tea.Cmd {
	edits := a.input.Flags.Edits
	if len(edits) == 0 || a.state == nil || a.cancel != nil {
		return nil
	}
	r := a.state.OnDisk().Snapshot.Registry
	words := ""
	kept := slices.DeleteFunc(slices.Clone(edits), func(e workbench.Edit) bool {
		t := named(r, e.Tool)
		switch {
		case t == nil:
			words = "the registry has no " + model.Sanitize(e.Tool) + " any more: its trial is dropped"
		case t.Description == e.Description:
			words = "the registry has the description of " + t.ShownName + " as tried: the trial is dropped"
		}
		return t == nil || t.Description == e.Description
	})
	if len(kept) == len(edits) {
		return nil
	}
	a.input.Flags.Edits = kept
	return tea.Batch(a.budget.load(), a.notices.show(levelInfo, words))
}

// draw returns the box in which a description is typed: all of it, and the
// line that is edited.
func (t *trial) draw(th *Theme, w, h int) []string {
	inner := max(20, min(w-8, 100))
	var content []string
	text := t.text()
	room := max(0, h-6)
	lines := cells.Wrap(model.SanitizeText(text), inner)
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
	t.field.draw(&l, th, inner-2, true)
	content = append(content, l.End())
	size := "  " + descriptionSize(t.now, text)
	if inner < 60 {
		return dialog(th, fitName(t.shown, max(8, inner-cells.Width(size)-2))+size, content, inner+4)
	}
	return dialog(th, fitName(t.shown, inner-cells.Width(size)-12)+" as tried"+size, content, inner+4)
}

// descriptionSize says how long a description gets, by the estimate that needs
// no vocabulary.
func descriptionSize(was, is string) string {
	return thousands(tokens.Chars4.Tokens(utf8.RuneCountInString(was))) + " → " + thousands(tokens.Chars4.Tokens(utf8.RuneCountInString(is))) + " tok " + string(tokens.Chars4)
}

// editDescription returns a command that makes ready to edit a description in
// a temporary file, which is removed when the editor closes.
func editDescription(getenv func(string) string, tool, text string) tea.Cmd {
	return func() tea.Msg {
		file, err := os.CreateTemp("", "caliper-description-*.txt")
		if err != nil {
			return editorClosedMsg{described: tool, text: text, err: err}
		}
		_, err = file.WriteString(text + "\n")
		args, argsErr := editorArgs(getenv, file.Name(), 1)
		if err = errors.Join(err, file.Close(), argsErr); err != nil {
			os.Remove(file.Name())
			return editorClosedMsg{described: tool, text: text, err: err}
		}
		return editorReadyMsg{args: args, closed: func(err error) tea.Msg {
			defer os.Remove(file.Name())
			data, readErr := os.ReadFile(file.Name())
			return editorClosedMsg{described: tool, text: strings.TrimSuffix(string(data), "\n"), err: errors.Join(err, readErr)}
		}}
	}
}
