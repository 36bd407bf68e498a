package replay

import (
	"cmp"
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
	var mean SampleMean
	for _, l := range r.lines {
		mean.Requests += float64(len(l.requests))
	}
	for _, l := range r.lines {
		byModel := map[string][]Sample{} // a context with several models counts for each with its own requests
		for _, q := range l.requests {
			carried := q.sent.Add(l.history.before(q.entry))
			if !single {
				for c, n := range carried.Chars {
					mean.Chars[c] += float64(n) / mean.Requests
				}
			} else if q.known {
				name := cmp.Or(l.history.entries[q.entry].Request.Model, s.Model)
				byModel[name] = append(byModel[name], Sample{Chars: carried.Chars, Tokens: q.total})
			}
		}
		for name, e := range byModel {
			m := at(r.examples, name)
			m.contexts = append(m.contexts, e)
		}
	}
	if !single {
		mean.Tokens = float64(r.usage.Total()) / mean.Requests
		m := at(r.examples, s.Model)
		m.means = append(m.means, mean)
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
