// Package strategies is the screen of what each strategy of pre-selection would
// send with the message, and of how they do over the labelled queries and over a
// conversation.
//
// The screen works in three steps. A selector is made of each state, with the
// index that the embedder ranks by as far as that is known. It answers the
// message under every strategy. Once the index is made, the view that measures
// begins its own job.
//
// Invariants:
//   - everything is worked out beside the screen;
//   - a selection shown for a message is of that message, or marked as late;
//   - no selection waits for the index: keywords decide until it is made;
//   - while a message is typed, only this screen is about it.
package strategies

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Options is the needs of the screen besides its host.
type Options struct {
	Embedding workbench.Embedding // what the embedder may use
	// Open opens the index of the embedder; nil: workbench.OpenSimilarity.
	Open  func(ctx context.Context, c config.PreSelection, tools []*model.Tool, e workbench.Embedding, progress func(done, total int)) (embed.Similarity, error)
	Still bool // no timers run
	// Remember adds a message to the queries that were asked.
	Remember func(message string)
}

// Screen is Strategies.
type Screen struct {
	screen.Rest
	ui.Sheet
	host    desk.Desk
	options Options
	glyphs  ui.Glyphs
	state   *workbench.State // nil until the first load
	visible bool
	visited bool    // the screen was visible when Start was called last
	notice  tea.Cmd // ends a notice in its time; not run yet

	filter   string    // what the names of tools must hold, in lower case
	strategy ui.Cursor // among all strategies

	field    *ui.Field // where the message is typed
	editing  bool      // the field has the keyboard
	typed    bool      // a message was typed to its end, and holds from now on
	messages []string  // the turns of the conversation

	selecting     ui.Job[*workbench.State, *selection.Selector]
	selector      *selection.Selector // the newest; nil: none yet
	selectorState *workbench.State    // that the selector is made of

	indexing   ui.Job[*indexed, embed.Similarity]
	similarity embed.Similarity // the index; nil until it is made
	awake      <-chan struct{}  // of the last load of the embedder's model that was waited for
	waking     bool             // the embedder's model is being loaded
	silent     bool             // an embedder behind an address has not answered within the time of a message
	outdated   bool             // the index is another than the assembly was made with

	answering ui.Job[question, answer]
	answer    answer // the newest

	measuring [viewCount]ui.Job[sample, measured] // by the view that shows the outcome
	measured  measured                            // the newest of each
}

// view is one of the views that take turns on the screen.
type view int

const (
	viewComparison   view = iota // strategies for the message, and what one selects
	viewTuning                   // the knobs, where they do not stand beside
	viewBytes                    // the request
	viewLabelled                 // strategies over the labelled queries
	viewPareto                   // tokens against recall
	viewConversation             // turns, and the prompt cache
	viewCount
)

// String returns the name of the view.
func (v view) String() string {
	return [viewCount]string{"table", "knobs", "bytes", "labelled", "trade-off", "conversation"}[v]
}

var _ screen.Framed = (*Screen)(nil)

