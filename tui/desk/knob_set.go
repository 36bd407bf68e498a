package desk

import (
	"reflect"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/reach"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/workbench"
)

// KnobSet has the values of the knobs, the descriptions that are tried beside them,
// and the positions to which undo goes back. It never changes a list in place,
// because a load that runs may have it.
type KnobSet struct {
	now     position
	before  []position // to which undo goes back, the newest last
	turning *Knob      // the knob that was turned last; nil when something else was done since
	state   *workbench.State
}

// position is the state of everything that can be undone.
type position struct {
	tried  []workbench.Knob // in the order in which they were first turned
	edits  []workbench.Edit
	habits engine.Habits
}

// NewKnobs returns a set in which nothing is turned.
func NewKnobs() *KnobSet { return &KnobSet{now: position{habits: engine.DefaultHabits}} }

// SameValue reports whether two values of a knob are the same. Some are lists.
func SameValue(a, b any) bool { return reflect.DeepEqual(a, b) }

// Show takes in a state that was loaded.
func (s *KnobSet) Show(st *workbench.State) { s.state = st }

// Files returns the state without knobs: the one of the files and of the flags.
func (s *KnobSet) Files() *workbench.State { return s.state.OnDisk() }

// Try sets the knobs and the descriptions in the flags of a load.
func (s *KnobSet) Try(f *workbench.Flags) { f.Knobs, f.Edits = s.now.tried, s.now.edits }

// Habits returns the habits that the break-even assumes.
func (s *KnobSet) Habits() engine.Habits { return s.now.habits }

// Edits returns the descriptions that are tried. The list must not be changed.
func (s *KnobSet) Edits() []workbench.Edit { return s.now.edits }

// OnDisk returns the value that a knob has while it is not turned.
func (s *KnobSet) OnDisk(k *Knob) any {
	if k.habit != nil {
		return k.Default
	}
	return k.ValueIn(s.Files().Snapshot)
}

// Value returns the value that a knob has now.
func (s *KnobSet) Value(k *Knob) any {
	if k.habit != nil {
		return *k.habit(&s.now.habits)
	}
	if i := s.index(k.Key); i >= 0 {
		return s.now.tried[i].Value
	}
	if s.byTriedModel(k) {
		return k.ValueIn(s.state.Snapshot)
	}
	return s.OnDisk(k)
}

// byTriedModel reports whether the knob is the context, and a tried model brings its own.
func (s *KnobSet) byTriedModel(k *Knob) bool {
	return k.Key == config.KeyContext && s.index(config.KeyModel) >= 0
}

func (s *KnobSet) index(key string) int {
	return slices.IndexFunc(s.now.tried, func(t workbench.Knob) bool { return t.Key == key })
}

// Next returns the value to which a step leads from the one that a knob has.
func (s *KnobSet) Next(k *Knob, by int) any {
	if fixed, _ := s.Idle(k); fixed != "" {
		return s.Value(k)
	}
	return k.Step(s.Value(k), by, s.Files().Snapshot)
}

// Turned reports whether a knob has another value than on disk.
func (s *KnobSet) Turned(k *Knob) bool { return !SameValue(s.Value(k), s.OnDisk(k)) }

// CountTurned returns how many settings are turned. Habits do not count.
func (s *KnobSet) CountTurned() int {
	n := 0
	for _, t := range s.now.tried {
		if s.Turned(KnobOf(t.Key)) {
			n++
		}
	}
	return n
}

// Mend asks the app to write a change of an agent's file, after a look at its diff.
type Mend reach.Remedy

// Turn asks the app to turn a knob by steps; by none, to open the box for its value.
type Turn struct {
	Knob *Knob
	By   int
}

// Turn turns a knob by a step and reports whether its value changed, and whether
// that needs a load. Several turns of one knob in a row are undone at once.
func (s *KnobSet) Turn(k *Knob, by int) (changed, load bool) {
	v := s.Next(k, by)
	if SameValue(v, s.Value(k)) {
		return false, false
	}
	if s.turning != k {
		s.remember()
	}
	s.turning = k
	if k.habit != nil {
		*k.habit(&s.now.habits) = v.(int)
		return true, false
	}
	s.put(k, v)
	return true, true
}

// Pause ends a row of turns, so that the next turn is undone by itself.
func (s *KnobSet) Pause() { s.turning = nil }

// Put gives a knob a value, and reports whether that needs a load. It is undone by itself.
func (s *KnobSet) Put(k *Knob, v any) (load bool) {
	s.remember()
	s.turning = nil
	if k.habit != nil {
		*k.habit(&s.now.habits) = v.(int)
		return false
	}
	s.put(k, v)
	return true
}

