package desk

import (
	"math"
	"slices"

	"caliper/config"
	"caliper/engine"
)

// size is how far a step goes up to a value.
type size struct{ upTo, by float64 }

// noEnd is the end of the last sizes: the range says where the values end.
var noEnd = math.Inf(1)

// The sizes of most settings.
var (
	counts     = []size{{20, 1}, {100, 5}, {1000, 50}, {noEnd, 500}}
	characters = []size{{200, 20}, {1000, 100}, {4000, 200}, {20_000, 1000}, {100_000, 5000}, {1_000_000, 50_000}, {noEnd, 1_000_000}}
)

// Step returns the value that is one step up or down from v. Files is the snapshot
// without knobs, whose other settings may bound the range. At the end of the
// range Step returns v, as it does for a list, whose items are chosen one by one.
func (k *Knob) Step(v any, by int, files *engine.Snapshot) any {
	spec := k.Spec
	if spec.AtMost != "" {
		spec = spec.Within(&files.Config)
	}
	switch v := v.(type) {
	case nil:
		if by > 0 {
			return k.lengths[0]
		}
	case int:
		if k.lengths != nil {
			at, found := slices.BinarySearch(k.lengths, v)
			if found && by > 0 {
				at++
			}
			switch {
			case by > 0 && at == len(k.lengths):
				return v
			case by > 0:
				return k.lengths[at]
			case at > 0:
				return k.lengths[at-1]
			}
			return nil
		}
		return int(spec.Clamp(next(float64(v), by, spec.Most, k.steps)))
	case float64:
		return spec.Clamp(next(v, by, spec.Most, k.steps))
	case bool:
		return by > 0
	case string:
		choices := spec.Choices
		if spec.Kind == config.Text { // any text is one of those at hand
			if len(choices) == 0 {
				choices = []string{spec.Default.(string)}
			}
			if filed := k.ValueIn(files).(string); !slices.Contains(choices, filed) {
				choices = append(slices.Clone(choices), filed)
			}
		}
		return choices[max(0, min(slices.Index(choices, v)+by, len(choices)-1))]
	}
	return v
}

// next returns the next whole multiple of the size of a step, or where the
// size changes, between 0 and most.
func next(v float64, by int, most float64, sizes []size) float64 {
	const near = 1e-9
	step, least := sizes[len(sizes)-1].by, 0.0
	for _, s := range sizes {
		if by > 0 && v < s.upTo-near || by < 0 && v <= s.upTo+near {
			step, most = s.by, min(most, s.upTo)
			break
		}
		least = s.upTo
	}
	n := math.Floor(v/step+near) + 1
	if by < 0 {
		n = math.Ceil(v/step-near) - 1
	}
	return max(least, min(math.Round(n*step*1000)/1000, most))
}

// EndText returns that a step up or down leads nowhere from v, and why.
func (k *Knob) EndText(v any, by int) string {
	text := k.Label + " " + k.Text(v)
	switch {
	case k.Kind == config.List:
		return k.Label + ": enter chooses them one by one"
	case k.Kind == config.Bool:
		return text + " already"
	case k.Kind == config.Text:
		return text + ": no other is at hand; enter types one"
	case k.Kind == config.Choice && by < 0:
		return text + " is the first choice"
	case k.Kind == config.Choice:
		return text + " is the last choice"
	case v == nil:
		return text + ": there is nothing below"
	case k.lengths != nil && by > 0:
		return text + " is the largest step; enter types more"
	case by < 0:
		return text + " is the least"
	}
	return text + " is the largest"
}
