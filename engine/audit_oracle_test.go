package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/words"
)

// naiveAudit asks a snapshot for every tool of its registry, by a real search with
// the limit lifted and by every gate.
func naiveAudit(s *Snapshot) SessionAudit {
	a := SessionAudit{Name: s.Session.Name}
	for _, t := range s.Registry.Tools {
		name := t.Qualified
		granted := s.granted[t.Index] && s.class[t.Index] != Dropped
		if granted {
			a.Granted = append(a.Granted, name)
		}
		hits, _ := s.bridgeSearch(name, len(s.Catalog())+1)
		searchable := slices.Contains(hits, t)
		described, describable := s.passes(s.describeGates(), name, new(attempt))
		_, callable := s.passes(auditedBridge, name, new(attempt))
		direct, sent := s.passes(auditedDirect, name, new(attempt))
		for _, way := range []struct {
			path string
			yes  bool
			list *[]string
		}{
			{PathSearch, searchable, &a.Searchable},
			{PathDescribe, describable && described == t, &a.Describable},
			{PathCall, callable, &a.Callable},
			{PathDirect, sent && direct == t, &a.Direct},
		} {
			if way.yes {
				*way.list = append(*way.list, name)
				if !granted {
					a.Violations = append(a.Violations, Violation{name, way.path})
				}
			}
		}
		if granted && s.class[t.Index] == Deferrable && searchable && !callable {
			a.Violations = append(a.Violations, Violation{name, PathCall})
		}
		way := directGates
		if s.Active() && s.class[t.Index] == Deferrable {
			way = bridgeGates
		}
		fits := slices.DeleteFunc(slices.Clone(way), func(g gate) bool { return g.name == "arguments" || g.name == "schema" })
		if trace := s.take(fits, &attempt{snapshot: s, called: words.Strip(name)}, name); !trace.Authorized {
			final := trace.Code != CodeNeedsApproval || slices.ContainsFunc(s.Config.Policy, func(r config.Rule) bool {
				match, _ := ruleMatcher(r)
				return r.Action == config.Deny && match(t)
			})
			a.Denied = append(a.Denied, Denial{name, string(trace.Gate), trace.Code, final})
		}
	}
	slices.SortFunc(a.Denied, func(x, y Denial) int { return strings.Compare(x.Tool, y.Tool) })
	for _, list := range []*[]string{&a.Granted, &a.Direct, &a.Searchable, &a.Describable, &a.Callable} {
		slices.Sort(*list)
	}
	slices.SortFunc(a.Violations, func(x, y Violation) int {
		return strings.Compare(x.Tool+"\x00"+x.Path, y.Tool+"\x00"+y.Path)
	})
	return a
}

// oddNames are names that a search by them finds, finds among others, and does not
// find.
var oddNames = []string{"get_file", "getFile", "get file", "mcp_a_get", "file", "FILE", "—", "港口", "港口管理", "a/b", "the", "of the", "x", "repositry", "repository", ToolSearch, " ", "h264"}

