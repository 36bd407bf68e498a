package tui

import (
	"image"
	"os"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Update handles a message, and then starts the work that the screens need. It
// implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	a.pressed = nil
	cmds := []tea.Cmd{a.handle(msg)}
	if !a.comparing() {
		a.sides.Closed() // by something else than its own key
	}
	a.followTour()
	for i, s := range a.screens {
		cmds = append(cmds, s.Start(i == a.current))
	}
	if a.unanswered() {
		cmds = append(cmds, a.noEffect(a.pressed.binding, a.pressed.key))
	}
	return a, tea.Batch(cmds...)
}

// handle calls the method for the type of a message. Messages that the app does not
// know go to the screens.
func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		a.arrange()
	case tea.KeyMsg:
		a.idle.Touch()
		return a.entering(func() tea.Cmd { return a.key(msg) })
	case tea.MouseMsg:
		a.idle.Touch()
		return a.entering(func() tea.Cmd { return a.mouse(msg) })
	case terminal.WheelMsg:
		a.idle.Touch()
		a.wheel(image.Pt(msg.X, msg.Y), msg.DY*wheelLines)
	case terminal.BurstMsg:
		return a.burst(msg)
	case changedMsg:
		return a.changed(msg)
	case loadedMsg:
		return a.loaded(msg)
	case slowMsg:
		return a.slow(msg)
	case thenMsg:
		return msg()
	case proposedMsg:
		return a.proposed(msg)
	case workbench.LabelsWrittenMsg:
		return a.labelWritten(msg)
	case desk.CopiedMsg:
		return a.copied(msg)
	case terminal.EditorReadyMsg:
		return a.runEditor(msg)
	case terminal.EditorClosedMsg:
		return a.editorClosed(msg)
	case signalledMsg:
		return a.signalled(msg)
	case ui.NoticeExpiredMsg:
		a.notices.Expire(msg)
	case terminal.BackgroundMsg:
		look := a.theme.Look
		look.Light = !msg.Dark
		a.theme = ui.NewTheme(look)
	default:
		if cmd, mine := a.requested(msg); mine {
			return cmd
		}
		if cmd, mine := a.tourUpdate(msg); mine {
			return cmd
		}
		return a.toScreens(msg)
	}
	return nil
}

// thenMsg goes on in the app with what a command has found.
type thenMsg func() tea.Cmd

// toScreens passes a message to every screen; each ignores the messages of
// others.
func (a *App) toScreens(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{a.sides.Update(msg)}
	if a.paths != nil {
		cmds = append(cmds, a.paths.Update(msg))
	}
	for _, s := range a.screens {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

// burst handles several messages in order, after which there is one picture.
func (a *App) burst(msgs terminal.BurstMsg) tea.Cmd {
	cmds := make([]tea.Cmd, len(msgs))
	a.inBurst = true
	defer func() { a.inBurst = false }()
	for i, msg := range msgs {
		_, cmds[i] = a.Update(msg)
	}
	return tea.Batch(cmds...)
}

// arrange computes the layout for the size of the terminal.
func (a *App) arrange() { a.layout = Arrange(a.width, a.height).withTour(a.tourLines(a.height)) }

// signalled ends the program, unless the interrupt was meant for the editor:
// the terminal sends it to every process in the foreground.
func (a *App) signalled(msg signalledMsg) tea.Cmd {
	if msg.interrupt && (a.inEditor || msg.at.Before(a.editorEnd.Add(editorGrace))) {
		return nil
	}
	return a.end(tea.Interrupt)
}

// runEditor runs the editor on the terminal.
func (a *App) runEditor(msg terminal.EditorReadyMsg) tea.Cmd {
	a.inEditor = true
	program := exec.Command(msg.Args[0], msg.Args[1:]...)
	program.Stdout = os.Stdout // the file itself, because the painter is not a terminal for the editor
	return tea.ExecProcess(program, msg.Closed)
}

// editorClosed handles the end of the editor.
func (a *App) editorClosed(msg terminal.EditorClosedMsg) tea.Cmd {
	a.inEditor, a.editorEnd = false, time.Now()
	var then tea.Cmd
	if msg.Then != nil {
		_, then = a.Update(msg.Then)
	}
	if msg.Err != nil {
		return tea.Batch(then, a.notify(ui.LevelBad, "editor: "+safetext.Line(msg.Err.Error())))
	}
	return then
}
