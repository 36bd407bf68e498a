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
	a.pressed, a.picture, a.fresh = nil, "", ""
	cmds := []tea.Cmd{a.Send(msg)}
	if !a.comparing() {
		a.sides.Closed() // by something else than its own key
	}
	if g := a.tour; g != nil && g.walk != nil && a.state != nil && g.at < len(g.steps) && len(a.over) == 0 && g.steps[g.at].done(a, g.walk) {
		g.at++ // the user has done the step
	}
	for i, s := range a.screens {
		cmds = append(cmds, s.Start(i == a.current))
	}
	switch p := a.pressed; {
	case p == nil, a.inBurst, a.layout.Whole.Empty(), a.layout.Message != "", a.ctx.Err() != nil:
	case p.Paste, p.Type == tea.KeyRunes && !p.Alt && a.layer().Type != nil: // typed letters are in the field
	default:
		if a.fresh = a.draw(); a.shown == a.fresh { // the picture is as it was; that a key ended a notice is no answer to it
			a.fresh = "" // the footer says so
			text, b := keyName(*p)+": no text there to move over or to delete", a.pressedBinding
			switch {
			case b == nil:
			case ends[b.Action] != "":
				text = ends[b.Action]
			case b.Action == ui.Back:
				text = "nothing to go back to here; q quits"
			default:
				text = keyName(*p) + " (" + b.Help().Desc + ") changes nothing here"
			}
			cmds = append(cmds, a.Notify(ui.LevelInfo, text))
		}
	}
	return a, tea.Batch(cmds...)
}

// Send calls the method for the type of a message. Messages that the app does not
// know go to the screens.
func (a *App) Send(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.layout.Whole = image.Rect(0, 0, msg.Width, msg.Height)
		a.arrange()
	case tea.KeyMsg:
		return a.entering(func() tea.Cmd { return a.key(msg) })
	case tea.MouseMsg:
		if msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress {
			return a.entering(func() tea.Cmd { return a.click(image.Pt(msg.X, msg.Y)) })
		}
	case terminal.WheelMsg:
		if at := image.Pt(msg.X, msg.Y); len(a.over) > 0 {
			a.moveBy(msg.DY * wheelLines)
		} else if at.In(a.layout.Body) {
			at = a.inScreen(at)
			a.screen().Wheel(at.X, at.Y, msg.DY*wheelLines)
		}
	case terminal.BurstMsg:
		cmds := make([]tea.Cmd, len(msg))
		a.inBurst = true // there is one picture after all of them
		defer func() { a.inBurst = false }()
		for i, one := range msg {
			_, cmds[i] = a.Update(one)
		}
		return tea.Batch(cmds...)
	case thenMsg:
		return msg()
	case workbench.LabelsWrittenMsg:
		return a.labelWritten(msg)
	case desk.CopiedMsg:
		level := ui.LevelOk
		switch {
		case msg.Err != nil:
			level = ui.LevelBad
		case msg.Warns():
			level = ui.LevelWarn
		}
		return a.Notify(level, msg.Words())
	case terminal.EditorReadyMsg:
		a.inEditor = true
		program := exec.Command(msg.Args[0], msg.Args[1:]...)
		program.Stdout = os.Stdout // the file itself, because the painter is not a terminal for the editor
		return tea.ExecProcess(program, msg.Closed)
	case terminal.EditorClosedMsg:
		a.inEditor, a.editorEnd = false, time.Now()
		var then tea.Cmd
		if msg.Then != nil {
			_, then = a.Update(msg.Then)
		}
		if msg.Err != nil {
			return tea.Batch(then, a.Notify(ui.LevelBad, "editor: "+safetext.Line(msg.Err.Error())))
		}
		return then
	case signalledMsg:
		// The terminal sends an interrupt that is meant for the editor to every process in
		// the foreground.
		if !msg.interrupt || !a.inEditor && !msg.at.Before(a.editorEnd.Add(editorGrace)) {
			return a.end(tea.Interrupt)
		}
	case ui.NoticeExpiredMsg:
		a.notices.Expire(msg)
	case terminal.BackgroundMsg:
		look := a.theme.Look
		look.Light = !bool(msg)
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

// arrange computes the layout for the size of the terminal.
func (a *App) arrange() {
	w, h := a.layout.Whole.Dx(), a.layout.Whole.Dy()
	a.layout = Arrange(w, h)
	if a.tour == nil || a.layout.Message != "" {
		return
	}
	lines := 1 // of the tour, between body and footer
	if h >= mediumHeight {
		lines = 2
	}
	a.layout.Body.Max.Y -= lines
	a.layout.Tour = image.Rect(0, a.layout.Body.Max.Y, a.layout.Whole.Max.X, a.layout.Footer.Min.Y)
}