// oddInputs draws a registry of tools with odd names, two of one name among them, and
// sessions over it.
func oddInputs(t *rapid.T) Inputs {
	toolsets := []string{"mcp-a", "mcp-b", "c", model.NoToolset}
	names := rapid.SampledFrom([]string{"a", "mcp-b", "c", "all", "ghost", model.NoToolset})
	var entries []string
	for range rapid.IntRange(1, 25).Draw(t, "tools") {
		words := rapid.SliceOfN(rapid.SampledFrom(oddNames), 0, 3).Draw(t, "description")
		entries = append(entries, strings.TrimSuffix(fixture.Entry(rapid.SampledFrom(oddNames).Draw(t, "name"), strings.Join(words, " "),
			rapid.SampledFrom(toolsets).Draw(t, "toolset")), "}")+fmt.Sprintf(`,"available":%t}`, rapid.IntRange(0, 9).Draw(t, "available") > 0))
	}
	in := Inputs{Registry: fixture.Registry(t, entries...), Config: fixture.Config()}
	c := &in.Config
	c.ToolSearch.Enabled = rapid.SampledFrom([]config.Mode{config.On, config.On, config.Off, config.Auto}).Draw(t, "mode")
	c.ToolSearch.Ranker = rapid.SampledFrom(config.Rankers).Draw(t, "ranker")
	c.Core = rapid.SliceOfN(rapid.SampledFrom(oddNames), 0, 2).Draw(t, "core")
	c.Sessions = nil
	for i := range rapid.IntRange(1, 3).Draw(t, "sessions") {
		s := config.Session{Name: fmt.Sprint(i), Disabled: rapid.SliceOfN(names, 0, 2).Draw(t, "disabled")}
		if rapid.Bool().Draw(t, "lists") {
			s.Enabled = rapid.SliceOfN(names, 0, 3).Draw(t, "enabled")
		}
		c.Sessions = append(c.Sessions, s)
	}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		c.Policy = append(c.Policy, config.Rule{
			Match:  rapid.SampledFrom([]string{"*", "get*", "mcp_*", "file", "["}).Draw(t, "match"),
			Action: rapid.SampledFrom([]config.Action{config.Deny, config.Approve, config.Observe}).Draw(t, "action"),
			Stage:  rapid.SampledFrom([]config.Stage{"", config.StagePre, config.StageApproval}).Draw(t, "stage"),
		})
	}
	in.WithoutGates = rapid.SampledFrom([][]string{nil, nil, {GateScopeCatalog}, {GateScopeExecutor}, {GateScopeCatalog, GateScopeExecutor}}).Draw(t, "without")
	return in
}

// The audit equals asking for everything, in every mode, with every ranker and
// with gates left out, whatever the earlier audit was.
func TestAuditEqualsTheNaiveOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := oddInputs(t)
		if rapid.Bool().Draw(t, "selection") {
			ranker, without := in.Config.ToolSearch.Ranker, in.WithoutGates
			in = randomInputs(t)
			in.Config.ToolSearch.Ranker, in.WithoutGates = ranker, without
		}
		b := NewBuilder()
		audit, err := b.Audit(t.Context(), in, Auditing{})
		require.NoError(t, err)
		for i, session := range in.Config.Sessions {
			in.Session = session.Name
			s, err := b.Build(t.Context(), in)
			require.NoError(t, err)
			if want := naiveAudit(s); !reflect.DeepEqual(audit.Sessions[i], want) {
				t.Fatalf("session %+v:\n%+v, want\n%+v", session, audit.Sessions[i], want)
			}
		}
		earlier := Audit{Sessions: slices.Clone(audit.Sessions)}
		for i := range earlier.Sessions {
			earlier.Sessions[i].Granted = rapid.SampledFrom(audit.Sessions).Draw(t, "earlier").Granted
		}
		again, err := b.Audit(t.Context(), in, Auditing{Earlier: earlier, Pause: func() {}})
		if err != nil || !reflect.DeepEqual(again, audit) {
			t.Fatalf("with an earlier audit: %+v, want %+v (%v)", again, audit, err)
		}
	})
}

// At a size at which searches of the sample are cut, too.
func TestAuditOfManyEqualsTheNaiveOne(t *testing.T) {
	in := crowd(200)
	for _, ranker := range config.Rankers {
		in.Config.ToolSearch.Ranker, in.Session = ranker, "tenth"
		for _, without := range [][]string{nil, {GateScopeCatalog}} {
			in.WithoutGates = without
			s := built(t, in)
			if got, want := audited(t, s), naiveAudit(s); !reflect.DeepEqual(got, want) {
				t.Errorf("%s without %q: the audit is not that of asking for everything", ranker, without)
			}
		}
	}
}

// foreignTool returns a tool of the registry of a snapshot of session harbor that the
// session is not granted, and that may be searched for.
func foreignTool(s *Snapshot) *model.Tool { return s.Registry.Lookup("mcp_tide_read")[0] }

