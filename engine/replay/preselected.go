package replay

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
)

// turn is what is sent from one of the user's messages to the next.
type turn struct {
	array
	tools   []*model.Tool
	bridge  bool
	history []string // for the next message
}

// maxTurns is how many turns are remembered. People say "go on" often, helpers get the
// same message each time, and a session that was resumed has all messages of another.
const maxTurns = 1 << 13

// passing are the notes on an embedder that may answer the next time.
var passing = []string{selection.NoteEmbedderFailed, selection.NoteEmbedderSlow, selection.NoteEmbedderStuck}

// turn returns what a selector sends for some words after a history.
func (r *run) turn(ctx context.Context, selector *selection.Selector, words string, history []string) (*turn, error) {
	h := sha256.New()
	for _, part := range append([]string{string(selector.Settings().Strategy), words}, history...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	key := [sha256.Size]byte(h.Sum(nil))
	if t := r.turns[key]; t != nil {
		return t, nil
	}
	x, err := selector.Outline(ctx, words, history)
	if err != nil {
		return nil, err
	}
	t := &turn{r.arrayOf(x.Assembly), x.Assembly.Tools, x.Bridge, x.History()}
	if failed := func(n selection.Note) bool { return slices.Contains(passing, n.Code) }; slices.ContainsFunc(x.Notes, failed) {
		return t, nil // asked again, it may be another
	}
	if len(r.turns) >= maxTurns {
		clear(r.turns)
	}
	r.turns[key] = t
	return t, nil
}

// preselected returns what sends the tools of a context under a strategy that
// ranks them for the user's words: for each message a selection that grows if
// the settings say so. What it leaves out is behind the bridge.
func (r *run) preselected(ctx context.Context, s selection.Strategy, l *line) (sender, error) {
	set := r.selector.Settings()
	set.Strategy = s
	selector := r.selector.With(set)
	turns := make([]*turn, len(l.turns)+1)
	var history []string
	for i := range turns {
		words := ""
		if i > 0 {
			words = l.turns[i-1]
		}
		var err error
		if turns[i], err = r.turn(ctx, selector, words, history); err != nil {
			return sender{}, err
		}
		history = turns[i].history
	}
	return sender{
		s, []Trip{SearchTrip, DescribeTrip},
		func(q *request) array { return turns[q.turn+1].array },
		func(q *request, t *model.Tool) bool {
			return turns[q.turn+1].bridge && !slices.Contains(turns[q.turn+1].tools, t)
		},
	}, nil
}

// definition is a definition as it is sent: its size, and a digest that stands for
// its bytes.
type definition struct {
	size   transcript.Size
	digest [16]byte
}

// arrayOf returns the array of an assembly. Its key has the digest of each
// definition, and of the bridge.
func (r *run) arrayOf(a engine.Assembly) array {
	var out array
	key := make([]byte, 0, (len(a.Tools)+1)*len(definition{}.digest))
	for _, t := range a.Tools {
		d := r.defined(t)
		out.size = out.size.Add(d.size)
		key = append(key, d.digest[:]...)
	}
	bridge := r.bridgeOf(a)
	out.size, out.key = out.size.Add(bridge.size), string(append(key, bridge.digest[:]...))
	return out
}

// defined returns a tool's definition, as an assembly sends it.
func (r *run) defined(t *model.Tool) definition {
	d, ok := r.definitions[t]
	if !ok {
		text := tokens.Compact(nil, tokens.Definition(t))
		d = definition{size: r.tokenizer.definition(text)}
		sum := sha256.Sum256(text)
		copy(d.digest[:], sum[:])
		r.definitions[t] = d
	}
	return d
}

// definition returns the size of a tool's definition, as an assembly sends it.
func (r *run) definition(t *model.Tool) transcript.Size { return r.defined(t).size }

// bridgeOf returns the bridge of an assembly as if it were one definition.
func (r *run) bridgeOf(a engine.Assembly) definition {
	if !a.Bridge {
		return definition{}
	}
	d, ok := r.bridges[a.Deferred]
	if !ok || !a.Counted() {
		d = r.bridgeSent(a.BridgeTools())
		if a.Counted() {
			r.bridges[a.Deferred] = d
		}
	}
	return d
}

// bridgeSent returns the definitions of a bridge as if they were one.
func (r *run) bridgeSent(tools []json.RawMessage) definition {
	d := definition{size: r.tokenizer.definitions(tools)}
	h := sha256.New()
	for _, t := range tools {
		h.Write(t) // each is an object, so that none goes over into the next
	}
	copy(d.digest[:], h.Sum(nil))
	return d
}
