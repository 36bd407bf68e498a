package selection

import (
	"cmp"
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/words"
)

// The keys of the parameters of bm25, which no configuration file has.
const (
	KeyK1 = "bm25.k1"
	KeyB  = "bm25.b"
)

// The keys of settings that are searched, besides those that package config names.
const (
	keyThreshold = config.KeyToolSearch + ".threshold_pct"
	keyLimit     = config.KeyToolSearch + ".search_default_limit"
	keyTopK      = "tools.rag_top_k"
	keyRRFK      = "tools.rag_rrf_k"
	keySemantic  = "tools.rag_weights.semantic"
)

// TunedSetting is a value of a setting: an int, a float64 or a string.
type TunedSetting config.Change

// Written reports whether a configuration file can hold the setting.
func (s TunedSetting) Written() bool { return s.Key != KeyK1 && s.Key != KeyB }

// dimension is a setting that can be searched.
type dimension struct {
	name string // as Request.Over has it
	key  string

	// applies reports whether the setting changes what a session is sent or finds.
	applies func(engineSettings) bool
	// readers are the only rankers that read it, and learned over one of them; nil: all do.
	readers []string
	// asked is set where it is searched only when it is named.
	asked bool
	// in is the value in force.
	in func(*engine.Snapshot) any
	// values are those that are tried besides the one in force, each one step from the
	// next; of a word all are one step from each other.
	values []any
}

// engineSettings decide which settings matter.
type engineSettings struct {
	strategy Strategy
	mode     config.Mode
	ranker   string
	over     string // what ranker learned adds to
}

func searches(e engineSettings) bool { return !e.strategy.Ranks() }
func ranks(e engineSettings) bool    { return e.strategy != Semantic }

// read reports whether a ranker reads the setting.
func (d dimension) read(ranker, learnOver string) bool {
	return d.readers == nil || slices.Contains(d.readers, ranker) || ranker == config.RankerLearned && slices.Contains(d.readers, learnOver)
}

// dimensions are all settings that can be searched, in the order of results.
var dimensions = []dimension{
	{name: "ranker", key: config.KeyRanker, applies: ranks,
		in: func(s *engine.Snapshot) any { return s.Config.ToolSearch.Ranker }, values: anys(config.Rankers)},
	{name: "meaning", key: config.KeyMeaning, applies: ranks, readers: []string{config.RankerHybrid},
		in: func(s *engine.Snapshot) any { return s.Config.ToolSearch.Meaning }, values: anys([]float64{0.25, 0.5, 1, 2})},
	{name: "limit", key: keyLimit, applies: searches,
		in: func(s *engine.Snapshot) any { return s.Config.ToolSearch.DefaultLimit }, values: anys([]int{1, 2, 3, 5, 8, 10, 15, 20})},
	{name: "k1", key: KeyK1, applies: ranks, readers: []string{config.RankerBM25}, asked: true,
		in: func(s *engine.Snapshot) any { return s.Ranking.K1 }, values: anys([]float64{0.4, 0.8, 1.2, 1.5, 2, 3})},
	{name: "b", key: KeyB, applies: ranks, readers: []string{config.RankerBM25}, asked: true,
		in: func(s *engine.Snapshot) any { return s.Ranking.B }, values: anys([]float64{0.1, 0.3, 0.5, 0.75, 0.9})},
	{name: "threshold", key: keyThreshold,
		applies: func(e engineSettings) bool { return searches(e) && e.mode == config.Auto },
		in:      func(s *engine.Snapshot) any { return s.Config.ToolSearch.ThresholdPct },
		values:  anys([]float64{0, 1, 2, 5, 10, 15, 20, 30, 50, 75, 100})},
	{name: "K", key: keyTopK, applies: func(e engineSettings) bool { return e.strategy.Ranks() },
		in: func(s *engine.Snapshot) any { return s.Config.PreSelection.TopK }, values: anys([]int{1, 2, 3, 5, 8, 12, 16, 24, 32})},
	{name: "rrf_k", key: keyRRFK, applies: func(e engineSettings) bool { return e.strategy == Hybrid },
		in: func(s *engine.Snapshot) any { return s.Config.PreSelection.RRFK }, values: anys([]float64{0, 2, 10, 60})},
	{name: "weights", key: keySemantic, applies: func(e engineSettings) bool { return e.strategy == Hybrid },
		in: func(s *engine.Snapshot) any { return s.Config.PreSelection.SemanticWeight }, values: anys([]float64{0, 0.1, 0.3, 0.6, 1, 2})},
}

