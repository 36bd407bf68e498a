package activity

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/serve"
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/serving"
	"caliper/tui/ui"
)

// Served is the screen Activity where agents are served: among the other events stand
// their requests, and a second view has the agents.
type Served struct {
	*Screen
	serving   serving.Source
	deciding  *ui.Layer // of the box in which a person decides
	feed      serving.Feed
	listening bool // a command waits for what happens next
	view      view
	cursors   [viewCount]ui.Cursor
	paused    bool
	held      serving.Batch             // what came while the view was paused; its questions are not among it
	waiting   map[int]*serving.Question // that have no answer yet, by ID
	rows      map[int]int               // numbers of their events
	box       *approval                 // that is open, nil for none
	session   string
}

// view is one of the lists that take turns.
type view int

const (
	viewEvents view = iota
	viewAgents
	viewCount
)

// CopyEntry is the action that copies what a client's configuration needs.
const CopyEntry ui.Action = "copy the entry for a client"

var _ screen.Framed = (*Served)(nil)

// subject is the subject of an event, for enter.
type subject struct {
	session  string
	queries  []string // of a search; nil for anything else
	tool     string   // that was asked about; foreign text
	question int      // ID of the question that waits, 0 for none
	refused  string   // the kind of refused clients that it counts; empty for none
}

// NewServed returns a screen without events. There is one of the two: this, or New's.
func NewServed(h desk.Desk, g ui.Glyphs, o serving.Source) *Served {
	s := &Served{Screen: New(h), serving: o, waiting: map[int]*serving.Question{}, rows: map[int]int{}}
	noBox := func() string {
		if s.box == nil {
			return "no call is being decided on: enter on one that waits"
		}
		return ""
	}
	answer := func(a serve.Answer) func() tea.Cmd {
		// SECURITY: no key of the first second counts.
		return func() tea.Cmd {
			if s.host.Now().Sub(s.box.since) < deaf {
				return s.host.Notify(ui.LevelInfo, "a key of the first second does not count: press it again")
			}
			b := s.box
			b.close()
			s.box = nil
			b.question.Answer(a)
			return s.host.Notify(ui.LevelInfo, answerWords[a]+": "+safetext.Line(b.question.Tool))
		}
	}
	answers := &ui.Group{Title: "Deciding on a call", Where: "while a call is decided on", Bindings: []ui.Binding{
		ui.Bind(Approve, "y", "let the call run", "", "y").Does(answer(serve.Yes)).Unless(noBox),
		ui.Bind(Refuse, "n", "refuse it", "", "n").Does(answer(serve.No)).Unless(noBox),
		ui.Bind(ApproveAlways, "A", "let this tool run always, on this connection", "", "A").Does(answer(serve.Always)).Unless(noBox),
		ui.Bind(ui.Back, "esc", "decide later", "", "esc", "q").Runs(func() {
			s.box.close()
			s.box = nil
		}).Unless(noBox),
	}}
	s.none, s.deciding, s.attaching = s.nobody, &ui.Layer{Groups: []*ui.Group{answers}, Hints: ui.Hints(Approve, Refuse, ApproveAlways.As("always"), ui.Back.As("later"), ui.Help.As("help"))}, s.howToAttach
	keys := &ui.Group{Title: "Activity", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "show a search in Explore, decide on a call, open other events", "", "enter").Does(s.enter).Unless(s.nothingSelected),
		ui.Bind(ui.More, g.Right+" l", "open", "", "right", "l").Runs(s.toggleSelected).Unless(func() string { return s.cannotBe(true) }),
		ui.Bind(ui.Less, g.Left+" h", "close", "", "left", "h").Runs(s.toggleSelected).Unless(func() string { return s.cannotBe(false) }),
		ui.Bind(OpenAll, "*", "open or close all", "Open or close every event", "*").Runs(s.toggleAll).Unless(s.nothingSelected),
		ui.Bind(ui.Pause, "space", "pause the view, not the server", "Pause the view of what agents do", " ").Does(func() tea.Cmd {
			// The server goes on.
			if s.paused = !s.paused; s.paused {
				return s.host.Notify(ui.LevelInfo, "the view is paused; the server goes on, and calls that wait for you still come")
			}
			held := s.held
			s.held = serving.Batch{}
			return tea.Batch(s.record(held), s.host.Notify(ui.LevelInfo, "the view goes on: "+ui.Count(len(held.Events), "event")+" came meanwhile"))
		}),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { h.Find("") }),
	}}
	copies := &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		ui.Bind(CopyEntry, "u", "entry for a client's configuration, with its token", "Attach an agent to what is served: copy the entry for its configuration", "u").Does(func() tea.Cmd {
			return s.host.Clip.Copy("entry for a client", desk.CopyJSON, s.serving.Entry(s.session))
		}).Unless(s.noEntry),
	}}
	s.All = []*ui.Group{keys, copies, answers}
	s.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(ui.Down.After(ui.Up, "rows"), ui.Open.As("show"), ui.More.After(ui.Less, "open"),
		ui.View.As("view"), ui.Pause.As("pause"), ui.Find, ui.Copy, ui.Session, ui.Palette, ui.Help, ui.Quit)}
	return s
}

