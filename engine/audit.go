package engine

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"caliper/config"
	"caliper/engine/retrieval"
)

// The paths by which a tool can be reached, as violations name them.
const (
	PathSearch   = "search"
	PathDescribe = "describe"
	PathCall     = "call"
	PathDirect   = "direct"
)

// Audit is which tools each session reaches, found by trying every path.
type Audit struct {
	Sessions []SessionAudit
}

// Session returns what the audit found of a session; ok is false without the session.
func (a Audit) Session(name string) (found SessionAudit, ok bool) {
	for _, s := range a.Sessions {
		if s.Name == name {
			return s, true
		}
	}
	return SessionAudit{}, false
}

// SessionAudit is the tools that one session is granted and reaches, each list sorted
// by name.
type SessionAudit struct {
	Name        string
	Granted     []string
	Direct      []string // in the assembly in full
	Searchable  []string
	Describable []string
	Callable    []string
	Violations  []Violation
	Denied      []Denial // tools that a call does not reach
}

// Violation is a tool that a session reaches without being granted it, or
// that it finds and cannot call. Path tells how. A tool that is not of the registry
// is one too, where a session's index or a search has it.
type Violation struct {
	Tool string `json:"tool"`
	Path string `json:"path"`
}

// Denial is a tool whose call is refused when a model makes it as it would, with
// arguments that fit: through tool_call if the tool is behind the bridge, else by its
// name. Gate is the first gate that refuses the call, and Code the code of its fault,
// as the dry run has them. Unlike violations, denials know the policy: a tool that is
// in scope and that a rule denies is callable and denied. Final: no approval
// helps: the gate is one of the scope, or a rule denies the tool at it or at a later gate.
type Denial struct {
	Tool  string
	Gate  string
	Code  string
	Final bool
}

// Ruled returns the granted tools that a rule of the policy denies, which Direct and Callable
// hold all the same.
func (a SessionAudit) Ruled() (names []string) {
	for _, d := range a.Denied {
		if d.Final && (d.Code == CodeDenied || d.Code == CodeNeedsApproval) {
			names = append(names, d.Tool)
		}
	}
	return names
}

// Denial returns why a call of a tool is refused in the session; ok is false for a
// tool that a call reaches.
func (a SessionAudit) Denial(tool string) (d Denial, ok bool) {
	i, ok := slices.BinarySearchFunc(a.Denied, tool, func(d Denial, name string) int { return strings.Compare(d.Tool, name) })
	if !ok {
		return Denial{}, false
	}
	return a.Denied[i], true
}

// Reached is a tool with all the paths of its violations.
type Reached struct {
	Tool  string
	Paths []string
}

// Reached returns the violations of a session, grouped by tool, in
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

// Auditing is how an audit is made. The zero value is an audit on all cores.
type Auditing struct {
	// Earlier is an audit of the same sessions made before. Tools whose scope has
	// changed since are searched for; see Audit. The zero value has no session.
	Earlier Audit

	// Progress is called with the work done and all work, in tools of a session,
	// which count once when the session's snapshot is built and once when they are
	// asked for. Done never falls and ends at total. It is called by one goroutine
	// at a time; it may be nil.
	Progress func(done, total int)

	// Pause makes the audit work on one core. It is called between pieces of work of
	// about a millisecond, while no lock is held, and may wait; the snapshot of a
	// session is one piece. Nil uses all cores.
	Pause func()
}

