package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/workbench"
)

// strategiesScreen shows what each strategy of pre-selection would send with
// the message, which is the query of Explore, and measures them over labelled
// queries and over a conversation. Everything is worked out beside the screen.
type strategiesScreen struct {
	app     *App
	state   *workbench.State
	changes uint64
	gen     int // of the newest job of any kind
	areas

	part    strategiesPart
	text    *field // the message while it is typed
	editing bool   // it has the keyboard
	typed   bool   // it was typed to its end, and holds from now on
	finding bool   // the filter was being typed before this message
	needle  string // filter of the tools, in lower case

	selector  selectorJob
	leg       semanticLeg
	answer    answer
	jobs      [strategiesJobCount]strategiesJob
	rows      []selection.Row // of all labelled queries
	points    []selection.Point
	threads   []selection.Thread
	messages  []string // the turns of the conversation
	lastNeeds lastNeeds
	told      tea.Cmd // ends a notice in its time; not run yet
	visited   bool    // the screen was looked at when it was last followed
	outdated  bool    // the index is another than the assembly was made with

	lists [strategiesPartCount]listPlace
	bytes bytesLines
}

// strategiesPart is one of the views that take turns on the screen.
type strategiesPart int

const (
	partComparison   strategiesPart = iota // strategies for the message, and what one selects
	partTuning                             // the knobs, where they do not stand beside
	partBytes                              // what is sent
	partLabelled                           // strategies over the labelled queries
	partPareto                             // tokens against recall
	partConversation                       // turns, and the prompt cache
	strategiesPartCount
)

// String returns the name of the part.
func (p strategiesPart) String() string {
	return [strategiesPartCount]string{"strategies", "knobs", "bytes", "labelled queries", "tokens against recall", "conversation"}[p]
}

// strategiesSplit is from how many lines on a list and what belongs to the
// selected row are shown together.
const strategiesSplit = 11

// show takes in a new state. What was selected in the one before stays on
// screen until it is selected anew.
func (s *strategiesScreen) show(before, state *workbench.State) {
	if before == nil { // start on what is in force, and if that is nothing, on what could be
		start := selection.Strategy(state.Config.Selection)
		if start == selection.Eager {
			start = selection.Hybrid
		}
		s.lists[partComparison].cursor = slices.Index(selection.Strategies, start)
	}
	if before != nil && before.Unasked == state.Unasked { // only the message is another
		s.rekey(before, state)
	}
	s.state = state
	s.changes++
}

// rekey makes what was worked out for a state that of another which differs in
// nothing but the message.
func (s *strategiesScreen) rekey(before, state *workbench.State) {
	for _, of := range []**workbench.State{&s.selector.of, &s.selector.madeOf, &s.answer.state} {
		if *of == before {
			*of = state
		}
	}
}

// title returns the heading of the box, and on its right how far the work is.
func (s *strategiesScreen) title() (heading, note string) {
	heading = s.part.String()
	if s.state == nil {
		return heading, ""
	}
	if s.part == partComparison || s.part == partBytes {
		heading += "  " + s.turnWords()
	}
	if s.needle != "" && s.app.find == nil {
		heading += "  /" + model.Sanitize(s.needle)
	}
	if note = s.progress(); note == "" {
		note = string(s.inForce()) + " in force"
	}
	return heading, note
}

// inForce returns the strategy by which the session is sent its tools, as it is
// tried.
func (s *strategiesScreen) inForce() selection.Strategy { return selection.InForce(s.state.Snapshot) }

// preSelects reports whether the configuration chooses tools before the model
// is called; else the header's gauge is the assembly's.
func (s *strategiesScreen) preSelects() bool { return engine.PreSelects(s.state.Config.Selection) }

// message returns the message that is selected for: the one that is typed, else
// the one that the assembly of every screen is for. While there is none, this
// screen tries the query of Explore, which changes nothing elsewhere.
func (s *strategiesScreen) message() string {
	switch given := s.app.input.Flags.Message; {
	case s.editing:
		return s.text.Value()
	case given == "" && s.shown():
		return s.app.query.Value()
	default:
		return given
	}
}

