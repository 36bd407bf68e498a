package replay

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/reach"
	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// The actions of the screen alone.
const (
	ReadSessions ui.Action = "replay sessions"
	NextRequest  ui.Action = "next request"
	PrevRequest  ui.Action = "previous request"
	NextStrategy ui.Action = "next strategy"
	PrevStrategy ui.Action = "previous strategy"
	WriteEager   ui.Action = "write the eager set"
	Calibrate    ui.Action = "calibrate the tokenizer"
	ChooseAgent  ui.Action = "choose the agent"
	SinceWhen    ui.Action = "sessions since a time"
)

// Layer returns the keys. The footer names the keys of rows once there are rows.
func (s *Screen) Layer() *ui.Layer {
	if s.openHint() == "" {
		return s.Keys
	}
	unread := *s.Keys
	unread.Hints = ui.Hints(ui.Open, ReadSessions.As("read others"), ui.View.As("view"), ui.Palette, ui.Help, ui.Quit)
	return &unread
}

// ask asks for the path of other sessions and reads them. What was read stays until they are.
func (s *Screen) ask() tea.Cmd {
	return s.host.AskPath("replay sessions of", "read", true, func(path string) tea.Cmd {
		if s.log != nil && s.shownPaths == nil {
			s.shownPaths = s.paths
		}
		s.paths, s.asked = []string{path}, true
		s.revision++
		return nil
	})
}

// open begins what waits, else does what the selected row is for.
func (s *Screen) open() tea.Cmd {
	if s.waits() {
		if !s.asked || s.reading.Waits() {
			s.asked = true
			s.revision++
		}
		if s.computing.Waits() {
			s.computing.Reset()
		}
		if s.single.Waits() {
			s.single.Reset()
		}
		return nil
	}
	r := s.selected()
	switch {
	case r == nil: // on the verdict: of misses, cache and what is unused the list, else the session that was last open, or that with most loops
		verdict := s.lines(s.w)
		for at := s.cursors[viewSessions].At(s.rows()); at >= 0 && verdict[at].text != ""; at-- { // from the last line of a sentence to its first
			i := slices.IndexFunc(evidence, func(e [2]string) bool { return strings.Contains(verdict[at].text, e[0]) })
			if i < 0 {
				continue
			}
			if s.ShowView(int(viewEager)); evidence[i][1] != "" {
				s.ShowView(int(viewMisses))
				s.cursors[viewMisses].To(s.rows(), slices.IndexFunc(s.lines(s.w), func(r row) bool { return strings.HasPrefix(r.text, evidence[i][1]) })+1)
			}
			return nil
		}
		s.ShowView(int(viewSession))
	case r.call != nil:
		return s.host.Send(screen.Visit{Query: safetext.Line(r.call.Query), Tool: r.call.Tool})
	case r.session != "":
		s.openSession(r.session, r.at)
	case r.tool != nil:
		return s.host.Send(screen.Visit{Tool: r.tool})
	}
	return nil
}

// evidence has the headings behind lines of the verdict, by words that a line begins with or has; of
// the eager set the view.
var evidence = [][2]string{{"Unused: ", "Never called"}, {"lost the cached prefix", "Cached prefix lost"}, {"Not found: ", "Not found"}, {"Looped in: ", "Loops"}, {" loop", "Loops"}, {"Keep eager", ""}}

// noRequests returns why there is no request to go to.
func (s *Screen) noRequests() string {
	switch {
	case s.report == nil && s.noPaths() != "":
		return s.noPaths()
	case s.report == nil && !s.asked:
		return "no session is read yet: enter reads them"
	case s.view != viewSession || s.report == nil || len(s.report.Sessions) == 0:
		return "no session is open: enter opens the selected one"
	case s.current() == nil:
		return s.waiting()
	}
	return ""
}

// openHint returns what enter does before anything is read.
func (s *Screen) openHint() string {
	if s.report == nil && len(s.paths) > 0 && !s.asked {
		return "read the sessions"
	}
	return ""
}

// noOpen returns why enter does nothing.
func (s *Screen) noOpen() string {
	if s.waits() || s.view == viewSessions && s.report != nil && len(s.report.Sessions) > 0 {
		return ""
	}
	if r := s.selected(); r == nil || r.call == nil && r.session == "" && r.tool == nil {
		return "nothing to open on this line"
	}
	return ""
}

// noLabel returns why no call can be labelled.
func (s *Screen) noLabel() string {
	r := s.selected()
	if r == nil || r.call == nil {
		return "no call is selected"
	}
	return unlabelled(r.of.Report, r.call)
}

