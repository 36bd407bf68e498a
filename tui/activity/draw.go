package activity

import (
	"path/filepath"
	"slices"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// line is one line of the screen, of the title or of a detail of an event.
type line struct {
	event  pastEvent
	number int // index in its event, from 0
	level  report.Level
	faint  bool // drawn faint unless the level has a style
	indent int
	text   string
}

// indents are the cells before the texts of an event; narrow ones show no seconds.
type indents struct{ clock, title, titleRest, detail int }

// The indents of wide and narrow screens.
var (
	wideIndents   = indents{clock: len("15:04:05"), title: 12, titleRest: 12, detail: 14}
	narrowIndents = indents{clock: len("15:04"), title: 9, titleRest: 3, detail: 3}
)

// indentsIn returns the indents for w cells.
func indentsIn(w int) indents {
	if w < 60 {
		return narrowIndents
	}
	return wideIndents
}

// hang is the additional indentation of the continued lines of a detail.
const hang = 2

// lines returns all lines of the visible events, for w cells.
func (s *Screen) lines(w int) []line {
	in := indentsIn(w)
	var out []line
	for _, e := range s.rows() {
		if !s.open[e.id()] {
			out = append(out, line{event: e, level: e.title.Level, indent: in.title, text: e.title.Text})
			continue
		}
		first := len(out)
		for i, text := range wrapped(e.title.Text, w-in.title, w-in.titleRest) {
			line := line{event: e, number: len(out) - first, level: e.title.Level, indent: in.title, text: text}
			if i > 0 {
				line.indent = in.titleRest
			}
			out = append(out, line)
		}
		for _, d := range e.details {
			text := strings.TrimLeft(d.Text, " ")
			at := in.detail + len(d.Text) - len(text)
			for i, row := range wrapped(text, w-at, w-at-hang) {
				line := line{e, len(out) - first, d.Level, true, at, row}
				if i > 0 {
					line.indent += hang
				}
				out = append(out, line)
			}
		}
	}
	return out
}

// wrapped returns a text in at least one line: the first of w cells, the others of rest.
func wrapped(text string, w, rest int) []string {
	if ui.Width(text) <= w {
		return []string{text}
	}
	text = ui.Clean(text)
	rows := ui.Wrap(text, w)
	if len(rows) == 0 {
		return []string{text}
	}
	return append(rows[:1], ui.Wrap(strings.TrimLeft(strings.TrimPrefix(text, rows[0]), " "), rest)...)
}

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w = w
	lines := s.lines(w)
	if len(lines) == 0 {
		if s.shown != nil && s.filter == "" && s.attaching != nil {
			if steps := s.attaching(t, w, h); steps != nil {
				return steps
			}
		}
		if s.none != nil {
			if text := s.none(); text != nil {
				return ui.Centered(t, w, h, text...)
			}
		}
		if s.filter != "" {
			return ui.Centered(t, w, h, "nothing has happened yet that holds this text")
		}
		return ui.Centered(t, w, h, "nothing has happened yet", "save one of the files, or run a call with enter in the dry run")
	}
	rows := min(len(lines), h)
	var below []string
	if h-rows >= lowestSteps && s.attaching != nil && s.filter == "" {
		below = s.attaching(t, w, h-rows)
	}
	if below == nil {
		rows = h
	}
	return append(s.cursor.Draw(t, s.listed(), w, rows, true, func(l *ui.Line, i int, _ bool) {
		line := lines[i]
		e := line.event
		if line.number == 0 {
			marker := " "
			if s.opens(&e) {
				marker = t.Collapsed
				if s.open[e.id()] {
					marker = t.Expanded
				}
			}
			l.Text(t.Faint, e.clock[:indentsIn(s.w).clock]+" "+marker)
		}
		l.To(line.indent)
		style := t.Text
		switch line.level {
		case report.Good:
			style = t.Ok
		case report.Warn:
			style = t.Warn
		case report.Bad:
			style = t.Bad
		case report.Info:
			if line.faint {
				style = t.Faint
			}
		}
		l.Text(style, line.text)
	}), below...)
}

// lowestSteps is how many lines below the events are enough to say how an agent is attached.
const lowestSteps = 4

// howToServe draws how an agent is attached where none is served.
func (s *Screen) howToServe(t *ui.Theme, w, h int) []string {
	command := safetext.Line(s.commandLine())
	if w < 60 {
		return ui.Steps(t, w, h, "no agent is attached", "", "q; "+command, "y u: the entry for the agent", "start it: its calls appear here")
	}
	return ui.Steps(t, w, h, "No agent is attached. Its searches and calls appear here:", "caliper serve does the same without a screen, and caliper --events FILE shows here what it records: caliper help serving",
		"q, then start: "+command+"  (y u copies it)",
		"y u on this screen then copies the entry for the agent's configuration, with its token",
		"start the agent: each search and each call becomes a row here, and enter shows the search in Explore")
}

// commandLine returns the command line that serves the open files to an agent.
func (s *Screen) commandLine() string {
	line := []string{"caliper"}
	add := func(flag, name string) {
		if !slices.Contains(line, name) {
			line = append(line, flag, name)
		}
	}
	in := s.host.Input
	for _, f := range in.Registry {
		if f.InFolder {
			f.Name = filepath.Dir(f.Name)
		}
		add("--registry", f.Name)
	}
	if in.Config != nil {
		add("--config", in.Config.Name)
	}
	if s.host.Demo {
		line = []string{"caliper", "--demo"}
	}
	return report.CommandLine(append(line, "--listen", "127.0.0.1:7337")...)
}
