package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/explore"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// host implements screen.Host for an App.
type host struct{ a *App }

func (h host) Context() context.Context { return h.a.ctx }
func (h host) Now() time.Time           { return h.a.opt.Now() }

func (h host) Case() screen.Case {
	c := h.a.explore.Case()
	c.Labels = h.a.opt.Queries
	return c
}

func (h host) Notify(l ui.Level, text string) tea.Cmd { return h.a.notify(l, text) }

// Do runs the binding that the app has for an action outside text, otherwise that of another screen.
func (h host) Do(action ui.Action) tea.Cmd {
	a := h.a
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

func (h host) Send(msg tea.Msg) tea.Cmd { return h.a.handle(msg) }

func (h host) Load(quietly bool) tea.Cmd {
	if quietly {
		return h.a.loadQuietly()
	}
	return h.a.load()
}

func (h host) Choose(title string, choices []ui.Choice, stays bool, take func(id string) tea.Cmd) *ui.Chooser {
	m := h.a.newMenu(title, choices, take)
	m.stays = stays
	h.a.open(m)
	return m.Chooser
}

func (h host) AskPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd {
	return h.a.askPath(title, verb, folders, take)
}

// AskText opens the box, and returns what closes it.
func (h host) AskText(q screen.TextQuestion) (closed func()) {
	b := &typedText{Field: ui.NewField(q.Longest, q.Empty), title: q.Title, widest: 76}
	b.Prefill(q.Text)
	b.take = func() tea.Cmd { return q.Take(b.Value()) }
	b.below = func(t *ui.Theme, _ int) []ui.Phrase { return []ui.Phrase{{Style: t.Faint, Text: q.Note(b.Value())}} }
	h.a.openTyped(b, h.a.keys.text, TakeText.As("go on"), ui.Back)
	return h.a.closeTop
}

// Open opens the box, and returns what takes it away, whatever lies over it.
func (h host) Open(o screen.Overlay) (closed func()) {
	h.a.open(o)
	return func() {
		h.a.over = slices.DeleteFunc(h.a.over, func(open screen.Overlay) bool { return open == o })
	}
}

// Find opens the search line of the screen with the text of its filter, which the first
// typed character replaces.
func (h host) Find(text string) {
	a, f := h.a, &finder{field: ui.NewField(longestFind, "")}
	f.field.Prefill(text)
	f.layer = &ui.Layer{Groups: []*ui.Group{a.keys.find}, Hints: ui.Hints(ui.Open, ui.Back, ui.Help, ui.Up, ui.Down, ui.Palette), Type: func(k tea.KeyMsg) tea.Cmd {
		if _, changed := f.field.Key(k); changed {
			a.filter(f.field.Value())
		}
		return nil
	}}
	a.find = f
}

func (h host) Finding() (string, bool) {
	if h.a.find == nil {
		return "", false
	}
	return "/" + safetext.Line(h.a.find.field.Value()) + "_", true
}

// requested does what a screen asks for; mine is false for all other messages.
func (a *App) requested(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case screen.Visit:
		switch {
		case msg.Draft != nil:
			return a.draft(msg.Query, msg.Tool, *msg.Draft), true
		case msg.Dry:
			return a.visit(msg.Session, msg.Tool), true
		case msg.Session != "":
			return a.relive(msg.Session, msg.Query), true
		}
		return a.exploreQuery(msg.Query, msg.Tool), true
	case screen.Show:
		a.shows(msg)
		return nil, true
	case screen.Label:
		return a.label(msg.Query, msg.Tool), true
	case screen.Write:
		return a.writeSetting(msg.Key, msg.Value), true
	case screen.Reread:
		return a.reread(screen.File(msg)), true
	case desk.Forget:
		return a.forget(msg.Lesson), true
	case explore.KeepMsg:
		return a.tryDescription(msg.Tool, msg.Description), true
	case explore.SaveMsg:
		return a.saveDescription(msg.Tool, msg.Description), true
	case desk.Mend:
		return writeback{file: screen.Files, path: msg.File, remedy: &msg.Remedy}.read(nil), true
	case desk.Turn:
		if msg.By == 0 {
			return a.typeKnob(msg.Knob), true
		}
		return a.turn(msg.Knob, msg.By), true
	}
	return nil, false
}
