package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model/require"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/topics"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// The steps of the tour are there with their commands, whose answers are the same.
func TestTour(t *testing.T) {
	t.Parallel()
	code, out, complaints := command(t, "tour")
	if code != 0 || complaints != "" {
		t.Fatalf("exit code %d, %s", code, complaints)
	}
	tour := answer[struct {
		Steps []struct{ Step, Command, Text string }
	}](t, "tour")
	for i, step := range []string{"Find", "Why not", "Fix", "Threshold", "Prove", "Meaning"} {
		if tour.Steps[i].Step != step || !strings.Contains(out, fmt.Sprintf("\n%d  %s", i+1, step)) {
			t.Errorf("step %d is not %s:\n%s", i+1, step, out)
		}
	}
	type found struct {
		WhyNot struct {
			Rank     int
			Remedies []struct {
				Kind    string
				NewRank int `json:"new_rank"`
			}
		} `json:"why_not"`
	}
	args := splitQuoted(tour.Steps[1].Command)
	searched := answer[found](t, args[1:]...)
	for _, r := range searched.WhyNot.Remedies {
		if r.Kind == "description_words" {
			want := "| rank | " + strconv.Itoa(searched.WhyNot.Rank) + " | " + strconv.Itoa(r.NewRank) + " |"
			if text := tour.Steps[2].Text; !strings.Contains(text, want) || r.NewRank > 5 {
				t.Errorf("the draft is not what the remedy says, %s:\n%s", want, text)
			}
		}
	}
	if code, _, complaints := command(t, "tour", "--config", "x.yaml"); code != 2 || !strings.Contains(complaints, "is about the demo") {
		t.Errorf("exit code %d, %s", code, complaints)
	}
	asked := false
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Width: 100, Explore: func(_ context.Context, o tui.Options) error {
		asked = o.Tour && o.Demo != ""
		return nil
	}}
	if code, out, _ := commandIn(t, env, "", "tour"); code != 0 || out != "" || !asked {
		t.Errorf("in a terminal: exit code %d, %q, tour %v", code, out, asked)
	}
}

