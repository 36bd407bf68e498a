package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/tui/knob"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// host implements screen.Host for an App.
type host struct{ a *App }

func (h host) Context() context.Context { return h.a.ctx }
func (h host) Now() time.Time           { return h.a.opt.Now() }

func (h host) Notify(l ui.Level, text string) tea.Cmd { return h.a.notify(l, text) }

func (h host) Getenv(name string) string { return h.a.opt.getenv(name) }

func (h host) Record(title report.Line, details ...report.Line) {
	h.a.activity.Record(title, details...)
}

func (h host) Copy(what string, form screen.CopyForm, text string) tea.Cmd {
	return h.a.clip.Copy(what, form, text)
}

func (h host) CopyReport(what string, r *report.Report) tea.Cmd {
	return h.a.clip.CopyReport(what, r)
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
	h.a.askText(q)
	return h.a.closeTop
}

// Open opens the box, and returns what takes it away, whatever lies over it.
func (h host) Open(o screen.Overlay) (closed func()) {
	h.a.open(o)
	return func() {
		h.a.over = slices.DeleteFunc(h.a.over, func(open screen.Overlay) bool { return open == o })
	}
}

func (h host) Find(text string)             { h.a.startFind(text) }
func (h host) Finding() (string, bool)      { return h.a.findText(), h.a.find != nil }
func (h host) Back()                        { h.a.back() }
func (h host) Way(name, view string) string { return h.a.way(name, view) }
func (h host) Do(action ui.Action) tea.Cmd  { return h.a.perform(action) }

func (h host) Case() screen.Case { return h.a.explore.Case() }

func (h host) Explore(query string, expected *model.Tool) tea.Cmd {
	return h.a.exploreQuery(query, expected)
}

func (h host) Relive(session, query string) tea.Cmd { return h.a.relive(session, query) }

func (h host) DryRun(session string, tool *model.Tool) tea.Cmd { return h.a.visit(session, tool) }

func (h host) DrawHits(t *ui.Theme, width, height int) (heading, note string, lines []string) {
	return h.a.explore.DrawHits(t, width, height)
}

func (h host) Remember(query string) { h.a.explore.Remember(query) }

func (h host) Try(query string, t *model.Tool, description string) tea.Cmd {
	from := h.a.current
	h.a.goTo(0)
	var show tea.Cmd
	if query != "" {
		show = h.a.explore.Ask(query, t)
	}
	edit := h.a.explore.DraftFor(t, description, func() { h.a.goTo(from) })
	return tea.Batch(show, edit)
}

func (h host) Keep(tool, description string) tea.Cmd { return h.a.tryDescription(tool, description) }

func (h host) SaveDescription(tool, description string) tea.Cmd {
	return h.a.saveDescription(tool, description)
}

func (h host) EditDescription(tool, description string) tea.Cmd {
	return editDescription(h.a.texts, tool, description)
}

func (h host) EditText(pattern, text string, edited func(text string, err error) tea.Msg) tea.Cmd {
	return h.a.texts.Edit(pattern, text, edited)
}

func (h host) Label(query string, t *model.Tool) tea.Cmd { return h.a.label(query, t) }
func (h host) Forget(l learned.Lesson) tea.Cmd           { return h.a.forget(l) }
func (h host) Write(key string, value any) tea.Cmd       { return h.a.writeSetting(key, value) }
func (h host) Labels() string                            { return h.a.opt.Queries }

func (h host) Input() *workbench.Input { return &h.a.input }

func (h host) Load(quietly bool) tea.Cmd {
	if quietly {
		return h.a.loadQuietly()
	}
	return h.a.load()
}

func (h host) BeforeLoad(prepare func(*workbench.Input)) { h.a.prepare = append(h.a.prepare, prepare) }
func (h host) Bench() *workbench.Workbench               { return h.a.loader.bench }
func (h host) Knobs() *knob.Set                          { return h.a.knobs }
func (h host) Turn(k *knob.Knob, by int) tea.Cmd         { return h.a.turn(k, by) }
func (h host) TypeKnob(k *knob.Knob) tea.Cmd             { return h.a.typeKnob(k) }
func (h host) Reread(f screen.File) tea.Cmd              { return h.a.reread(f) }
func (h host) Header() *screen.Header                    { return &h.a.header.Header }
