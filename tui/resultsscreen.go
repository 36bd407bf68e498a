package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/workbench"
)

// resultsScreen shows what becomes of the result of a tool: the rule that
// decides, what the model sees in its place, and what it gets when it asks for
// slices. The result stays in memory, and is put into the store only when
// that is asked for. Everything is worked out beside the screen.
type resultsScreen struct {
	app     *App
	state   *workbench.State
	changes uint64
	gen     int // of the newest job of any kind
	areas

	part    resultsPart
	typing  resultsTyping
	finding bool   // the filter was being typed before this message
	needle  string // filter of the lines, in lower case
	told    tea.Cmd

	sources []resultSource
	chosen  string            // name of the source that is looked at; empty: the first
	tools   map[string]string // that were chosen for sources, by their names
	paste   []rune            // that is being typed

	judging    resultsJob
	judgingOf  judgedOf
	judged     judgement
	fetching   resultsJob
	requests   []sliceRequest
	request    *field
	refused    string // what was typed last and is no request; empty: nothing
	listing    resultsJob
	listingOf  *workbench.State
	rules      rulesList
	shownRules []ruleRow // those that pass the filter shownOf
	shownOf    string
	looking    resultsJob
	kept       keptResults
	keeping    resultsJob

	lists [resultsPartCount]listPlace
	laid  laidText
	mark  int // how often the next place was gone to where something was left out

}

// resultsPart is one of the views that take turns on the screen.
type resultsPart int

const (
	partSeen   resultsPart = iota // what the model sees
	partLimits                    // the knobs, where they do not stand beside
	partSlices                    // the fetch console
	partRules                     // the rule for every tool
	partStore                     // what the configured store holds
	resultsPartCount
)

// String returns the name of the part.
func (p resultsPart) String() string {
	return [resultsPartCount]string{"what the model sees", "knobs", "slices", "rules", "store"}[p]
}

// resultsTyping is what letters are typed into.
type resultsTyping int

const (
	notTyping resultsTyping = iota
	typingRequest
	typingPaste
)

// resultsSplit is from how many lines on the summary has three of them, and a
// list and what belongs to the selected row are shown together.
const resultsSplit = 12

// longestRequest bounds a request that is typed, in characters.
const longestRequest = 1000

// begin makes the screen ready before anything is loaded.
func (s *resultsScreen) begin() {
	s.tools = map[string]string{}
	s.request = newField(longestRequest, requestForms)
}

// show takes in a new state. What was made with the one before stays on screen
// until it is made anew.
func (s *resultsScreen) show(_, state *workbench.State) {
	s.state = state
	s.changes++
}

// shown reports whether the screen is the one that is looked at.
func (s *resultsScreen) shown() bool { return s.app.mode.Screen == ScreenResults }

// title returns the heading of the box, and on its right how far the work is,
// else which result it is.
func (s *resultsScreen) title() (heading, note string) {
	heading = s.part.String()
	if s.needle != "" && s.app.find == nil {
		heading += "  /" + model.Sanitize(s.needle)
	}
	if s.typing == typingPaste {
		heading = "paste a result"
	}
	if note = s.progress(); note != "" {
		return heading, note
	}
	if i, n := s.at(), len(s.sources); n > 1 {
		note = thousands(i+1) + " of " + thousands(n)
		if s.w >= 60 {
			note += " results"
		}
	}
	return heading, note
}

// version changes whenever the picture may.
func (s *resultsScreen) version() uint64 { return s.changes }

// context says which keys work.
func (s *resultsScreen) context() Context {
	switch s.typing {
	case typingRequest:
		return CtxRequest
	case typingPaste:
		return CtxPaste
	}
	return CtxResults
}

// do does what an action means here.
func (s *resultsScreen) do(action Action) tea.Cmd {
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
		s.leave()
		s.turnPart()
	case ActOpen:
		return s.open()
	case ActLess, ActMore:
		return s.turn(map[Action]int{ActLess: -1, ActMore: 1}[action])
	case ActSave:
		return s.app.budget.save()
	case ActRequest:
		return s.startRequest()
	case ActContinue:
		return s.goOn()
	case ActClearRequests:
		s.clearRequests()
	case ActResult:
		return s.pick()
	case ActResultTool:
		return s.pickTool()
	case ActPaste:
		s.startPaste()
	case ActGap:
		return s.toGap()
	case ActKeep:
		return s.keep()
	case ActAnswerUp:
		s.moveIn(areaBelow, 1-s.belowRoom)
	case ActAnswerDown:
		s.moveIn(areaBelow, s.belowRoom-1)
	}
	return nil
}

