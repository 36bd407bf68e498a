package engine

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"caliper/config"
	"caliper/model"
)

// The paths by which a tool can be reached, as violations name them.
const (
	PathSearch   = "search"
	PathDescribe = "describe"
	PathCall     = "call"
	PathDirect   = "direct"
)

// Audit is what each session reaches, found by asking.
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
// are no matter of scope. progress, which may be nil, is told how
// many sessions are done of how many. The error is ctx's.
func (b *Builder) Audit(ctx context.Context, in Inputs, progress func(done, total int)) (Audit, error) {
	sessions := in.Config.Sessions
	out := make([]SessionAudit, len(sessions))
	var done atomic.Int32
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var telling sync.Mutex
	for i, session := range sessions {
		// Sessions with the same lists reach the same: the first is asked.
		same := slices.IndexFunc(sessions[:i], func(s config.Session) bool { return sameScope(s, session) })
		if same >= 0 {
			continue
		}
		group.Go(func() error {
			in := in
			in.Session = session.Name
			s, err := b.Build(ctx, in)
			if err != nil {
				return err
			}
			if out[i], err = s.audit(ctx); err != nil {
				return err
			}
			if progress != nil {
				telling.Lock()
				progress(int(done.Add(1)), len(sessions))
				telling.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Audit{}, err
	}
	for i, session := range sessions {
		same := slices.IndexFunc(sessions, func(s config.Session) bool { return sameScope(s, session) })
		if same < i {
			out[i] = out[same]
			out[i].Name = session.Name
		}
	}
	return Audit{Sessions: out}, nil
}

// sameScope reports whether two sessions have the same lists. An absent list
// and an empty one are not the same.
func sameScope(a, b config.Session) bool {
	return (a.Enabled == nil) == (b.Enabled == nil) && slices.Equal(a.Enabled, b.Enabled) && slices.Equal(a.Disabled, b.Disabled)
}

// audit asks the snapshot's bridge for every tool of the registry.
func (s *Snapshot) audit(ctx context.Context) (SessionAudit, error) {
	a := SessionAudit{Name: s.Session.Name}
	for _, t := range s.facts.byName {
		if err := ctx.Err(); err != nil {
			return SessionAudit{}, err
		}
		s.auditTool(&a, t)
	}
	slices.SortFunc(a.Violations, func(x, y Violation) int {
		return cmp.Or(strings.Compare(x.Tool, y.Tool), strings.Compare(x.Path, y.Path))
	})
	for _, list := range []*[]string{&a.Granted, &a.Direct, &a.Searchable, &a.Describable, &a.Callable} {
		slices.Sort(*list)
	}
	return a, nil
}

// auditTool asks for one tool by every path.
func (s *Snapshot) auditTool(a *SessionAudit, t *model.Tool) {
	name := t.Qualified
	granted := s.granted[t.Index]
	if granted {
		a.Granted = append(a.Granted, name)
	}
	found, _ := s.bridgeSearch(name, len(s.catalog))
	searchable := slices.Contains(found, t)
	described, _ := s.bridgeDescribe(name)
	call := s.run(auditedBridge, name, nil)
	direct := s.run(auditedDirect, name, nil)

	reached := []struct {
		path string
		yes  bool
		list *[]string
	}{
		{PathSearch, searchable, &a.Searchable},
		{PathDescribe, described == t, &a.Describable},
		{PathCall, call.Authorized, &a.Callable},
		{PathDirect, direct.Authorized && direct.RealName == optional(name), &a.Direct},
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
	if granted && s.class[t.Index] == Deferrable && searchable && !call.Authorized {
		a.Violations = append(a.Violations, Violation{Tool: name, Path: PathCall})
	}
}

// The gates an audit asks: all that depend on the scope. Whether arguments fit
// depends on what the model sends, and a policy refuses what is in scope on
// purpose; neither says anything about the scope.
var (
	auditedBridge = scopeOnly(bridgeGates)
	auditedDirect = scopeOnly(directGates)
)

// scopeOnly returns the gates but those of schema and policy.
func scopeOnly(gates []gate) []gate {
	return slices.DeleteFunc(slices.Clone(gates), func(g gate) bool { return g.name == "schema" || g.name == "policy" })
}
