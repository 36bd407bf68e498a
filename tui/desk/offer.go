package desk

import (
	"context"
	"errors"
	"slices"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// Offer is the offer. Its methods are called by one goroutine.
type Offer struct {
	opt     OfferOptions
	ctx     context.Context
	rows    []row
	servers []OfferServer
	checked []bool
	cursor  ui.Cursor
	list    int // line of the first row in the last picture
	footer  int // line of the keys in it

	asking ui.Job[[]int, OfferAnswer] // of the servers with these indexes
	board  *board                     // of asking; nil before the first time
	states map[int]OfferState         // by index of the server, as of the last message
	enough chan struct{}              // closed when the user does not want to wait any longer
	answer *OfferAnswer               // of the last asking, when not all of its servers could be listed
	runs   sync.RWMutex               // held by calls of Ask, for reading

	decided     OfferDecision
	notice      string
	help        *ui.Reader // nil while it is closed
	title       string     // of help, without the filter
	filter      *ui.Field  // of the lines of help
	filtering   bool       // the filter is being typed
	layer       *ui.Layer
	reading     *ui.Layer
	filterLayer *ui.Layer
	hints       []ui.Shown
	question    []int // indexes of the servers that are asked, or were last
}

// board is where the goroutines of Ask write how far the servers are.
type board struct {
	mu     sync.Mutex
	states []OfferState
	ended  int
}

// NewOffer returns the screen. ctx ends with the program.
func NewOffer(ctx context.Context, o OfferOptions, g ui.Glyphs) *Offer {
	s := &Offer{opt: o, ctx: ctx, states: map[int]OfferState{}}
	// A server that several files have is a row of the first.
	var list []row
	var servers []OfferServer
	for i := range o.Last {
		list = append(list, row{kind: lastRow, last: i})
	}
	for i, f := range o.Files {
		list = append(list, row{kind: fileRow, file: i})
		for _, s := range f.Config.Servers {
			if at := slices.IndexFunc(servers, func(x OfferServer) bool { return x.SameAs(s) }); at >= 0 {
				servers[at].Also = append(servers[at].Also, i)
				continue
			}
			list = append(list, row{kind: serverRow, file: i, server: len(servers)})
			servers = append(servers, OfferServer{Server: s, File: f.Path})
		}
	}
	if len(o.Logs) > 0 {
		list = append(list, row{kind: logsRow})
	}
	s.rows, s.servers = append(list, row{kind: demoRow}), servers
	s.checked = make([]bool, len(s.servers))
	s.cursor.To(s.listed(), s.next(-1, 1))
	bind := ui.Bind
	decide := func(d OfferDecision) func() { return func() { s.decided = d } }
	busy := ui.When(func() bool { return s.asking.Running }, "servers are being asked; esc stops")
	own := &ui.Group{Title: "What was found", Bindings: []ui.Binding{
		bind(Check, "space", "check", "", " ").Runs(s.check).Unless(busy),
		bind(CheckAll, "*", "all", "", "*").Runs(s.checkAll).Unless(busy),
		bind(ui.Open, "enter", "open", "", "enter").Does(s.open).Says(s.enterHint).Unless(ui.When(func() bool {
			return !s.asking.Running && len(s.chosen()) == 0 && s.row().decides() == None && (s.answer == nil || s.answer.Registry == "")
		}, "no server is checked: space checks one, * all; esc opens the demo")),
		bind(OpenDemo, "d", "demo", "", "d").Runs(decide(OfferDemo)),
		bind(InFull, g.Right+" l", "in full", "", "right", "l").Runs(func() { s.read("in full", func() []string { return s.details(true) }) }),
		bind(ui.Back, "esc", "demo", "", "esc").Runs(s.back).Says(func() string {
			if s.asking.Running {
				return "stop"
			}
			return "demo"
		}),
		bind(ui.Help, "?", "help", "", "?", "f1").Runs(s.openHelp),
		bind(ui.Quit, "q", "quit", "", "q").Runs(decide(OfferLeave)),
		bind(ui.Interrupt, "ctrl-c", "quit at once", "", "ctrl+c").Runs(decide(OfferInterrupt)),
	}}
	by := func(rows int) func() { return func() { s.Move(rows) } }
	page := func(part, of int) func() {
		return func() {
			rows := s.cursor.Page()
			if s.help != nil {
				rows = s.help.Page()
			}
			s.Move(part * max(1, rows/of))
		}
	}
	moves := &ui.Group{Title: "Moving", Bindings: []ui.Binding{
		bind(ui.Up, g.Up+" k", "up", "", "up", "k", "shift+tab").Runs(by(-1)),
		bind(ui.Down, g.Down+" j", "down", "", "down", "j", "tab").Runs(by(1)),
		bind(ui.PageUp, "pgup", "page up", "", "pgup").Runs(page(-1, 1)),
		bind(ui.PageDown, "pgdn", "page down", "", "pgdown").Runs(page(1, 1)),
		bind(ui.HalfUp, "ctrl-u", "half a page up", "", "ctrl+u").Runs(page(-1, 2)),
		bind(ui.HalfDown, "ctrl-d", "half a page down", "", "ctrl+d").Runs(page(1, 2)),
		bind(ui.Top, "g", "first", "", "g", "home").Runs(by(-len(s.rows) - longestText)),
		bind(ui.Bottom, "G", "last", "", "G", "end").Runs(by(len(s.rows) + longestText)),
	}}
	close := &ui.Group{Bindings: []ui.Binding{
		bind(ui.Back, "esc", "close", "", "esc", "q", "?", "f1", "enter", "left", "h").Runs(s.back),
		bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.filtering = true }),
		bind(ui.Interrupt, "ctrl-c", "quit at once", "", "ctrl+c").Runs(decide(OfferInterrupt)),
	}}
	s.layer = (&ui.Layer{Groups: []*ui.Group{own, moves},
		Hints: ui.Hints(ui.Open, Check, CheckAll, ui.Back, ui.Help, InFull, ui.Quit)}).With()
	s.reading = (&ui.Layer{Groups: []*ui.Group{close, moves},
		Hints: ui.Hints(ui.Down.After(ui.Up, "scroll"), ui.Find, ui.Back)}).With()
	typing := &ui.Group{Bindings: []ui.Binding{
		bind(ui.Open, "enter", "keep", "", "enter").Runs(func() { s.filtering = false }),
		bind(ui.Back, "esc", "clear", "", "esc").Runs(s.back),
		bind(ui.Up, g.Up, "up", "", "up").Runs(by(-1)),
		bind(ui.Down, g.Down, "down", "", "down").Runs(by(1)),
		bind(ui.Interrupt, "ctrl-c", "quit at once", "", "ctrl+c").Runs(decide(OfferInterrupt)),
	}}
	s.filterLayer = (&ui.Layer{Groups: []*ui.Group{typing},
		Hints: ui.Hints(ui.Open, ui.Back, ui.Down.After(ui.Up, "scroll"))}).With()
	if o.Gone != "" {
		s.notice = "a file of the last run is gone: " + o.shortened(o.Gone)
	}
	return s
}

