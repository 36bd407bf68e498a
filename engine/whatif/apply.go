package whatif

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/model"
)

// Apply builds the snapshot that s would be if its registry were edited, as Registry
// does: names, scopes, costs, activation and ranks all follow. s is not changed. The error
// is ctx's, or says which edit makes no definition.
func Apply(ctx context.Context, b *engine.Builder, s *engine.Snapshot, edits ...Edit) (*engine.Snapshot, error) {
	in := s.Inputs()
	var err error
	if in.Registry, err = Registry(ctx, s.Registry, edits...); err != nil {
		return nil, err
	}
	return b.Build(ctx, in)
}

// Registry returns an edited copy of a registry. Tools keep their order and their positions
// in the sources and, where none is left out, their Index. Where toolsets list the name of
// a tool that is renamed, and nobody else bears it, they list the new one. The last edit
// of a tool counts. The given registry does not change. The error is ctx's, or says which
// edit makes no definition.
func Registry(ctx context.Context, r *model.Registry, edits ...Edit) (*model.Registry, error) {
	changed := make(map[*model.Tool]*model.Tool, len(edits)) // nil: left out
	renamed := map[string]string{}
	for _, e := range edits {
		if changed[e.Tool] = nil; e.Remove {
			continue
		}
		t, err := e.edited(ctx)
		if err != nil {
			return nil, err
		}
		t.Override = e.From
		if changed[e.Tool] = t; t.Name != e.Tool.Name && len(r.Lookup(e.Tool.Name)) == 1 {
			renamed[e.Tool.Name] = t.Name
		}
	}
	tools := make([]*model.Tool, 0, len(r.Tools))
	for _, t := range r.Tools {
		now, edited := changed[t]
		switch {
		case !edited:
			same := *t
			now = &same
		case now == nil:
			continue
		}
		tools = append(tools, now)
	}
	toolsets := slices.Clone(r.Toolsets)
	for i, ts := range toolsets {
		same := *ts
		same.Tools = slices.Clone(ts.Tools)
		for j, name := range same.Tools {
			if to, ok := renamed[name]; ok {
				same.Tools[j] = to
			}
		}
		toolsets[i] = &same
	}
	out := model.NewRegistry(tools, toolsets)
	out.Shape, out.Warnings, out.Sources, out.Core = r.Shape, r.Warnings, r.Sources, r.Core
	return out, ctx.Err()
}
