package selection

import (
	"context"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/model"
)

// Chooser selects for an engine.Builder what a message is sent with, under the
// settings of each snapshot's configuration. It is safe for concurrent use if
// its functions are.
type Chooser struct {
	// Similarity returns the semantic leg for some tools of a snapshot, or why
	// there is none, which leaves the keywords. Nil: there is none. It is asked
	// only where the strategy has that leg and something is to be ranked.
	Similarity func(ctx context.Context, s *engine.Snapshot, tools []*model.Tool) (embed.Similarity, error)
	// History is what earlier messages of the session were answered with:
	// Selection.History of the last one.
	History []string
	// Made is told every selection. It may be nil.
	Made func(s *engine.Snapshot, x Selection)
}

// Select returns what the message is sent with, the always-sent tools first: it
// is the Select of engine.Inputs. The error is ctx's, or the index's.
func (c *Chooser) Select(ctx context.Context, s *engine.Snapshot, message string) ([]*model.Tool, error) {
	x, err := New(ctx, s, SettingsOf(s.Config), nil, nil)
	if err != nil {
		return nil, err
	}
	if c.Similarity != nil && x.wantsSimilarity() && !x.takesAll() {
		similarity, absent := c.Similarity(ctx, s, x.Candidates())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x = x.WithSimilarity(similarity, absent)
	}
	selection, err := x.Select(ctx, message, c.History)
	if err != nil {
		return nil, err
	}
	if c.Made != nil {
		c.Made(s, selection)
	}
	return selection.Assembly.Tools, nil
}