// Answer returns what the decision Open is about.
func (s *Offer) Answer() OfferAnswer {
	if s.answer == nil {
		return OfferAnswer{}
	}
	return *s.answer
}

// Files returns what the decision Again is about.
func (s *Offer) Files() LastFiles {
	if r := s.row(); r.kind == lastRow {
		return s.opt.Last[r.last]
	}
	return LastFiles{}
}

// Wait returns when no server runs any more. The context of New must have ended.
func (s *Offer) Wait() {
	s.runs.Lock()
	defer s.runs.Unlock()
}

// Fail shows why what the user decided could not be opened.
func (s *Offer) Fail(err error) { s.decided, s.notice = None, safetext.Line(err.Error()) }

// Update handles a message and returns what the user has decided by it.
func (s *Offer) Update(msg tea.Msg) (OfferDecision, tea.Cmd) {
	s.decided = None
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.notice = ""
		if b := s.Layer().Find(msg); b != nil {
			cmd = s.run(b)
		} else {
			if s.help != nil && s.filtering && !msg.Paste {
				s.filter.Key(msg)
				s.help.Top = 0
				s.help.Title = s.title + "  /" + safetext.Line(s.filter.Value())
			}
			if !msg.Paste && s.help == nil {
				s.notice = safetext.Line(msg.String()) + " does nothing here; ? lists the keys"
			}
		}
	case tea.MouseMsg:
		if msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress {
			cmd = s.click(msg.X, msg.Y)
		}
	default:
		answer, next, mine := s.asking.Update(msg)
		if mine {
			s.look()
			switch {
			case answer != nil:
				s.answer = answer
				// The answer opens when all servers that were asked are in it, or when the user did not
				// want to wait; else it waits for enter, so that what failed is read.
				hurried := false
				select {
				case <-s.enough:
					hurried = true
				default:
				}
				switch {
				case answer.Registry == "":
					s.notice = "no server could be listed; the selected row says why, and enter asks again"
					s.toFailed()
				case answer.Servers == len(s.question) || hurried:
					s.decided = OfferOpen
				default:
					s.notice = ui.Count(answer.Tools, "tool") + " of " + ui.Count(answer.Servers, "server") + "; enter opens them, without those that failed"
					s.toFailed()
				}
			case s.asking.Err != nil && !errors.Is(s.asking.Err, context.Canceled):
				s.notice = safetext.Line(s.asking.Err.Error())
			}
			cmd = next
		}
	}
	return s.decided, cmd
}

