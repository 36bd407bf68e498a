package replay

import (
	"maps"
	"slices"

	"caliper/engine/replay/calibrate"
	"caliper/engine/transcript"
)

// Model is a model whose tokenizer was fitted to its logged usage.
type Model struct {
	Name string
	calibrate.Tokenizer
}

// examples are the requests whose usage is known, by model.
type examples struct{ byModel map[string]*modelExamples }

// modelExamples are the requests of one model, by context.
type modelExamples struct{ contexts [][]calibrate.Example }

// add takes the requests of a session. A context with several models counts
// for each with its own requests.
func (x examples) add(s *transcript.Session, lines []*line) {
	for _, l := range lines {
		byModel := map[string][]calibrate.Example{}
		for _, q := range l.requests {
			if !q.known {
				continue
			}
			name := l.history.entries[q.entry].Request.Model
			if name == "" {
				name = s.Model
			}
			carried := q.sent.Add(l.history.before(q.entry))
			byModel[name] = append(byModel[name], calibrate.Example{Chars: carried.Chars, Tokens: q.total})
		}
		for name, e := range byModel {
			m := x.byModel[name]
			if m == nil {
				m = &modelExamples{}
				x.byModel[name] = m
			}
			m.contexts = append(m.contexts, e)
		}
	}
}

// fit returns the models that can be fitted, by name.
func (x examples) fit() []Model {
	var out []Model
	for _, name := range slices.Sorted(maps.Keys(x.byModel)) {
		if t, ok := calibrate.Fit(x.byModel[name].contexts); ok && name != "" {
			out = append(out, Model{name, t})
		}
	}
	return out
}
