package workbench

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	settings "caliper/config"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/watch"
)

// loadedDemo returns the demo as the explorer loads it, in a session.
func loadedDemo(t *testing.T, session, config string) State {
	t.Helper()
	st, err := New().Load(t.Context(), Input{
		Registry: []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}}, Config: &watch.File{Name: demo.ConfigFile, Data: []byte(config)},
		Queries: &watch.File{Name: demo.QueriesFile, Data: demo.Queries()}, Flags: Flags{Session: session},
	})
	if err != nil || len(st.Errors) > 0 {
		t.Fatal(err, st.Errors)
	}
	return st
}

var providerName = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)

// Somebody's first look does not begin with a list of warnings, but for the one name that
// is borne twice, by two servers whose names run into the tool's, which the config explains.
func TestDemoRegistry(t *testing.T) {
	r := loadedDemo(t, "", string(demo.Config())).Snapshot.Registry
	core := settings.Default().Core
	toolsets := map[string]bool{}
	builtin, away := 0, 0
	for _, tl := range r.Tools {
		switch isCore := slices.Contains(core, tl.Name); {
		case isCore:
			builtin++
		case !tl.Available:
			away++
		default:
			toolsets[tl.Toolset] = true
		}
		if own := tl.Texts.Source == "builtin"; own != slices.Contains(core, tl.Name) {
			t.Errorf("%s: builtin %v, and the core list has it otherwise", tl.Name, own)
		}
		if want := "mcp_" + strings.ReplaceAll(tl.Server, "-", "_") + "_" + tl.OriginalName; !providerName.MatchString(tl.Name) || tl.Texts.Source == "mcp" && tl.Name != want {
			t.Errorf("%s: no name of a provider, or not %s", tl.Name, want)
		}
		if !strings.HasSuffix(tl.Description, ".") || tl.ShownDescription() != tl.Description || strings.Contains(string(tl.Function), `\u`) {
			t.Errorf("%s: description %q", tl.Name, tl.Description)
		}
	}
	if deferrable := len(r.Tools) - builtin - away; r.Shape != "hermes" || deferrable < 140 || len(toolsets) < 12 || builtin < 20 || builtin > 24 || away != 1 {
		t.Errorf("%s with %d deferrable tools in %d toolsets, %d core tools, %d that are not available", r.Shape, deferrable, len(toolsets), builtin, away)
	}
	sources := map[string]int{}
	for _, set := range r.Toolsets {
		sources[set.Source]++
		sources["composite"] += min(1, len(set.Includes))
		if set.Description == "" || (len(set.Includes) > 0) == slices.ContainsFunc(r.Tools, func(tl *model.Tool) bool { return tl.Toolset == set.Name }) {
			t.Errorf("%s: no description, or neither tools of its own nor includes", set.Name)
		}
	}
	if sources["plugin"] == 0 || sources["composite"] == 0 || sources["builtin"]+sources["plugin"]+sources["mcp"] != len(r.Toolsets) {
		t.Errorf("toolsets: %v", sources)
	}
	const clash = "mcp_forge_ci_status"
	for _, w := range r.Warnings {
		if !strings.Contains(w.Error(), clash) {
			t.Error(w)
		}
	}
	for _, tl := range r.Tools {
		if n := len(r.Lookup(tl.Name)); n != 1 && (n != 2 || tl.Name != clash) {
			t.Errorf("%s is borne %d times", tl.Name, n)
		}
	}
	if len(r.Lookup(clash)) != 2 || !strings.Contains(string(demo.Config()), clash) {
		t.Error("no clash, or the config does not explain it")
	}
}

// The config has the defaults that its comments name, two rules that match, and sessions of the
// sizes that they promise, in chars4 tokens: the gauge tells its story by them.
func TestDemoSessions(t *testing.T) {
	st := loadedDemo(t, "", string(demo.Config()))
	c, config := st.Config.Config, string(demo.Config())
	if len(st.Warnings) > 1 || c.ToolSearch != settings.Default().ToolSearch || c.Selection != "eager" || len(c.Policy) != 2 || c.Policy[0].Action == c.Policy[1].Action {
		t.Errorf("%v %+v", st.Warnings, c)
	}
	for _, rule := range c.Policy {
		prefix, ok := strings.CutSuffix(rule.Match, "*")
		if !ok || !slices.ContainsFunc(st.Snapshot.Catalog(), func(tl *model.Tool) bool { return strings.HasPrefix(tl.Name, prefix) }) {
			t.Errorf("rule %s matches no tool", rule.Match)
		}
	}
	var names []string
	for _, s := range c.Sessions {
		names = append(names, s.Name)
	}
	const threshold = 20_000
	sessions := []struct {
		name, config, granted, denied string
		least, most                   int
	}{
		{"default", "", "mcp_forge_merge_change", "mcp_maps_render_map", 29500, 31000}, // not available
		{"forge-dev", "", "mcp_forge_delete_branch", "mcp_payments_refund_charge", 9000, 10200},
		{"support-desk", "", "mcp_payments_refund_charge", "mcp_forge_merge_change", threshold, 22000},
		{"ops-oncall", "", "mcp_rollout_rollback_release", "mcp_payments_refund_charge", 18500, threshold - 1}, // through the composite
		{"kanban-worker", "", "slipway_book_hire", "mcp_tracker_create_issue", 500, 1500},
		// What the comments say of a change.
		{"ops-oncall", strings.Replace(config, "  ops-oncall:\n    enabled_toolsets: [", "  ops-oncall:\n    enabled_toolsets: [bucket, ", 1), "mcp_rollout_rollback_release", "mcp_payments_refund_charge", threshold, 40_000},
	}
	for i, want := range sessions {
		if want.config == "" && names[i] != want.name {
			t.Errorf("session %d is %s", i, names[i])
		}
		s := loadedDemo(t, want.name, cmp.Or(want.config, config)).Snapshot
		b := s.Budget(false)
		if got := b.DeferredTokens; got < want.least || got > want.most || b.ThresholdTokens != threshold || want.name == "default" && got >= *b.ContextLength*16/100 {
			t.Errorf("%s: %d tokens of a threshold of %d, want %d to %d", want.name, got, b.ThresholdTokens, want.least, want.most)
		}
		if !slices.Contains(s.Catalog(), s.Registry.Named(want.granted)) || slices.Contains(s.Catalog(), s.Registry.Named(want.denied)) {
			t.Errorf("%s: granted %s, or not %s", want.name, want.denied, want.granted)
		}
	}
	if len(names) != len(sessions)-1 {
		t.Errorf("sessions %v", names)
	}
}