// Views returns the names of the views.
func (s *Served) Views() (names []string, current int) {
	return []string{"events", "agents"}, int(s.view)
}

// ShowView shows a view, with the cursor where it was there.
func (s *Served) ShowView(i int) {
	s.cursors[s.view] = s.cursor
	s.view = view(i)
	s.cursor, s.shown = s.cursors[s.view], nil
	if s.view == viewAgents {
		s.shown = s.agents
	}
}

// Frame returns the frame, with the content of the view in its heading.
func (s *Served) Frame() ui.Frame {
	f := s.Screen.Frame()
	f.Title = ui.Count(s.happened(), "event")
	if s.view == viewAgents {
		f.Title = ui.Count(len(s.feed.Connections())+s.feed.Forgotten, "connection")
	}
	if s.filter != "" {
		f.Title += "  /" + safetext.Line(s.filter)
	}
	switch {
	case s.paused:
		f.Note = "view paused, " + ui.Thousands(len(s.held.Events)+s.held.Lost) + " wait"
	case s.serving.Record != "":
		f.Note = "follows " + safetext.Line(s.serving.Record)
	case s.session != "":
		f.Note = safetext.Line(s.serving.Address(s.session))
	}
	return f
}

// Start returns the command that waits for what happens next.
func (s *Served) Start(bool) tea.Cmd {
	if s.listening {
		return nil
	}
	s.listening = true
	return func() tea.Msg {
		b, ok := s.serving.Take(s.host.Context())
		if !ok {
			return nil
		}
		return BatchMsg(b)
	}
}

// BatchMsg is the events since the last one.
type BatchMsg serving.Batch

// Update takes what happened.
func (s *Served) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case BatchMsg:
		s.listening = false
		b := serving.Batch(msg)
		var cmds []tea.Cmd
		for _, line := range b.Said {
			s.Record(report.Line{Text: line})
			cmds = append(cmds, s.host.Notify(ui.LevelInfo, line))
		}
		if s.paused {
			// No more are held than are shown: the others would be gone by then.
			s.held.Lost += b.Lost
			s.held.Events = append(s.held.Events, b.Events...)
			if more := len(s.held.Events) - keptEvents; more > 0 {
				for _, e := range s.held.Events[:more] {
					s.feed.Add(e) // counted all the same
				}
				s.held.Events = slices.Clone(s.held.Events[more:])
				s.held.Lost += more
			}
		} else {
			cmds = append(cmds, s.record(b))
		}
		for _, q := range b.Asked {
			s.waiting[q.ID] = q
			title := report.Line{Level: report.Warn, Text: "waits for approval: " + safetext.Line(q.Tool) + "  enter decides, until " + s.clock(q.Until) + "  " + agentWords(q.Client, "") + ", " + safetext.Line(q.Session)}
			details := []report.Line{{Text: safetext.Line(string(q.Arguments))}, {Text: safetext.Line(q.Rule)}}
			s.rows[q.ID] = s.add(pastEvent{clock: s.clock(q.Since), title: title, details: details, about: subject{session: q.Session, tool: q.Tool, question: q.ID}})
			cmds = append(cmds, s.host.Notify(ui.LevelWarn, "a call waits for approval: "+safetext.Line(q.Tool)+"; "+s.Name()+", enter"))
		}
		for _, id := range b.Closed {
			delete(s.waiting, id)
			if i := slices.IndexFunc(s.events, func(e pastEvent) bool { return e.number == s.rows[id] && e.about.question == id }); i >= 0 {
				s.events[i].title = report.Line{Text: "asked for approval: " + safetext.Line(s.events[i].about.tool)}
				s.events[i].about.question = 0
			}
			delete(s.rows, id)
			if s.box != nil && s.box.question.ID == id {
				s.box.close()
				s.box = nil
				cmds = append(cmds, s.host.Notify(ui.LevelInfo, "the call no longer waits: its time was over, or the client withdrew it"))
			}
		}
		s.host.Header.Waiting = len(s.waiting)
		return tea.Batch(cmds...)
	case desk.Loaded:
		s.session = msg.After.Snapshot.Session.Name
	}
	return s.Screen.Update(msg)
}