// typeMessage gives the message the keyboard.
func (s *strategiesScreen) typeMessage() {
	if !s.editing {
		s.text.Set(s.message())
		s.editing = true
	}
}

// settle makes the message that was typed, and what the turns before it
// selected, those of the assembly that every screen is about.
func (s *strategiesScreen) settle() tea.Cmd {
	flags := &s.app.input.Flags
	message, history := flags.Message, s.answer.past.last[s.inForce()].History()
	if s.typed {
		message = s.text.Value()
	}
	if s.typed = false; message == "" {
		history = nil
	}
	if message == flags.Message && slices.Equal(history, flags.History) {
		return nil
	}
	flags.Message, flags.History = message, history
	if !s.preSelects() {
		return nil
	}
	return s.app.load()
}

// openLeg returns what opens the semantic leg of a load: the index of this
// screen if it is made of the same tools, else the embedder that is built in. A
// load does not wait for a model.
func (s *strategiesScreen) openLeg() func(context.Context, config.PreSelection, []*model.Tool) (embed.Similarity, error) {
	leg := s.leg
	return func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
		switch {
		case leg.made && leg.source == sourceOf(c) && sameTools(leg.tools, tools):
			return leg.similarity, leg.absent
		case c.EmbedModel == config.EmbedFuzzy:
			return workbench.OpenSimilarity(ctx, c, tools, workbench.Embedding{}, nil)
		}
		return nil, errIndexing
	}
}

// legWord is what the semantic leg is called: the one that is built in knows
// spellings and no meanings.
func legWord(c config.Config) string {
	if c.PreSelection.EmbedModel == config.EmbedFuzzy {
		return "fuzzy"
	}
	return "semantic"
}

// version changes whenever the picture may.
func (s *strategiesScreen) version() uint64 { return s.changes }

// context says which keys work.
func (s *strategiesScreen) context() Context {
	if s.editing {
		return CtxMessage
	}
	return CtxStrategies
}

// do does what an action means here.
func (s *strategiesScreen) do(action Action) tea.Cmd {
	s.changes++
	if s.state == nil {
		return nil
	}
	switch action {
	case ActNextPane:
		s.turnArea(1)
	case ActPrevPane:
		s.turnArea(-1)
	case ActPart:
		s.turnPart()
	case ActMessage:
		s.typeMessage()
	case ActOpen:
		return s.open()
	case ActLess, ActMore:
		return s.turn(map[Action]int{ActLess: -1, ActMore: 1}[action])
	case ActSave:
		return s.app.budget.save()
	case ActAddTurn:
		return s.addTurn()
	case ActDropTurn:
		return s.dropTurn()
	case ActCore:
		s.pickCore()
	}
	return nil
}

// open is what enter means: the message is typed through, a job that waits is
// begun, or what the selected strategy sends is shown, and the strategies again.
func (s *strategiesScreen) open() tea.Cmd {
	switch {
	case s.editing:
		s.leaveMessage()
	case s.waits():
		job, _ := s.job()
		return s.begin(job, true)
	case s.opens() == "choose":
		s.pickCore()
	case s.opens() == "bytes":
		s.goPart(partBytes)
	case s.opens() == "strategies":
		s.goPart(partComparison)
	}
	return nil
}

// opens says what enter does, empty for nothing.
func (s *strategiesScreen) opens() string {
	switch {
	case s.editing || s.state == nil:
		return ""
	case s.waits():
		return "start"
	case s.keysIn() == areaKnobs && selectionKnobs[s.knob] == knobCore:
		return "choose"
	case s.keysIn() == areaKnobs:
		return ""
	case s.part == partComparison && s.answer.picks != nil:
		return "bytes"
	case s.part == partBytes:
		return "strategies"
	}
	return ""
}

// leaveMessage ends the typing.
func (s *strategiesScreen) leaveMessage() {
	if s.editing {
		s.editing, s.typed = false, true
		s.app.history = remember(s.app.history, s.text.Value())
		s.changes++
	}
}

// shownAreas returns what can have the keys now.
func (s *strategiesScreen) shownAreas() []area {
	var all []area
	switch s.part {
	case partTuning:
		return []area{areaKnobs}
	case partBytes:
		all = []area{areaBelow}
	default:
		all = []area{areaList, areaBelow}
	}
	if s.wide() {
		all = append(all, areaKnobs)
	}
	return all
}

