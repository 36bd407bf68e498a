package whatif

import (
	"context"

	"caliper/engine"
	"caliper/model"
)

// TryText tries a description for a tool of the snapshot's registry. The error is ctx's,
// or tells why the tool cannot be defined with it.
func TryText(ctx context.Context, s *engine.Snapshot, tool *model.Tool, description string) (*Trial, error) {
	if description == tool.Description { // a missing description stays missing
		units := s.ToolUnits(tool)
		return &Trial{snapshot: s, subject: tool, before: units, after: units}, ctx.Err()
	}
	return Try(ctx, s, Edit{Tool: tool, Description: &description})
}

// Place is where a query finds a tool.
type Place struct {
	Rank  int // from 1; 0: not found
	Score float64
}

// Hits are the hits of a query with the text.
type Hits struct {
	engine.Results               // with the edits
	Was            []int         // the rank before of each hit; 0 for none
	Before, After  Place         // of the tool
	Fallen         []*model.Tool // tools that were within the limit and are not, best first; the tool itself may be one
}

// Hits returns at least depth hits of a query, more when the limit is greater, with what
// changes for the tool of the last edit and for others. The error is ctx's.
func (t *Trial) Hits(ctx context.Context, query string, depth int) (Hits, error) {
	var h Hits
	var err error
	if h.Results, err = t.Search(ctx, query, depth); err != nil {
		return Hits{}, err
	}
	if h.After.Rank, h.After.Score, err = t.Rank(ctx, query, t.subject); err != nil {
		return Hits{}, err
	}
	h.Before.Rank, h.Before.Score, _ = t.snapshot.Rank(query, t.subject)
	for _, hit := range h.Results.Hits {
		was, _, _ := t.snapshot.Rank(query, hit.Tool)
		h.Was = append(h.Was, was)
	}
	h.Fallen = fallen(t.snapshot.Search(query, 0, h.Limit), h.Results, h.Limit)
	return h, ctx.Err()
}