// New returns the screen before anything is loaded.
func New(h desk.Desk, g ui.Glyphs, o Options) *Screen {
	s := &Screen{host: h, options: o, glyphs: g, field: ui.NewField(longestMessage, "what the user asks")}
	s.Label = "Strategies"
	s.DrawKnobs, s.KnobCount, s.KnobsWidth, s.KnobsNext = s.drawTuning, len(selectionKnobs), desk.KnobsWidth(desk.StrategiesKnobs), true
	s.Moved = func(a ui.Area) {
		if a == ui.AreaKnobs { // one that is turned next is a new one
			h.Knobs.Pause()
		}
	}
	views := []ui.ListView{
		viewComparison: {Rows: strategies, Cursor: &s.strategy, Columns: s.comparisonColumns, Below: s.selectedBelow, Least: 7},
		viewTuning:     {},
		viewBytes:      {Below: s.bytesBelow},
		viewLabelled:   {Rows: strategies, Cursor: &s.strategy, Columns: s.labelledColumns, Below: s.labelledBelow, Least: 7},
		viewPareto: {Rows: func() ui.Rows { return ui.Unnamed(len(s.frontier())) }, Columns: s.paretoColumns, Below: s.paretoBelow,
			Least: 6, Most: 6}, // the plot wants the room
		viewConversation: {Rows: func() ui.Rows { return ui.Unnamed(len(s.measured.threads)) }, Columns: s.conversationColumns,
			Below: s.conversationBelow, Least: 7},
	}
	for v := range viewCount {
		views[v].Name, views[v].Nothing = v.String(), s.nothing
	}
	s.AddViews(views...)
	browsing := &ui.Group{Title: "Strategies", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "bytes, and back", "", "enter").Does(s.open).Says(s.opens).Unless(ui.When(func() bool { return s.opens() == "" }, "nothing to open here")),
		ui.Bind(Message, "e", "type the message; a cursor key keeps the last one", "Type the message of the strategies", "e").Runs(s.typeMessage).Unless(s.notLoaded),
		ui.Bind(AddTurn, "+", "add the message to the conversation", "Add the message to the conversation", "+").Does(s.addTurn).Unless(s.notLoaded),
		ui.Bind(DropTurn, "d", "delete the last turn", "Delete the last turn of the conversation", "d").Does(func() tea.Cmd {
			s.messages = slices.Clip(s.messages[:len(s.messages)-1])
			if len(s.messages) == 0 {
				s.measuring[viewConversation].Reset()
				s.measured.threads = nil
			}
			return s.host.Notify(ui.LevelInfo, ui.Count(len(s.messages), "turn")+" left in the conversation")
		}).Unless(ui.When(func() bool { return len(s.messages) == 0 }, "the conversation has no turns")).Asks(func() string {
			return s.KeyOf(DropTurn) + " again deletes turn " + strconv.Itoa(len(s.messages)) + ": " + ui.Truncate(safetext.Line(ui.OneLine(s.messages[len(s.messages)-1])), 40)
		}),
		ui.Bind(Core, "A", "choose the always-sent tools", "Choose the tools that are always sent", "A").Does(s.pickCore).Unless(s.notLoaded),
		ui.Bind(ui.Less, g.Left+" h", "turn the knob down, or the strategy before", "Turn the knob down", "left", "h").Does(func() tea.Cmd { return s.turn(-1) }).Unless(s.nothingToTurn),
		ui.Bind(ui.More, g.Right+" l", "turn the knob up, or the next strategy", "Turn the knob up", "right", "l").Does(func() tea.Cmd { return s.turn(1) }).Says(s.turns).Unless(s.nothingToTurn),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }).Unless(s.noFilter),
	}}
	message := &ui.Group{Title: "Message of the strategies", Where: "in the message", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "keep", "", "enter").Runs(s.leaveMessage),
		ui.Bind(ui.Back, "esc", "leave", "", "esc").Does(s.host.Back),
	}}
	hints := ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Next, ui.Open.As("bytes"), Message.As("message"), ui.View.As("view"), ui.Expect.As("expected tool"),
		ui.More.After(ui.Less, "value"), AddTurn.As("add turn"), DropTurn.As("delete turn"), Core.As("always sent"),
		ui.Palette, ui.Help, ui.Find, ui.Reset.As("reset all"), ui.Session, ui.Quit)
	ofKnobs := slices.DeleteFunc(slices.Clone(hints), func(h ui.Hint) bool { return h.Action == AddTurn || h.Action == DropTurn })
	s.All = []*ui.Group{browsing, message}
	browse := &ui.Layer{Groups: []*ui.Group{browsing}, Hints: hints}
	tuning := &ui.Layer{Groups: []*ui.Group{browsing}, Hints: ofKnobs} // while the knobs have the keys
	typing := &ui.Layer{Groups: []*ui.Group{message}, Hints: ui.Hints(ui.Open, ui.Back, ui.Next, ui.Palette, ui.Help),
		Type: func(key tea.KeyMsg) tea.Cmd {
			if _, changed := s.field.Key(key); changed && s.filter != "" {
				filter := s.filter
				s.filter = ""
				return s.host.Notify(ui.LevelInfo, "the new message drops the filter /"+safetext.Line(filter))
			}
			return nil
		}}
	s.Pick = func() *ui.Layer {
		switch {
		case s.editing:
			return typing
		case s.state != nil && s.Focused() == ui.AreaKnobs:
			return tuning
		}
		return browse
	}
	return s
}

