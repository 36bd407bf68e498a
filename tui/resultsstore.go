package tui

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/rescue/store"
	"caliper/model"
	"caliper/tui/cells"
	"caliper/tui/workbench"
)

// keptResults is what the configured store holds. Looking at it marks nothing
// as used, and makes no store.
type keptResults struct {
	of     *workbench.State // whose configuration names the store; nil: it has to be read
	path   string
	absent bool // there is none
	most   int64
	status store.Status
	refs   []store.Reference
	err    error
}

// storeMsg tells what the store holds.
type storeMsg struct {
	gen int
	keptResults
}

// sameStore reports whether two configurations name the same store.
func sameStore(a, b *workbench.State) bool {
	of := func(c config.Rescue) [2]any { return [2]any{c.StorePath, c.TTLHours} }
	return a != nil && of(a.Config.Rescue) == of(b.Config.Rescue)
}

// lookAgain has the store read anew when it is shown.
func (s *resultsScreen) lookAgain() { s.kept.of, s.looking.stopped = nil, false }

// look begins to read the store while it is shown, unless that is done,
// running or cancelled.
func (s *resultsScreen) look() tea.Cmd {
	if s.part != partStore || s.looking.stopped || s.looking.cancel != nil || sameStore(s.kept.of, s.state) {
		return nil
	}
	ctx, gen := s.start(&s.looking)
	state, r := s.state, s.rescuer()
	return func() tea.Msg {
		out := keptResults{of: state, path: r.Path(), most: r.StoreCap()}
		out.read(ctx, r)
		return storeMsg{gen, out}
	}
}

// read reads the store, if there is one.
func (k *keptResults) read(ctx context.Context, r *workbench.Rescuer) {
	if k.path == "" {
		k.absent = true
		return
	}
	entries, err := os.ReadDir(k.path)
	// Opening would make one of a folder that is absent or empty.
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		k.absent = true
		return
	}
	if k.status, k.err = r.Status(ctx); k.err == nil {
		k.refs, k.err = r.References(ctx)
	}
	k.err = errors.Join(k.err, r.Close())
}

// storeRead takes in what the store holds.
func (s *resultsScreen) storeRead(msg storeMsg) {
	if !s.looking.ended(msg.gen) {
		return
	}
	s.changes++
	if errors.Is(msg.err, context.Canceled) {
		s.looking.stopped = true
		return
	}
	s.kept = msg.keptResults
}

// shownReferences are those that pass the filter.
func (s *resultsScreen) shownReferences() []store.Reference {
	if s.needle == "" {
		return s.kept.refs
	}
	return slices.DeleteFunc(slices.Clone(s.kept.refs), func(r store.Reference) bool {
		return !strings.Contains(strings.ToLower(r.Meta.ID+" "+r.Meta.Tool+" "+r.Meta.Session+" "+string(r.Meta.Kind)), s.needle)
	})
}

// noStore says why there is no list of what is kept, nil when there is one.
func (s *resultsScreen) noStore() []string {
	k := &s.kept
	switch {
	case s.looking.stopped:
		return []string{"reading the store was cancelled", s.app.keys.Browse.Reload.Help().Key + " reads it"}
	case k.of == nil:
		return []string{"reading the store"}
	case k.err != nil:
		return []string{model.Sanitize(k.err.Error())}
	case k.absent && k.path == "":
		return []string{"no folder to keep results in:", "set toolaria.store_path"}
	case k.absent:
		return []string{"nothing is kept yet in", model.Sanitize(k.path), s.app.keys.Results.Keep.Help().Key + " puts the result there for session " + s.session()}
	case len(k.refs) == 0:
		return []string{"the store holds no results", model.Sanitize(k.path)}
	case len(s.shownReferences()) == 0:
		return []string{"no row holds " + model.Sanitize(s.needle), "esc clears the filter"}
	}
	return nil
}

// storeColumns returns the columns of what is kept.
func (s *resultsScreen) storeColumns(t *Theme, w int) []column {
	refs, now := s.shownReferences(), s.app.opt.Now()
	return fitting(w, 40, []column{
		{"tool", 16, true, func(row int) (cells.Style, string) {
			return t.Text, model.Sanitize(cmp.Or(refs[row].Meta.Tool, "damaged"))
		}},
		{"size", 11, false, func(row int) (cells.Style, string) { return t.Number, size(int(refs[row].Meta.Bytes)) }},
		{"expires", 10, false, func(row int) (cells.Style, string) { return t.Faint, expiryWords(refs[row].Expires, now) }},
		{" session", 20, true, func(row int) (cells.Style, string) { return t.Faint, " " + model.Sanitize(refs[row].Meta.Session) }},
		{"kind", 12, true, func(row int) (cells.Style, string) { return t.Faint, string(refs[row].Meta.Kind) }},
		{"id", 13, true, func(row int) (cells.Style, string) {
			return t.Faint, refs[row].Meta.ID[:min(12, len(refs[row].Meta.ID))]
		}},
	})
}

