package replay

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/replay/labelled"
	"caliper/model/safetext"
	"caliper/tui/keymap"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// The actions of the screen alone.
const (
	ReadSessions keymap.Action = "replay sessions"
	NextRequest  keymap.Action = "next request"
	PrevRequest  keymap.Action = "previous request"
	NextStrategy keymap.Action = "next strategy"
	PrevStrategy keymap.Action = "previous strategy"
	WriteEager   keymap.Action = "write the eager set"
)

// bind declares the keys.
func (s *Screen) bind() *keymap.Layer {
	g := s.glyphs
	keys := &keymap.Group{Title: "Replay", Bindings: []keymap.Binding{
		keymap.Bind(keymap.Open, "enter", "open a session, show a call in Explore, begin to read", "", "enter").Does(s.open),
		keymap.Bind(ReadSessions, "o", "replay sessions of another file or folder", "Replay sessions of a file or folder", "o").Does(s.ask),
		keymap.Bind(PrevRequest, g.Left+" h", "previous request", "", "left", "h").Runs(func() { s.scrub(-1) }).Unless(s.noRequests),
		keymap.Bind(NextRequest, g.Right+" l", "next request of the session", "", "right", "l").Runs(func() { s.scrub(1) }).Unless(s.noRequests),
		keymap.Bind(PrevStrategy, "<", "under the previous strategy", "", "<").Runs(func() { s.turn(-1) }).Unless(s.noRequests),
		keymap.Bind(NextStrategy, ">", "under the next strategy", "Show the session under the next strategy", ">").Runs(func() { s.turn(1) }).Unless(s.noRequests),
		keymap.Bind(keymap.Label, "a", "label the query of the call, masked, with its tool", "", "a").Does(s.label).Unless(s.noLabel),
		keymap.Bind(WriteEager, "E", "keep the eager set: tools.core, after a look at the diff", "Write the eager set of your sessions", "E").Does(s.writeEager).Unless(s.noEager),
		keymap.Bind(keymap.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }),
	}}
	return &keymap.Layer{Groups: []*keymap.Group{keys}, Hints: keymap.Hints(
		keymap.Down.After(keymap.Up, "rows"), keymap.Open.As("open"), NextRequest.After(PrevRequest, "requests"), NextStrategy.After(PrevStrategy, "strategy"),
		keymap.View.As("view"), keymap.Label.As("add"), WriteEager.As("keep eager"), ReadSessions.As("read others"), keymap.Find, keymap.Palette, keymap.Help, keymap.Quit)}
}

// ask asks for the path of other sessions and reads them.
func (s *Screen) ask() tea.Cmd {
	return s.host.AskPath("replay sessions of", "read", func(path string) tea.Cmd {
		s.paths, s.asked, s.log, s.report = []string{path}, true, nil, nil
		s.session, s.step, s.view = "", 0, viewSessions
		s.cursors = [viewCount]position{}
		s.computing.Reset()
		s.revision++
		s.changes++
		return nil
	})
}

// open begins what waits, else does what the selected row is for.
func (s *Screen) open() tea.Cmd {
	if s.waits() {
		s.begin()
		return nil
	}
	r := s.selected()
	switch {
	case r == nil:
	case r.call != nil:
		return s.host.Explore(safetext.Line(r.call.Query), r.call.Tool)
	case r.session != "":
		if r.session != s.session {
			s.session, s.step, s.cursors[viewSession] = r.session, 0, position{}
		}
		s.ShowView(int(viewSession))
	case r.tool != nil:
		return s.host.Explore("", r.tool)
	}
	return nil
}

// noRequests returns why there is no request to go to.
func (s *Screen) noRequests() string {
	if s.view != viewSession || s.report == nil || len(s.report.Sessions) == 0 {
		return "no session is open: enter opens the selected one"
	}
	return ""
}

