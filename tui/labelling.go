package tui

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config/diff"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/keymap"
	"caliper/tui/labelfile"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// firstLabel asks whether a file of labelled queries is created for the first
// label. Until that is confirmed, nothing is written.
type firstLabel struct {
	app   *App
	path  string
	lines []string // that the file gets
	label func([]byte) (changed []byte, did string, err error)
	layer *keymap.Layer
	top   int // first line that is drawn
}

// CreateLabels is the action that creates the file of labelled queries.
const CreateLabels keymap.Action = "create the file of labels"

// bindFirstLabel declares the keys of the question.
func (a *App) bindFirstLabel() *keymap.Group {
	return &keymap.Group{Title: "First label", Bindings: []keymap.Binding{
		keymap.Bind(CreateLabels, "y", "create the file", "", "y").Does(a.createLabels),
		keymap.Bind(keymap.Open, "enter", "answers nothing: y or n", "", "enter").Unless(func() string { return "y creates the file, n does not" }),
		keymap.Bind(keymap.Back, "n esc", "no", "", "n", "esc", "q").Runs(a.closeTop),
	}}
}

// label adds a query to the labelled queries, with a tool that answers it. Without
// a file of labelled queries it first asks whether to create one.
func (a *App) label(query string, t *model.Tool) tea.Cmd {
	name := t.Name
	if len(a.state.Snapshot.Registry.Lookup(name)) != 1 {
		name = t.Qualified
	}
	qualified := t.Qualified
	change := func(data []byte) ([]byte, string, error) { return labelfile.Label(data, query, name, qualified) }
	if a.opt.QueriesName != "" {
		return labelfile.Rewrite(a.opt.QueriesName, change)
	}
	if a.opt.NewQueries == "" || a.opt.Watch == nil {
		return a.notify(ui.LevelWarn, labelfile.None)
	}
	path := a.opt.NewQueries
	return func() tea.Msg {
		data, err := labelfile.Read(path)
		if err != nil {
			return labelfile.WrittenMsg{Err: err}
		}
		changed, _, err := change(data)
		return firstLabelMsg{path: path, old: data, new: changed, label: change, err: err}
	}
}

// firstLabelMsg reports what the first label would write.
type firstLabelMsg struct {
	path     string
	old, new []byte // content of the file; empty if the file does not exist
	label    func([]byte) (changed []byte, did string, err error)
	err      error
}

// askFirstLabel opens the question.
func (a *App) askFirstLabel(msg firstLabelMsg) tea.Cmd {
	if msg.err != nil {
		return a.notify(ui.LevelBad, "not written: "+safetext.Line(msg.err.Error()))
	}
	q := &firstLabel{app: a, path: msg.path, label: msg.label}
	known, _ := labels.Parse(msg.path, msg.old)
	if len(msg.old) > 0 {
		q.lines = append(q.lines, "the file is there, with "+ui.LabelledQueries(len(known)))
	}
	q.layer = &keymap.Layer{Groups: []*keymap.Group{a.keys.labels}, Hints: keymap.Hints(CreateLabels, keymap.Back)}
	for _, line := range diff.Lines(msg.old, msg.new) {
		switch line.Op {
		case diff.Added:
			q.lines = append(q.lines, "+ "+line.Text)
		case diff.Removed:
			q.lines = append(q.lines, "- "+line.Text)
		}
	}
	if string(msg.new) == string(msg.old) {
		q.lines = append(q.lines, "it has this label already")
	}
	a.over = nil
	a.open(q)
	return nil
}

// createLabels writes the first label and watches the file from then on.
func (a *App) createLabels() tea.Cmd {
	q, ok := a.top().(*firstLabel)
	if !ok {
		return nil
	}
	a.closeTop()
	write, watch := labelfile.Rewrite(q.path, q.label), a.opt.Watch
	return func() tea.Msg {
		written, _ := write().(labelfile.WrittenMsg)
		if written.Err != nil {
			return written
		}
		changes, poke := watch(q.path)
		return labelsCreatedMsg{path: q.path, written: written, changes: changes, poke: poke}
	}
}

// labelsCreatedMsg reports that a file of labelled queries has its first label and
// is watched.
type labelsCreatedMsg struct {
	path    string
	written labelfile.WrittenMsg
	changes <-chan Change
	poke    func()
}

// labelsCreated takes the file as that of the labelled queries, as if it had been
// named at the start.
func (a *App) labelsCreated(msg labelsCreatedMsg) tea.Cmd {
	a.opt.QueriesName = msg.path
	a.opt.Changes[screen.QueriesFile] = msg.changes
	if a.opt.Poke == nil {
		a.opt.Poke = map[screen.File]func(){}
	}
	a.opt.Poke[screen.QueriesFile] = msg.poke
	if msg.written.Did == "" {
		msg.written.Did = filepath.Base(msg.path) + " is watched"
	} else {
		msg.written.Did += " · " + filepath.Base(msg.path) + " is watched"
	}
	return tea.Batch(a.await(screen.QueriesFile), a.toScreens(msg.written))
}

// Layer returns the keys of the question.
func (q *firstLabel) Layer() *keymap.Layer { return q.layer }

// Move scrolls.
func (q *firstLabel) Move(rows int) { q.top = max(0, q.top+rows) }

// Page returns 1.
func (q *firstLabel) Page() int { return 1 }

// Click does nothing: the question is answered by a key.
func (q *firstLabel) Click(int) tea.Cmd { return nil }

// Draw returns the question for a screen of w×h cells.
func (q *firstLabel) Draw(t *ui.Theme, w, h int) []string {
	inner := max(20, min(w-8, 90))
	room := max(2, h-5)
	var content []string
	var l cells.Line
	add := func(style cells.Style, text string) {
		for _, line := range cells.Wrap(text, inner) {
			l.Start(inner)
			l.Text(style, line)
			content = append(content, l.End())
		}
	}
	add(t.Text, safetext.Line(q.path))
	for _, line := range q.lines {
		style := t.Faint
		if strings.HasPrefix(line, "+ ") {
			style = t.Added
		}
		add(style, safetext.Line(line))
	}
	if len(content) > room-1 {
		from := min(q.top, len(content)-(room-1))
		q.top = from
		content = content[from : from+room-1]
	}
	l.Start(inner)
	l.Text(t.Key, "y")
	l.Text(t.KeyLabel, " writes and watches it  ")
	l.Text(t.Key, "n")
	l.Text(t.KeyLabel, " does not")
	content = append(content, l.End())
	return ui.Dialog(t, "create "+safetext.Line(filepath.Base(q.path))+"?", content, inner+4)
}

// WatchFile watches one file, and returns what it reports and a function that makes
// it read and report at once.
type WatchFile func(path string) (changes <-chan Change, poke func())
