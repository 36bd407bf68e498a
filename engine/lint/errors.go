package lint

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// Fault is an error of a snapshot, without its message and its remedy.
type Fault struct {
	Code Code
	Tool *model.Tool // nil: about the catalog as a whole
}

// Errors returns the findings of Run that are errors, by rules and in the order of the
// registry. It is for those who only ask which errors there are, and costs a fraction of
// Run: rules that find no errors are left out, tools are not compared with each other, and
// a tool that its name finds is not asked for by its other words. A snapshot is
// checked once; the faults must not be changed. The error is ctx's.
func Errors(ctx context.Context, s *engine.Snapshot) ([]Fault, error) {
	return engine.Remember(s, "lint.Errors", func() ([]Fault, error) { return findErrors(ctx, s) })
}

// findErrors is Errors without a memory.
func findErrors(ctx context.Context, s *engine.Snapshot) ([]Fault, error) {
	c, tools := newCheck(s), s.Registry.Tools
	var out []Fault
	add := func(list []draft) {
		for _, d := range list {
			if d.Severity == Error {
				out = append(out, Fault{d.Code, d.Tool})
			}
		}
	}
	each := make([][]draft, len(tools))
	err := parallel(ctx, len(tools), func(i int) {
		t := tools[i]
		schema := c.notObject
		if len(t.Parameters) > 0 {
			schema = func(t *model.Tool) []draft { out, _, _ := c.structure(t); return out }
		}
		each[i] = slices.Concat(c.name(t), c.text(t, descriptionsIn(t.Parameters)), c.refused(t), schema(t))
	})
	if err != nil {
		return nil, err
	}
	add(slices.Concat(each...))
	add(slices.Concat(c.requests(), c.policy()))
	a, reach, err := prepared(ctx, s)
	if err != nil {
		return nil, err
	}
	err = parallel(ctx, len(reach), func(i int) {
		r := &reach[i]
		for _, p := range []*Probe{&r.Name, &r.Sentence, &r.Parameters} {
			if a.ask(i, p); p.Found {
				break
			}
		}
	})
	for _, r := range Dark(reach) {
		out = append(out, Fault{DarkTool, r.Tool})
	}
	return out, err
}
