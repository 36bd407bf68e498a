package tui

import (
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/tui/workbench"
)

// knob is a setting that is tried. The habits, from firstHabit on, are what
// the break-even assumes, and no setting of anything.
type knob int

const (
	knobThreshold knob = iota
	knobContext
	knobLimit
	knobK1
	knobB
	knobRanker
	knobTokenizer
	knobMode
	knobTurns
	knobToolsUsed
	knobResult
	knobCount // of the budget screen

	firstHabit = knobTurns
)

// The knobs of the strategies screen.
const (
	knobSelection knob = knobCount + iota
	knobTopK
	knobRRFK
	knobKeyword
	knobSemantic
	knobCore
	knobSticky
	knobEmbedder
	selectionEnd
)

// The knobs of the results screen.
const (
	knobRescueAt knob = selectionEnd + iota
	knobExcerpt
	knobHeadLines
	knobTailLines
	knobHeadItems
	knobTailItems
	knobFetch
	knobFullFetch
	allKnobs
)

// knobNames are what the knobs are called on screen.
var knobNames = [allKnobs]string{
	"threshold", "context", "limit", "k1", "b", "ranker", "tokenizer", "mode", "turns", "tools used", "tok/result",
	"strategy", "K", "RRF k", "keyword wt", "semantic wt", "core", "sticky", "embedder",
	"rescue at", "excerpt", "head lines", "tail lines", "head items", "tail items", "fetch", "full fetch",
}

// habit reports whether a knob is no setting.
func (k knob) habit() bool { return k >= firstHabit && k < knobCount }

// knobKeys are the knobs that the workbench sets.
var knobKeys = map[knob]string{
	knobThreshold: "tools.tool_search.threshold_pct",
	knobContext:   "model.context_length",
	knobLimit:     "tools.tool_search.search_default_limit",
	knobMode:      "tools.tool_search.enabled",
	knobK1:        workbench.KnobK1,
	knobB:         workbench.KnobB,
	knobRanker:    workbench.KeyRanker,
	knobTokenizer: workbench.KnobTokenizer,
	knobSelection: "tools.selection",
	knobTopK:      "tools.rag_top_k",
	knobRRFK:      "tools.rag_rrf_k",
	knobKeyword:   "tools.rag_weights.keyword",
	knobSemantic:  "tools.rag_weights.semantic",
	knobCore:      "tools.rag_core",
	knobSticky:    "tools.rag_sticky",
	knobEmbedder:  "tools.rag_embed_model",
	knobRescueAt:  "toolaria.max_result_chars",
	knobExcerpt:   "toolaria.excerpt_max_chars",
	knobHeadLines: "toolaria.head_lines",
	knobTailLines: "toolaria.tail_lines",
	knobHeadItems: "toolaria.json_head_items",
	knobTailItems: "toolaria.json_tail_items",
	knobFetch:     "toolaria.fetch_max_chars",
	knobFullFetch: "toolaria.full_fetch_max_chars",
}

// setting is the place of all knobs at one time.
type setting struct {
	knobs  []workbench.Knob
	edits  []workbench.Edit
	habits engine.Habits
}

// setting returns the place that the knobs are in.
func (s *budgetScreen) setting() setting {
	return setting{s.app.input.Flags.Knobs, s.app.input.Flags.Edits, s.habits}
}

// disk returns the state without the knobs: that of the files, and of the
// flags that go before them.
func (s *budgetScreen) disk() *workbench.State { return s.state.OnDisk() }

// sameKnob reports whether two values of a knob are the same. That of core is
// a list.
func sameKnob(a, b any) bool { return reflect.DeepEqual(a, b) }

// onDisk returns the value that a knob has while it is not turned: nil for a
// context of unknown length.
func (s *budgetScreen) onDisk(k knob) any {
	if k.habit() {
		habits := engine.DefaultHabits
		return *habitOf(&habits, k)
	}
	return valueIn(s.disk(), k)
}

// valueIn returns the value of a knob of settings in a state.
func valueIn(st *workbench.State, k knob) any {
	snap := st.Snapshot
	search := snap.Config.ToolSearch
	switch k {
	case knobThreshold:
		return search.ThresholdPct
	case knobContext:
		if n := snap.Config.ContextLength; n != nil && *n > 0 {
			return *n
		}
		return nil
	case knobLimit:
		return search.DefaultLimit
	case knobK1:
		return snap.Ranking.K1
	case knobB:
		return snap.Ranking.B
	case knobRanker:
		return search.Ranker
	case knobTokenizer:
		return string(snap.Tokenizer)
	case knobMode:
		return string(search.Enabled)
	}
	if k >= knobRescueAt {
		return *rescueValueIn(&snap.Config.Rescue, k)
	}
	return selectionValueIn(snap.Config, k)
}

// value returns the value that a knob has now.
func (s *budgetScreen) value(k knob) any {
	if k.habit() {
		return *habitOf(&s.habits, k)
	}
	for _, tried := range s.app.input.Flags.Knobs {
		if tried.Key == knobKeys[k] {
			return tried.Value
		}
	}
	return s.onDisk(k)
}

// habitOf returns where a habit is kept.
func habitOf(h *engine.Habits, k knob) *int {
	switch k {
	case knobTurns:
		return &h.Turns
	case knobToolsUsed:
		return &h.ToolsUsed
	}
	return &h.ResultTokens
}

// turnedKnobs counts the knobs that are turned.
func (s *budgetScreen) turnedKnobs() int {
	n := 0
	for k := range knobKeys {
		if !sameKnob(s.value(k), s.onDisk(k)) {
			n++
		}
	}
	return n
}