// anys returns values as values of any setting.
func anys[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// TunedNames returns the names of all settings that can be searched.
func TunedNames() []string {
	var names []string
	for _, d := range dimensions {
		names = append(names, d.name)
	}
	return names
}

// TunedName returns the name of the setting that a name means, which may be one that
// config.KeyOf takes; empty for one that is not searched.
func TunedName(name string) string {
	if slices.Contains(TunedNames(), name) {
		return name
	}
	return TunedKey(config.KeyOf(name))
}

// TunedKey returns the name of the setting of a key, empty for one that is not searched.
func TunedKey(key string) string {
	for _, d := range dimensions {
		if d.key == key {
			return d.name
		}
	}
	return ""
}

// UselessSettingError is the error that all named settings change nothing for a session; Name
// is the first of them.
type UselessSettingError struct {
	engineSettings
	Name    string
	Readers []string // the only rankers that read the setting, where the ranker is the cause
	Useful  []string // the settings that do change something
}

// Error names the setting and those that matter.
func (e *UselessSettingError) Error() string {
	if e.Readers != nil {
		return fmt.Sprintf("%s changes nothing under ranker %s; %s reads it: name ranker, too, or set %s", e.Name, e.ranker, words.Or(e.Readers), config.KeyRanker)
	}
	return fmt.Sprintf("%s changes nothing with tools.selection %s and tool search %s; there are %s", e.Name, e.strategy, e.mode, words.And(e.Useful))
}

// axis is a setting with the values that are tried for one snapshot, ascending for
// numbers.
type axis struct {
	dimension
	values []any
	base   int // the value in force
}

// axes returns the settings that are searched: those that are named, in the order of
// dimensions; without names those that matter and that a configuration file can hold.
// useless are the named settings that change nothing here, as one that the ranker in force
// does not read while no other is tried. The error is a *UselessSettingError.
func axes(s *engine.Snapshot, over []string) (out []axis, useless []string, err error) {
	search := s.Config.ToolSearch
	e := engineSettings{SettingsOf(s.Config).Strategy, search.Enabled, search.Ranker, search.LearnOver}
	var useful []string
	var first *UselessSettingError
	tried := ranks(e) && slices.Contains(over, dimensions[0].name)
	for _, d := range dimensions {
		applies, read := d.applies(e), d.read(e.ranker, e.over)
		if applies {
			useful = append(useful, d.name)
		}
		named := slices.Contains(over, d.name)
		if named && !(applies && (read || tried)) {
			useless = append(useless, d.name)
			if first == nil {
				first = &UselessSettingError{engineSettings: e, Name: d.name}
				if applies {
					first.Readers = d.readers
				}
			}
			continue
		}
		if named || len(over) == 0 && applies && read && !d.asked {
			a, base := axis{dimension: d}, d.in(s)
			for _, v := range d.values {
				usable := v != base
				switch d.key {
				case config.KeyRanker:
					lessons := s.Inputs().Lessons
					usable = usable && (v != config.RankerLearned || lessons != nil && len(lessons.List) > 0)
				case keyLimit:
					usable = usable && v.(int) <= search.MaxLimit
				}
				if usable {
					a.values = append(a.values, v)
				}
			}
			a.values = append(a.values, base)
			slices.SortStableFunc(a.values, compareNumbers)
			a.base = slices.Index(a.values, base)
			out = append(out, a)
		}
	}
	if len(out) == 0 && first != nil {
		first.Useful = useful
		return nil, useless, first
	}
	return out, useless, nil
}

// compareNumbers orders numbers; words are equal, so that a stable sort leaves them.
func compareNumbers(a, b any) int {
	number := func(v any) float64 {
		switch v := v.(type) {
		case int:
			return float64(v)
		case float64:
			return v
		}
		return 0
	}
	return cmp.Compare(number(a), number(b))
}

// combination is a value for every setting that is searched.
type combination struct {
	values  []int // of each axis
	changed int   // settings that differ from those in force
	steps   int   // how far they are from those, all together
	rises   bool  // it lists more than the settings in force

	column int     // of the scores
	tokens float64 // of a turn, the mean of the queries
}

// combinations returns every combination of the values of axes that can differ, the one in
// force first, then those that are nearer before those that are farther. What one ranker
// alone reads varies only under that ranker.
func combinations(axes []axis, ranker, learnOver string) []combination {
	all := []combination{{}}
	for _, a := range axes {
		var longer []combination
		for _, c := range all {
			for v := range a.values {
				n := c
				n.values = append(slices.Clone(c.values), v)
				if v != a.base {
					n.changed++
					if _, word := a.values[v].(string); word {
						n.steps++
					} else {
						n.steps += max(v-a.base, a.base-v)
					}
				}
				n.rises = n.rises || (a.key == keyLimit || a.key == keyTopK) && v > a.base // which finds more in any case
				longer = append(longer, n)
			}
		}
		all = longer
	}
	all = slices.DeleteFunc(all, func(c combination) bool {
		by := ranker
		for i, a := range axes {
			if a.key == config.KeyRanker {
				by = a.values[c.values[i]].(string)
			}
		}
		return slices.ContainsFunc(axes, func(a axis) bool {
			return !a.read(by, learnOver) && c.values[axisOf(axes, a.key)] != a.base
		})
	})
	model.Sort(all, func(a, b combination) int {
		return cmp.Or(cmp.Compare(a.changed, b.changed), cmp.Compare(a.steps, b.steps), slices.Compare(a.values, b.values))
	})
	return all
}

// axisOf returns the number of the axis of a key, -1 for none.
func axisOf(axes []axis, key string) int {
	return slices.IndexFunc(axes, func(a axis) bool { return a.key == key })
}

// settings returns the settings of a candidate, in the order of the axes.
func (c combination) settings(axes []axis) []TunedSetting {
	out := make([]TunedSetting, len(axes))
	for i, a := range axes {
		out[i] = TunedSetting{a.key, a.values[c.values[i]]}
	}
	return out
}
