package selection

import (
	"bytes"
	"context"

	"caliper/engine/tokens"
	"caliper/model"
)

// Thread is a conversation under one strategy, sticky or not.
type Thread struct {
	Strategy Strategy
	Sticky   bool
	Turns    []Turn

	SchemaTokens int     // of all turns
	LostTokens   int     // of all turns
	Stability    float64 // share of turns, the first left out, that send the bytes of the turn before; 1 for one turn
	// Kept is the share of the schema tokens that a turn finds in the prompt
	// cache and can use again, of all turns together; 1 for one turn.
	Kept float64
}

// Turn is one message of a conversation, and what it does to the prompt cache:
// providers reuse the longest prefix that is the same as before.
type Turn struct {
	Selection Selection
	Added     []*model.Tool // sent now and not a turn ago, in the order of the array; all of the first turn
	Dropped   []*model.Tool // the other way round

	KeptBytes     int // of the array of the turn before, the length of the common prefix
	PreviousBytes int // length of the array of the turn before; 0 at the first
	// LostTokens are the tokens of the definitions of the turn before that are
	// not whole in the common prefix: they cannot be read from the cache. What
	// follows the tools in the prompt is lost too, but not counted.
	LostTokens int
}

// Converse answers the messages of one session in turn, under every strategy:
// the ranking ones sticky and not, the others, which never change, once. The
// threads are in the order of Strategies, sticky before not. Converse uses the
// Selector's settings except Strategy and Sticky. Each turn is ranked once. progress
// may be nil; it is called with the number of turns ranked. The error is ctx's.
func (s *Selector) Converse(ctx context.Context, messages []string, progress func(done, total int)) ([]Thread, error) {
	ranked := make([]rankings, len(messages))
	for i, m := range messages {
		var err error
		if ranked[i], err = s.askAll(ctx, m); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i+1, len(messages))
		}
	}
	var threads []Thread
	for _, strategy := range Strategies {
		set := s.settings
		set.Strategy = strategy
		for _, set.Sticky = range []bool{true, false} {
			if set.Sticky && !strategy.Ranks() {
				continue
			}
			x := s.With(set)
			t := Thread{Strategy: strategy, Sticky: set.Sticky, Stability: 1, Kept: 1}
			same, cached := 0, 0
			var before Selection
			for i, m := range messages {
				now := x.after(before.History(), m, ranked[i])
				turn := x.turn(before, now)
				cached += before.SchemaTokens
				if i > 0 && bytes.Equal(before.Bytes, now.Bytes) {
					same++
				}
				t.SchemaTokens += now.SchemaTokens
				t.LostTokens += turn.LostTokens
				t.Turns = append(t.Turns, turn)
				before = now
			}
			if len(messages) > 1 {
				t.Stability = float64(same) / float64(len(messages)-1)
			}
			if cached > 0 {
				t.Kept = 1 - float64(t.LostTokens)/float64(cached)
			}
			threads = append(threads, t)
		}
	}
	return threads, nil
}

// Every answers a message under every strategy, in the order of Strategies,
// each after its own history, as Select does for one; history may be nil. The
// message is ranked once. The error is ctx's.
func (s *Selector) Every(ctx context.Context, message string, history func(Strategy) []string) ([]Selection, error) {
	l, err := s.askAll(ctx, message)
	if err != nil {
		return nil, err
	}
	out := make([]Selection, len(Strategies))
	for i, strategy := range Strategies {
		set := s.settings
		set.Strategy = strategy
		var past []string
		if history != nil {
			past = history(strategy)
		}
		out[i] = s.With(set).after(past, message, l)
	}
	return out, nil
}

// after returns the selection for a message whose rankings are known, after a
// history.
func (s *Selector) after(history []string, message string, l rankings) Selection {
	start := s.settings.Now()
	var x Selection
	if s.settings.Strategy.Ranks() {
		x = s.outline(s.chosen(message, history, l))
		x.Bytes = array(x.Assembly)
		x.Took = l.took(s.settings.Strategy)
	} else {
		x = s.whole()
	}
	x.Took += s.settings.Now().Sub(start)
	x.Message = message
	return x
}

// turn measures a selection against the one of the turn before.
func (s *Selector) turn(before, now Selection) Turn {
	t := Turn{Selection: now, Added: without(now.Tools, before.Tools), Dropped: without(before.Tools, now.Tools), PreviousBytes: len(before.Bytes)}
	for t.KeptBytes < min(len(before.Bytes), len(now.Bytes)) && before.Bytes[t.KeptBytes] == now.Bytes[t.KeptBytes] {
		t.KeptBytes++
	}
	if t.KeptBytes == t.PreviousBytes {
		return t
	}
	units, end := 0, 1 // after the bracket
	for _, tool := range before.Tools {
		if end += len(tokens.Compact(nil, tokens.Definition(tool.Tool))); end > t.KeptBytes {
			units += s.scope.snapshot.ToolUnits(tool.Tool)
		}
		end++ // the comma
	}
	for _, def := range before.Assembly.BridgeTools() {
		if end += len(def); end > t.KeptBytes {
			units += s.scope.snapshot.Tokenizer.Units(def)
		}
		end++
	}
	t.LostTokens = s.scope.snapshot.Tokenizer.Tokens(units)
	return t
}

// Lost returns the schema tokens of a selection of this session that the next
// one cannot use again from the prompt cache: Turn.LostTokens.
func (s *Selector) Lost(before, now Selection) int { return s.turn(before, now).LostTokens }

// without returns the tools of a that are not in b, in their order.
func without(a, b []Selected) []*model.Tool {
	if len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) {
		return nil // the same list
	}
	has := make(map[*model.Tool]bool, len(b))
	for _, t := range b {
		has[t.Tool] = true
	}
	var out []*model.Tool
	for _, t := range a {
		if !has[t.Tool] {
			out = append(out, t.Tool)
		}
	}
	return out
}