// record records events.
func (s *Served) record(b serving.Batch) tea.Cmd {
	if b.Lost > 0 {
		s.Record(report.Line{Level: report.Warn, Text: ui.Count(b.Lost, "event") + " not shown: they came faster than they could be, or while the view was paused"})
	}
	var cmds []tea.Cmd
	for _, e := range b.Events {
		cmds = append(cmds, s.recordEvent(e))
	}
	return tea.Batch(cmds...)
}

// recordRefusal records refused clients in place of the event that counted those before.
func (s *Served) recordRefusal(e pastEvent) tea.Cmd {
	i := slices.IndexFunc(s.events, func(old pastEvent) bool { return old.about.refused == e.about.refused })
	if i < 0 {
		s.add(e)
		return s.host.Notify(ui.LevelWarn, e.title.Text)
	}
	old := s.events[i].id()
	s.events = slices.Delete(s.events, i, i+1)
	s.replaced++
	next := strconv.Itoa(s.add(e))
	if s.cursor.ID == old {
		s.cursor.ID = next
	}
	if s.open[old] {
		delete(s.open, old)
		s.open[next] = true
	}
	return nil
}

// recordEvent records an event of an agent, and an alarm where it goes in circles.
func (s *Served) recordEvent(e transcript.Event) tea.Cmd {
	var details []report.Line
	title := report.Line{Text: happened(e), Level: levelOf(e)}
	say := func(text string) { details = append(details, report.Line{Text: text}) }
	if e.Request != nil && e.Kind == transcript.EventSearch {
		for i, query := range e.Request.Queries {
			if len(e.Request.Queries) > 1 {
				say(quoted(query))
			}
			shown := 0
			for _, h := range e.Hits {
				if h.Query == i {
					shown++
					say("  " + strconv.Itoa(h.Rank) + "  " + safetext.Line(h.Name) + "  " + strconv.FormatFloat(h.Score, 'f', 3, 64))
				}
			}
			if shown > 0 {
				say("  cut after " + strconv.Itoa(shown) + ": the agent saw no more; Explore shows what ranks lower")
			}
		}
	}
	for _, step := range e.Trace {
		line := report.Line{Text: safetext.Line(step.Verdict) + " " + safetext.Line(step.Gate)}
		if step.Detail != "" {
			line.Text += ": " + safetext.Line(step.Detail)
		}
		if step.Verdict == string(engine.Warn) {
			line.Level = report.Warn
		}
		details = append(details, line)
	}
	if e.Kind == transcript.EventRefuse {
		say(remedies[e.Code])
	} else if e.Error != "" && e.Kind != transcript.EventUpstream {
		say(safetext.Line(e.Error))
	}
	if e.Kind == transcript.EventCall {
		var arguments, answer string
		if e.Request != nil {
			arguments = string(e.Request.Arguments)
		}
		if e.Result != nil {
			answer = e.Result.Text
		}
		if arguments == "" && answer == "" {
			say("arguments and answer are not recorded: --record FILE --record-texts records them")
		} else {
			say("arguments " + safetext.Line(ui.OneLine(arguments)))
			say("answer " + safetext.Line(ui.OneLine(answer)))
		}
	}
	if r := e.Result; r != nil && r.Rescued {
		say("the result is kept as " + safetext.Line(r.Blob) + "; the model got a handle")
	}
	if e.Request != nil {
		say("request " + ui.Thousands(e.Tokens.Request) + " tok, answer " + ui.Thousands(e.Tokens.Response) + " tok")
	}
	if e.UpstreamMS > 0 {
		say(millis(e.TotalMS) + ", of which the server " + millis(e.UpstreamMS))
	}
	if e.Connection != "" {
		say("connection " + safetext.Line(e.Connection) + ", event " + strconv.Itoa(e.Seq))
	}
	about := subject{session: e.Session}
	if e.Kind == transcript.EventSearch && e.Request != nil && e.Verdict == transcript.VerdictOK {
		about.queries = e.Request.Queries
	}
	clock := s.clock(e.Time)
	if e.Kind == transcript.EventRefuse {
		if s.serving.Entry != nil && !strings.HasPrefix(e.Code, "foreign") {
			details = append(details, report.Line{Text: "y u copies an entry for its configuration that is let in"})
		}
		return s.recordRefusal(pastEvent{clock: clock, title: title, details: details, about: subject{refused: e.Session + " " + e.Code}})
	}
	s.add(pastEvent{clock: clock, title: title, details: details, about: about})
	if alarm, ok := s.feed.Add(e); ok {
		title, details := alarmLines(e, alarm)
		s.add(pastEvent{clock: clock, title: title, details: details})
	}
	return nil
}