// Audit builds a snapshot of every session, whose index is its own, and finds out
// which tools of the registry the session reaches. For n tools in a session it asks
// (session_audit.go):
//
//   - Search: each document of the session's index, which tool it is. Whatever a
//     query finds is one of these, so that a tool that none of them is cannot be found
//     by any query. Then it asks the index for each document whether tool_search finds
//     it by its tool's own name with the limit lifted (retrieval.Ranker.Finds), which
//     reads that document alone.
//   - Search, really: tool_search for the names of 16 tools in the index and of 16
//     others, at equal distances in the order of names, with a limit of 250; and for
//     each tool whose scope differs from the earlier audit's, with a limit of 50, for
//     at most 4096 of them at equal distances. It looks at every tool in these
//     answers. Where an answer contradicts the index, the answer counts.
//   - Describe, call and direct: each of the n tools, by the very gates that a model
//     meets, without the gates of schema, policy and hooks, which do not depend on the
//     scope, and without texts. The policy and the stages of the hooks are asked once
//     for all sessions, for Denied alone.
//
// A tool of the index that is not granted is a violation even if its own name does
// not find it, because another query may, unless the catalog's gate is left out.
//
// Sessions with the same lists are asked once. The error is ctx's, or that an
// index and a catalog do not belong together.
//
// Invariants:
//
//   - The lists equal the answers of tool_search to every tool's name with the
//     limit lifted, as long as Search and Finds agree; tests of package retrieval
//     hold them to it, and the real searches of each audit show it.
//   - Equal inputs give equal audits, whatever the earlier audit was.
//   - An audit of n tools reads each document of an index at most once beside its
//     real searches, whose number does not grow with n.
func (b *Builder) Audit(ctx context.Context, in Inputs, how Auditing) (Audit, error) {
	sessions := in.Config.Sessions
	out := make([]SessionAudit, len(sessions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	if how.Pause != nil {
		group.SetLimit(1)
		ctx = retrieval.OnOneCore(ctx)
	}
	policy := sync.OnceValue(func() []Denial { return refusals(in.Config.Policy, in.Registry.Tools) })
	var working sync.Mutex
	done, total := 0, 2*len(sessions)*len(in.Registry.Tools)
	work := func(tools int) {
		if how.Progress != nil && tools > 0 {
			working.Lock()
			defer working.Unlock()
			done += tools
			how.Progress(done, total)
		}
	}
	var groups [][]int // the indexes of sessions with the same lists, which reach the same tools
	for i, session := range sessions {
		same := slices.IndexFunc(groups, func(alike []int) bool { return sameScope(sessions[alike[0]], session) })
		if same < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[same] = append(groups[same], i)
		}
	}
	for _, alike := range groups {
		group.Go(func() error {
			in, name := in, sessions[alike[0]].Name
			in.Session, in.OnDemand, in.passing = name, true, true // the sizes of all tools are not asked for
			s, err := b.Build(ctx, in)
			if err != nil {
				return err
			}
			if err := s.Prepare(ctx, WorkIndexing); err != nil {
				return err
			}
			work(len(alike) * len(in.Registry.Tools))
			a := newAuditing(s)
			if i := slices.IndexFunc(how.Earlier.Sessions, func(s SessionAudit) bool { return s.Name == name }); i >= 0 {
				a.earlier = &how.Earlier.Sessions[i]
			}
			a.policy = policy()
			a.did = func(tools int) error {
				work(len(alike) * tools)
				if how.Pause != nil {
					how.Pause()
				}
				return ctx.Err()
			}
			if err := a.audit(); err != nil {
				return err
			}
			for _, i := range alike {
				out[i] = a.SessionAudit
				out[i].Name = sessions[i].Name
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Audit{}, err
	}
	return Audit{Sessions: out}, nil
}

// sameScope reports whether two sessions have the same lists, which are read in the
// same way. An absent list and an empty one are not the same.
func sameScope(a, b config.Session) bool {
	return a.Platform == b.Platform && a.InFull == b.InFull && slices.Equal(a.Withheld, b.Withheld) && slices.Equal(a.Known, b.Known) && (a.Enabled == nil) == (b.Enabled == nil) && slices.Equal(a.Enabled, b.Enabled) && slices.Equal(a.Disabled, b.Disabled)
}

// The gates of an audit: all that depend on the scope. The schema gate depends on
// what the model sends, and the policy and the hooks refuse tools that are in
// scope on purpose.
var (
	auditedBridge = scopeOnly(bridgeGates)
	auditedLater  = scopeOnly(laterGates)
	auditedDirect = scopeOnly(directGates)
)

// scopeOnly returns the gates without schema, policy and hooks.
func scopeOnly(gates []gate) []gate {
	return slices.DeleteFunc(slices.Clone(gates), func(g gate) bool {
		_, hook := stageOf(g.name)
		return hook || g.name == "schema" || g.name == "policy"
	})
}
