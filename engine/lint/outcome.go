package lint

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// outcome is what lint would find of a tool behind a change.
type outcome struct {
	gone bool // the finding
	news bool // something else is found of the tool that was not before
	bad  bool // and it is as severe as the finding, or more
}

// outcome looks again at the tool of a finding once a plan is carried out, as
// Run looks at every tool. What only another search tells is looked at when the
// plan is ranked.
func (c *check) outcome(ctx context.Context, f Finding, p plan, trial *engine.Trial) (outcome, error) {
	if f.Tool == nil {
		return outcome{gone: p.settles == nil || p.settles()}, nil
	}
	i := slices.IndexFunc(p.edits, func(e engine.Edit) bool { return e.Tool == f.Tool })
	if i < 0 || p.edits[i].Remove {
		return outcome{gone: true}, nil
	}
	t, err := edited(ctx, p.edits[i])
	if err != nil {
		return outcome{}, err
	}
	e := p.edits[i]
	var after []draft // what may have changed
	if e.Name != nil {
		after = append(after, c.name(t)...)
	}
	if e.Description != nil {
		after = append(after, c.description(t)...)
	}
	if f.Code != SchemaNoise && f.Code != SchemaStructure { // whose edits touch no text
		told := *t
		if e.Parameters == nil && c.attacks[f.Tool] == "" {
			told.Parameters = nil // which say what they said
		}
		after = append(after, c.text(t, c.attack(ctx, &told))...)
		after = append(after, c.commands(t)...)
	}
	switch {
	case e.Parameters != nil:
		after = append(after, c.schema(t)...)
	case len(t.Parameters) > 0:
		after = append(after, c.cost(t)...)
	}
	if d, ok := c.sharing(t, f.Tool); ok {
		after = append(after, d)
	}
	after = append(after, c.newDuplicate(t, f.Tool)...)
	if p.subject == f.Tool {
		reach, err := c.reached(ctx, trial, f.Tool, t)
		if err != nil {
			return outcome{}, err
		}
		after = append(after, c.findability([]Reach{reach})...)
	}
	o := outcome{gone: true}
	for _, d := range after {
		switch before, known := c.before[f.Tool][d.Code]; {
		case d.Code == f.Code:
			o.gone = false
		case known && before.AtLeast(d.Severity):
		case d.Code == CutDescription && f.Code != CutDescription && c.has(f.Tool, LongDescription):
			// less of the same
		default:
			o.news = true
			o.bad = o.bad || d.Severity.AtLeast(f.Severity)
		}
	}
	return o, nil
}

// has reports whether a tool has a finding before any change.
func (c *check) has(t *model.Tool, code Code) bool {
	_, ok := c.before[t][code]
	return ok
}

// reached asks for a tool by the words that a change has left it.
func (c *check) reached(ctx context.Context, trial *engine.Trial, old, t *model.Tool) (Reach, error) {
	r := Reach{Tool: t}
	for _, p := range []struct {
		probe *Probe
		query string
	}{{&r.Name, NameQuery(t)}, {&r.Sentence, SentenceQuery(t)}, {&r.Parameters, ParameterQuery(t)}} {
		p.probe.Query = p.query
		if p.query == "" {
			continue
		}
		rank, err := trial.Rank(ctx, p.query, old)
		if err != nil {
			return r, err
		}
		p.probe.Rank, p.probe.Found = rank, rank > 0 && rank <= c.limit
	}
	return r, nil
}

// edited returns the tool that an edit makes, as an import would read it.
func edited(ctx context.Context, e engine.Edit) (*model.Tool, error) {
	function, err := e.Function()
	if err != nil {
		return nil, err
	}
	data := slices.Concat([]byte(`[{"type":"function","function":`), function, []byte(`}]`))
	r, err := model.Parse(ctx, model.Source{Name: "edited", Data: data})
	if err != nil {
		return nil, err
	}
	if len(r.Tools) != 1 {
		return nil, errNoTool
	}
	t := *e.Tool
	t.Name, t.Description = r.Tools[0].Name, r.Tools[0].Description
	t.Function, t.Parameters = r.Tools[0].Function, r.Tools[0].Parameters
	return &t, nil
}

// remember keeps what is found before any change.
func (c *check) remember(drafts []draft) {
	c.before = map[*model.Tool]map[Code]Severity{}
	for _, d := range drafts {
		if d.Tool == nil {
			continue
		}
		if c.before[d.Tool] == nil {
			c.before[d.Tool] = map[Code]Severity{}
		}
		if known, ok := c.before[d.Tool][d.Code]; !ok || !known.AtLeast(d.Severity) {
			c.before[d.Tool][d.Code] = d.Severity
		}
	}
}