// replace puts a tool in the place of the first of the catalog.
func replace(s *Snapshot, t *model.Tool) {
	l := s.catalog.list()
	l.tools = slices.Clone(l.tools)
	l.tools[0] = t
	s.catalog = &catalog{list: func() contents { return l }, index: s.catalog.index}
}

// indexed gives the catalog another index.
func indexed(s *Snapshot, index retrieval.Ranker) {
	s.catalog = &catalog{list: s.catalog.list, index: func(context.Context) (retrieval.Ranker, error) { return index, nil }}
}

// lying is a ranker that finds a document for no query, or one more for each.
type lying struct {
	retrieval.Ranker
	hide, add int
	longer    int // it claims so many documents more than it has
}

func (l lying) Len() int { return l.Ranker.Len() + l.longer }

func (l lying) Finds(query string, doc int) bool {
	return doc != l.hide && l.Ranker.Finds(query, doc)
}

func (l lying) SearchInto(dst []retrieval.Hit, query string, k int) retrieval.Result {
	r := l.Ranker.SearchInto(dst, query, k)
	r.Hits = slices.DeleteFunc(r.Hits, func(h retrieval.Hit) bool { return h.Doc == l.hide })
	if l.add >= 0 {
		r.Hits = append(r.Hits, retrieval.Hit{Doc: l.add})
	}
	return r
}

// A foreign tool in a session's index is found out wherever it comes from, by the
// index alone or by a search alone.
func TestAuditFindsForeignToolsInSearch(t *testing.T) {
	violation := Violation{Tool: "mcp_tide_read", Path: PathSearch}
	tests := []struct {
		name  string
		fault func(s *Snapshot, a *auditing)
		want  bool
	}{
		{"sound", func(*Snapshot, *auditing) {}, false},
		{"a foreign tool in the place of another", func(s *Snapshot, _ *auditing) {
			replace(s, foreignTool(s))
		}, true},
		{"one that its own name does not find", func(s *Snapshot, _ *auditing) {
			replace(s, foreignTool(s))
			indexed(s, lying{Ranker: s.index(), hide: 0, add: -1})
		}, true},
		{"the index of the whole registry", func(s *Snapshot, _ *auditing) {
			whole, err := s.IndexOver(t.Context(), s.ByName())
			require.NoError(t, err)
			l := s.catalog.list()
			l.tools = s.ByName()
			s.catalog = &catalog{list: func() contents { return l }}
			indexed(s, whole)
		}, true},
		{"a search of the whole registry beside the index", func(s *Snapshot, a *auditing) {
			a.search = func(query string, limit int) ([]*model.Tool, *Fault) {
				hits, f := s.bridgeSearch(query, limit)
				return append(hits, foreignTool(s)), f
			}
		}, true},
		{"a tool of another registry", func(s *Snapshot, _ *auditing) {
			other := *foreignTool(s)
			replace(s, &other)
		}, true},
	}
	for _, test := range tests {
		s := snapshotOf(t, "harbor")
		a := newAuditing(s)
		test.fault(s, a)
		if err := a.audit(); err != nil {
			t.Fatal(test.name, err)
		}
		if got := slices.Contains(a.Violations, violation); got != test.want {
			t.Errorf("%s: violations %v", test.name, a.Violations)
		}
	}
}

// Where a real search contradicts the index, the search counts.
func TestAuditBelievesTheSearch(t *testing.T) {
	s := snapshotOf(t, "harbor")
	sound := audited(t, s)
	doc := slices.Index(s.Catalog(), s.Registry.Lookup("mcp_harbor_book")[0])
	index := s.index()
	indexed(s, lying{Ranker: index, hide: doc, add: -1})
	if a := audited(t, s); slices.Contains(a.Searchable, "mcp_harbor_book") || len(a.Searchable) != len(sound.Searchable)-1 {
		t.Errorf("a tool that is hidden: searchable %q", a.Searchable)
	}
	indexed(s, lying{Ranker: index, hide: doc, add: doc})
	if a := audited(t, s); !slices.Equal(a.Searchable, sound.Searchable) {
		t.Errorf("a tool that only the search has: searchable %q", a.Searchable)
	}
}

