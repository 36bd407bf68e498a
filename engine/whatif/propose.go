package whatif

import (
	"context"
	"math"
	"slices"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
)

// mostFolds is into how many the tasks of the tool are dealt at most.
const mostFolds = 5

// Propose returns descriptions that the doctor proposes for a tool, the best first as
// Judge orders them: none where no word can be proposed, or where all that could take
// from other tools what they have. progress, which may be nil, is called with
// how many texts are measured. The error is ctx's, or tells why the tool cannot have a
// description.
func Propose(ctx context.Context, s *engine.Snapshot, tool *model.Tool, queries []labels.Query, progress func(done, total int)) ([]Judgement, error) {
	queries = labels.AsCalled(s.Registry, queries)
	before, err := Measure(ctx, s, queries)
	if err != nil {
		return nil, err
	}
	same, err := TryText(ctx, s, tool, tool.Description)
	if err != nil {
		return nil, err
	}
	c := crossing{patient: newPatient(s, tool, queries, before), texts: map[string]*Trial{tool.Description: same}}
	// All of one task are in one fold, and the tasks that need the tool are dealt by themselves, so that every fold has some.
	own := map[int]bool{} // tasks that need the tool
	for i, task := range c.tasks {
		own[task] = own[task] || c.own[i]
	}
	c.fold = make([]int, len(c.queries))
	for _, needed := range []bool{true, false} {
		var of []int
		var dealt []labels.Query
		tasks := map[int]bool{}
		for i, q := range c.queries {
			if own[c.tasks[i]] == needed {
				of, dealt = append(of, i), append(dealt, q)
				tasks[c.tasks[i]] = true
			}
		}
		if needed {
			c.folds = min(mostFolds, len(tasks))
		}
		for i, f := range labels.Deal(dealt, max(1, c.folds)) {
			c.fold[of[i]] = f
		}
	}
	whole := c.evidenceOf(func(int) bool { return true })
	for f := range c.folds {
		c.seen = append(c.seen, c.evidenceOf(func(i int) bool { return c.fold[i] != f }))
	}
	var all []Judgement
	var known []string
	for i, r := range recipes {
		if progress != nil {
			progress(i, len(recipes))
		}
		used := whole.words(r(whole))
		description := c.withWords(used)
		if len(used) == 0 || slices.Contains(known, description) {
			continue
		}
		known = append(known, description)
		j, unseen, err := c.judge(ctx, s, r, description, before)
		if err != nil {
			return nil, err
		}
		if j.Words = used; j.Difference.Mean >= 0 && bearable(j.Outcome) && (c.folds == 0 || bearable(unseen)) {
			all = append(all, j)
		}
	}
	model.Sort(all, compareJudgements)
	return all, nil
}

// Asking returns how many tasks of the labelled queries need a tool. The fewer they are,
// the less of what words gain could be claimed, and the less Propose offers.
func Asking(s *engine.Snapshot, tool *model.Tool, queries []labels.Query) int {
	tasks := map[int]bool{}
	of := labels.Tasks(queries)
	for i, q := range labels.AsCalled(s.Registry, queries) {
		if q.Wants(tool) {
			tasks[of[i]] = true
		}
	}
	return len(tasks)
}

// The bounds of offers.
const (
	leastFound = 0.01  // share of their needs that the tool's own queries find more in all
	mostLost   = 0.01  // closeness that needs of other queries lose, for each that the tool's gain
	mostShift  = 0.005 // closeness that they lose for a tool that no query asks for
)

// bearable reports whether an edit is within the bounds of "Offers" in the package comment.
func bearable(o Outcome) bool {
	own, found, gain, harm, lost := 0, 0.0, 0.0, 0.0, 0.0
	for _, a := range o.Asked {
		if a.Own {
			own++
			gain += closeness(a.OwnAfter, o.Limit) - closeness(a.OwnBefore, o.Limit)
			found += a.FoundAfter - a.FoundBefore
			continue
		}
		harm += a.FoundBefore - a.FoundAfter
		for i, before := range a.NeedsBefore {
			farther := closeness(before, o.Limit) - closeness(a.NeedsAfter[i], o.Limit)
			lost += max(0, farther) / float64(len(a.NeedsBefore))
		}
	}
	if own == 0 {
		return harm <= 0 && lost <= mostShift
	}
	return found >= leastFound && harm <= 0 && lost <= mostLost*gain
}

// closeness returns how safely a rank is within the limit: near 1 for the first, a half
// between the last within it and the next, 0 for none.
func closeness(rank, limit int) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / (1 + math.Exp((float64(rank-limit)-0.5)/1.5))
}

// crossing judges what recipes make of queries by the queries that they have not seen.
type crossing struct {
	*patient
	fold  []int             // of each query
	folds int               // 0 where no query needs the tool
	seen  []*evidence       // without each fold
	texts map[string]*Trial // by the description
}

// text returns a description that is tried for the tool, made once.
func (c *crossing) text(ctx context.Context, s *engine.Snapshot, description string) (*Trial, error) {
	if t := c.texts[description]; t != nil {
		return t, nil
	}
	t, err := TryText(ctx, s, c.tool, description)
	if err == nil {
		c.texts[description] = t
	}
	return t, err
}

// judge asks each query of the tool with the words that a recipe chooses without its
// fold, and the others with a description. unseen has the others asked without their fold,
// too, which says more of the next query: no word is chosen because they lack it.
func (c *crossing) judge(ctx context.Context, s *engine.Snapshot, r func(*evidence) []choice, description string, before *Labels) (j Judgement, unseen Outcome, err error) {
	text, err := c.text(ctx, s, description)
	if err != nil {
		return j, unseen, err
	}
	without := make([]*Trial, c.folds)
	for f := range without {
		if without[f], err = c.text(ctx, s, c.withWords(c.seen[f].words(r(c.seen[f])))); err != nil {
			return j, unseen, err
		}
	}
	outcome, err := before.WithEach(ctx, func(i int) *Trial {
		if c.own[i] {
			return without[c.fold[i]]
		}
		return text
	})
	if err != nil {
		return j, unseen, err
	}
	if c.folds > 0 && bearable(outcome) {
		if unseen, err = before.WithEach(ctx, func(i int) *Trial { return without[c.fold[i]] }); err != nil {
			return j, unseen, err
		}
	}
	return judgementOf(description, text, outcome), unseen, nil
}