// unlabelled returns why a call becomes no label; "" when it does.
func unlabelled(rep *replay.Report, c *replay.Call) string {
	if c.Led == "" && c.Query != "" {
		return "the log has no search that was answered with this tool"
	}
	if _, ok := replay.LabelOfCall(rep, *c); !ok {
		return "only a call that succeeded, of a tool that search can find, becomes a label"
	}
	return ""
}

// label labels the query of the selected call.
func (s *Screen) label() tea.Cmd {
	r := s.selected()
	q, _ := replay.LabelOfCall(r.of.Report, *r.call)
	return s.host.Send(screen.Label{Query: q.Text, Tool: r.call.Tool})
}

// noEager returns why there is no eager set to write.
func (s *Screen) noEager() string {
	switch {
	case s.report == nil:
		return "no session was replayed"
	case len(s.report.Eager.Names()) == 0:
		return "no tool saves what it costs"
	case s.state != nil && s.state.Snapshot.Host().Generation == "":
		_, why := s.keeping()
		return why
	}
	return ""
}

// keeping returns the first change of the simulated agent's files that makes it always send a
// server that pays, or why no setting does.
func (s *Screen) keeping() (m desk.Mend, why string) {
	var paying []reach.Part
	for _, k := range s.report.KeptByServer() {
		paying = append(paying, reach.Part{Tools: k.Tools, Whole: k.Saving > 0})
	}
	keeps, _ := reach.Keeps(paying, s.state.Files.Clients)
	if len(keeps) == 0 {
		return m, "no setting in the files of " + s.state.Snapshot.Host().Title + " always sends what pays: caliper replay --eager says why"
	}
	return desk.Mend(keeps[0].Remedy()), ""
}

// writeEager proposes to add the eager set to the core tools of the config file, or to have the
// agent that is simulated always send a server.
func (s *Screen) writeEager() tea.Cmd {
	if s.state.Snapshot.Host().Generation == "" {
		m, _ := s.keeping()
		return s.host.Send(m)
	}
	list := slices.Clone(s.state.OnDisk().Config.Core)
	for _, name := range s.report.Eager.Names() {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return s.host.Send(screen.Write{Key: config.KeyCore, Value: list})
}

// rows returns the lines of the view as a cursor goes through them.
func (s *Screen) rows() ui.Rows {
	lines := s.lines(s.w)
	return ui.Rows{N: len(lines), ID: func(i int) string {
		if r := rowAt(lines, i); r != nil {
			return r.key
		}
		return ""
	}}
}

// Move moves the cursor by lines.
func (s *Screen) Move(by int) {
	s.cursors[s.view].Move(s.rows(), by)
}

// selected returns the row under the cursor, or the one that the line under it goes on
// with; nil on a line that is of no row.
func (s *Screen) selected() *row {
	if s.report == nil {
		return nil
	}
	lines := s.lines(s.w)
	if len(lines) == 0 {
		return nil
	}
	return rowAt(lines, s.cursors[s.view].At(s.rows()))
}

// rowAt returns the row that a line is of, nil for none.
func rowAt(lines []row, at int) *row {
	for at > 0 && lines[at].below {
		at--
	}
	if lines[at].key == "" {
		return nil
	}
	return &lines[at]
}

// Page returns the lines of a page.
func (s *Screen) Page() int { return s.cursors[s.view].Page() }

// Wheel moves the cursor.
func (s *Screen) Wheel(_, _, rows int) { s.Move(rows) }

// Click selects a line.
func (s *Screen) Click(_, y int) {
	s.cursors[s.view].Press(s.rows(), y)
}

// Frame returns the heading of the frame.
func (s *Screen) Frame() ui.Frame {
	heading := ""
	if s.report != nil {
		calibrated := len(s.report.Fitted) > 0 || fitted(s.report.Tokenizer)
		if heading = ui.Count(s.report.Totals.Sessions, "session"); calibrated {
			heading = "calibrated"
		}
		if i := s.report.numberOf(s.session); s.view == viewSession && i >= 0 {
			if heading = safetext.Line(s.report.Sessions[i].ID); calibrated {
				heading += ", calibrated"
			}
		}
	}
	if s.filtering() != "" {
		heading = strings.TrimSpace(heading + "  /" + safetext.Line(s.filter))
	}
	var above, below int
	if s.report != nil {
		above, below = s.cursors[s.view].Hidden()
	}
	return ui.Frame{Title: heading, Note: s.progress(), Whole: s.filtering() != "", Beyond: ui.Beyond(above, below)}
}
