package tui

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/engine/reach"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/explore"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Context and the methods below are what a screen may ask: they implement screen.Host.
func (a *App) Context() context.Context { return a.ctx }
func (a *App) Now() time.Time           { return a.opt.Now() }

func (a *App) Case() screen.Case {
	c := a.explore.Case()
	c.Labels = a.opt.Queries
	return c
}

// Notify shows a notice. The command removes it after its time.
func (a *App) Notify(level ui.Level, text string) tea.Cmd { return a.notices.Show(level, text) }

// Do runs the binding that the app has for an action outside text, otherwise the binding of another screen.
func (a *App) Do(action ui.Action) tea.Cmd {
	for _, g := range []*ui.Group{a.keys.browse, a.keys.first} {
		if b := g.Binding(action); b != nil {
			return a.do(b)
		}
	}
	for i, s := range a.screens {
		for _, g := range s.Groups() {
			if b := g.Binding(action); b != nil && i != a.current {
				return a.do(b)
			}
		}
	}
	return nil
}

// Choose opens a menu.
func (a *App) Choose(title string, choices []ui.Choice, stays bool, take func(id string) tea.Cmd) *ui.Chooser {
	m := a.newMenu(title, choices, take)
	m.stays = stays
	a.Open(m)
	return m.Chooser
}

// AskPath opens the box in which the path of a file is typed. The command reads the names that
// the box offers.
func (a *App) AskPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd {
	a.paths = screen.NewPathBox(a, a.opt.getenv("HOME"), title, verb, folders, func(path string) tea.Cmd {
		a.closeTop()
		if path == "" {
			return nil
		}
		return take(path)
	})
	a.Open(a.paths)
	return a.paths.Read()
}

// AskText opens the box, and returns what closes it.
func (a *App) AskText(q screen.TextQuestion) (closed func()) {
	b := &typedText{Field: ui.NewField(q.Longest, q.Empty), title: q.Title, widest: 76}
	b.Prefill(q.Text)
	b.take = func() tea.Cmd { return q.Take(b.Value()) }
	b.below = func(t *ui.Theme, _ int) []ui.Phrase { return []ui.Phrase{{Style: t.Faint, Text: q.Note(b.Value())}} }
	a.openTyped(b, a.keys.text, TakeText.As("go on"), ui.Back)
	return a.closeTop
}

// Open adds a box on top of the screen and of the boxes that are open, and returns what takes it
// away, whatever lies over it.
func (a *App) Open(o screen.Overlay) (closed func()) {
	if a.over = append(a.over, o); a.notices.Level == ui.LevelOk || a.notices.Level == ui.LevelInfo {
		a.notices.Showing = false // it is said, and the keys of the box are needed
	}
	return func() {
		a.over = slices.DeleteFunc(a.over, func(open screen.Overlay) bool { return open == o })
	}
}

// Find opens the search line of the screen with the text of its filter, which the first
// typed character replaces.
func (a *App) Find(text string) {
	f := ui.NewField(longestFind, "")
	f.Prefill(text)
	a.find, a.findLayer = f, &ui.Layer{Groups: []*ui.Group{a.keys.find}, Hints: ui.Hints(ui.Open, ui.Back, ui.Help, ui.Up, ui.Down, ui.Palette), Type: func(k tea.KeyMsg) tea.Cmd {
		if _, changed := f.Key(k); changed {
			a.filter(f.Value())
		}
		return nil
	}}
}

func (a *App) Finding() (string, bool) {
	if a.find == nil {
		return "", false
	}
	return "/" + safetext.Line(a.find.Value()) + "_", true
}

// requested does what a screen asks for; mine is false for all other messages.
func (a *App) requested(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case screen.Visit:
		switch {
		case msg.Draft != nil:
			from := a.current
			a.goTo(0)
			var show tea.Cmd
			if msg.Query != "" {
				show = a.explore.Ask(msg.Query, msg.Tool)
			}
			return tea.Batch(show, a.explore.DraftFor(msg.Tool, *msg.Draft, func() { a.goTo(from) })), true
		case msg.Dry:
			return a.visit(msg.Session, msg.Tool), true
		case msg.Session != "":
			return a.relive(msg.Session, msg.Query), true
		}
		return a.exploreQuery(msg.Query, msg.Tool), true
	case screen.Show:
		a.goTo(slices.IndexFunc(a.screens, nameIs(msg.Screen)))
		a.draw() // a screen that was never drawn does not know which views its size has
		names, _ := a.screen().Views()
		if i := slices.Index(names, msg.View); i >= 0 {
			a.screen().ShowView(i)
		}
		return nil, true
	case screen.Label:
		return a.label(msg.Query, msg.Tool), true
	case screen.Write:
		return a.writeSetting(msg.Key, msg.Value), true
	case screen.Reread:
		return a.reread(screen.File(msg)), true
	case desk.Forget:
		path := a.state.Learn
		change := a.undoable(func(data []byte) ([]byte, string, error) {
			return workbench.RemoveLabel(data, labels.Query{ID: msg.ID, Text: msg.Text})
		})
		return a.proposeLabels(path, change, func(q *question, _ []byte) {
			q.title, q.does = "forget it, in "+safetext.Line(filepath.Base(path))+"?", "deletes the line"
			q.after = []string{"what it taught every tool that it names is forgotten"}
			q.yes = func() tea.Cmd { return workbench.RewriteLabels(path, change) }
		}), true
	case explore.KeepMsg:
		return a.tryDescription(msg.Tool, msg.Description), true
	case explore.SaveMsg:
		own := a.state.OnDisk().Snapshot.Registry.Named(msg.Tool)
		switch {
		case a.overridesPath() == "":
			return a.Notify(ui.LevelWarn, "there is no file for descriptions: start with --overrides"), true
		case own != nil && own.Description == msg.Description:
			return a.Notify(ui.LevelInfo, "nothing to save: the description is as it was"), true
		}
		return a.saveDescriptions([]workbench.Edit{workbench.Edit(msg)}, nil, false, false), true
	case desk.Mend:
		return a.propose(writeback{file: screen.Files, path: msg.File, remedy: (*reach.Remedy)(&msg)}, nil), true
	case desk.Turn:
		if msg.By == 0 {
			return a.typeKnob(msg.Knob), true
		}
		return a.turn(msg.Knob, msg.By), true
	}
	return nil, false
}
