package transcript

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"

	"caliper/model/jsontree"
)

// HermesReader reads what Hermes keeps of its sessions: the export (one object a
// session), the gateway's log of one session (a line a message, the first with its
// tools), and the dumps session_*.json and request_dump_*.json. ReadDatabase
// reads the database.
//
// What a session is was learnt from such files:
//
//   - The sums of a session exclude what was read from the cache or written to it
//     from its input. They are all there is: a message has no usage.
//   - An inactive row was paid for, but is in no later history. One that is also
//     compacted was in the history until the summary behind it.
//   - After a compaction the kept tail is written again with the same times and ids:
//     such rows are copies.
//   - A session that names a parent has sums of its own, so it stands alone.
//
// Invariants:
//   - every session id is one session, in whatever files it is: the first file with
//     sums counts, and the tools of another are added to it;
//   - a line of the gateway that has a time and is byte for byte the one directly before
//     it counts once, unless it is a result for which a call waits: a turn has one time,
//     so that no other lines are surely the same;
//   - memory grows with the entries of a session and its longest line, never with
//     its texts.
//
// It reads the files of one home after the other. A session may be in several of
// them, so all go through one, in a total order. The zero value is ready.
type HermesReader struct {
	Options  Options
	sessions []Session
	byID     map[string]int
	skipped  Skips
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *HermesReader) Read(ctx context.Context, in io.Reader, path string) error {
	skip := func(number int, what string) { r.skipped.Add(path, number, what) }
	var g *hermesSession // of the gateway
	var last []byte      // the line of the gateway before
	err := Values{
		Value: func(number int, data []byte) error {
			n, ok := ParseObject(data)
			messages := n.Member("messages").Is(jsontree.Array)
			switch {
			case !ok:
				skip(number, "not JSON")
			// A session_*.json and a request_dump_*.json have the id under another name than an export.
			case n.Member("session_id").Is(jsontree.String) && body(n).Member("messages").Is(jsontree.Array), n.Member("id") == nil && messages && n.Member("system_prompt").Is(jsontree.String):
				r.dump(n, path, number)
			case messages && n.Member("id").AsText() != "":
				s := r.begin(Session{ID: n.Member("id").AsText(), File: path, Model: n.Member("model").AsText(), Started: timeOf(n.Member("started_at")),
					Sums: &Usage{Input: count(n.Member("input_tokens")), Output: count(n.Member("output_tokens")), CacheRead: count(n.Member("cache_read_tokens")), CacheWrite: count(n.Member("cache_write_tokens"))}},
					number, n.Member("system_prompt").AsText())
				for _, m := range n.Member("messages").Elements() {
					s.row(m.Node, hermesRow{at: timeOf(m.Member("timestamp")),
						active: m.Member("active") == nil || count(m.Member("active")) != 0, compacted: count(m.Member("compacted")) != 0})
				}
				s.end()
			case !messages && n.Member("role").Is(jsontree.String):
				if g == nil {
					g = r.begin(Session{ID: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), File: path}, number, "")
				}
				// A turn has one time, so that only neighbours are surely the same.
				again := bytes.Equal(data, last) && !timeOf(n.Member("timestamp")).IsZero()
				if again && n.Member("role").AsText() == "tool" { // local models repeat the ids of calls, so that two results may be the same
					g.release(false) // it goes into the history with the next row
					again = !g.builder.Waits(n.Member("tool_call_id").AsText())
				}
				if again {
					skip(number, "repeated")
					return nil
				}
				last = append(last[:0], data...)
				at := timeOf(n.Member("timestamp"))
				if g.out.Started.IsZero() {
					g.out.Started = at
				}
				if n.Member("role").AsText() != "session_meta" {
					g.row(n, hermesRow{at: at, active: true})
					break
				}
				if m := n.Member("model").AsText(); m != "" {
					g.out.Model = strings.Clone(m)
				}
				if tools := n.Member("tools"); tools.Is(jsontree.Array) {
					g.out.Arrays, g.tools = AddArray(g.out.Arrays, ParseTools(tools))
				}
			default:
				skip(number, "unknown")
			}
			return nil
		},
		Bad:      skip,
		Progress: r.Options.Progress,
	}.Read(ctx, in)
	if g != nil {
		g.end()
	}
	return err
}

// Log returns what was read so far.
func (r *HermesReader) Log() Log {
	return Log{Sessions: r.sessions, Skipped: r.skipped.List()}
}

// end ends the session. The reader's log has it from then on, or what it knows more than an
// earlier one.
func (h *hermesSession) end() {
	h.release(false)
	r, s := h.reader, h.out
	s.Contexts = []Context{{Entries: h.builder.Entries}}
	for range h.builder.Lost {
		r.skipped.Add(s.File, h.line, "result without a call")
	}
	if len(s.Contexts[0].Entries) == 0 {
		return
	}
	if r.byID == nil {
		r.byID = map[string]int{}
	}
	i, ok := r.byID[s.ID]
	if !ok {
		r.byID[s.ID] = len(r.sessions)
		r.sessions = append(r.sessions, s)
		return
	}
	old := &r.sessions[i]
	kept, other := *old, s
	if old.Sums == nil && (s.Sums != nil || len(s.Contexts[0].Entries) > len(old.Contexts[0].Entries)) {
		kept, other = s, *old
		kept.File = old.File
	}
	if len(kept.Arrays) == 0 && len(other.Arrays) > 0 {
		kept.Arrays = other.Arrays
		for _, c := range kept.Contexts {
			for _, e := range c.Entries {
				if e.Request != nil {
					e.Request.Tools = 0
				}
			}
		}
	}
	if kept.Model == "" {
		kept.Model = other.Model
	}
	*old = kept
	r.skipped.Add(s.File, h.line, "copy of a session") // which depends on the other files
}