// Start begins what screen and gauge need, and abandons what nobody looks at.
func (s *Screen) Start(visible bool) tea.Cmd {
	s.visible = visible
	cmds := []tea.Cmd{s.notice}
	s.notice = nil
	if s.state == nil {
		return cmds[0]
	}
	if !visible {
		s.leaveMessage()
	}
	switch {
	case s.typed, s.visited && !visible:
		flags := &s.host.Input.Flags
		message, history := flags.Message, s.answer.past.last[s.inForce()].History()
		if s.typed {
			message = s.field.Value()
		}
		if s.typed = false; message == "" {
			history = nil
		}
		if message != flags.Message || !slices.Equal(history, flags.History) {
			flags.Message, flags.History = message, history
			if s.preSelects() {
				cmds = append(cmds, s.host.Load(false))
			}
		}
	case s.outdated && s.preSelects() && s.state.Snapshot.Message() != "":
		cmds = append(cmds, s.host.Load(false))
	}
	s.visited, s.outdated = visible, false
	cmds = append(cmds, s.work()...)
	// Header and screen are about one message. A selection that was made with other settings is not shown.
	g := desk.Gauge{Strategy: s.inForce(), K: s.state.Config.PreSelection.TopK}
	if p := s.state.Config.PreSelection; g.Strategy == selection.Hybrid {
		g.Unranked = p.KeywordWeight <= 0 && p.SemanticWeight <= 0
	}
	if len(s.messages) > 0 {
		g.Turn = len(s.turnsBefore()) + 1
	}
	switch x := s.pick(g.Strategy); {
	case !s.preSelects():
		g = desk.Gauge{}
	case !s.visible, s.message() == "": // what every screen is about
		g.Sent, g.Message = s.state.Selection, s.state.Snapshot.Message()
	default:
		g.Live, g.Message = true, s.message()
		if x != nil && (x.K == g.K || !g.Strategy.Ranks()) && s.answer.state.Snapshot.Session.Name == s.state.Snapshot.Session.Name {
			g.Sent = x
		}
	}
	s.host.Header.Gauge = g
	return tea.Batch(cmds...)
}

// work begins the jobs that are needed, each after the one it depends on.
func (s *Screen) work() (cmds []tea.Cmd) {
	if !s.visible {
		for v := range s.measuring {
			s.measuring[v].Abandon()
		}
	}
	if active := s.inForce(); !s.visible && active != selection.Semantic && active != selection.Hybrid {
		s.selecting.Abandon()
		s.indexing.Abandon()
		s.answering.Abandon()
		return nil
	}
	if s.selecting.Of != s.state {
		x, made := s.index()
		if source := sourceOf(s.state.Config.PreSelection); !made || x.source != source {
			made, x = false, index{absent: errIndexing}
			if s.isSilent() && s.indexing.Of.source == source {
				x.absent = errors.New(s.silence())
			}
		}
		snapshot, set := s.state.Snapshot.Unasked(), s.settings()
		cmds = append(cmds, s.selecting.Start(s.host.Context(), s.state, func(ctx context.Context, _ ui.Progress) (*selection.Selector, error) {
			selector, err := selection.New(ctx, snapshot, set, x.similarity, x.absent)
			if err == nil && made && !slices.Equal(selector.Candidates(), x.tools) {
				selector = selector.WithSimilarity(nil, errIndexing)
			}
			return selector, err
		}))
	}
	if s.selecting.Running || s.selector == nil {
		return cmds
	}
	cmds = append(cmds, s.makeIndex(), s.awaitModel())
	if s.visible {
		// A key only cancels and begins: the work is in the command.
		q := question{s.selector, s.message(), strings.Join(s.turnsBefore(), "\n")}
		if s.answering.Begun && s.answering.Of == q {
			cmds = append(cmds, s.measure())
		} else {
			before := s.answer.past
			cmds = append(cmds, s.answering.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (a answer, err error) {
				a.of, a.past = q, before
				if before.selector != q.selector || before.turns != q.turns {
					if a.past, err = selectPast(ctx, q.selector, q.turns); err != nil {
						return answer{}, err
					}
				}
				a.selections, err = q.selector.Every(ctx, q.message, func(strategy selection.Strategy) []string { return a.past.last[strategy].History() })
				return a, err
			}), s.measure())
		}
	}
	return cmds
}

