package hermes

import (
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/model/jsontree"
)

// row is one message with what Hermes says of it.
type row struct {
	message           *jsontree.Node
	at                time.Time
	active, compacted bool
}

// contextOf returns the context of rows in the order of the log, and how many
// results belong to no call.
func contextOf(system string, rows []row, tools int, model string, count transcript.Counter) (transcript.Context, int) {
	var b dialogue.Builder
	if system != "" {
		b.Add(dialogue.Part{Kind: transcript.System, Size: transcript.Measure(system, transcript.Prose, count)}, time.Time{}, nil)
	}
	root, live := b.Last(), b.Last()
	wasCompacted, summarised := false, false
	type key struct {
		at         int64
		role, body string
	}
	seen := map[key]bool{}
	for _, r := range rows {
		if r.active && wasCompacted && !summarised {
			summarised = true
			live = root
		}
		wasCompacted = wasCompacted || r.compacted
		if r.active || r.compacted {
			b.From(live)
		}
		role := r.message.Member("role")
		k := key{r.at.UnixNano(), string(role.Raw), digest(r.message)}
		copied := summarised && r.active && seen[k]
		if r.compacted {
			seen[k] = true
		}
		for _, p := range dialogue.Read(r.message, count) {
			if p.Kind == transcript.User && summarised && live == root {
				p.Kind = transcript.Summary
			}
			i, ok := b.Add(p, r.at, &transcript.Request{Model: model, Tools: tools})
			if !ok {
				continue
			}
			b.Entries[i].Copy, b.Entries[i].Abandoned = copied, !r.active
			if r.active || r.compacted {
				live = i
			}
		}
	}
	return transcript.Context{Entries: b.Entries}, b.Lost
}

// digest returns what tells two rows of one time and role apart.
func digest(m *jsontree.Node) string {
	var b strings.Builder
	for _, name := range []string{"content", "tool_calls", "tool_call_id"} {
		if n := m.Member(name); n != nil {
			b.Write(n.Raw)
		}
		b.WriteByte(0)
	}
	return b.String()
}
