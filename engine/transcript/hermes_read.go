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
// tools), and the dumps session_*.json and request_dump_*.json. DatabaseCopies
// read the database.
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
	kept     *Whole // takes the facts of a file, so that Known can take its place; nil for nobody
	sessions []Session
	byID     map[string]int
	skipped  Skips
}

// Read reads one file to its end. Nothing fails but ctx and the stream.
func (r *HermesReader) Read(ctx context.Context, in io.Reader, path string) error {
	var g *gateway
	var last []byte // the line of the gateway before
	err := Values{
		Value: func(number int, data []byte) error {
			if g == nil && r.walk(data, path, number) {
				return nil
			}
			n, ok := ParseObject(data)
			switch {
			case !ok:
				r.Skip(path, number, "not JSON")
			case isDump(n):
				r.dump(n, path, number)
			case n.Member("messages").Is(jsontree.Array):
				e := exportedOf(n)
				r.export(&e, path, number)
			case n.Member("role").Is(jsontree.String):
				if g == nil {
					g = &gateway{s: r.Begin(HermesStored{ID: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), File: path, Line: number})}
				}
				// A turn has one time, so that only neighbours are surely the same.
				if bytes.Equal(data, last) && !timeOf(n.Member("timestamp")).IsZero() && !g.s.waits(n) {
					r.Skip(path, number, "repeated")
					return nil
				}
				last = append(last[:0], data...)
				g.take(n)
			default:
				r.Skip(path, number, "unknown")
			}
			return nil
		},
		Bad:      func(number int, what string) { r.Skip(path, number, what) },
		Progress: r.Options.Progress,
	}.Read(ctx, in)
	if g != nil {
		g.s.End()
	}
	return err
}

// Log returns what was read so far.
func (r *HermesReader) Log() Log {
	return Log{Sessions: r.sessions, Skipped: r.skipped.List()}
}

// Skip counts a part of a file that is left out.
func (r *HermesReader) Skip(path string, number int, what string) {
	r.kept.Skip(number, what)
	r.skipped.Add(path, number, what)
}

// Keep sends the facts of the files that are read next to w; nil for nobody.
func (r *HermesReader) Keep(w *Whole) { r.kept = w }

// Known takes a file by its kept facts. The error is that they are damaged.
func (r *HermesReader) Known(path string, k *Lines) (taken bool, err error) {
	return k.Take(path, nil, r.add, func(line int, what string) { r.skipped.Add(path, line, what) })
}

// add adds a session that was read, which begins on a line, or what it knows more than an
// earlier one.
func (r *HermesReader) add(s Session, line int) {
	if len(s.Contexts[0].Entries) == 0 {
		return
	}
	r.kept.Session(&s, line)
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
	r.skipped.Add(s.File, line, "copy of a session") // which depends on the other files
}

// gateway is the log of one session that is being read.
type gateway struct{ s *HermesSession }

// take takes one line of a role.
func (g *gateway) take(n *jsontree.Node) {
	at := timeOf(n.Member("timestamp"))
	if g.s.out.Started.IsZero() {
		g.s.out.Started = at
	}
	if text(n.Member("role")) == "session_meta" {
		if m := text(n.Member("model")); m != "" {
			g.s.out.Model = strings.Clone(m)
		}
		if tools := n.Member("tools"); tools.Is(jsontree.Array) {
			g.s.send(tools)
		}
		return
	}
	g.s.Row(HermesRow{Message: n, At: at, Active: true})
}