// Update takes in the outcomes of the jobs, and how far they are.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		// What was selected in the state before stays on screen until it is selected anew.
		if msg.Before == nil { // start on the strategy in force, and if there is none, on one that could be
			start := selection.Strategy(msg.After.Config.Selection)
			if start == selection.Eager {
				start = selection.Hybrid
			}
			s.strategy.To(strategies(), slices.Index(selection.Strategies, start))
		}
		if msg.Before != nil && msg.Before.Snapshot.Unasked() == msg.After.Snapshot.Unasked() { // only the message is another
			for _, of := range []**workbench.State{&s.selecting.Of, &s.selectorState, &s.answer.state} {
				if *of == msg.Before {
					*of = msg.After
				}
			}
		}
		s.state = msg.After
		return nil
	case report.Case:
		return s.repro(msg)
	case embedTimeoutMsg:
		if msg == s.indexing.Of && s.indexing.Running && s.indexing.Done <= 0 && s.embedderAddress() != "" {
			s.silent = true
			s.selecting.Reset()
		}
	case awakeMsg:
		if msg == s.awake { // what keywords decided in the meantime is selected anew
			s.waking, s.outdated = false, true
			s.selecting.Reset()
		}
	case screen.RereadMsg:
		if s.absent() != nil { // the index may be there this time
			s.indexing.Reset()
			s.selecting.Reset()
		}
	}
	if x, cmd, mine := s.selecting.Update(msg); mine {
		if x != nil {
			s.selector, s.selectorState = *x, s.selecting.Of
		}
		return cmd
	}
	if similarity, cmd, mine := s.indexing.Update(msg); mine {
		s.indexStepped(similarity)
		return cmd
	}
	if a, cmd, mine := s.answering.Update(msg); mine {
		if a != nil {
			s.answer, s.answer.state = *a, s.selectorState
		}
		return cmd
	}
	for v := range s.measuring {
		if found, cmd, mine := s.measuring[v].Update(msg); mine {
			v := view(v)
			switch err := s.measuring[v].Err; {
			case err != nil:
				s.tell(ui.LevelBad, v.verb()+" failed: "+safetext.Line(err.Error()))
			case found == nil:
			case v == viewLabelled:
				s.measured.rows = found.rows
			case v == viewPareto:
				s.measured.points = found.points
			case v == viewConversation:
				s.measured.threads = found.threads
			}
			return cmd
		}
	}
	return nil
}

// tell shows a notice whose time begins to run when the message that is handled is through.
func (s *Screen) tell(l ui.Level, text string) {
	s.notice = tea.Batch(s.notice, s.host.Notify(l, text))
}