// An index with documents that the catalog does not have is no basis for an audit,
// and neither is one that lacks documents of the catalog.
func TestAuditRefusesAnIndexOfAnotherCatalog(t *testing.T) {
	for longer, want := range map[int]string{1: "an index of 5 documents", -1: "an index of 3 documents"} {
		s := snapshotOf(t, "harbor")
		indexed(s, lying{Ranker: s.index(), hide: -1, add: -1, longer: longer})
		if err := newAuditing(s).audit(); err == nil || !strings.HasPrefix(err.Error(), "session harbor: "+want+" for a catalog of 4 tools") {
			t.Error(err)
		}
	}
}

// What changed is searched for, whether or not it is in the sample.
func TestAuditSearchesForWhatChanged(t *testing.T) {
	in := fleetInputs(t, 300)
	in.Session = "ships"
	s := built(t, in)
	searched := func(earlier *SessionAudit) map[string]bool {
		names := map[string]bool{}
		a := newAuditing(s)
		a.earlier = earlier
		a.search = func(query string, limit int) ([]*model.Tool, *Fault) {
			names[query] = true
			return s.bridgeSearch(query, limit)
		}
		require.NoError(t, a.audit())
		return names
	}
	whole := audited(t, s)
	sample := searched(nil)
	if len(sample) > 2*sampleSize || len(sample) < sampleSize || !sample["zz_beam"] {
		t.Errorf("a sample of %d: %v", len(sample), sample)
	}
	if again := searched(&whole); !reflect.DeepEqual(again, sample) {
		t.Errorf("without a change %v are searched for", again)
	}
	before := SessionAudit{Granted: append(slices.Delete(slices.Clone(whole.Granted), 40, 70), "zz_beam", "zz_gone")}
	changed := searched(&before)
	for _, name := range append(whole.Granted[40:70:70], "zz_beam") {
		if !changed[name] {
			t.Errorf("%s is not searched for", name)
		}
	}
	if len(changed) > len(sample)+31 {
		t.Errorf("%d are searched for", len(changed))
	}
}

// crowd returns a synthetic registry of n tools and ten sessions that no two have
// in common. One is granted everything, three all but one toolset, two every second
// toolset, three every tenth and one a single toolset: half of all tools on average.
func crowd(n int) Inputs {
	tools := fixture.Tools(n, 1)
	var toolsets []*model.Toolset
	for i, t := range tools {
		if i == 0 || tools[i-1].Toolset != t.Toolset {
			toolsets = append(toolsets, &model.Toolset{Name: t.Toolset, Server: t.Server})
		}
	}
	// every returns every k-th toolset, from the first on.
	every := func(k, first int) (names []string) {
		for i := first % len(toolsets); i < len(toolsets); i += k {
			names = append(names, toolsets[i].Name)
		}
		return names
	}
	c := config.Default()
	c.Sessions = []config.Session{
		{Name: "default"},
		{Name: "but the first", Disabled: every(len(toolsets), 0)},
		{Name: "but the second", Disabled: every(len(toolsets), 1)},
		{Name: "but the third", Disabled: every(len(toolsets), 2)},
		{Name: "even", Enabled: every(2, 0)},
		{Name: "odd", Enabled: every(2, 1)},
		{Name: "tenth", Enabled: every(10, 0)},
		{Name: "another tenth", Enabled: every(10, 1)},
		{Name: "a third tenth", Enabled: every(10, 2)},
		{Name: "one", Enabled: every(len(toolsets), 3)},
	}
	return Inputs{Registry: model.NewRegistry(tools, toolsets), Config: c}
}
