package whatif

import (
	"context"

	"caliper/model"
)

// Describe returns a registry where some tools have other descriptions. Tools keep
// their names, their order and their positions in the sources; the given registry does
// not change. An edit names a tool of the registry and its description, and the last one
// of a tool counts. at, which has as many entries, says where each description stands:
// the tools have it as Override. The error is ctx's, or says which edit makes no
// definition.
func Describe(ctx context.Context, r *model.Registry, edits []Edit, at []string) (*model.Registry, error) {
	tools := make([]*model.Tool, len(r.Tools))
	for i, t := range r.Tools {
		same := *t
		tools[i] = &same
	}
	for i, e := range edits {
		changed, err := e.edited(ctx)
		if err != nil {
			return nil, err
		}
		described := *changed
		described.Override = at[i]
		tools[e.Tool.Index] = &described
	}
	out := model.NewRegistry(tools, r.Toolsets)
	out.Shape, out.Warnings, out.Sources, out.Core = r.Shape, r.Warnings, r.Sources, r.Core
	return out, nil
}
