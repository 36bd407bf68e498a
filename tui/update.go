package tui

import (
	"image"
	"os"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
)

// Update is the table of contents of the explorer: what can happen, and which
// method says what follows.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	next, cmd := a.take(msg)
	if follow := tea.Batch(a.queries.follow(), a.strategies.follow(), a.results.follow()); follow != nil {
		cmd = tea.Batch(cmd, follow)
	}
	return next, cmd
}

func (a *App) take(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		a.arrange()
	case tea.KeyMsg:
		return a, a.key(msg)
	case tea.MouseMsg:
		return a, a.mouse(msg)
	case wheelMsg:
		a.wheel(image.Pt(msg.X, msg.Y), msg.DY*wheelLines)
	case burstMsg:
		return a, a.burst(msg)
	case changedMsg:
		return a, a.changed(msg)
	case loadedMsg:
		return a, a.loaded(msg)
	case partsMsg:
		a.budget.measured(msg)
	case slowMsg:
		return a, a.slow(msg)
	case proposedMsg:
		return a, a.proposed(msg)
	case wroteMsg:
		return a, a.wrote(msg)
	case wroteBackMsg:
		return a, a.wroteBack(msg)
	case whyNotMsg:
		a.pin.answered(msg)
	case selectorMsg:
		a.strategies.selectorMade(msg)
	case legMsg:
		a.strategies.legMade(msg)
	case legWaitMsg:
		a.strategies.legWaited(msg)
	case legStepMsg:
		return a, a.strategies.legStepped(msg)
	case answerMsg:
		a.strategies.answered(msg)
	case strategiesStepMsg:
		return a, a.strategies.stepped(msg)
	case strategiesDoneMsg:
		a.strategies.finished(msg)
	case queriesStepMsg:
		return a, a.queries.stepped(msg)
	case queriesDoneMsg:
		a.queries.finished(msg)
	case queryWhyMsg:
		a.queries.answered(msg)
	case labelledMsg:
		return a, a.labelled(msg)
	case emptiedMsg:
		return a, a.results.emptied(msg)
	case judgedMsg:
		a.results.judgementMade(msg)
	case fetchedMsg:
		a.results.fetched(msg)
	case rulesMsg:
		a.results.rulesMade(msg)
	case storeMsg:
		a.results.storeRead(msg)
	case keptMsg:
		return a, a.results.wasKept(msg)
	case auditedMsg:
		a.scope.audited(msg)
	case auditStepMsg:
		return a, a.scope.stepped(msg)
	case copiedMsg:
		return a, a.notices.show(msg.words())
	case editorReadyMsg:
		return a, a.runEditor(msg)
	case editorClosedMsg:
		return a, a.editorClosed(msg)
	case signalledMsg:
		return a, a.signalled(msg)
	case noticeExpiredMsg:
		a.notices.expire(msg)
	case backgroundMsg:
		a.setLook(msg.dark)
	}
	return a, nil
}

// burst handles several messages in order.
func (a *App) burst(msgs burstMsg) tea.Cmd {
	cmds := make([]tea.Cmd, len(msgs))
	for i, msg := range msgs {
		_, cmds[i] = a.Update(msg)
	}
	return tea.Batch(cmds...)
}

// setLook draws in the colours for the terminal's real background.
func (a *App) setLook(dark bool) {
	look := a.theme.Look
	look.Light = !dark
	a.theme = NewTheme(look)
}

// arrange lays out the screen for the terminal and the focus.
func (a *App) arrange() {
	if a.focus != PaneQuery {
		a.mode.Shown = a.focus
	}
	a.layout = Arrange(a.width, a.height, a.mode)
}

// setFocus gives a pane the keyboard, and shows it.
func (a *App) setFocus(pane Pane) {
	if pane != a.focus {
		a.find = nil
		a.editing = false
	}
	a.focus = pane
	a.arrange()
}

// signalled ends the program, unless the interrupt was meant for the editor:
// the terminal sends it to every program in the foreground.
func (a *App) signalled(msg signalledMsg) tea.Cmd {
	if msg.interrupt && (a.inEditor || msg.at.Before(a.editorEnd.Add(editorGrace))) {
		return nil
	}
	return a.end(tea.Interrupt)
}

// runEditor hands the terminal to the editor.
func (a *App) runEditor(msg editorReadyMsg) tea.Cmd {
	a.inEditor = true
	editor := exec.Command(msg.args[0], msg.args[1:]...)
	editor.Stdout = os.Stdout // itself: through the painter it would be no terminal
	return tea.ExecProcess(editor, msg.closed)
}

// editorClosed takes in what the editor left.
func (a *App) editorClosed(msg editorClosedMsg) tea.Cmd {
	a.inEditor, a.editorEnd = false, time.Now()
	if msg.err != nil {
		if t := a.subject(); t != nil && t.Qualified == msg.described && inOneLine(msg.text) != "" {
			a.goOnTrying(t, msg.text) // what was typed is not lost
		}
		return a.notices.show(levelBad, "editor: "+model.Sanitize(msg.err.Error()))
	}
	if msg.described != "" {
		return a.tryDescription(msg.described, msg.text)
	}
	if t := a.selected(); msg.edited != "" && t != nil && t.Qualified == msg.edited {
		a.args.Set(msg.text)
		a.argumentsChanged()
	}
	return nil
}

// argumentsChanged runs the call with the arguments as they are now.
func (a *App) argumentsChanged() {
	a.dry.keep(a.args.Value())
	if a.state != nil {
		a.dry.run(a.state.Snapshot, a.selected(), a.args.Value())
	}
}
