package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
)

// The steps of the tour are there with their commands, whose answers are the same.
func TestTour(t *testing.T) {
	t.Parallel()
	code, out, complaints := command(t, "tour")
	if code != 0 || complaints != "" {
		t.Fatalf("exit code %d, %s", code, complaints)
	}
	for _, want := range []string{"1  Find", "2  Why not", "3  Fix", "4  Threshold", "5  Prove", "6  Meaning"} {
		if !strings.Contains(out, "\n"+want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	var tour struct {
		Steps []struct{ Step, Command, Text string }
	}
	_, out, _ = command(t, "tour", "--json")
	if err := json.Unmarshal([]byte(out), &tour); err != nil || len(tour.Steps) != 6 {
		t.Fatalf("%v, %s", err, out)
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

// onDemand are the arguments that a command needs to get as far as its data, and why
// a command is about none.
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
		return transcript.Log{Sessions: []transcript.Session{talk("m", time.Time{})}}, nil // which define no tool
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