// enter does what the selected event is for.
func (s *Served) enter() tea.Cmd {
	e := s.selected()
	switch {
	case e == nil:
	case e.about.question != 0 && s.waiting[e.about.question] != nil:
		s.box = &approval{Box: screen.Box{Keys: s.deciding}, screen: s, question: s.waiting[e.about.question], since: s.host.Now()}
		s.box.close = s.host.Open(s.box)
	case len(e.about.queries) == 1:
		return s.relive(e.about, e.about.queries[0])
	case len(e.about.queries) > 1:
		var choices []ui.Choice
		for _, q := range e.about.queries {
			choices = append(choices, ui.Choice{ID: q, Label: safetext.Line(q)})
		}
		s.host.Choose("query", choices, false, func(q string) tea.Cmd { return s.relive(e.about, q) })
		return nil
	default:
		s.toggleSelected()
	}
	return nil
}

// toggleSelected opens or closes the selected event, at first the top one.
func (s *Served) toggleSelected() {
	if e := s.selected(); e != nil {
		s.cursor.ID = e.id()
		s.toggle()
	}
}

// relive shows one of the queries of a search in Explore, as the agent asked it.
func (s *Served) relive(about subject, query string) tea.Cmd {
	return s.host.Send(screen.Visit{Session: about.session, Query: safetext.Line(query)})
}

// cannotBe returns why the selected event cannot be opened, or closed.
func (s *Served) cannotBe(opened bool) string {
	e := s.selected()
	switch {
	case e == nil:
		return s.nothingSelected()
	case opened && s.noMoreOf(e) != "":
		return s.noMoreOf(e)
	case s.open[e.id()] != opened:
		return ""
	case opened:
		return "it is open already"
	}
	return "it is closed already"
}

// nothingSelected returns why enter does nothing.
func (s *Served) nothingSelected() string {
	e := s.selected()
	switch {
	case e == nil:
		return "nothing is listed"
	case len(e.about.queries) > 0, e.about.question != 0 && s.waiting[e.about.question] != nil:
		return ""
	}
	return s.noMoreOf(e)
}

// noEntry returns why there is nothing to copy for a client.
func (s *Served) noEntry() string {
	switch {
	case s.serving.Entry == nil:
		return "another process serves; it printed the tokens"
	case s.serving.Entry(s.session) == "":
		return "the session is not served yet"
	}
	return ""
}
