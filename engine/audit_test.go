package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

func TestAuditFindsNothingWrong(t *testing.T) {
	for _, mode := range []config.Mode{config.On, config.Auto, config.Off} {
		in := gateInputs(t, "")
		in.Config.ToolSearch.Enabled = mode
		audit, err := NewBuilder().Audit(t.Context(), in, Auditing{})
		require.NoError(t, err)
		if audit.Violations() != 0 {
			t.Errorf("%s: %+v", mode, audit)
		}
		harbor := audit.Sessions[1]
		wantCallable := []string{"mcp-harbor/horn", "mcp_harbor_book", "mcp_harbor_sink", "mcp_harbor_tow"}
		if mode != config.On {
			wantCallable = nil
		}
		if !slices.Equal(harbor.Callable, wantCallable) {
			t.Errorf("%s: harbor may call %q, want %q", mode, harbor.Callable, wantCallable)
		}
	}
}

func TestAuditFindsViolations(t *testing.T) {
	s := snapshotOf(t, "harbor")
	outside := s.Registry.Lookup("mcp_tide_read")[0]
	everythingGranted(s)
	index := s.index()
	catalogWith(s, outside)
	indexed(s, lying{Ranker: index, hide: -1, add: -1, longer: 1})
	audit := audited(t, s)
	for _, path := range []string{PathCall, PathDescribe} {
		if !slices.Contains(audit.Violations, Violation{Tool: "mcp_tide_read", Path: path}) {
			t.Errorf("an out-of-scope tool is reached by %s and the audit is silent: %+v", path, audit.Violations)
		}
	}
}

