package desk

import (
	"encoding/json"
	"slices"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

// KeptKnobs is the trials of a KnobSet, as a file keeps them from one run to the next.
type KeptKnobs struct {
	Knobs []KeptKnob       `json:"knobs,omitempty"` // in the order in which they were first turned
	Edits []workbench.Edit `json:"descriptions,omitempty"`
}

// KeptKnob is a knob with its value.
type KeptKnob struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Keep returns what the set tries, habits included.
func (s *KnobSet) Keep() KeptKnobs {
	var kept KeptKnobs
	put := func(key string, v any) {
		data, _ := json.Marshal(v) // plain values
		kept.Knobs = append(kept.Knobs, KeptKnob{key, data})
	}
	for _, t := range s.now.tried {
		put(t.Key, t.Value)
	}
	for _, k := range KnobsOf(SessionKnobs) {
		if v := *k.habit(&s.now.habits); v != k.Default {
			put(k.Key, v)
		}
	}
	kept.Edits = s.now.edits
	return kept
}

// Restore tries what was kept, each value as a step of its own that undo takes
// back. It returns the names of those that are not values of a knob.
//
// SECURITY: other programs can write the file. A value that the configuration
// would refuse must not reach a load, which would fail for it.
func (s *KnobSet) Restore(kept KeptKnobs) (refused []string) {
	for _, t := range kept.Knobs {
		k := KnobOf(t.Key)
		if k == nil {
			refused = append(refused, safetext.Line(t.Key))
			continue
		}
		v, ok := k.decode(t.Value)
		if !ok || s.index(t.Key) >= 0 {
			refused = append(refused, k.Label)
			continue
		}
		s.remember()
		if k.habit != nil {
			*k.habit(&s.now.habits) = v.(int)
			continue
		}
		s.now.tried = append(slices.Clone(s.now.tried), workbench.Knob{Key: t.Key, Value: v})
	}
	for _, e := range kept.Edits {
		if slices.ContainsFunc(s.now.edits, func(x workbench.Edit) bool { return x.Tool == e.Tool }) {
			refused = append(refused, safetext.Line(e.Tool))
			continue
		}
		s.Edit(append(slices.Clone(s.now.edits), e))
	}
	return refused
}

// decode returns the value of a knob that JSON holds; ok is false for what is no
// value of it. The range that other settings leave is not looked at: the files say
// it, and configurations clamp to it.
func (k *Knob) decode(data json.RawMessage) (v any, ok bool) {
	switch k.Kind {
	case config.Whole:
		if string(data) == "null" {
			return nil, k.lengths != nil
		}
		v, ok = decodeAs[int](data)
		ok = ok && k.inRange(float64(v.(int)))
	case config.Number:
		v, ok = decodeAs[float64](data)
		ok = ok && k.inRange(v.(float64))
	case config.Bool:
		v, ok = decodeAs[bool](data)
	case config.List:
		v, ok = decodeAs[[]string](data)
	default:
		v, ok = decodeAs[string](data)
	}
	switch {
	case !ok || k.habit != nil:
		return v, ok
	case k.Key == workbench.KnobTokenizer:
		_, err := tokens.ParseMethod(v.(string))
		return v, err == nil
	case k.snapshot != nil:
		return v, true
	}
	var file config.File
	return v, file.Override(k.Key, v) == nil
}

// inRange reports whether a number is in the range of the knob.
func (k *Knob) inRange(n float64) bool { return n >= k.Least && n <= k.Most }

// decodeAs returns the value of a type that JSON holds.
func decodeAs[T any](data json.RawMessage) (any, bool) {
	var v T
	return v, json.Unmarshal(data, &v) == nil && string(data) != "null"
}