// PutAll gives several knobs of settings their values, and reports whether any of them had
// another, so that a load is needed. It is undone at once.
func (s *KnobSet) PutAll(values []workbench.Knob) (load bool) {
	differs := func(v workbench.Knob) bool { return !SameValue(s.Value(KnobOf(v.Key)), v.Value) }
	if !slices.ContainsFunc(values, differs) {
		return false
	}
	s.remember()
	s.turning = nil
	for _, v := range values {
		s.put(KnobOf(v.Key), v.Value)
	}
	return true
}

// put tries a value, unless it is the one on disk.
func (s *KnobSet) put(k *Knob, v any) {
	if k.Key == config.KeyModel {
		s.Forget(config.KeyContext) // which would hide the context of the model
	}
	if SameValue(v, s.OnDisk(k)) && !s.byTriedModel(k) {
		s.Forget(k.Key)
		return
	}
	s.now.tried = slices.Clone(s.now.tried)
	if i := s.index(k.Key); i >= 0 {
		s.now.tried[i].Value = v
		return
	}
	s.now.tried = append(s.now.tried, workbench.Knob{Key: k.Key, Value: v})
}

// Forget stops trying a setting, which something else has set for good.
func (s *KnobSet) Forget(key string) { s.keep(func(t workbench.Knob) bool { return t.Key != key }) }

// keep stops trying every setting but the wanted ones.
func (s *KnobSet) keep(wanted func(workbench.Knob) bool) {
	var kept []workbench.Knob // nil where nothing is: loads compare what they are given
	for _, t := range s.now.tried {
		if wanted(t) {
			kept = append(kept, t)
		}
	}
	s.now.tried = kept
}

// Drop stops trying what the files have by now, and returns the labels of these knobs.
func (s *KnobSet) Drop() (labels []string) {
	s.keep(func(t workbench.Knob) bool {
		k := KnobOf(t.Key)
		if !s.Turned(k) {
			labels = append(labels, k.Label)
		}
		return s.Turned(k)
	})
	return labels
}

// Edit tries other descriptions. It is undone by itself.
func (s *KnobSet) Edit(edits []workbench.Edit) {
	s.remember()
	s.now.edits, s.turning = edits, nil
}

// DropEdits keeps some of the tried descriptions; it cannot be undone.
func (s *KnobSet) DropEdits(kept []workbench.Edit) { s.now.edits = kept }

// Settle forgets the positions before: what was tried is in the files by now.
func (s *KnobSet) Settle() { s.before, s.turning = nil, nil }

// maxBefore bounds how far undo goes back.
const maxBefore = 200

// remember makes the present position the next one to which undo goes back.
func (s *KnobSet) remember() {
	if len(s.before) == maxBefore {
		s.before = slices.Delete(s.before, 0, 1)
	}
	s.before = append(s.before, s.now)
}

// CanUndo reports whether there is anything to undo. It drops positions that are
// equal to the present one but for what the files have by now, such as a value that was saved.
func (s *KnobSet) CanUndo() bool {
	for len(s.before) > 0 {
		last := len(s.before) - 1
		p := s.unlikeFiles(s.before[last])
		q := s.unlikeFiles(s.now)
		same := func(a, b workbench.Knob) bool { return a.Key == b.Key && SameValue(a.Value, b.Value) }
		if !(slices.EqualFunc(p.tried, q.tried, same) && slices.Equal(p.edits, q.edits) && p.habits == q.habits) {
			return true
		}
		s.before = s.before[:last]
	}
	return false
}

// unlikeFiles returns a position without what the files have by now.
func (s *KnobSet) unlikeFiles(p position) position {
	if s.state == nil {
		return p
	}
	p.tried = slices.DeleteFunc(slices.Clone(p.tried), func(t workbench.Knob) bool { return SameValue(t.Value, s.OnDisk(KnobOf(t.Key))) })
	p.edits = slices.DeleteFunc(slices.Clone(p.edits), func(e workbench.Edit) bool {
		tool := s.Files().Snapshot.Registry.Named(e.Tool)
		return tool != nil && tool.Description == e.Description
	})
	return p
}

// Undo goes back to the position before the last turns or reset, and reports
// whether there was one.
func (s *KnobSet) Undo() bool {
	if !s.CanUndo() {
		return false
	}
	last := len(s.before) - 1
	s.now, s.before, s.turning = s.before[last], s.before[:last], nil
	return true
}

// Reset stops trying anything, and reports whether anything was tried. It can be undone.
func (s *KnobSet) Reset() bool {
	if !s.Resets() {
		return false
	}
	s.remember()
	s.now, s.turning = position{habits: engine.DefaultHabits}, nil
	return true
}

