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
	var g *hermesSession // of the gateway
	var last []byte      // the line of the gateway before
	err := Values{
		Value: func(number int, data []byte) error {
			n, ok := ParseObject(data)
			switch {
			case !ok:
				r.skip(path, number, "not JSON")
			case isDump(n):
				r.dump(n, path, number)
			case n.Member("messages").Is(jsontree.Array):
				r.export(n, path, number)
			case n.Member("role").Is(jsontree.String):
				if g == nil {
					g = r.begin(hermesStored{id: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), file: path, line: number})
				}
				// A turn has one time, so that only neighbours are surely the same.
				if bytes.Equal(data, last) && !timeOf(n.Member("timestamp")).IsZero() && !g.waits(n) {
					r.skip(path, number, "repeated")
					return nil
				}
				last = append(last[:0], data...)
				g.gateway(n)
			default:
				r.skip(path, number, "unknown")
			}
			return nil
		},
		Bad:      func(number int, what string) { r.skip(path, number, what) },
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

// skip counts a part of a file that is left out.
func (r *HermesReader) skip(path string, number int, what string) {
	r.skipped.Add(path, number, what)
}

// add adds a session that was read, which begins on a line, or what it knows more than an
// earlier one.
func (r *HermesReader) add(s Session, line int) {
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
	r.skipped.Add(s.File, line, "copy of a session") // which depends on the other files
}

// gateway takes one line of a role from the log of one session.
func (s *hermesSession) gateway(n *jsontree.Node) {
	at := timeOf(n.Member("timestamp"))
	if s.out.Started.IsZero() {
		s.out.Started = at
	}
	if text(n.Member("role")) == "session_meta" {
		if m := text(n.Member("model")); m != "" {
			s.out.Model = strings.Clone(m)
		}
		if tools := n.Member("tools"); tools.Is(jsontree.Array) {
			s.send(tools)
		}
		return
	}
	s.row(n, hermesRow{at: at, active: true})
}
