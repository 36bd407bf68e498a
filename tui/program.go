package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/watch"
)

// end stops all background work, saves the state and ends the program by the
// message of how. A state that cannot be written is no reason to stay.
func (a *App) end(how func() tea.Msg) tea.Cmd {
	a.stop()
	a.texts.Remove() // not later than the end, which waits for nothing
	return tea.Sequence(a.keeper.Save(a.remembered()), how)
}

// suspend stops the program and returns the terminal to the shell, if there is
// one that can resume it.
func (a *App) suspend() tea.Cmd {
	if a.opt.Suspend == nil || !a.opt.Suspend() {
		return a.Notify(ui.LevelWarn, "no job control here: nothing could bring the program back")
	}
	return tea.Suspend
}

// reload makes the watchers of all files read and report at once.
func (a *App) reload() tea.Cmd {
	cmds := []tea.Cmd{a.Notify(ui.LevelInfo, "reading the files again"), a.toScreens(screen.RereadMsg{})}
	for file := range screen.Files {
		cmds = append(cmds, a.reread(file))
	}
	return tea.Batch(cmds...)
}

// reread makes the watcher of a file read and report at once.
func (a *App) reread(file screen.File) tea.Cmd {
	poke := a.poke[file]
	if poke == nil {
		return nil
	}
	return func() tea.Msg {
		poke()
		return nil
	}
}

// pause holds back changes of files; when it is called again, it accepts the
// newest of them.
func (a *App) pause() tea.Cmd {
	a.paused = !a.paused
	a.header.Paused, a.header.Late = a.paused, false
	if a.paused {
		return a.Notify(ui.LevelInfo, "paused: changes of the files wait")
	}
	cmds := []tea.Cmd{a.Notify(ui.LevelInfo, "watching again")}
	for file, change := range a.held {
		if change != nil {
			cmds = append(cmds, a.accept(screen.File(file), *change))
		}
	}
	a.held = [screen.Files]*watch.Change{}
	return tea.Batch(cmds...)
}

// openFile opens the editor at the first error, else at the selected tool, else
// at the beginning of the config file.
func (a *App) openFile() tea.Cmd {
	if a.state == nil {
		return nil
	}
	if len(a.state.Errors) > 0 {
		d := a.state.Errors[0]
		path := d.File // the name that is shown, which for unusual names differs from the path
		for _, f := range append([]watch.File{{Name: a.opt.Config}}, a.input.Registry...) {
			if d.File == safetext.Line(f.Name) {
				path = f.Name
				break
			}
		}
		return terminal.OpenInEditor(a.opt.getenv, path, d.Line)
	}
	if t := a.screen().Tool(); t != nil {
		file, line, _ := a.state.Snapshot.Registry.Where(t)
		return terminal.OpenInEditor(a.opt.getenv, file, line)
	}
	if a.opt.Config != "" {
		return terminal.OpenInEditor(a.opt.getenv, a.opt.Config, 1)
	}
	return nil
}

// signalledMsg reports that the process received a signal to end.
type signalledMsg struct {
	interrupt bool // SIGINT, as from ctrl-c on the terminal
	at        time.Time
}

// screen returns the screen that is shown.
func (a *App) screen() screen.Screen { return a.screens[a.current] }