// Resets reports whether Reset has something to end.
func (s *KnobSet) Resets() bool {
	return s.CountTurned() > 0 || len(s.now.edits) > 0 || s.now.habits != engine.DefaultHabits
}

// ToWrite returns the tried settings that a file can hold; a nil value unsets its key.
func (s *KnobSet) ToWrite() []workbench.Knob {
	var list []workbench.Knob
	for _, t := range s.now.tried {
		if k := KnobOf(t.Key); k.Written() && s.Turned(k) {
			list = append(list, t)
		}
	}
	return list
}

// fixedFloors are the floors of embedders that take no height, by their providers.
var fixedFloors = map[string]string{config.EmbedBuiltin: "0.15", config.EmbedFuzzy: "0.12", config.EmbedFolder: "0.15"}

// ofReference are the settings of the reference agent's search that no other agent reads.
var ofReference = []string{"tools.tool_search.threshold_pct", config.KeyLimit, config.KeyMode, config.KeyRanker, config.KeyMeaning, config.KeyConfidence, workbench.KnobK1, workbench.KnobB, config.KeyListing, config.KeyListingMost}

// Idle returns why a knob has no effect beside the values that others have, and the value
// that is used in the place of its own, if there is one; both are empty for one that has.
func (s *KnobSet) Idle(k *Knob) (fixed, why string) {
	if s.state == nil {
		return "", ""
	}
	if h, _ := s.Value(KnobOf(config.KeyHost)).(string); slices.Contains(hosts.Foreign(), h) && slices.Contains(ofReference, k.Key) {
		return "", "the agent " + h + " decides it"
	}
	search, ranker := s.Files().Config.ToolSearch, s.Value(KnobOf(config.KeyRanker))
	name, _ := s.Value(KnobOf("tools.rag_embed_model")).(string)
	embedder, _, _ := strings.Cut(name, ":")
	switch k.Key {
	case "tools.tool_search.threshold_pct":
		if mode := s.Value(KnobOf(config.KeyMode)); search.Generation == config.June2026 && mode != string(config.Auto) {
			why = "the mode auto alone looks at it"
		} else if search.Generation == config.June2026 && s.state.Budget.ContextLength == nil {
			why = "no context is known, and the threshold is " + words.Thousands(engine.UnknownContextThreshold)
		}
	case "tools.rag_floor":
		if fixed = fixedFloors[embedder]; fixed != "" {
			why = "the embedder " + embedder + " has a fixed floor of " + fixed
		}
	case "tools.rag_embed_timeout_ms":
		if embedder == config.EmbedBuiltin || embedder == config.EmbedFuzzy {
			why = "nothing waits for the embedder " + embedder
		}
	case config.KeyMeaning:
		if ranker != config.RankerHybrid && (ranker != config.RankerLearned || search.LearnOver != config.RankerHybrid) {
			why = "hybrid, and learned over it, alone weigh meaning"
		}
	case workbench.KnobK1, workbench.KnobB:
		if ranker != config.RankerBM25 {
			why = "the ranker bm25 alone has k1 and b"
		}
	}
	return fixed, why
}

// WhyTryOnly returns why a knob can be tried and never saved; empty for one that a
// configuration file can hold.
func (s *KnobSet) WhyTryOnly(k *Knob) string {
	switch {
	case s.ByModel(k):
		return "the agent takes the context of its model; the knob model names another"
	case k.snapshot != nil:
		return "the agent has no such setting"
	}
	return ""
}

// ByModel reports whether a knob is the context while the agent looks up that of its model: the
// files name one, or it is the agent of June, which knows no other, and none is given.
func (s *KnobSet) ByModel(k *Knob) bool {
	c := s.Files().Config
	return k.Key == config.KeyContext && (c.Model.ID != "" || c.ToolSearch.Generation == config.June2026 && c.Model.Origin == config.ContextUnknown)
}

// Tried names the trials, safe for a terminal: "limit 7", "the text of mcp_wiki_touch".
func (s *KnobSet) Tried() []string {
	var names []string
	for _, k := range slices.Concat(KnobsOf(BudgetKnobs), KnobsOf(StrategiesKnobs), KnobsOf(ResultsKnobs)) {
		if s.Turned(k) && s.index(k.Key) >= 0 { // a model turns its context, too
			names = append(names, k.Label+" "+k.Text(s.Value(k)))
		}
	}
	for _, e := range s.Edits() {
		names = append(names, "the text of "+safetext.Line(e.Tool))
	}
	return names
}

// Left returns the knobs that are turned and that no configuration file can hold.
func (s *KnobSet) Left() []*Knob {
	var list []*Knob
	for _, k := range UnwrittenKnobs() {
		if s.Turned(k) {
			list = append(list, k)
		}
	}
	return list
}
