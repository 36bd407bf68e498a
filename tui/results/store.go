package results

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// holdings is the content of the configured store; looking marks nothing as used.
type holdings struct {
	of     *workbench.State // whose configuration names the store; nil: it has to be read
	path   string
	absent bool // the store does not exist
	most   int64
	status rescue.StoreStatus
	refs   []rescue.Reference
	err    error
}

// lookAgain has the store read again when it is shown.
func (s *Screen) lookAgain() {
	s.store.of = nil
	s.looking.Reset()
}

// look begins to read the store while it is shown, unless that is done or cancelled.
func (s *Screen) look() tea.Cmd {
	if s.view() != viewStore || s.looking.Stopped || s.looking.Running {
		return nil
	}
	if read, now := s.store.of, s.state.Config.Rescue; read != nil && read.Config.Rescue.StorePath == now.StorePath && read.Config.Rescue.TTLHours == now.TTLHours {
		return nil
	}
	state, rescuer := s.state, s.rescuer()
	return s.looking.Start(s.host.Context(), state, func(ctx context.Context, _ ui.Progress) (holdings, error) {
		h := holdings{of: state, path: rescuer.Path(), most: rescuer.StoreCap()}
		if h.path == "" {
			h.absent = true
		} else {
			entries, err := os.ReadDir(h.path)
			// Opening would make one of a folder that is absent or empty.
			if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
				h.absent = true
			} else {
				if h.status, h.err = rescuer.Status(ctx); h.err == nil {
					h.refs, h.err = rescuer.References(ctx)
				}
				h.err = errors.Join(h.err, rescuer.Close())
			}
		}
		return h, ctx.Err()
	})
}

// references returns those that pass the filter.
func (s *Screen) references() []rescue.Reference {
	if s.filter == "" {
		return s.store.refs
	}
	return slices.DeleteFunc(slices.Clone(s.store.refs), func(r rescue.Reference) bool {
		return !passes(s.filter, r.Meta.ID+" "+r.Meta.Tool+" "+r.Meta.Session+" "+string(r.Meta.Kind))
	})
}

// noStore returns why there is no list of results, nil when there is one.
func (s *Screen) noStore() []string {
	h := &s.store
	switch {
	case s.looking.Stopped:
		return []string{"reading the store was cancelled", reloadKey + " reads it"}
	case h.of == nil:
		return []string{"reading the store"}
	case h.err != nil:
		return []string{safetext.Line(h.err.Error())}
	case h.absent && h.path == "":
		return []string{"no folder to keep results in:", "set toolaria.store_path"}
	case h.absent:
		return []string{"nothing is kept yet in", safetext.Line(h.path),
			s.KeyOf(Keep) + " puts the result there for session " + safetext.Line(s.state.Snapshot.Session.Name)}
	case len(h.refs) == 0:
		return []string{"the store holds no results", safetext.Line(h.path)}
	case len(s.references()) == 0:
		return s.noRow()
	}
	return nil
}

// storeColumns returns the columns of the kept results.
func (s *Screen) storeColumns(t *ui.Theme, w int) []ui.Column {
	refs, now := s.references(), s.host.Now()
	return ui.FitColumns(w, 40, []ui.Column{
		{Head: "tool", Width: 16, Left: true, Cell: func(row int) (ui.Style, string) {
			return t.Text, safetext.Line(cmp.Or(refs[row].Meta.Tool, "damaged"))
		}},
		{Head: "size", Width: 11, Cell: func(row int) (ui.Style, string) { return t.Number, words.Size(int(refs[row].Meta.Bytes)) }},
		{Head: "expires", Width: 10, Cell: func(row int) (ui.Style, string) { return t.Faint, expiry(refs[row].Expires, now) }},
		{Head: "session", Gap: 1, Width: 15, Left: true, Cell: func(row int) (ui.Style, string) { return t.Faint, safetext.Line(refs[row].Meta.Session) }},
		{Head: "kind", Width: 12, Left: true, Cell: func(row int) (ui.Style, string) { return t.Faint, string(refs[row].Meta.Kind) }},
		{Head: "id", Width: 17, Left: true, Cell: func(row int) (ui.Style, string) {
			return t.Faint, refs[row].Meta.ID[:min(rescue.MinPrefix, len(refs[row].Meta.ID))]
		}},
	})
}