// Frame returns the heading of the box, and on its right how far the work is.
func (s *Screen) Frame() ui.Frame {
	if s.state == nil {
		return ui.Frame{}
	}
	heading, note, short := "", s.progress(), ""
	if _, finding := s.host.Finding(); !finding && note == "" {
		short = string(s.inForce())
	}
	if s.filtering() != "" {
		heading = "/" + safetext.Line(s.filter) + "  "
	}
	if s.view() == viewComparison || s.view() == viewBytes {
		turn := "turn 1 (nothing cached)" // whose message the selections are for
		if len(s.messages) > 0 {
			turn = "turn " + ui.Thousands(len(s.turnsBefore())+1)
		}
		heading += turn
	}
	heading = strings.TrimSpace(heading)
	if note == "" {
		note = string(s.inForce()) + " active"
		if set := selection.Strategy(s.state.Config.Selection); set == selection.Eager && s.inForce() != set {
			note = "search ON: " + string(s.inForce()) + " replaces " + string(set)
		}
	}
	return ui.Frame{Title: heading, Note: note, Short: short, Whole: s.filtering() != "", Beyond: ui.Beyond(s.Hidden())}
}

// filtering returns the text that the tools of the view have to contain; empty for any.
func (s *Screen) filtering() string {
	if s.noFilter() != "" {
		return ""
	}
	return s.filter
}

// noFilter returns why there is nothing to filter.
func (s *Screen) noFilter() string {
	if s.view() != viewComparison {
		return "only the first view, table, has tools to filter"
	}
	return ""
}

// inForce returns the strategy by which the session is sent its tools, as it is tried.
func (s *Screen) inForce() selection.Strategy { return selection.InForce(s.state.Snapshot) }

// preSelects reports whether the configuration chooses tools before the model
// is called. If it does not, the header's gauge is the assembly's.
func (s *Screen) preSelects() bool { return engine.PreSelects(s.state.Config.Selection) }

// Filter shows only the tools whose name holds a text.
func (s *Screen) Filter(text string) bool {
	had := s.filter != ""
	s.filter = strings.ToLower(strings.TrimSpace(text))
	s.Below.Top = 0
	return had || text != ""
}

// Back ends the typing, or cancels what runs.
func (s *Screen) Back() bool {
	if s.editing {
		s.leaveMessage()
		return true
	}
	switch {
	case s.state == nil:
		return false
	case s.measuring[s.view()].Stop():
		s.tell(ui.LevelInfo, s.view().verb()+" cancelled: enter starts it again")
	case s.indexing.Stop(): // of the index
		s.selecting.Reset()
	default:
		return false
	}
	return true
}

// repro copies a repro of the view: of what it measures, or else of the message.
func (s *Screen) repro(c report.Case) tea.Cmd {
	v := s.view()
	switch {
	case s.state == nil || s.late() || s.indexing.Running || s.answer.selections == nil:
		return s.host.Notify(ui.LevelInfo, "nothing to copy yet: selecting is not done")
	case v.measures() && s.sampleSize() == 0:
		return s.host.Notify(ui.LevelInfo, "nothing to copy: "+s.nothing()[0])
	case v.measures() && !s.isMeasured(v):
		return s.host.Notify(ui.LevelInfo, "nothing to copy yet: "+v.verb()+" is not done")
	}
	d := report.Selected{Message: s.answer.of.message, Settings: s.selector.Settings(), File: cmp.Or(s.host.Case().Labels, "queries.jsonl")}
	what := "repro of Strategies"
	switch v {
	case viewLabelled:
		return s.host.Clip.CopyReport(what+", "+v.String(), c.Compared(d, s.measured.rows, nil))
	case viewPareto:
		return s.host.Clip.CopyReport(what+", "+v.String(), c.Compared(d, s.measured.rows, s.measured.points))
	case viewConversation:
		return s.host.Clip.CopyReport(what+", "+v.String(), c.Conversation(d, s.measured.threads))
	}
	d.Needs, d.Turns, d.Selections = s.needs(), s.turnsBefore(), s.answer.selections
	return s.host.Clip.CopyReport(what, c.Strategies(d, s.chosen()))
}