// run runs a binding, or tells why it would do nothing.
func (s *Offer) run(b *ui.Binding) tea.Cmd {
	if why := b.Disabled(); why != "" {
		s.notice = why
		return nil
	}
	return b.Do()
}

// next returns the index of the next row in a direction that can be selected. If no
// such row follows, it returns the neighbour of i, within the list.
func (s *Offer) next(i, by int) int {
	for j := i + by; j >= 0 && j < len(s.rows); j += by {
		if s.rows[j].kind != fileRow || len(s.opt.Files[s.rows[j].file].Config.Servers) == 0 {
			return j
		}
	}
	return max(i, 0)
}

// Move moves the cursor by rows, over the headings; or the text of the help.
func (s *Offer) Move(by int) {
	if s.help != nil {
		s.help.Scroll(by)
		return
	}
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	at := s.cursor.At(s.listed())
	for range min(by, len(s.rows)) {
		at = s.next(at, step)
	}
	s.cursor.To(s.listed(), at)
}

// listed returns the rows as the cursor goes through them, and row the selected one.
func (s *Offer) listed() ui.Rows { return ui.Unnamed(len(s.rows)) }
func (s *Offer) row() row        { return s.rows[s.cursor.At(s.listed())] }

// check checks the selected server, or takes the check away.
func (s *Offer) check() {
	r := s.row()
	i, ok := r.server, r.kind == serverRow
	switch {
	case !ok:
		s.notice = "no server is selected"
	case !usable(s.servers[i].Server):
		s.notice = safetext.Line(s.servers[i].Name) + " cannot be asked: " + safetext.Line(s.servers[i].Problem)
	default:
		s.checked[i] = !s.checked[i]
		s.answer = nil
	}
}

// checkAll checks every server that is on and can be asked, or none when all are checked.
func (s *Offer) checkAll() {
	all := true
	for i, x := range s.servers {
		all = all && (s.checked[i] || !x.Enabled || !usable(x.Server))
	}
	for i, x := range s.servers {
		s.checked[i] = !all && (s.checked[i] || x.Enabled && usable(x.Server))
	}
	s.answer = nil
}

// chosen returns the indexes of the checked servers.
func (s *Offer) chosen() []int {
	var list []int
	for i, checked := range s.checked {
		if checked {
			list = append(list, i)
		}
	}
	return list
}

// open opens the selected files or demo, what was listed, or asks the checked servers.
func (s *Offer) open() tea.Cmd {
	switch chosen := s.chosen(); {
	case s.asking.Running:
		if s.asking.Done == 0 {
			s.notice = "no server has answered yet; esc stops"
		} else {
			select {
			case <-s.enough:
			default:
				close(s.enough)
			}
		}
	case len(chosen) == 0 && s.row().decides() != None:
		s.decided = s.row().decides()
	case s.answer != nil && s.answer.Registry != "":
		s.decided = OfferOpen
	default:
		// SECURITY: nothing else starts a server, and these are what the user has checked.
		servers := make([]OfferServer, len(chosen))
		for n, i := range chosen {
			servers[n] = s.servers[i]
		}
		b := &board{states: make([]OfferState, len(chosen))}
		s.board, s.question, s.answer, s.enough = b, chosen, nil, make(chan struct{})
		clear(s.states)
		enough, ask := s.enough, s.opt.Ask
		return s.asking.Start(s.ctx, chosen, func(ctx context.Context, progress ui.Progress) (OfferAnswer, error) {
			s.runs.RLock()
			defer s.runs.RUnlock()
			return ask(ctx, servers, enough, func(n int, st OfferState) {
				b.mu.Lock()
				if st.Ended && !b.states[n].Ended {
					b.ended++
				}
				b.states[n] = st
				done := b.ended
				b.mu.Unlock()
				progress(done, len(servers))
			})
		})
	}
	return nil
}

// toFailed selects the first server that failed.
func (s *Offer) toFailed() {
	at := slices.IndexFunc(s.rows, func(r row) bool { return r.kind == serverRow && s.states[r.server].Err != "" })
	if at >= 0 {
		s.cursor.To(s.listed(), at)
	}
}

// look copies what the goroutines of Ask have written.
func (s *Offer) look() {
	if s.board == nil {
		return
	}
	s.board.mu.Lock()
	defer s.board.mu.Unlock()
	for n, i := range s.question {
		s.states[i] = s.board.states[n]
	}
}

// back closes the help, stops the asking, or opens the demo.
func (s *Offer) back() {
	switch {
	case s.help != nil && (s.filtering || s.filter.Value() != ""): // all lines are shown
		s.filtering = false
		s.filter.Set("")
		s.help.Title = s.title
	case s.help != nil:
		s.help = nil
	case s.asking.Stop():
		s.look()
		for i, st := range s.states {
			if !st.Ended {
				delete(s.states, i)
			}
		}
		s.notice = "stopped; enter asks again"
	default:
		s.decided = OfferDemo
	}
}
