package engine

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"caliper/config"
	"caliper/engine/retrieval"
	"caliper/model"
)

// The paths by which a tool can be reached, as violations name them.
const (
	PathSearch   = "search"
	PathDescribe = "describe"
	PathCall     = "call"
	PathDirect   = "direct"
)

// Audit has the tools that each session reaches, found by trying every path.
type Audit struct {
	Sessions []SessionAudit
}

// SessionAudit is what one session is granted and reaches, each list sorted
// by name.
type SessionAudit struct {
	Name        string
	Granted     []string
	Direct      []string // in the assembly in full
	Searchable  []string
	Describable []string
	Callable    []string
	Violations  []Violation
}

// Violation is a tool that a session reaches without being granted it, or
// that it finds and cannot call. Path says how.
type Violation struct {
	Tool string `json:"tool"`
	Path string `json:"path"`
}

// Reached is a tool with all the paths of its violations.
type Reached struct {
	Tool  string
	Paths []string
}

// Reached returns the violations of a session, those of one tool together, in
// the order of the tools.
func (a SessionAudit) Reached() []Reached {
	var out []Reached
	for _, v := range a.Violations {
		if last := len(out) - 1; last >= 0 && out[last].Tool == v.Tool {
			out[last].Paths = append(out[last].Paths, v.Path)
		} else {
			out = append(out, Reached{v.Tool, []string{v.Path}})
		}
	}
	return out
}

// Violations returns how many violations the audit found.
func (a Audit) Violations() int {
	n := 0
	for _, s := range a.Sessions {
		n += len(s.Violations)
	}
	return n
}

// Audit builds a snapshot of every session and asks its bridge for every tool
// of the registry: search by the tool's own name with the limit lifted,
// describe, call, and a direct call, leaving out arguments and policy, which
// do not depend on the scope. progress may be nil; it is called with the number of
// sessions done and the number of all sessions, one call at a time, at the end with
// all. The error is ctx's.
func (b *Builder) Audit(ctx context.Context, in Inputs, progress func(done, total int)) (Audit, error) {
	sessions := in.Config.Sessions
	out := make([]SessionAudit, len(sessions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var reporting sync.Mutex
	done := 0
	for _, alike := range alikeSessions(sessions) {
		group.Go(func() error {
			in := in
			in.Session = sessions[alike[0]].Name
			s, err := b.Build(ctx, in)
			if err != nil {
				return err
			}
			found, err := s.audit(ctx)
			if err != nil {
				return err
			}
			for _, i := range alike {
				out[i] = found
				out[i].Name = sessions[i].Name
			}
			if progress != nil {
				reporting.Lock()
				defer reporting.Unlock()
				done += len(alike)
				progress(done, len(sessions))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Audit{}, err
	}
	return Audit{Sessions: out}, nil
}

// alikeSessions returns the indexes of the sessions in groups with the same lists.
// The sessions of a group reach the same tools, so only one of them is audited.
func alikeSessions(sessions []config.Session) [][]int {
	var out [][]int
	for i, session := range sessions {
		same := slices.IndexFunc(out, func(alike []int) bool { return sameScope(sessions[alike[0]], session) })
		if same < 0 {
			out = append(out, []int{i})
		} else {
			out[same] = append(out[same], i)
		}
	}
	return out
}

// sameScope reports whether two sessions have the same lists. An absent list
// and an empty one are not the same.
func sameScope(a, b config.Session) bool {
	return (a.Enabled == nil) == (b.Enabled == nil) && slices.Equal(a.Enabled, b.Enabled) && slices.Equal(a.Disabled, b.Disabled)
}

// audit asks the snapshot's bridge for every tool of the registry.
func (s *Snapshot) audit(ctx context.Context) (SessionAudit, error) {
	a := auditing{snapshot: s, SessionAudit: SessionAudit{Name: s.Session.Name}}
	for _, t := range s.facts.byName() {
		if err := ctx.Err(); err != nil {
			return SessionAudit{}, err
		}
		a.ask(t)
	}
	slices.SortFunc(a.Violations, func(x, y Violation) int {
		return cmp.Or(strings.Compare(x.Tool, y.Tool), strings.Compare(x.Path, y.Path))
	})
	for _, list := range []*[]string{&a.Granted, &a.Direct, &a.Searchable, &a.Describable, &a.Callable} {
		slices.Sort(*list)
	}
	return a.SessionAudit, nil
}

// auditing is the audit of one session while it is made.
type auditing struct {
	SessionAudit
	snapshot *Snapshot
	hits     []retrieval.Hit // memory of the searches
}

// ask asks for one tool by every path.
func (a *auditing) ask(t *model.Tool) {
	s, name := a.snapshot, t.Qualified
	granted := s.granted[t.Index] && s.class[t.Index] != Dropped
	if granted {
		a.Granted = append(a.Granted, name)
	}
	searchable := granted && a.finds(t, auditedFirst) || a.finds(t, len(s.Catalog()))
	described, describable := s.passes(s.describeGates(), name)
	_, callable := s.passes(auditedBridge, name)
	direct, sent := s.passes(auditedDirect, name)

	reached := []struct {
		path string
		yes  bool
		list *[]string
	}{
		{PathSearch, searchable, &a.Searchable},
		{PathDescribe, describable && described == t, &a.Describable},
		{PathCall, callable, &a.Callable},
		{PathDirect, sent && direct == t, &a.Direct},
	}
	for _, r := range reached {
		if !r.yes {
			continue
		}
		*r.list = append(*r.list, name)
		if !granted {
			a.Violations = append(a.Violations, Violation{Tool: name, Path: r.path})
		}
	}
	if granted && s.class[t.Index] == Deferrable && searchable && !callable {
		a.Violations = append(a.Violations, Violation{Tool: name, Path: PathCall})
	}
}

// auditedFirst is the limit of the first search for a tool that is granted: its
// own name nearly always finds it near the top, and what a search finds within
// a limit it finds without one.
const auditedFirst = 20

// finds reports whether tool_search finds a tool by its name within a limit.
func (a *auditing) finds(t *model.Tool, limit int) bool {
	var f *Fault
	if a.hits, f = a.snapshot.bridgeHits(a.hits[:0], t.Qualified, limit); f != nil {
		return false
	}
	return slices.ContainsFunc(a.hits, func(h retrieval.Hit) bool { return a.snapshot.Catalog()[h.Doc] == t })
}

// The gates of an audit: all that depend on the scope. The schema gate depends on
// what the model sends, and the policy and the hooks refuse tools that are in
// scope on purpose.
var (
	auditedBridge = scopeOnly(bridgeGates)
	auditedDirect = scopeOnly(directGates)
)

// scopeOnly returns the gates without those of schema, policy and hooks.
func scopeOnly(gates []gate) []gate {
	return slices.DeleteFunc(slices.Clone(gates), func(g gate) bool {
		_, hook := stageOf(g.name)
		return hook || g.name == "schema" || g.name == "policy"
	})
}