// pending returns the knobs that say something else than the files.
func (s *budgetScreen) pending() []workbench.Knob {
	var kept []workbench.Knob
	for _, tried := range s.app.input.Flags.Knobs {
		for k, key := range knobKeys {
			if key == tried.Key && !sameKnob(tried.Value, s.onDisk(k)) {
				kept = append(kept, tried)
			}
		}
	}
	return kept
}

// knobs returns what is tried and a configuration file can hold, in the order
// in which it was first turned. A nil value means the key is to be unset.
func (s *budgetScreen) knobs() []workbench.Knob {
	if s.state == nil {
		return nil
	}
	return slices.DeleteFunc(s.pending(), func(k workbench.Knob) bool { return !k.Written() })
}

// unwritten names the knobs that are turned and that no configuration file can
// hold, empty for none: "k1", "k1 and tokenizer".
func (s *budgetScreen) unwritten() (names string, n int) {
	var all []string
	for k := range firstHabit {
		if !(workbench.Knob{Key: knobKeys[k]}).Written() && !sameKnob(s.value(k), s.onDisk(k)) {
			all = append(all, knobNames[k])
		}
	}
	n = len(all)
	if n > 1 {
		all = []string{strings.Join(all[:n-1], ", "), all[n-1]}
	}
	return strings.Join(all, " and "), n
}

// save proposes to write what is tried, and says what stays unwritten.
func (s *budgetScreen) save() tea.Cmd {
	knobs := s.knobs()
	names, n := s.unwritten()
	verb := map[bool]string{true: " is", false: " are"}[n == 1]
	switch {
	case len(knobs) == 0 && n == 0:
		return s.app.notices.show(levelInfo, "nothing to write: no knob is turned")
	case len(knobs) == 0:
		return s.app.notices.show(levelInfo, "nothing to write: "+names+verb+" in no config file")
	case n == 0 || s.app.opt.ConfigName == "":
		return s.app.proposeKnobs(knobs)
	}
	return tea.Batch(s.app.proposeKnobs(knobs), s.app.notices.show(levelInfo, "left out: "+names+verb+" in no config file"))
}

// forget takes a knob back to where it was, for what sets it for good.
// The load is the caller's.
func (s *budgetScreen) forget(k knob) { s.try(knobKeys[k], nil, true) }

// turn turns a knob by steps.
func (s *budgetScreen) turn(k knob, by int) tea.Cmd {
	was := s.value(k)
	now := s.step(k, was, by)
	if sameKnob(now, was) {
		return nil
	}
	if !s.turning || s.turningOf != k { // turning on is one thing to undo
		s.remember()
	}
	s.turning, s.turningOf = true, k
	if k.habit() {
		*habitOf(&s.habits, k) = now.(int)
		return nil
	}
	s.try(knobKeys[k], now, sameKnob(now, s.onDisk(k)))
	return s.load()
}

// set gives a knob of the workbench a value, which is one thing to undo.
func (s *budgetScreen) set(k knob, now any) tea.Cmd {
	s.remember()
	s.turning = false
	s.try(knobKeys[k], now, sameKnob(now, s.onDisk(k)))
	return s.load()
}

// try sets a knob of the workbench, or takes it away. Loads that run keep the
// list that they were given.
func (s *budgetScreen) try(key string, value any, asBefore bool) {
	list := slices.Clone(s.app.input.Flags.Knobs)
	at := slices.IndexFunc(list, func(k workbench.Knob) bool { return k.Key == key })
	switch {
	case asBefore && at >= 0:
		list = slices.Delete(list, at, at+1)
	case at >= 0:
		list[at].Value = value
	case !asBefore:
		list = append(list, workbench.Knob{Key: key, Value: value})
	}
	s.app.input.Flags.Knobs = list
}

// load loads what is tried.
func (s *budgetScreen) load() tea.Cmd {
	cmd := s.app.load()
	s.turned = s.app.gen
	return cmd
}

// keptSettings bounds how far undo goes back.
const keptSettings = 200

// remember makes the place of the knobs the next one that undo goes back to.
func (s *budgetScreen) remember() {
	if len(s.before) == keptSettings {
		s.before = slices.Delete(s.before, 0, 1)
	}
	s.before = append(s.before, s.setting())
}

// undo goes back to where the knobs were before the last turn or reset.
func (s *budgetScreen) undo() tea.Cmd {
	if !s.undoable() {
		return s.app.notices.show(levelInfo, "nothing to undo")
	}
	last := len(s.before) - 1
	to := s.before[last]
	s.before = s.before[:last]
	return s.restore(to)
}

// undoable reports whether there is anything to undo. What the knobs are at
// already is passed over: the files may say by now what a knob said.
func (s *budgetScreen) undoable() bool {
	now := s.setting()
	for last := len(s.before) - 1; last >= 0; last-- {
		to := s.before[last]
		if !slices.EqualFunc(to.knobs, now.knobs, func(a, b workbench.Knob) bool { return a.Key == b.Key && sameKnob(a.Value, b.Value) }) ||
			!slices.Equal(to.edits, now.edits) || to.habits != now.habits {
			return true
		}
		s.before = s.before[:last]
	}
	return false
}

// reset puts every knob back where it was. It can be undone.
func (s *budgetScreen) reset() tea.Cmd {
	if s.turnedKnobs() == 0 && len(s.app.input.Flags.Edits) == 0 && s.habits == engine.DefaultHabits {
		return s.app.notices.show(levelInfo, "no knob is turned")
	}
	s.remember()
	return s.restore(setting{habits: engine.DefaultHabits})
}

// restore puts the knobs in a place.
func (s *budgetScreen) restore(to setting) tea.Cmd {
	s.turning = false
	s.habits = to.habits
	s.app.input.Flags.Knobs, s.app.input.Flags.Edits = to.knobs, to.edits
	return s.load()
}
