package diff

import (
	"context"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
)

// judging is one change while it is judged.
type judging struct {
	builder  *engine.Builder
	old, new *engine.Snapshot
	queries  []labels.Query
	o        GateOptions

	was, is side
	reasons []Reason
	out     GateResult
}

// side is the facts of the base or of the head.
type side struct {
	s        *engine.Snapshot
	audit    engine.Audit
	active   map[string]bool // by session
	answers  labels.Evaluation
	errors   map[lint.Code][]string // qualified names of tools, empty for an error about the catalog
	findable map[string]bool        // whether a tool's own words find it, by qualified name
}

// study returns the facts of one side.
func (j *judging) study(ctx context.Context, s *engine.Snapshot) (d side, err error) {
	d = side{s: s, active: map[string]bool{}, findable: map[string]bool{}, errors: map[lint.Code][]string{}}
	for _, w := range []engine.Work{engine.WorkCounting, engine.WorkIndexing} {
		if err = s.Prepare(ctx, w); err != nil {
			return d, err
		}
	}
	if d.answers, err = labels.Evaluate(ctx, s, j.queries, nil); err != nil {
		return d, err
	}
	if d.audit, err = j.builder.Audit(ctx, s.Inputs(), engine.Auditing{}); err != nil {
		return d, err
	}
	for _, session := range s.Config.Sessions {
		in, err := j.inSession(ctx, s, session.Name)
		if err != nil {
			return d, err
		}
		d.active[session.Name] = in.Active()
	}
	found, err := lint.Errors(ctx, s)
	if err != nil {
		return d, err
	}
	for _, t := range s.Catalog() {
		d.findable[t.Qualified] = true
	}
	for _, f := range found {
		tool := ""
		if f.Tool != nil {
			tool = f.Tool.Qualified
		}
		d.errors[f.Code] = append(d.errors[f.Code], tool)
		if f.Code == lint.DarkTool {
			d.findable[tool] = false
		}
	}
	return d, nil
}

// inSession returns the snapshot of another session.
func (j *judging) inSession(ctx context.Context, s *engine.Snapshot, name string) (*engine.Snapshot, error) {
	if name == s.Session.Name {
		return s, nil
	}
	in := s.Inputs()
	in.Session, in.OnDemand, in.Began = name, true, nil
	other, err := j.builder.Build(ctx, in)
	if err != nil {
		return nil, err
	}
	return other, other.Prepare(ctx, engine.WorkCounting)
}

// fail adds a reason.
func (j *judging) fail(r Reason) { j.reasons = append(j.reasons, r) }

// judgeTokens compares the tokens sent.
func (j *judging) judgeTokens(context.Context) error {
	was, is := j.old.Budget(false), j.new.Budget(false)
	j.out.Tokens = Sizes{was.AfterTokens, is.AfterTokens}
	j.out.OldActive, j.out.NewActive = was.Active, is.Active
	if most := j.o.MaxTokens; most > 0 && is.AfterTokens > most {
		j.fail(Reason{Kind: KindTokens, Session: j.new.Session.Name, Old: float64(most), New: float64(is.AfterTokens)})
	}
	return nil
}