// scrub goes to another request of the session.
func (s *Screen) scrub(by int) {
	_, _, steps := s.current()
	s.step = max(0, min(s.step+by, len(steps)-1))
	s.changes++
}

// turn chooses another strategy. The request that is looked at stays the same
// one of the log.
func (s *Screen) turn(by int) {
	_, _, before := s.current()
	n := len(s.report.Totals.Strategies)
	s.strategy = (s.strategy + by + n) % n
	_, _, after := s.current()
	if s.step < len(before) {
		at := before[s.step]
		if i := slices.IndexFunc(after, func(x step) bool { return x.Context == at.Context && x.Entry >= at.Entry }); i >= 0 {
			s.step = i
		}
	}
	s.step = max(0, min(s.step, len(after)-1))
	s.changes++
}

// noLabel returns why no call can be labelled.
func (s *Screen) noLabel() string {
	r := s.selected()
	if r == nil || r.call == nil {
		return "no call is selected"
	}
	if _, ok := labelled.OfCall(s.report, *r.call); !ok {
		return "only a call that succeeded, of a tool that search can find, becomes a label"
	}
	return ""
}

// label labels the query of the selected call.
func (s *Screen) label() tea.Cmd {
	c := s.selected().call
	q, _ := labelled.OfCall(s.report, *c)
	return s.host.Label(q.Text, c.Tool)
}

// noEager returns why there is no eager set to write.
func (s *Screen) noEager() string {
	switch {
	case s.report == nil:
		return "no session was replayed"
	case len(s.report.Eager.Names()) == 0:
		return "no tool pays for being sent with every request"
	}
	return ""
}

// writeEager proposes to add the eager set to the core tools of the config file.
func (s *Screen) writeEager() tea.Cmd {
	list := slices.Clone(s.state.OnDisk().Config.Core)
	for _, name := range s.report.Eager.Names() {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return s.host.Write(config.KeyCore, list)
}

// Move moves the cursor by lines.
func (s *Screen) Move(by int) {
	lines := s.lines(s.w)
	if len(lines) == 0 {
		return
	}
	s.point(lines, max(0, min(s.at(lines)+by, len(lines)-1)))
}

// point puts the cursor on a line.
func (s *Screen) point(lines []row, at int) {
	c := &s.cursors[s.view]
	c.key, c.line = lines[at].key, at
	s.changes++
}

// at returns the line of the cursor.
func (s *Screen) at(lines []row) int {
	c := s.cursors[s.view]
	if c.key != "" {
		if i := slices.IndexFunc(lines, func(r row) bool { return r.key == c.key }); i >= 0 {
			return i
		}
	}
	return max(0, min(c.line, len(lines)-1))
}

// selected returns the row under the cursor, nil on a line that is no row.
func (s *Screen) selected() *row {
	if s.report == nil {
		return nil
	}
	lines := s.lines(s.w)
	if len(lines) == 0 {
		return nil
	}
	if r := lines[s.at(lines)]; r.key != "" {
		return &r
	}
	return nil
}

// Page returns the lines of a page.
func (s *Screen) Page() int { return max(1, s.h-1) }

// Wheel moves the cursor.
func (s *Screen) Wheel(_, _, rows int) { s.Move(rows) }

// Click selects a line.
func (s *Screen) Click(_, y int) {
	lines := s.lines(s.w)
	if y += s.cursors[s.view].window.Top; y >= 0 && y < len(lines) {
		s.point(lines, y)
	}
}

// Title returns the heading of the frame.
func (s *Screen) Title() (heading, note string) {
	if s.report != nil {
		heading = ui.Count(s.report.Totals.Sessions, "session")
		if s.view == viewSession {
			if i, _, _ := s.current(); i >= 0 {
				heading = safetext.Line(s.report.Sessions[i].ID)
			}
		}
	}
	if s.filter != "" {
		heading = strings.TrimSpace(heading + "  /" + safetext.Line(s.filter))
	}
	return heading, screen.Note(s.host, s.progress())
}
