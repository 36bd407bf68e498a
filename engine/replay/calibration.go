package replay

import (
	"context"
	"maps"
	"slices"
	"strings"

	"caliper/engine/selection"
	"caliper/engine/transcript"
)

// Model is a model whose tokenizer was fitted to its logged usage.
type Model struct {
	Name string
	FittedTokenizer
}

// Calibrate returns the tokenizers of the models of sessions, fitted to their logged
// usage, by name: what Run reports as Calibration, without the rest.
func Calibrate(ctx context.Context, in Inputs) ([]Model, error) {
	in.Strategies, in.Fitted = []selection.Strategy{}, nil
	r, err := begin(ctx, in)
	if err != nil {
		return nil, err
	}
	err = r.each(func(_ int, s *transcript.Session) error {
		_, single, err := r.open(s)
		if err == nil && r.gap == NoGap {
			r.example(s, single)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.examples.fit(), nil
}

// CountFitted makes a replay count by fitted tokenizers: for CalibratedAll each session
// by its own model's, for a name behind CalibratedPrefix all sessions by that of one
// model. It reports false, and changes nothing, where none of the models is it.
func (in *Inputs) CountFitted(models []Model, asked string) bool {
	name, one := strings.CutPrefix(asked, CalibratedPrefix)
	if !one {
		if len(models) > 0 {
			in.Fitted = models
		}
		return len(models) > 0
	}
	i := slices.IndexFunc(models, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return false
	}
	in.Tokenizer = Calibrated(name, models[i].FittedTokenizer)
	return true
}

// mostRequests returns the model with most requests whose schemas weigh anything, of
// equals the first; nil for none.
func mostRequests(models []Model) *Model {
	var most *Model
	for i, m := range models {
		if m.PerChar[transcript.Schema] > 0 && (most == nil || m.Requests > most.Requests) {
			most = &models[i]
		}
	}
	return most
}

// examples are the requests whose usage is known, by model.
type examples map[string]*modelExamples

// modelExamples are the requests of one model, by context.
type modelExamples struct {
	contexts [][]Sample
	means    []SampleMean
}

// example takes the session at hand: its requests, or where their usage is not known the
// mean of them.
func (r *run) example(s *transcript.Session, single bool) {
	if single {
		r.examples.add(s, r.lines)
		return
	}
	m := SampleMean{}
	for _, l := range r.lines {
		m.Requests += len(l.requests)
	}
	for _, l := range r.lines {
		for _, q := range l.requests {
			for c, n := range q.sent.Add(l.history.before(q.entry)).Chars {
				m.Chars[c] += float64(n) / float64(m.Requests)
			}
		}
	}
	m.Tokens = float64(r.usage.Total()) / float64(m.Requests)
	x := at(r.examples, s.Model)
	x.means = append(x.means, m)
}

// add takes the requests of a session. A context with several models counts
// for each with its own requests.
func (x examples) add(s *transcript.Session, lines []*line) {
	for _, l := range lines {
		byModel := map[string][]Sample{}
		for _, q := range l.requests {
			if !q.known {
				continue
			}
			name := l.history.entries[q.entry].Request.Model
			if name == "" {
				name = s.Model
			}
			carried := q.sent.Add(l.history.before(q.entry))
			byModel[name] = append(byModel[name], Sample{Chars: carried.Chars, Tokens: q.total})
		}
		for name, e := range byModel {
			m := at(x, name)
			m.contexts = append(m.contexts, e)
		}
	}
}

// fit returns the models that can be fitted, by name.
func (x examples) fit() []Model {
	var out []Model
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if t, ok := FitTokenizer(x[name].contexts, x[name].means); ok && name != "" {
			out = append(out, Model{name, t})
		}
	}
	return out
}