// idle reports whether an action of the screen would do nothing now.
func (s *resultsScreen) idle(action Action) bool {
	switch action {
	case ActContinue:
		return s.next() == nil
	case ActClearRequests:
		return len(s.requests) == 0
	case ActGap:
		return s.part != partSeen || !s.judged.Rescue || len(s.judged.Preview.Left) == 0
	case ActKeep:
		return s.source() == nil || !s.judged.Rescue
	}
	return false
}

// open is what enter means: what is typed is taken, a job that waits is begun,
// a request goes on or is typed, a tool is chosen.
func (s *resultsScreen) open() tea.Cmd {
	switch {
	case s.typing == typingRequest:
		return s.send()
	case s.typing == typingPaste:
		return s.usePaste()
	case s.judging.stopped && s.late():
		s.judging = resultsJob{}
	case s.source() == nil:
		s.startPaste()
	case s.part == partSlices && s.next() != nil:
		return s.goOn()
	case s.part == partRules:
		return s.useTool()
	case s.part == partSeen, s.part == partSlices:
		return s.startRequest()
	}
	return nil
}

// leave ends the typing.
func (s *resultsScreen) leave() {
	if s.typing != notTyping {
		s.typing, s.paste, s.refused = notTyping, nil, ""
		s.changes++
	}
}

// shownAreas returns what can have the keys now.
func (s *resultsScreen) shownAreas() []area {
	var all []area
	switch s.part {
	case partLimits:
		return []area{areaKnobs}
	case partSeen:
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
func (s *resultsScreen) keysIn() area {
	a, _ := s.among(s.shownAreas())
	return a
}

// turnArea gives the next area the keys.
func (s *resultsScreen) turnArea(by int) {
	s.leave()
	s.turnAmong(s.shownAreas(), by)
}

// turnPart shows the next part.
func (s *resultsScreen) turnPart() {
	s.part = (s.part + 1) % resultsPartCount
	if s.part == partLimits && s.wide() {
		s.part++
	}
	s.leaveBelow()
	if s.part == partStore {
		s.lookAgain()
	}
}

// turn turns the knob under the cursor, or goes to the next result.
func (s *resultsScreen) turn(by int) tea.Cmd {
	if s.keysIn() == areaKnobs {
		return s.app.budget.turn(rescueKnobs[s.knob], by)
	}
	if n := len(s.sources); n > 0 {
		s.choose(s.sources[max(0, min(s.at()+by, n-1))].name)
	}
	return nil
}

// turns says what the keys that turn a knob do, empty for nothing.
func (s *resultsScreen) turns() string {
	switch {
	case s.keysIn() == areaKnobs:
		return "value"
	case len(s.sources) > 1:
		return "result"
	}
	return ""
}

// paneBeside names what tab gives the keys, empty for nothing.
func (s *resultsScreen) paneBeside() string {
	if s.typing != notTyping {
		return "leave"
	}
	return s.nextAmong(s.shownAreas())
}

// move moves the cursor, or scrolls.
func (s *resultsScreen) move(by int) { s.moveIn(s.keysIn(), by) }

// moveIn does so in an area.
func (s *resultsScreen) moveIn(a area, by int) {
	s.changes++
	switch a {
	case areaKnobs:
		s.moveKnob(by, len(rescueKnobs))
		s.app.budget.turning = false
	case areaBelow:
		s.scrollBelow(by)
	default:
		s.sel(s.list().cursor + by)
	}
}

// sel selects a row of the list.
func (s *resultsScreen) sel(row int) { s.selectRow(s.list(), row, s.rowCount()) }

// list returns the place in the list of the part.
func (s *resultsScreen) list() *listPlace { return &s.lists[s.part] }

// page returns how far a page is.
func (s *resultsScreen) page() int { return s.pageIn(s.keysIn()) }

// wheel scrolls what is under the pointer.
func (s *resultsScreen) wheel(x, y, by int) {
	if area, ok := s.areaAt(x, y); ok {
		s.moveIn(area, by)
	}
}

// click selects what is under the pointer.
func (s *resultsScreen) click(x, y int) {
	s.changes++
	area, ok := s.areaAt(x, y)
	if s.state == nil || !ok {
		return
	}
	s.leave()
	s.area = area
	line := s.lineIn(area, y)
	switch area {
	case areaKnobs:
		if i, ok := s.knobAt(line, len(rescueKnobs)); ok {
			s.knob, s.app.budget.turning = i, false
		}
	case areaList:
		if row := s.list().window.top + line; row < s.rowCount() {
			s.sel(row)
		}
	}
}

// filter shows only the lines that hold a text. Esc, which takes a filter
// away, first cancels what runs.
func (s *resultsScreen) filter(text string) bool {
	if text == "" && !s.finding && s.stop() {
		return true
	}
	had := s.needle != ""
	s.needle = lowered(text)
	s.below.top = 0
	s.changes++
	return had || text != ""
}