// expiryWords says when something ends.
func expiryWords(at, now time.Time) string {
	left := at.Sub(now)
	switch {
	case at.IsZero():
		return "never"
	case left <= 0:
		return "is over"
	case left < time.Hour:
		return "in " + thousands(int(left.Minutes())+1) + " min"
	case left < 100*time.Hour:
		return "in " + thousands(int(math.Ceil(left.Hours()))) + " h"
	}
	return "in " + thousands(int(left.Hours()/24)) + " d"
}

// storeBelow returns the store's counts, and all that is known of the row.
func (s *resultsScreen) storeBelow(t *Theme, w int) belowLines {
	st := &s.kept.status
	refs, i := s.shownReferences(), s.list().cursor
	out := flow(w, 1, []phrase{{t.Text, model.Sanitize(st.Path)}})
	counts := []phrase{
		{t.Text, plural(st.Blobs, "blob")}, {t.Number, size(int(st.Bytes))}, {t.Faint, "of at most " + size(int(s.kept.most))}, {t.Text, plural(st.Sessions, "session")},
		{t.Text, plural(st.References, "reference")}, {t.Text, plural(st.Tombstones, "tombstone")},
		{t.Faint, "next expiry"}, {t.Text, expiryWords(st.NextExpiry, s.app.opt.Now())},
	}
	if st.Quarantined > 0 {
		counts = append(counts, phrase{t.Bad, thousands(st.Quarantined) + " quarantined"})
	}
	out = append(out, flow(w, 1, counts)...)
	if i < len(refs) {
		m := refs[i].Meta
		out = append(out, flow(w, 1, []phrase{{t.Text, m.ID}})...)
		out = append(out, flow(w, 1, []phrase{
			{t.Faint, "session"}, {t.Text, model.Sanitize(m.Session)}, {t.Faint, "of"}, {t.Text, model.Sanitize(m.Tool)},
			{t.Text, thousands(m.Chars) + " chars"}, {t.Text, plural(m.Lines, "line")}, {t.Text, string(m.Kind)},
		})...)
		out = append(out, flow(w, 1, []phrase{
			{t.Faint, "stored"}, {t.Text, m.Stored.UTC().Format(time.DateTime)}, {t.Faint, "used"}, {t.Text, refs[i].Used.UTC().Format(time.DateTime)},
			{t.Faint, "expires"}, {t.Text, expiryWords(refs[i].Expires, s.app.opt.Now())},
		})...)
	}
	return linesOf("store", "", out)
}

// keptMsg tells that a result was put into the store.
type keptMsg struct {
	gen     int
	session string
	what    workbench.Rescued
	err     error
}

// session is the session that is looked at, safe for a terminal.
func (s *resultsScreen) session() string { return model.Sanitize(s.state.Snapshot.Session.Name) }

// keep puts the result into the store for the session that is looked at, as
// the agent would.
func (s *resultsScreen) keep() tea.Cmd {
	r, j := s.source(), &s.judged
	switch {
	case r == nil || s.late() || j.err != nil:
		return s.app.notices.show(levelInfo, "nothing to keep yet")
	case !j.Rescue:
		return s.app.notices.show(levelInfo, "the result is not rescued: the model has all of it, and nothing is kept")
	case s.keeping.cancel != nil:
		return s.app.notices.show(levelInfo, "a result is being kept")
	}
	ctx, gen := s.start(&s.keeping)
	session, tool, name, data, in := s.state.Snapshot.Session.Name, j.of.tool, r.name, r.data, s.rescuer()
	return func() tea.Msg {
		msg := keptMsg{gen: gen, session: session}
		msg.what, msg.err = in.Put(ctx, session, tool, name, bytes.NewReader(data))
		msg.err = errors.Join(msg.err, in.Close())
		return msg
	}
}

// wasKept takes in that a result was put into the store, and shows it there.
func (s *resultsScreen) wasKept(msg keptMsg) tea.Cmd {
	if !s.keeping.ended(msg.gen) {
		return nil
	}
	s.changes++
	switch {
	case errors.Is(msg.err, context.Canceled):
		return s.app.notices.show(levelInfo, "cancelled: nothing was kept")
	case msg.err != nil:
		return s.app.notices.show(levelBad, "nothing was kept: "+model.Sanitize(msg.err.Error()))
	}
	s.lookAgain()
	if s.shown() && s.part != partStore {
		s.part, s.area = partStore, areaList
		s.below.top = 0
	}
	s.lists[partStore].cursor = 0
	return s.app.notices.show(levelInfo, "kept "+msg.what.Meta.ID[:16]+" for session "+model.Sanitize(msg.session))
}