// randomInputs draws a registry with overlapping, including and clashing
// toolsets, and sessions over it.
func randomInputs(t *rapid.T) Inputs {
	toolsets := []string{"a", "b", "mcp-c", "mcp-d", "mcp-a", model.NoToolset}
	names := rapid.SampledFrom([]string{"a", "b", "c", "d", "mcp-c", "mcp-d", "mcp-a", "all", "*", "ghost", model.NoToolset})
	var tools []string
	for i := range rapid.IntRange(1, 12).Draw(t, "tools") {
		tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"t%d"},"toolset":%q,"available":%t}`,
			rapid.IntRange(0, i).Draw(t, "name"), rapid.SampledFrom(toolsets).Draw(t, "toolset"), rapid.IntRange(0, 9).Draw(t, "available") > 0))
	}
	var sets []string
	for _, name := range toolsets[:5] {
		listed := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 3).Draw(t, "listed")
		includes := rapid.SliceOfN(rapid.SampledFrom(toolsets), 0, 2).Draw(t, "includes")
		var l, i []string
		for _, n := range listed {
			l = append(l, fmt.Sprintf(`"t%d"`, n))
		}
		for _, n := range includes {
			i = append(i, fmt.Sprintf("%q", n))
		}
		sets = append(sets, fmt.Sprintf(`%q:{"tools":[%s],"includes":[%s]}`, name, strings.Join(l, ","), strings.Join(i, ",")))
	}
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json",
		Data: []byte(fmt.Sprintf(`{"toolsets":{%s},"tools":[%s]}`, strings.Join(sets, ","), strings.Join(tools, ",")))})
	require.NoError(t, err)
	c := config.Default()
	c.ToolSearch.Enabled = rapid.SampledFrom([]config.Mode{config.On, config.Off, config.Auto}).Draw(t, "mode")
	c.Core = []string{"t1", "t4"}
	c.Sessions = nil
	for i := range rapid.IntRange(1, 3).Draw(t, "sessions") {
		s := config.Session{Name: fmt.Sprint(i), Disabled: rapid.SliceOfN(names, 0, 3).Draw(t, "disabled")}
		if rapid.Bool().Draw(t, "lists") {
			s.Enabled = rapid.SliceOfN(names, 0, 4).Draw(t, "enabled")
		}
		c.Sessions = append(c.Sessions, s)
	}
	in := Inputs{Registry: registry, Config: c}
	in.Config.Selection = rapid.SampledFrom(config.Strategies).Draw(t, "strategy")
	in.Config.PreSelection.TopK = rapid.IntRange(1, 4).Draw(t, "k")
	in.Config.PreSelection.Core = []string{"t2", "t4"}
	in.Config.PreSelection.Exclude = []string{"t3"}
	if rapid.Bool().Draw(t, "message") {
		// What a message selects may be anything, so tools out of scope too.
		chosen := rapid.SliceOfNDistinct(rapid.IntRange(0, len(registry.Tools)-1), 0, 4, rapid.ID[int]).Draw(t, "selected")
		in.Message = "x"
		in.Select = func(context.Context, *Snapshot, string) ([]*model.Tool, error) {
			var tools []*model.Tool
			for _, i := range chosen {
				tools = append(tools, registry.Tools[i])
			}
			return tools, nil
		}
	}
	return in
}

// Each granted tool is sent, or found, described and callable through the
// bridge; none is both unreachable and said to be in the list of tools.
func TestEveryGrantedToolIsSentOrBehindTheBridge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInputs(t)
		in.Config.ToolSearch.MaxLimit = 50
		for _, session := range in.Config.Sessions {
			in.Session = session.Name
			s := built(t, in)
			a := s.Assembly()
			if want := len(a.Definitions()); want != len(a.Tools)+len(a.BridgeTools()) {
				t.Fatalf("%d definitions of %d tools", want, len(a.Tools))
			}
			sent := map[*model.Tool]bool{}
			for _, tool := range a.Tools {
				if sent[tool] || !s.Granted(tool) {
					t.Fatalf("%s is sent twice or not granted", tool.Qualified)
				}
				sent[tool] = true
			}
			deferred, unreachable := 0, 0
			for _, tool := range in.Registry.Tools {
				if !s.Granted(tool) {
					if s.Status(tool) == Sent || s.Status(tool) == Deferred {
						t.Fatalf("%s is not granted and %s", tool.Qualified, s.Status(tool))
					}
					continue
				}
				name := tool.Qualified
				call, direct := s.Call(name, nil), s.Direct(name, nil)
				_, described := s.Bridge(ToolDescribe, jsontree.Encode(map[string]any{"name": name}))
				hits, _ := s.bridgeSearch(tool.Name, 50)
				found := slices.Contains(hits, tool)
				switch status := s.Status(tool); status {
				case Sent:
					if !sent[tool] || direct.Code != CodeOK || described || found {
						t.Fatalf("%s: sent %t, direct %s, described %t, found %t", name, sent[tool], direct.Code, described, found)
					}
				case Deferred:
					deferred++
					if sent[tool] || call.Code != CodeOK || direct.Code != CodeDeferred || !described || !found {
						t.Fatalf("%s: call %s, direct %s, described %t, found %t", name, call.Code, direct.Code, described, found)
					}
				case Unreachable:
					unreachable++
					if in.Config.ToolSearch.Enabled != config.Off || !PreSelects(in.Config.Selection) || s.Core(tool) {
						t.Fatalf("%s is unreachable, %s with tool search %s", name, in.Config.Selection, in.Config.ToolSearch.Enabled)
					}
					if sent[tool] || call.Authorized || direct.Authorized || call.Code == CodeNotDeferrable {
						t.Fatalf("%s is unreachable: call %s, direct %s", name, call.Code, direct.Code)
					}
				default:
					t.Fatalf("%s is granted and %s", name, status)
				}
			}
			if a.Deferred != deferred || a.Unreachable != unreachable || a.Bridge != s.Active() {
				t.Fatalf("%+v, but %d deferred and %d unreachable", a, deferred, unreachable)
			}
			b := s.Budget(false)
			if all, bridge := s.Tokens(a); b.AfterTokens != all || b.BridgeTokens != bridge || b.Unreachable != unreachable {
				t.Fatalf("budget %+v for %d tokens, %d of the bridge", b, all, bridge)
			}
			if units := unitsOf(s, a); s.Tokenizer.Tokens(units) != b.AfterTokens {
				t.Fatalf("%d tokens are sent, the budget says %d", s.Tokenizer.Tokens(units), b.AfterTokens)
			}
		}
	})
}

// unitsOf counts the definitions that are really sent.
func unitsOf(s *Snapshot, a Assembly) int {
	units := 0
	for _, def := range a.Definitions() {
		units += s.Tokenizer.Units(def)
	}
	return units
}

func TestScopesAgreeAndAuditIsClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInputs(t)
		b := NewBuilder()
		for _, session := range in.Config.Sessions {
			in.Session = session.Name
			s, err := b.Build(t.Context(), in)
			require.NoError(t, err)
			for _, tool := range in.Registry.Tools {
				if s.Granted(tool) != s.executor().Allows(tool) {
					t.Fatalf("%s in %+v: catalog says %t, executor says otherwise", tool.Qualified, session, s.Granted(tool))
				}
			}
		}
		audit, err := b.Audit(t.Context(), in, Auditing{})
		require.NoError(t, err)
		if n := audit.Violations(); n != 0 {
			t.Fatalf("%d violations: %+v", n, audit)
		}
		for _, a := range audit.Sessions {
			active := len(a.Searchable) > 0
			if !active && !PreSelects(in.Config.Selection) && !slices.Equal(a.Direct, a.Granted) {
				t.Fatalf("without a bridge %q is direct, %q is granted", a.Direct, a.Granted)
			}
			if active && len(a.Direct)+len(a.Callable) != len(a.Granted) {
				t.Fatalf("%d direct and %d callable of %d granted", len(a.Direct), len(a.Callable), len(a.Granted))
			}
		}
	})
}

// audited returns the audit of a snapshot.
func audited(t testing.TB, s *Snapshot) SessionAudit {
	t.Helper()
	a := newAuditing(s)
	require.NoError(t, a.audit())
	return a.SessionAudit
}

// Progress moves within a session, never falls and ends at all work, including sessions
// that need not be asked again.
func TestAuditProgress(t *testing.T) {
	in := fleetInputs(t, 3000)
	in.Config.Sessions = append(in.Config.Sessions, config.Session{Name: "again"}, config.Session{Name: "dark", Enabled: []string{}})
	calls, last, largest := 0, 0, 0
	all := 2 * len(in.Config.Sessions) * len(in.Registry.Tools)
	_, err := NewBuilder().Audit(t.Context(), in, Auditing{Progress: func(done, total int) {
		if done <= last || total != all {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		calls, largest, last = calls+1, max(largest, done-last), done
	}})
	require.NoError(t, err)
	if last != all || calls < 20 || largest > all/2 {
		t.Errorf("%d calls up to %d of %d, by %d at most", calls, last, all, largest)
	}
}

// An audit that is cancelled ends after the piece of work that it is at.
func TestAuditIsCancelled(t *testing.T) {
	in := fleetInputs(t, 3000)
	ctx, cancel := context.WithCancel(t.Context())
	pieces := 0
	_, err := NewBuilder().Audit(ctx, in, Auditing{Pause: func() {
		pieces++
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || pieces != 1 {
		t.Errorf("%v after %d pieces", err, pieces)
	}
}

func TestReachedGroupsPaths(t *testing.T) {
	a := SessionAudit{Violations: []Violation{{"a", PathCall}, {"a", PathSearch}, {"b", PathDirect}}}
	want := []Reached{{"a", []string{PathCall, PathSearch}}, {"b", []string{PathDirect}}}
	if got := a.Reached(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (Audit{Sessions: []SessionAudit{a, {}, a}}).Violations(); got != 6 {
		t.Errorf("%d violations, want 6", got)
	}
	denied := SessionAudit{Denied: []Denial{{Tool: "a", Gate: "hook"}, {Tool: "c", Gate: "policy"}}}
	for tool, want := range map[string]string{"a": "hook", "b": "", "c": "policy"} {
		if d, ok := denied.Denial(tool); d.Gate != want || ok != (want != "") {
			t.Errorf("%s: %+v, %t", tool, d, ok)
		}
	}
	ruled := SessionAudit{Denied: []Denial{{Tool: "a", Code: CodeDenied, Final: true}, {Tool: "b", Code: CodeNeedsApproval}, {Tool: "c", Code: CodeNeedsApproval, Final: true}, {Tool: "d", Code: CodeOutOfScope, Final: true}}}
	if got := ruled.Ruled(); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("rules deny %q", got)
	}
	if got := (SessionAudit{}).Reached(); got != nil {
		t.Errorf("%+v of no violation", got)
	}
}

// What a model can do with a tool in a session, asked of one tool.
func TestPaths(t *testing.T) {
	final := func(gate, code string) Denial { return Denial{Gate: gate, Code: code, Final: true} }
	for _, c := range []struct {
		session, tool string
		describable   bool
		want          Denial
	}{
		{"wide", "read_file", false, Denial{}},
		{"wide", "mcp_harbor_book", true, Denial{}},
		{"wide", "mcp_harbor_sink", true, final("policy", CodeDenied)},
		{"wide", "mcp_harbor_tow", true, Denial{Gate: "policy", Code: CodeNeedsApproval}},
		{"wide", "mcp_tide_broken", false, final(GateScopeCatalog, CodeOutOfScope)},
		{"wide", "tool_search", false, Denial{}},
		{"harbor", "read_file", false, final(GateScopeExecutor, CodeOutOfScope)},
		{"harbor", "mcp_tide_read", false, final(GateScopeCatalog, CodeOutOfScope)},
		{"idle", "mcp_harbor_book", false, final(GateScopeExecutor, CodeOutOfScope)},
	} {
		s := snapshotOf(t, c.session)
		if c.want != (Denial{}) {
			c.want.Tool = c.tool
		}
		if describable, d := s.Paths(s.Registry.Lookup(c.tool)[0]); describable != c.describable || d != c.want {
			t.Errorf("%s, %s: described %t, %+v", c.session, c.tool, describable, d)
		}
	}
}

// An audit does not know a tool of another registry, whatever index that has.
func TestAuditKnowsItsTools(t *testing.T) {
	s := snapshotOf(t, "wide")
	all, a := s.Registry.Tools, &auditing{snapshot: s}
	for _, index := range []int{0, len(all) - 1, len(all), len(all) + 1} {
		if a.knows(&model.Tool{Index: index}) {
			t.Errorf("a strange tool with the index %d of %d is known", index, len(all))
		}
	}
	if !a.knows(all[0]) {
		t.Error("its own tool is not known")
	}
}
