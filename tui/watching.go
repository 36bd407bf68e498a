package tui

import (
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/replay"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// watchInputs begins to watch the inputs, and returns the commands that wait for their first
// content. A load waits for the registry, the configuration and the labelled queries.
func (a *App) watchInputs() []tea.Cmd {
	for file := range screen.Files {
		a.arrived[file] = true
	}
	a.arrived[screen.RegistryFile] = false
	var cmds []tea.Cmd
	if a.opt.Dumps != nil {
		a.changes[screen.RegistryFile] = a.opt.Dumps
		cmds = append(cmds, a.await(screen.RegistryFile))
	} else {
		cmds = append(cmds, a.watch(screen.RegistryFile, a.opt.Registry...))
	}
	if a.opt.Config != "" {
		a.arrived[screen.ConfigFile] = false
		cmds = append(cmds, a.watch(screen.ConfigFile, a.opt.Config))
	}
	if a.opt.Queries != "" {
		a.arrived[screen.QueriesFile] = false
		cmds = append(cmds, a.watch(screen.QueriesFile, a.opt.Queries))
	}
	if len(a.opt.Results) > 0 {
		cmds = append(cmds, a.watch(screen.ResultFile, a.opt.Results...))
	}
	if a.opt.PricesFile != "" {
		cmds = append(cmds, a.watch(screen.PricesFile, a.opt.PricesFile))
	}
	return cmds
}

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
			o.Valid = arePrices
		}
		w = watch.Watch(a.ctx, paths, o)
	}
	a.changes[file], a.poke[file] = w.Changes(), w.Poke
	return a.await(file)
}

// arePrices reports whether a file has prices that can be read.
func arePrices(path string, data []byte) bool {
	_, err := replay.ReadPrices(path, data)
	return err == nil
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
			if file == screen.RegistryFile {
				change.Files = workbench.OfFolders(change.Files)
			}
			return changedMsg{file: file, change: change, more: more}
		case <-done:
			return nil
		}
	}
}

// watchLessons watches the labelled queries that the configuration names to learn from,
// unless they are watched already: a label that is added is learned at once.
func (a *App) watchLessons() tea.Cmd {
	path := a.state.Learn
	if path == a.lessons || path == "" || path == a.opt.Queries {
		return nil
	}
	a.lessons = path
	return a.watch(screen.LessonsFile, path)
}

// watchOverrides watches the descriptions that are used in place of the registry's, unless
// they are watched already.
func (a *App) watchOverrides() tea.Cmd {
	path := a.input.Flags.Overrides
	if path == a.overrides || path == "" {
		return nil
	}
	a.overrides = path
	return a.watch(screen.OverridesFile, path)
}

// registryName returns the registry as the header names it while it is read.
func (o Options) registryName() string {
	if o.RegistryName != "" {
		return o.RegistryName
	}
	return strings.Join(o.Registry, " ")
}

// inputs returns the names by which the state file knows the inputs: the registries and the
// configuration by absolute paths. The demo is the same one in any folder.
func (o Options) inputs() []string {
	if o.Demo != "" {
		return []string{"demo"}
	}
	var names []string
	for _, name := range append(slices.Clone(o.Registry), o.Config) {
		if path, err := filepath.Abs(name); name != "" && err == nil {
			name = path
		}
		names = append(names, name)
	}
	return names
}
