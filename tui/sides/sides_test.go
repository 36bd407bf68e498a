package sides

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/diff"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// stub is a host without an app.
type stub struct {
	screen.Host
	bench   *workbench.Workbench
	input   workbench.Input
	notices []string
}

func (h *stub) Context() context.Context { return context.Background() }
func (h *stub) Case() screen.Case        { return screen.Case{Query: "refund the charge"} }
func (h *stub) Notify(_ ui.Level, text string) tea.Cmd {
	h.notices = append(h.notices, text)
	return nil
}

// files of a comparison: the demo, and another registry and configuration.
type onDisk struct{ registry, config, queries, other, otherConfig string }

// written writes the files into a folder of the test's own.
func written(t *testing.T) onDisk {
	t.Helper()
	folder := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	return onDisk{
		write("registry.json", demo.Registry()), write("config.yaml", demo.Config()), write("queries.jsonl", demo.Queries()),
		write("other.json", bytes.ReplaceAll(demo.Registry(), []byte("refund"), []byte("return"))),
		write("other.yaml", append(demo.Config(), "\n# another\n"...)),
	}
}

// opened returns a comparison of the demo that compares with a choice, with both
// figures and scope.
func opened(t *testing.T, f onDisk, id, path string) (*Screen, *stub) {
	t.Helper()
	h := &stub{bench: workbench.New()}
	registry, err := workbench.ReadRegistry(f.registry)
	require.NoError(t, err)
	config, queries := watch.Read(f.config), watch.Read(f.queries)
	h.input = workbench.Input{Registry: registry, Config: &config, Queries: &queries, Flags: workbench.Flags{Session: "default"}}
	if id == idTrials {
		h.input.Flags.Knobs = []workbench.Knob{{Key: "tools.tool_search.search_default_limit", Value: 3}}
	}
	st, err := h.bench.Load(h.Context(), h.input)
	if err != nil || len(st.Errors) > 0 {
		t.Fatal(err, st.Errors)
	}
	s := New(desk.Desk{Host: h, Bench: h.bench, Input: &h.input})
	s.Update(desk.Loaded{After: &st})
	run(s, s.Choose(id, path))
	run(s, s.look(scopeView))
	if s.two == nil {
		t.Fatal(s.work.Err, h.notices)
	}
	return s, h
}

// run runs a command to its end, with those that follow.
func run(s *Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			run(s, c)
		}
	default:
		run(s, s.Update(msg))
	}
}

// Commands runs a command line of the program; TestMain sets it.
var Commands func(args ...string) (code int, out []byte, complaints string)

// command runs a command of the program, whose answer is JSON.
func command[T any](t *testing.T, args ...string) T {
	t.Helper()
	code, out, complaints := Commands(append(args, "--json")...)
	if code == 2 {
		t.Fatalf("%q: %s", args, complaints)
	}
	var v T
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return v
}

// budget, evaluation and scope are the answers of the commands.
type budget struct {
	AfterTokens int `json:"after_tokens"`
	EagerTokens int `json:"eager_tokens"`
	Active      bool
	Toolsets    []struct {
		Name   string
		Tokens int
	}
}

type gate struct {
	Verdict string
	Reasons []struct{ Kind string }
	Queries []struct{ ID string }
	Tokens  struct{ New int }
	Errors  struct{ New int } `json:"lint_errors"`
	Recall  struct{ New, P float64 }
}

type evaluation struct{ Metrics map[string]float64 }

type audit struct {
	Sessions []struct {
		Name     string
		Callable []string
	}
}