// expiry says when something ends.
func expiry(at, now time.Time) string {
	left := at.Sub(now)
	switch {
	case at.IsZero():
		return "never"
	case left <= 0:
		return "is over"
	case left < time.Hour:
		return "in " + ui.Thousands(int(left.Minutes())+1) + " min"
	case left < 100*time.Hour:
		return "in " + ui.Thousands(int(math.Ceil(left.Hours()))) + " h"
	}
	return "in " + ui.Thousands(int(left.Hours()/24)) + " d"
}

// storeBelow returns the store's counts, and all that is known of the row.
func (s *Screen) storeBelow(t *ui.Theme, w int) ui.Lines {
	st, now := &s.store.status, s.host.Now()
	text := func(text string) ui.Phrase { return ui.Phrase{Style: t.Text, Text: text} }
	faint := func(text string) ui.Phrase { return ui.Phrase{Style: t.Faint, Text: text} }
	var out []string
	add := func(phrases ...ui.Phrase) { out = append(out, ui.Flow(w, 1, phrases)...) }
	add(text(safetext.Line(st.Path)))
	counts := []ui.Phrase{
		text(ui.Count(st.Blobs, "blob")), {Style: t.Number, Text: words.Size(int(st.Bytes))}, faint("of at most " + words.Size(int(s.store.most))),
		text(ui.Count(st.Sessions, "session")), text(ui.Count(st.References, "reference")), text(ui.Count(st.Tombstones, "tombstone")),
		faint("next expiry"), text(expiry(st.NextExpiry, now)),
	}
	if st.Quarantined > 0 {
		counts = append(counts, ui.Phrase{Style: t.Bad, Text: ui.Thousands(st.Quarantined) + " quarantined"})
	}
	add(counts...)
	if row, ok := s.Row(int(viewStore)); ok {
		refs := s.references()
		m, used := refs[row].Meta, refs[row].Used
		add(text(m.ID))
		add(faint("session"), text(safetext.Line(m.Session)), faint("of"), text(safetext.Line(m.Tool)),
			text(ui.Thousands(m.Chars)+" chars"), text(ui.Count(m.Lines, "line")), text(string(m.Kind)))
		add(faint("stored"), text(m.Stored.UTC().Format(time.DateTime)), faint("used"), text(used.UTC().Format(time.DateTime)),
			faint("expires"), text(expiry(refs[row].Expires, now)))
	}
	return ui.DrawnLines("store", "", out)
}

// notKept returns why the result cannot be kept.
func (s *Screen) notKept() string {
	switch {
	case s.source() == nil || s.verdict.err != nil, !s.verdict.Rescue && s.late():
		return "nothing to keep yet"
	case !s.verdict.Rescue:
		return "the result is not rescued: the model has all of it, and nothing is kept"
	}
	return ""
}

// keep puts the result into the store for the session, as the agent would.
func (s *Screen) keep() tea.Cmd {
	switch {
	case s.late():
		return s.host.Notify(ui.LevelInfo, "nothing to keep yet")
	case s.keeping.Running:
		return s.host.Notify(ui.LevelInfo, "a result is being kept")
	}
	// A stopped job reports nothing, and here one wants to know what became of it.
	ctx, cancel := context.WithCancel(s.host.Context())
	s.stopKeeping = cancel
	session, tool, r, rescuer := s.state.Snapshot.Session.Name, s.verdict.of.tool, *s.source(), s.rescuer()
	return s.keeping.Start(ctx, session, func(ctx context.Context, _ ui.Progress) (workbench.Rescued, error) {
		kept, err := rescuer.Put(ctx, session, tool, r.name, bytes.NewReader(r.data))
		return kept, errors.Join(err, rescuer.Close())
	})
}
