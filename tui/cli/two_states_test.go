package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/sides"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// comparer is a host without an app.
type comparer struct{ screen.Host }

func (comparer) Context() context.Context        { return context.Background() }
func (comparer) Case() screen.Case               { return screen.Case{} }
func (comparer) Notify(ui.Level, string) tea.Cmd { return nil }

// play runs a command of the comparison to its end, with those that follow.
func play(s *sides.Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			play(s, c)
		}
	default:
		play(s, s.Update(msg))
	}
}

// printed is what the commands budget, eval, scope and gate print of a state.
type printed struct {
	AfterTokens int `json:"after_tokens"`
	EagerTokens int `json:"eager_tokens"`
	Toolsets    []struct {
		Name   string
		Tokens int
	}
	Metrics  map[string]float64
	Sessions []struct {
		Name     string
		Callable []string
	}
	Verdict string
	Reasons []struct{ Kind string }
	Tokens  struct{ New int }
	Errors  struct{ New int } `json:"lint_errors"`
	Recall  struct{ New float64 }
}

// Every figure of two states is the commands' for the same two.
func TestTwoStatesAreThoseOfTheCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	registry, config, queries := write("registry.json", demo.Registry()), write("config.yaml", demo.Config()), write("queries.jsonl", demo.Queries())
	other := write("other.json", bytes.ReplaceAll(demo.Registry(), []byte("refund"), []byte("return")))
	otherConfig := write("other.yaml", bytes.Replace(demo.Config(), []byte("threshold_pct: 10"), []byte("threshold_pct: 40"), 1))
	files, err := workbench.ReadRegistry(registry)
	require.NoError(t, err)
	read, labelled := watch.Read(config), watch.Read(queries)
	for _, tt := range []struct {
		label, path, registry, config, session string // of the state on the right
	}{
		{"session support-desk", "", registry, config, "support-desk"},
		{"another registry …", other, other, config, "default"},
		{"another configuration …", otherConfig, registry, otherConfig, "default"},
	} {
		t.Run(tt.label, func(t *testing.T) {
			t.Parallel()
			asked := func(into *printed, args ...string) {
				t.Helper()
				_, out, complaints := commandIn(t, runner.Env{}, "", append(args, "--json")...)
				if err := json.Unmarshal([]byte(out), into); err != nil {
					t.Fatalf("%q: %v, %s", args, err, complaints)
				}
			}
			bench := workbench.New()
			in := workbench.Input{Registry: files, Config: &read, Queries: &labelled, Flags: workbench.Flags{Session: "default"}}
			st, err := bench.Load(t.Context(), in)
			require.NoError(t, err)
			s := sides.New(desk.Desk{Host: comparer{}, Bench: bench, Input: &in})
			s.Update(desk.Loaded{After: &st})
			i := slices.IndexFunc(s.Choices(), func(c ui.Choice) bool { return c.Label == tt.label })
			play(s, s.Choose(s.Choices()[i].ID, tt.path))
			views := map[string]string{}
			for range 4 {
				lines := slices.DeleteFunc(s.Draw(ui.NewTheme(ui.Look{Plain: true}), 160, 400), func(line string) bool { return strings.Trim(line, "│┃ ") == "" })
				seen := strings.Join(lines, "\n")
				_, name, _ := strings.Cut(seen, "[")
				name, _, _ = strings.Cut(name, "]")
				views[name] = seen
				play(s, s.Layer().Binding(ui.View).Do())
			}
			// has fails unless a row of a view shows the figures of both states, which are left out where they are the same.
			has := func(view, row, old, now string) {
				t.Helper()
				if old == now {
					return
				}
				if !regexp.MustCompile(`  ` + regexp.QuoteMeta(row) + ` +` + regexp.QuoteMeta(old) + ` +` + regexp.QuoteMeta(now) + ` `).MatchString(views[view]) {
					t.Errorf("%s is not %s, %s in\n%s", row, old, now, views[view])
				}
			}
			var states [2]printed
			for i, flags := range [2][]string{{"--registry", registry, "--config", config, "--session", "default"}, {"--registry", tt.registry, "--config", tt.config, "--session", tt.session}} {
				asked(&states[i], append([]string{"budget"}, flags...)...)
				asked(&states[i], append([]string{"eval", queries}, flags...)...)
				asked(&states[i], append([]string{"scope", "--names"}, flags...)...)
			}
			was, is := states[0], states[1]
			has("budget", "tokens sent", ui.Thousands(was.AfterTokens), ui.Thousands(is.AfterTokens))
			has("budget", "tokens of all granted tools", ui.Thousands(was.EagerTokens), ui.Thousands(is.EagerTokens))
			for _, set := range was.Toolsets {
				now := "none"
				for _, other := range is.Toolsets {
					if other.Name == set.Name {
						now = ui.Thousands(other.Tokens)
					}
				}
				has("budget", set.Name, ui.Thousands(set.Tokens), now)
			}
			for _, name := range []string{"recall@1", "recall@5", "recall@10"} {
				has("ranks", name, fmt.Sprintf("%.1f%%", 100*was.Metrics[name]), fmt.Sprintf("%.1f%%", 100*is.Metrics[name]))
			}
			var callable [2][]string
			for i, session := range []string{"default", tt.session} {
				for _, a := range states[i].Sessions {
					if a.Name == session {
						callable[i] = a.Callable
					}
				}
			}
			rows := regexp.MustCompile(`  (\S+)  +(\S.*?)  +(\S.*?)  +(lost|gained|other way|other gate) `).FindAllStringSubmatch(views["scope"], -1)
			if len(rows) == 0 && tt.label != "another registry …" {
				t.Errorf("nothing is reached in another way:\n%s", views["scope"])
			}
			for _, row := range rows {
				for i, how := range row[2:4] {
					if reached := slices.Contains(callable[i], row[1]); how == "via search" && !reached || strings.HasPrefix(how, "denied by scope") && reached {
						t.Errorf("state %d: %s is reached by %q, the command has it otherwise", i, row[1], how)
					}
				}
			}
			if tt.session != "default" {
				return
			}
			var g printed
			asked(&g, "gate", "--base", registry, "--base-config", config, "--head", tt.registry, "--head-config", tt.config, "--queries", queries, "--session", "default")
			shown := 0
			for _, line := range strings.Split(views["verdict"], "\n") {
				if fields := strings.Fields(strings.Trim(line, "│┃┏▌ ")); len(fields) > 1 && slices.ContainsFunc(g.Reasons, func(r struct{ Kind string }) bool { return r.Kind == fields[0] }) {
					shown++
				}
			}
			if !strings.Contains(views["verdict"], strings.ToUpper(g.Verdict)) || shown < len(g.Reasons) {
				t.Errorf("%s for %d reasons, the command has %+v:\n%s", g.Verdict, shown, g.Reasons, views["verdict"])
			}
			has("verdict", "tokens sent", ui.Thousands(was.AfterTokens), ui.Thousands(g.Tokens.New))
			has("verdict", "recall@5", fmt.Sprintf("%.1f%%", 100*was.Metrics["recall@5"]), fmt.Sprintf("%.1f%%", 100*g.Recall.New))
		})
	}
}
