package selection

import (
	"context"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/model"
)

// Chooser selects the tools that a message is sent with, for an engine.Builder,
// with the settings of each snapshot's configuration. It is safe for concurrent use if
// its functions are.
type Chooser struct {
	// Similarity returns the similarity that ranks tools of a snapshot for the
	// semantic ranking, or an error with the reason why it cannot be made; the keyword
	// ranking is then used alone. It is called only when the strategy has a
	// semantic ranking and there are tools to rank. It may be nil.
	Similarity func(ctx context.Context, s *engine.Snapshot, tools []*model.Tool) (embed.Similarity, error)
	// History is Selection.History of the previous message of the session.
	History []string
	// Made is called with every selection. It may be nil.
	Made func(s *engine.Snapshot, x Selection)
}

// Select returns the tools that the message is sent with, the always-sent tools
// first. It is the Select of engine.Inputs. The error is ctx's, or the index's.
func (c *Chooser) Select(ctx context.Context, s *engine.Snapshot, message string) ([]*model.Tool, error) {
	x, err := New(ctx, s, SettingsOf(s.Config), nil, nil)
	if err != nil {
		return nil, err
	}
	if c.Similarity != nil && x.settings.wantsSimilarity() && !x.takesAll() {
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