// The demo has what the tour shows: the tool is missed, words bring it back, and the labelled
// queries gain by them. An input without the tool, or a broken one, is an error and no panic.
func TestWalkTour(t *testing.T) {
	t.Parallel()
	walk := func(ctx context.Context, registry []byte) (topics.Tour, error) {
		return topics.WalkTour(ctx, workbench.New(), workbench.Input{OnDemand: true, Registry: []watch.File{{Name: demo.RegistryFile, Data: registry}},
			Config: &watch.File{Name: demo.ConfigFile, Data: demo.Config()}}, nil)
	}
	w, err := walk(t.Context(), demo.Registry())
	require.NoError(t, err)
	if w.WhyNot.Rank == nil || *w.WhyNot.Rank <= w.WhyNot.Limit || w.NewRank < 1 || w.NewRank > w.WhyNot.Limit {
		t.Errorf("rank %v of limit %d, then %d", w.WhyNot.Rank, w.WhyNot.Limit, w.NewRank)
	}
	if w.Tokens[1] <= w.Tokens[0] || len(w.Found.Hits) == 0 {
		t.Errorf("tokens %v, %d hits", w.Tokens, len(w.Found.Hits))
	}
	if w.MeantAt < 1 || w.MeantAt > w.WhyNot.Limit || w.Unmeant.Rank != nil && *w.Unmeant.Rank <= w.Unmeant.Limit || w.Measured[2].Ranker != config.RankerHybrid {
		t.Errorf("by meaning rank %d, by words %v", w.MeantAt, w.Unmeant.Rank)
	}
	if before, after := len(w.Measured[0].Misses()), len(w.Drafted.Misses()); after >= before {
		t.Errorf("%d labelled queries are missed with the draft, %d without", after, before)
	}
	for name, data := range map[string]string{
		"another registry": `{"tools":[{"type":"function","function":{"name":"x","description":"y","parameters":{"type":"object"}}}]}`,
		"broken":           `{"tools":`,
	} {
		if _, err := walk(t.Context(), []byte(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := walk(ctx, demo.Registry()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Every command and topic has a page, the same bytes each time, with nothing that
// acts on a terminal and no line that troff would take for a request of a text.
func TestManual(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "man1")
	if code, out, complaints := command(t, "man", folder); code != 0 || complaints != "" || !strings.Contains(out, " pages in ") {
		t.Fatalf("exit code %d, %q, %q", code, out, complaints)
	}
	again := t.TempDir()
	command(t, "man", again)
	want := []string{"caliper.1"}
	for _, page := range pages()[1:] {
		want = append(want, "caliper-"+strings.Join(page, "-")+".1")
	}
	for _, name := range topics.Names() {
		want = append(want, "caliper-help-"+name+".1")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(want) {
		t.Errorf("%v, %d pages, want %d", err, len(entries), len(want))
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".SS": true, ".PP": true, ".TP": true, ".nf": true, ".fi": true}
	for _, name := range want {
		data, err := os.ReadFile(filepath.Join(folder, name))
		same, _ := os.ReadFile(filepath.Join(again, name))
		if err != nil || string(data) != string(same) {
			t.Errorf("%s: %v, or other bytes the second time", name, err)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			request, _, _ := strings.Cut(line, " ")
			if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c == 0x7f }) ||
				strings.HasPrefix(line, ".") && !requests[request] || strings.HasPrefix(line, "'") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// demoArguments are the arguments that a command needs to get as far as its data; noDemo
// says why a command is about none.
var (
	demoArguments = map[string][]string{
		"search": {"x"}, "describe": {"terminal"}, "call": {"terminal"}, "bridge": {"tool_search", `{"query":"x"}`}, "select": {"x"},
		"compare": {"x"}, "export": {"--shape", "openai"}, "eval": {"queries.jsonl"}, "replay": {"log.jsonl"}, "rescue put": {"-", "--tool", "x"},
		"try": {"--tool", "mcp_mail_search"}, "hosts": {"x"}, "reach": {"terminal"}, "rescue fetch": {"0123456789abcdef", "--mode", "stat"},
	}
	noDemo = map[string]string{
		"import": "reads its own sources", "diff": "names its registries", "gate": "names its registries", "config set": "changes a file", "help": "is about no data",
		"man": "is about no data", "completion": "is about no data", "version": "is about no data", "tour": "is about the demo and says so",
	}
)

// Without data a command refuses the demo, or says that it is about it.
func TestNobodyTakesTheDemoForTheirOwn(t *testing.T) {
	t.Parallel()
	env := runner.Env{Store: filepath.Join(t.TempDir(), "store"), ReadSessions: func(context.Context, []string, transcript.Agent, transcript.Options) (transcript.Log, error) {
		entries := []transcript.Entry{{Parent: transcript.None, Kind: transcript.User, Words: "x"}, {Kind: transcript.Answer, Request: &transcript.Request{Model: "m", Tools: transcript.None}}}
		return transcript.Log{Sessions: []transcript.Session{{ID: "s1", Agent: transcript.Claude, Model: "m", Contexts: []transcript.Context{{Entries: entries}}}}}, nil // which define no tool
	}}
	everyCommand(func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "caliper ")
		if _, none := noDemo[name]; none || cmd.Hidden {
			return
		}
		args := append(strings.Fields(name), demoArguments[name]...)
		code, out, complaints := commandIn(t, env, "", args...)
		refuses := false
		for _, r := range topics.OwnData {
			refuses = refuses || r == name
		}
		if refuses {
			if code != 2 || out != "" || !strings.Contains(complaints, "needs --registry or --config, or --demo") {
				t.Errorf("%q: exit code %d, %q, %q", args, code, out, complaints)
			}
			return
		}
		if code == 2 || strings.Count(complaints, runner.DemoNotice) != 1 {
			t.Errorf("%q does not say that it is about the demo: exit code %d, %q", args, code, complaints)
		}
	})
}

// The figures of README's table of generations are those that budget prints.
func TestGenerationsInReadme(t *testing.T) {
	t.Parallel()
	registry := filepath.Join("..", "..", "..", "shared", "registries", "registry.json") // of real servers, no part of the project
	if _, err := os.Stat(registry); err != nil {
		t.Skip("the shared registry is not here")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	of := func(label string) (cells []string) { // the two cells of a row
		for line := range strings.Lines(string(readme)) {
			if strings.HasPrefix(line, "    "+label) {
				cells = strings.Fields(line)
			}
		}
		return cells[max(0, len(cells)-2):]
	}
	for column, generation := range []string{"june-2026", "september-2026"} {
		b := answer[engine.Budget](t, "budget", "--registry", registry, "--context", "200000", "--generation", generation)
		want := map[string]string{
			"deferrable tools": words.Thousands(b.DeferredCount), "always sent": words.Thousands(b.VisibleTokens),
			"the bridge": words.Thousands(b.BridgeTokens), "sent a turn": words.Thousands(b.AfterTokens),
			"saved": fmt.Sprintf("%.1f%%", b.SavedPct),
		}
		if b.Listing != nil {
			want["of it the listing"] = words.Thousands(b.Listing.Tokens)
		}
		for label, figure := range want {
			if got := of(label); len(got) < 2 || got[column] != figure {
				t.Errorf("%s in %s: README has %q, budget says %s", label, generation, got, figure)
			}
		}
	}
}
