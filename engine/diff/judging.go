package diff

import (
	"cmp"
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/lint"
)

// judging is one change while it is judged.
type judging struct {
	builder  *engine.Builder
	old, new *engine.Snapshot
	queries  []labels.Query
	tasks    []int              // of each query
	wordings []labels.WordClass // of each query
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
	errors   []lintError
	findable map[string]bool // whether a tool's own words find it, by qualified name
}

// lintError is an error of lint.
type lintError struct {
	code lint.Code
	tool string // qualified name; empty for one about the catalog
}

// studyOld studies the base, and studyNew the head. A Builder remembers the words of one
// registry at a time, so that each side is finished before the other.
func (j *judging) studyOld(ctx context.Context) (err error) {
	j.was, err = j.study(ctx, j.old)
	return err
}

func (j *judging) studyNew(ctx context.Context) (err error) {
	j.is, err = j.study(ctx, j.new)
	return err
}

// study returns the facts of one side.
func (j *judging) study(ctx context.Context, s *engine.Snapshot) (d side, err error) {
	d = side{s: s, active: map[string]bool{}, findable: map[string]bool{}}
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
	return d, d.check(ctx)
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

// check sets the errors of lint, and which tools of the catalog their own words find.
func (d *side) check(ctx context.Context) error {
	found, err := lint.Errors(ctx, d.s)
	if err != nil {
		return err
	}
	for _, t := range d.s.Catalog() {
		d.findable[t.Qualified] = true
	}
	for _, f := range found {
		e := lintError{code: f.Code}
		if f.Tool != nil {
			e.tool = f.Tool.Qualified
		}
		d.errors = append(d.errors, e)
		if f.Code == lint.DarkTool {
			d.findable[e.tool] = false
		}
	}
	return nil
}

// result returns the verdict.
func (j *judging) result() GateResult {
	// Tools that met a need, that are gone, and that no other tool replaces.
	var gone []string
	for _, q := range j.out.Queries {
		if q.Gone {
			gone = append(gone, q.Tool)
		}
	}
	slices.Sort(gone)
	if gone = slices.Compact(gone); len(gone) > 0 {
		j.fail(Reason{Kind: KindRemoved, Tools: gone})
	}
	slices.SortStableFunc(j.reasons, func(a, b Reason) int {
		return cmp.Compare(slices.Index(ReasonKinds(), a.Kind), slices.Index(ReasonKinds(), b.Kind))
	})
	for _, r := range j.reasons {
		if slices.Contains(j.o.Accept, r.Kind) {
			j.out.Accepted = append(j.out.Accepted, r)
		} else {
			j.out.Reasons = append(j.out.Reasons, r)
		}
	}
	j.out.Session, j.out.Alpha, j.out.MaxTokens = j.new.Session.Name, j.o.Alpha, j.o.MaxTokens
	j.out.Compared = len(j.queries)
	for _, q := range j.queries {
		unknown := 0
		if !grantsAny(j.old, j.old.Granted, q) && !grantsAny(j.new, j.new.Granted, q) {
			j.out.Ungranted++
		}
		for _, name := range q.Relevant {
			if j.old.Registry.Called(name) == nil && j.new.Registry.Called(name) == nil {
				j.out.Unknown = append(j.out.Unknown, name)
				unknown++
			}
		}
		if unknown == len(q.Relevant) {
			j.out.Unanswerable++
			j.out.Ungranted--
		}
	}
	slices.Sort(j.out.Unknown)
	j.out.Unknown = slices.Compact(j.out.Unknown)
	j.out.OldLimit, j.out.NewLimit = limitOf(j.old), limitOf(j.new)
	return j.out
}

// limitOf returns how many hits the model gets.
func limitOf(s *engine.Snapshot) int {
	return engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit)
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