// TestDemoQueries: the tools that answer a query are in the default session, and only an ambiguous
// one has several. What the words of a query name is found; what only its sense names mostly is
// not, or there would be nothing to show.
func TestDemoQueries(t *testing.T) {
	st := loadedDemo(t, "", string(demo.Config()))
	e, err := labels.Evaluate(t.Context(), st.Snapshot, st.Queries, nil)
	if err != nil || len(e.Answers) < 60 {
		t.Fatalf("%d queries, %v", len(e.Answers), err)
	}
	found, asked, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, a := range e.Answers {
		q := a.Query
		kind, _, _ := strings.Cut(q.ID, "-")
		if seen[q.Text] || kind != "ambiguous" && kind != "easy" && len(q.Relevant) > 1 {
			t.Errorf("%s: asked twice, or several tools are right, so that it is ambiguous", q.ID)
		}
		seen[q.Text] = true
		for i, name := range q.Relevant {
			if bearers := st.Snapshot.Registry.Lookup(name); len(bearers) != 1 || !slices.Contains(st.Snapshot.Catalog(), bearers[0]) || slices.Contains(q.Relevant[:i], name) {
				t.Errorf("%s: %s is no tool of the default session, or stands twice", q.ID, name)
			}
		}
		for _, k := range []string{kind, "all"} {
			asked[k]++
			if a.Best > 0 && a.Best <= 5 {
				found[k]++
			}
		}
	}
	for kind, bounds := range map[string][2]float64{"easy": {1, 1}, "plain": {0.9, 1}, "hard": {0.1, 0.6}, "ambiguous": {0.7, 1}, "all": {0.7, 0.95}} {
		if share := float64(found[kind]) / float64(asked[kind]); asked[kind] < 10 || !(share >= bounds[0] && share <= bounds[1]) {
			t.Errorf("%s: %d of %d found, want a share of %v and 10 queries", kind, found[kind], asked[kind], bounds)
		}
	}
}

// The demo is written to a folder, over what is there, as it is and no more. Where it cannot be,
// that is an error, and what was written before stays.
func TestDemoIsWritten(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // the second time over what a user has made of the first
		p, err := demo.Write(dir)
		require.NoError(t, err)
		files := demo.Files(dir)
		if last := files[len(files)-1]; last.Name != p.Registry || !bytes.Equal(last.Data, demo.Registry()) {
			t.Errorf("%s comes last, not the registry", last.Name)
		}
		for _, f := range files {
			if got, err := os.ReadFile(f.Name); err != nil || !bytes.Equal(got, f.Data) {
				t.Errorf("%s: %v, %d bytes that differ from the %d of the demo", f.Name, err, len(got), len(f.Data))
			}
			require.NoError(t, os.WriteFile(f.Name, []byte("edited"), 0o644))
		}
		beside, err := os.ReadDir(dir)
		require.NoError(t, err)
		sessions, err := os.ReadDir(filepath.Join(dir, demo.SessionsFolder))
		if n := len(beside) - 1 + len(sessions); err != nil || n != len(files) || n != 10 {
			t.Errorf("left behind: %v, %v, %v", beside, sessions, err)
		}
	}
	if p, err := demo.Write(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) || p.Registry != "" {
		t.Errorf("got %v, %v", p, err)
	}
	blocked := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(blocked, demo.ConfigFile, "x"), 0o755))
	if _, err := demo.Write(blocked); err == nil {
		t.Error("a folder stands where a file should, and there is no error")
	}
	if left, err := os.ReadDir(blocked); err != nil || len(left) != 3 || left[1].Name() != demo.QueriesFile {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
