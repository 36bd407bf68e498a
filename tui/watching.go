package tui

import (
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/replay"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// watch begins to watch an input, and returns the command that waits for its content.
func (a *App) watch(file screen.File, paths ...string) tea.Cmd {
	if a.opt.Watch != nil {
		a.changes[file], a.poke[file] = a.opt.Watch(file, paths)
		return a.await(file)
	}
	var w *watch.Watcher
	switch o := a.opt.Pace; file {
	case screen.RegistryFile:
		w = workbench.WatchRegistry(a.ctx, paths, o)
	case screen.ConfigFile:
		w = workbench.WatchConfig(a.ctx, paths[0], o)
	default:
		o.FilesOnly = true
		if file == screen.PricesFile {
			o.Valid = func(path string, data []byte) bool { _, err := replay.ReadPrices(path, data); return err == nil }
		}
		w = watch.Watch(a.ctx, paths, o)
	}
	a.changes[file], a.poke[file] = w.Changes(), w.Poke
	return a.await(file)
}

// await returns a command that waits for the next change of a file.
func (a *App) await(file screen.File) tea.Cmd {
	changes, done := a.changes[file], a.ctx.Done()
	if changes == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case change, more := <-changes:
			if !more {
				return nil
			}
			if file == screen.RegistryFile {
				change.Files = workbench.OfFolders(change.Files)
			}
			return thenMsg(func() tea.Cmd { return a.changed(file, change) })
		case <-done:
			return nil
		}
	}
}

// watchNamed watches the labelled queries that the configuration names to learn from, so that a
// label that is added is learned at once, and the descriptions that are used in place of the
// registry's, unless they are watched already.
func (a *App) watchNamed() tea.Cmd {
	var cmds []tea.Cmd
	for file, path := range [screen.Files]string{screen.LessonsFile: a.state.Learn, screen.OverridesFile: a.input.Flags.Overrides} {
		if path != "" && path != a.followed[file] && (screen.File(file) != screen.LessonsFile || path != a.opt.Queries) {
			a.followed[file] = path
			cmds = append(cmds, a.watch(screen.File(file), path))
		}
	}
	return tea.Batch(cmds...)
}

// inputs returns the names by which the state file knows the inputs: the registries and the
// configuration by absolute paths. The demo is the same one in any folder.
func (o Options) inputs() []string {
	if o.Demo != "" {
		return []string{"demo"}
	}
	var names []string
	config := o.Config
	if o.ConfigFound { // which goes with its registry
		config = ""
	}
	for _, name := range append(slices.Clone(o.Registry), config) {
		if path, err := filepath.Abs(name); name != "" && err == nil {
			name = path
		}
		names = append(names, name)
	}
	return names
}