// Every figure equals the commands' for the same two states.
func TestFiguresAreThoseOfTheCommands(t *testing.T) {
	t.Parallel()
	f := written(t)
	tests := []struct {
		name, id, path string
		right          []string // the flags that load the state on the right
		session        string
	}{
		{"session", idSession + "support-desk", "", []string{"--registry", f.registry, "--config", f.config}, "support-desk"},
		{"registry", idRegistry, f.other, []string{"--registry", f.other, "--config", f.config}, "default"},
		{"configuration", idConfig, f.otherConfig, []string{"--registry", f.registry, "--config", f.otherConfig}, "default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, _ := opened(t, f, tt.id, tt.path)
			sides := [2][]string{{"--registry", f.registry, "--config", f.config, "--session", "default"}, append(tt.right, "--session", tt.session)}
			shown := [2]struct{ sent, eager int }{{s.two.Diff.Old.AfterTokens, s.two.Diff.Old.EagerTokens}, {s.two.Diff.New.AfterTokens, s.two.Diff.New.EagerTokens}}
			var callable [2][]string
			for i, flags := range sides {
				b := command[budget](t, append([]string{"budget"}, flags...)...)
				if shown[i].sent != b.AfterTokens || shown[i].eager != b.EagerTokens {
					t.Errorf("state %d: %+v, the command has %d and %d", i, shown[i], b.AfterTokens, b.EagerTokens)
				}
				for _, set := range b.Toolsets {
					at := slices.IndexFunc(s.two.Toolsets, func(c diff.ToolsetChange) bool { return c.Name == set.Name })
					if got := [2]int{s.two.Toolsets[at].Old, s.two.Toolsets[at].New}[i]; got != set.Tokens {
						t.Errorf("state %d: %s has %d tokens, the command has %d", i, set.Name, got, set.Tokens)
					}
				}
				e := command[evaluation](t, append([]string{"eval", f.queries}, flags...)...)
				for name, want := range e.Metrics {
					if got, err := s.two.Evaluated[i].Metrics.Value(name); err == nil && math.Abs(got-want) > 5e-5 {
						t.Errorf("state %d: %s is %v, the command has %v", i, name, got, want)
					}
				}
				sessions := command[audit](t, append([]string{"scope", "--names"}, flags...)...).Sessions
				for _, a := range sessions {
					if a.Name == [2]string{"default", tt.session}[i] {
						callable[i] = a.Callable
					}
				}
			}
			for _, c := range s.two.Reaches {
				for i, r := range []bool{c.Old.Callable, c.New.Callable} {
					if r != slices.Contains(callable[i], c.Tool) {
						t.Errorf("state %d: %s callable %t, the command has it otherwise", i, c.Tool, r)
					}
				}
			}
			if tt.id != idSession+"support-desk" {
				run(s, s.look(verdictView))
				sides := [2][2]string{{f.registry, f.config}, {tt.right[1], tt.right[3]}}
				g := command[gate](t, "gate", "--base", sides[0][0], "--base-config", sides[0][1], "--head", sides[1][0], "--head-config", sides[1][1], "--queries", f.queries, "--session", "default")
				if got := s.two.Gate; got == nil || (g.Verdict == "pass") != got.Passed() || len(g.Reasons) != len(got.Reasons) || len(g.Queries) != len(got.Queries) ||
					g.Recall.New != got.Recall.New || g.Recall.P != got.Recall.P || g.Tokens.New != got.Tokens.New || g.Errors.New != got.LintErrors.New {
					t.Errorf("the verdict is %+v, that of the command %+v", got, g)
				}
			}
			if tt.id == idRegistry {
				d := command[struct{ Regressions int }](t, "diff", f.registry, f.other, "--config", f.config, "--session", "default", "--queries", f.queries)
				if d.Regressions != s.two.Diff.Regressions {
					t.Errorf("%d regressions, the command has %d", s.two.Diff.Regressions, d.Regressions)
				}
			}
		})
	}
}

// Only the newest choice is shown, and closing drops everything.
func TestLateOutcomeIsDropped(t *testing.T) {
	t.Parallel()
	s, _ := opened(t, written(t), idTrials, "")
	late := s.Choose(idSession+"support-desk", "")
	now := s.Choose(idTrials, "")
	run(s, late)
	if s.two != nil {
		t.Fatalf("shows %s after another choice", s.two.New)
	}
	run(s, now)
	if s.two == nil || s.two.New != "trials" {
		t.Fatal("the newest choice is not shown")
	}
	s.Closed()
	if s.two != nil || s.work.Running || s.reach.Running {
		t.Error("something is left after closing")
	}
}

func TestTooBadFile(t *testing.T) {
	t.Parallel()
	s, _ := opened(t, written(t), idTrials, "")
	run(s, s.Choose(idConfig, filepath.Join(t.TempDir(), "none.yaml")))
	if s.two != nil || s.work.Err == nil {
		t.Fatal("a file that is not there is compared")
	}
	if got := strings.Join(s.Draw(ui.NewTheme(ui.Look{Plain: true}), 80, 20), "\n"); !strings.Contains(got, "no such file") {
		t.Errorf("the reason is not shown:\n%s", got)
	}
}

func TestPictureHasItsSize(t *testing.T) {
	t.Parallel()
	s, _ := opened(t, written(t), idSession+"support-desk", "")
	theme := ui.NewTheme(ui.Look{Plain: true})
	for _, size := range [][2]int{{38, 6}, {40, 8}, {59, 12}, {60, 12}, {80, 20}, {120, 31}, {200, 50}} {
		for v := range viewCount {
			run(s, s.look(v))
			lines := s.Draw(theme, size[0], size[1])
			if len(lines) != size[1] {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				if len([]rune(line)) != size[0] {
					t.Errorf("%v, %s: %q has %d cells", size, viewNames[v], line, len([]rune(line)))
				}
			}
		}
	}
}