// keysIn returns what has the keys.
func (s *strategiesScreen) keysIn() area {
	a, _ := s.among(s.shownAreas())
	return a
}

// turnArea gives the next area the keys.
func (s *strategiesScreen) turnArea(by int) {
	s.leaveMessage()
	s.turnAmong(s.shownAreas(), by)
}

// turnPart shows the next part.
func (s *strategiesScreen) turnPart() {
	next := (s.part + 1) % strategiesPartCount
	if next == partTuning && s.wide() {
		next++
	}
	s.goPart(next)
}

// goPart shows a part.
func (s *strategiesScreen) goPart(p strategiesPart) {
	s.part = p
	s.leaveBelow()
}

// turn turns the knob under the cursor, or, where a strategy's bytes are
// shown, goes to the next strategy.
func (s *strategiesScreen) turn(by int) tea.Cmd {
	switch {
	case s.keysIn() == areaKnobs:
		return s.app.budget.turn(selectionKnobs[s.knob], by)
	case s.part == partBytes:
		l := &s.lists[partComparison]
		l.cursor = max(0, min(l.cursor+by, len(selection.Strategies)-1))
		s.below.top = 0
	}
	return nil
}

// turns says what the keys that turn a knob do, empty for nothing.
func (s *strategiesScreen) turns() string {
	switch {
	case s.keysIn() == areaKnobs && selectionKnobs[s.knob] == knobCore:
		return ""
	case s.keysIn() == areaKnobs:
		return "value"
	case s.part == partBytes:
		return "strategy"
	}
	return ""
}

// paneBeside names what tab gives the keys, empty for nothing.
func (s *strategiesScreen) paneBeside() string {
	if s.editing {
		return "leave"
	}
	return s.nextAmong(s.shownAreas())
}

// move moves the cursor, or scrolls.
func (s *strategiesScreen) move(by int) { s.moveIn(s.keysIn(), by) }

// moveIn does so in an area.
func (s *strategiesScreen) moveIn(a area, by int) {
	s.changes++
	switch a {
	case areaKnobs:
		s.moveKnob(by, len(selectionKnobs))
		s.app.budget.turning = false
	case areaBelow:
		s.scrollBelow(by)
	default:
		s.sel(s.list().cursor + by)
	}
}

// sel selects a row of the list.
func (s *strategiesScreen) sel(row int) { s.selectRow(s.list(), row, s.rowCount()) }

// list returns the place in the list of the part. Those whose rows are the
// strategies share one.
func (s *strategiesScreen) list() *listPlace {
	if s.part == partLabelled {
		return &s.lists[partComparison]
	}
	return &s.lists[s.part]
}

// page returns how far a page is.
func (s *strategiesScreen) page() int { return s.pageIn(s.keysIn()) }

// wheel scrolls what is under the pointer.
func (s *strategiesScreen) wheel(x, y, by int) {
	if area, ok := s.areaAt(x, y); ok {
		s.moveIn(area, by)
	}
}

// click selects what is under the pointer; on the message it is typed.
func (s *strategiesScreen) click(x, y int) {
	s.changes++
	if s.state == nil {
		return
	}
	if y == 0 {
		s.typeMessage()
		return
	}
	s.leaveMessage()
	area, ok := s.areaAt(x, y)
	if !ok {
		return
	}
	s.area = area
	line := s.lineIn(area, y)
	switch area {
	case areaKnobs:
		if i, ok := s.knobAt(line, len(selectionKnobs)); ok {
			s.knob, s.app.budget.turning = i, false
		}
	case areaList:
		if row := s.list().window.top + line; row < s.rowCount() {
			s.sel(row)
		}
	}
}

// filter shows only the tools whose name holds a text. Esc, which takes a
// filter away, first cancels what runs.
func (s *strategiesScreen) filter(text string) bool {
	if text == "" && !s.finding && s.stop() {
		return true
	}
	had := s.needle != ""
	s.needle = lowered(text)
	s.below.top = 0
	s.changes++
	return had || text != ""
}
