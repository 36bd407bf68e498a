package lint

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/arguments"
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
// a tool that its name finds is not asked for by its other words. The error is ctx's.
func Errors(ctx context.Context, s *engine.Snapshot) ([]Fault, error) {
	c, tools := bareCheck(s), s.Registry.Tools
	var out []Fault
	add := func(list []draft) {
		for _, d := range list {
			if d.Severity == Error {
				out = append(out, Fault{d.Code, d.Tool})
			}
		}
	}
	each := make([][]draft, len(tools))
	err := inBatches(ctx, len(tools), func(i int) { each[i] = c.lookForErrors(tools[i]) }, func(i int) {
		add(each[i])
		each[i] = nil
	})
	if err != nil {
		return nil, err
	}
	add(slices.Concat(c.requests(), c.policy()))
	dark, err := darkTools(ctx, s)
	for _, t := range dark {
		out = append(out, Fault{DarkTool, t})
	}
	return out, err
}

// bareCheck returns a check without what compares tools.
func bareCheck(s *engine.Snapshot) *check {
	c := &check{
		s: s, validator: arguments.NewValidator(),
		limit:     engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit),
		inCatalog: make(map[*model.Tool]bool, len(s.Catalog())), sameText: map[string][]*model.Tool{},
	}
	for _, t := range s.Catalog() {
		c.inCatalog[t] = true
	}
	return c
}

// lookForErrors returns the errors that look returns, and perhaps other findings.
func (c *check) lookForErrors(t *model.Tool) []draft {
	out := slices.Concat(c.name(t), c.text(t, descriptionsIn(t.Parameters)), c.refused(t))
	if len(t.Parameters) == 0 {
		return append(out, c.notObject(t)...)
	}
	schema, _, _ := c.parsed(t)
	return append(out, schema...)
}

// darkTools returns the tools of the catalog that none of their own words find, in
// catalog order.
func darkTools(ctx context.Context, s *engine.Snapshot) ([]*model.Tool, error) {
	catalog := s.Catalog()
	a, reach, err := prepared(ctx, s)
	if err != nil {
		return nil, err
	}
	var dark []*model.Tool
	err = inBatches(ctx, len(catalog), func(i int) {
		r := &reach[i]
		for _, p := range []*Probe{&r.Name, &r.Sentence, &r.Parameters} {
			if a.ask(i, p); p.Found {
				break
			}
		}
	}, func(i int) {
		if reach[i].Dark() {
			dark = append(dark, catalog[i])
		}
	})
	return dark, err
}
