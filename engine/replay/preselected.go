package replay

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
)

// turn is the tools sent from one of the user's messages to the next.
type turn struct {
	array
	tools   []*model.Tool
	bridge  bool
	history []string // for the next message; nil where the settings are not sticky
}

// maxTurns is how many turns are remembered. People say "go on" often, helpers get the
// same message each time, and a session that was resumed has all messages of another.
const maxTurns = 1 << 13

// passing are the notes on an embedder that may answer the next time.
var passing = []string{selection.NoteEmbedderFailed, selection.NoteEmbedderSlow, selection.NoteEmbedderWaking, selection.NoteEmbedderStuck}

// preselect sets what the strategies that rank tools for the user's words send with each
// message of a context: a selection that grows if the settings say so. What it leaves out
// is behind the bridge. A message is ranked once for all strategies, and only if one of
// them does not remember the turn.
func (r *run) preselect(l *line) error {
	if len(r.selectors) == 0 {
		return nil
	}
	messages := len(l.turns) + 1
	all := make([]*turn, messages*len(r.selectors))
	for n := range r.selectors {
		l.sent = append(l.sent, all[n*messages:(n+1)*messages])
	}
	for i := -1; i < len(l.turns); i++ {
		words := ""
		if i >= 0 {
			words = l.turns[i]
		}
		var message *selection.Message
		ranked := func() (selection.Message, error) {
			if message == nil {
				m, err := r.selectors[0].Rank(r.ctx, words, r.in.Strategies...)
				if err != nil {
					return m, err
				}
				message = &m
			}
			return *message, nil
		}
		for n, selector := range r.selectors {
			before := new(turn)
			if i >= 0 {
				before = l.sent[n][i]
			}
			t, err := r.turn(selector, words, before, ranked)
			if err != nil {
				return err
			}
			l.sent[n][i+1] = t
		}
	}
	return nil
}

// turn returns what a selector sends for a message after another turn. ranked, which ranks the
// message, is called only where the turn is not remembered.
func (r *run) turn(selector *selection.Selector, words string, before *turn, ranked func() (selection.Message, error)) (*turn, error) {
	key := fmt.Sprintf("%s %q %q", selector.Settings().Strategy, words, before.history)
	if t := r.turns[key]; t != nil {
		return t, nil
	}
	m, err := ranked()
	if err != nil {
		return nil, err
	}
	x := selector.Brief(m, before.history)
	t := &turn{tools: x.Assembly.Tools, bridge: x.Assembly.Bridge}
	var bridge definition // as if it were one
	if a := x.Assembly; a.Bridge {
		known := false
		if bridge, known = r.bridges[a.Deferred]; !known || !a.Counted() {
			tools := a.BridgeTools()
			bridge = definition{size: r.tokenizer.definitions(tools)}
			h := sha256.New()
			for _, t := range tools {
				h.Write(t) // each is an object, so that none goes over into the next
			}
			copy(bridge.digest[:], h.Sum(nil))
			if a.Counted() {
				r.bridges[a.Deferred] = bridge
			}
		}
	}
	t.size = bridge.size
	var digests []byte
	for _, tool := range t.tools {
		d := r.defined(tool)
		t.size = t.size.Add(d.size)
		digests = append(digests, d.digest[:]...)
	}
	t.key = string(append(digests, bridge.digest[:]...))
	if selector.Settings().Sticky {
		t.history = x.History
	}
	if failed := func(n selection.Note) bool { return slices.Contains(passing, n.Code) }; slices.ContainsFunc(x.Notes, failed) {
		return t, nil // asked again, it may be another
	}
	if len(r.turns) >= maxTurns {
		clear(r.turns)
	}
	r.turns[key] = t
	return t, nil
}

// definition is a definition as it is sent: its size, and a digest that stands for
// its bytes.
type definition struct {
	size   transcript.Size
	digest [16]byte
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
