package whatif

import (
	"context"

	"caliper/engine"
	"caliper/model"
)

// Text is a description that is tried for a tool. It never changes and is safe for
// concurrent use.
type Text struct {
	snapshot *engine.Snapshot
	tool     *model.Tool
	trial    *Trial
}

// Of tries a description for a tool of the snapshot's registry. The error is ctx's, or
// tells why the tool cannot be defined with it.
func TextOf(ctx context.Context, s *engine.Snapshot, tool *model.Tool, description string) (*Text, error) {
	var edits []Edit
	if description != tool.Description { // a missing description stays missing
		edits = append(edits, Edit{Tool: tool, Description: &description})
	}
	t, err := Try(ctx, s, edits...)
	if err != nil {
		return nil, err
	}
	return &Text{snapshot: s, tool: tool, trial: t}, nil
}

// Tokens returns the tokens of the tool's definition before and after.
func (t *Text) Tokens() (before, after int) {
	before, after = t.trial.Tokens()
	if t.trial.Edited(t.tool) == nil {
		before = t.snapshot.ToolTokens(t.tool)
		after = before
	}
	return before, after
}

// Place is where a query finds a tool.
type Place struct {
	Rank  int // from 1; 0: not found
	Score float64
}

// Hits are the hits of a query with the text.
type Hits struct {
	engine.Results               // with the text
	Was            []int         // the rank before of each hit; 0 for none
	Before, After  Place         // of the tool
	Fallen         []*model.Tool // tools that were within the limit and are not, best first; the tool itself may be one
}

// Hits returns at least depth hits of a query, more when the limit is greater. The
// error is ctx's.
func (t *Text) Hits(ctx context.Context, query string, depth int) (Hits, error) {
	var h Hits
	var err error
	if h.Results, err = t.trial.Search(ctx, query, depth); err != nil {
		return Hits{}, err
	}
	if h.After.Rank, h.After.Score, err = t.trial.Score(ctx, query, t.tool); err != nil {
		return Hits{}, err
	}
	h.Before.Rank, h.Before.Score, _ = t.snapshot.Rank(query, t.tool)
	within := map[string]bool{}
	for _, hit := range h.Results.Hits {
		was, _, _ := t.snapshot.Rank(query, hit.Tool)
		h.Was = append(h.Was, was)
		within[hit.Tool.Qualified] = hit.Within
	}
	for _, hit := range t.snapshot.Search(query, 0, h.Limit).Hits {
		if hit.Within && !within[hit.Tool.Qualified] {
			h.Fallen = append(h.Fallen, hit.Tool)
		}
	}
	return h, ctx.Err()
}
