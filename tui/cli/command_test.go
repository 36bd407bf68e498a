package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"caliper/config"
	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/ui"
)

// command runs a command line in this process, without a terminal.
func command(tb testing.TB, args ...string) (code int, out, complaints string) {
	tb.Helper()
	return commandIn(tb, runner.Env{}, "", args...)
}

// commandIn is command with surroundings and an input.
func commandIn(tb testing.TB, env runner.Env, in string, args ...string) (code int, out, complaints string) {
	tb.Helper()
	var o, e bytes.Buffer
	code = Main(context.Background(), args, strings.NewReader(in), &o, &e, env)
	return code, o.String(), e.String()
}

// answer runs a command that prints JSON and exits with 0, and decodes it.
func answer[T any](tb testing.TB, args ...string) T {
	tb.Helper()
	code, out, complaints := command(tb, append(args, "--json")...)
	if code != 0 || complaints != "" && complaints != runner.DemoNotice+"\n" {
		tb.Fatalf("%q: exit code %d, %s", args, code, complaints)
	}
	var v T
	d := json.NewDecoder(strings.NewReader(out))
	if err := d.Decode(&v); err != nil {
		tb.Fatalf("%q: %v", args, err)
	}
	if d.Decode(new(any)) != io.EOF {
		tb.Fatalf("%q: more than one value", args)
	}
	return v
}

// write makes a file in a folder of the test's own and returns its path.
func write(tb testing.TB, name, text string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// commands returns every command, in the order of the help.
func commands() (all []*cobra.Command) {
	var add func(*cobra.Command)
	add = func(cmd *cobra.Command) {
		all = append(all, cmd)
		for _, c := range cmd.Commands() {
			add(c)
		}
	}
	add((&run{Run: new(runner.Run)}).rootCommand())
	return all
}

// pages returns the arguments of every help page.
func pages() (all [][]string) {
	for _, cmd := range commands() {
		all = append(all, strings.Fields(cmd.CommandPath())[1:])
	}
	return all
}

func TestHelpFitsAScreen(t *testing.T) {
	t.Parallel()
	for _, page := range pages() {
		most := 46
		switch {
		case len(page) == 0:
			most = 80
		case page[0] == "import": // it has the flags of four kinds of source
			most = 50
		}
		for _, width := range []int{80, 100, 200} {
			env := runner.Env{StdoutTerminal: true, Width: width}
			code, out, complaints := commandIn(t, env, "", append(page, "--help", "--theme", "plain")...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if code != 0 || complaints != "" || len(lines) > most || len(lines) < 10 {
				t.Errorf("%q at %d: exit code %d, %d lines, %s", page, width, code, len(lines), complaints)
			}
			for _, l := range lines {
				if ui.Width(l) > width {
					t.Errorf("%q at %d: %d cells: %s", page, width, ui.Width(l), l)
				}
				if width >= 100 && strings.Contains(l, "…") {
					t.Errorf("%q at %d: cut: %s", page, width, l)
				}
			}
			if example, usage := strings.Index(out, "\n  caliper"), strings.Index(out, "\nUsage "); usage < 0 || example > usage {
				t.Errorf("%q: examples do not come first", page)
			}
		}
	}
}

// Every command is on the page of the command that it is below.
func TestHelpListsEveryCommand(t *testing.T) {
	t.Parallel()
	heads := 0
	for _, cmd := range commands() {
		if cmd.HasAvailableSubCommands() {
			heads++
		}
		_, out, _ := command(t, append(strings.Fields(cmd.CommandPath())[1:], "--help")...)
		for _, c := range cmd.Commands() {
			if !c.Hidden && (c.Short == "" || c.Example == "" && c.Name() != "help" || !strings.Contains(out, "\n  "+c.Name()+" ")) {
				t.Errorf("%s is not listed, or has no text or no example", c.CommandPath())
			}
		}
	}
	if heads < 3 {
		t.Errorf("only %d commands with commands", heads)
	}
}

// splitQuoted splits a command line as a shell does, as far as quotes go.
func splitQuoted(line string) []string {
	var words []string
	word, quote := "", rune(0)
	for _, c := range line + " " {
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case quote == 0 && c == ' ':
			words = append(words, word)
			word = ""
		default:
			word += string(c)
		}
	}
	return words
}

func TestSummaryFitsAScreen(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	many.WriteString("sessions:\n")
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		many.WriteString("  session-" + string(c) + ": {}\n")
	}
	for name, args := range map[string][]string{"demo": nil, "many sessions": {"--config", write(t, "c.yaml", many.String())}} {
		code, out, complaints := commandIn(t, runner.Env{StdoutTerminal: true, Width: 80}, "", append(args, "--theme", "plain")...)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if code != 0 || complaints != "" || len(lines) > 24 {
			t.Errorf("%s: exit code %d, %d lines, %s", name, code, len(lines), complaints)
		}
		for _, l := range lines {
			if ui.Width(l) > 80 {
				t.Errorf("%s: %d cells: %s", name, ui.Width(l), l)
			}
		}
	}
}

// stuck is an input in which nothing ever comes.
type stuck struct{ waiting chan struct{} }

func (s stuck) Read([]byte) (int, error) {
	close(s.waiting)
	select {}
}

// A command that waits for its input ends when it is interrupted.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{{"search", "-"}, {"call", "terminal", "-"}, {"bridge", "tool_search", "-"}} {
		ctx, interrupt := context.WithCancel(context.Background())
		in := stuck{make(chan struct{})}
		go func() {
			<-in.waiting
			interrupt()
		}()
		var out, complaints bytes.Buffer
		if code := Main(ctx, args, in, &out, &complaints, runner.Env{}); code != 130 || out.Len() > 0 || complaints.Len() > 0 {
			t.Errorf("%q: exit code %d, %q, %q", args, code, &out, &complaints)
		}
	}
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	if code := Main(ctx, []string{"scope", "--demo"}, strings.NewReader(""), io.Discard, io.Discard, runner.Env{}); code != 130 {
		t.Errorf("interrupted before the start: exit code %d", code)
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"budget"}, {"assembly", "--json"}, {"search", "-"}, {"--help"}, {"completion", "bash"}, {"search", "zzz", "--demo"}, {"lint", "--demo", "--json"}} {
		var complaints bytes.Buffer
		code := Main(context.Background(), args, strings.NewReader("x\ny\n"), full{}, &complaints, runner.Env{})
		if code != 2 || complaints.String() != "caliper: writing the output: no space left\n" {
			t.Errorf("%q: exit code %d, %q", args, code, complaints.String())
		}
	}
}

// readerOf gives one line at a time and tells when it is asked for the next.
type readerOf struct {
	lines []string
	asked func(n int)
}

func (r *readerOf) Read(p []byte) (int, error) {
	r.asked(len(r.lines))
	if len(r.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.lines[0])
	r.lines = r.lines[1:]
	return n, nil
}

// An answer is out before the next query is waited for.
func TestStreamDoesNotWait(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	lines := []string{"open a change\n", "\n", "refund\n"}
	in := &readerOf{lines: lines, asked: func(left int) {
		if got, want := strings.Count(out.String(), "\n"), len(lines)-left; got != want {
			t.Errorf("with %d queries left, %d answers, want %d", left, got, want)
		}
	}}
	if code := Main(context.Background(), []string{"search", "-"}, in, &out, io.Discard, runner.Env{}); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestStreamTakesLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("change ", 200_000)
	code, out, _ := commandIn(t, runner.Env{}, long+"\r\nrefund", "search", "-")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || len(lines) != 2 {
		t.Fatalf("exit code %d, %d lines", code, len(lines))
	}
	var first, second struct {
		Query string
		Hits  []any
	}
	require.NoError(t, errors.Join(json.Unmarshal([]byte(lines[0]), &first), json.Unmarshal([]byte(lines[1]), &second)))
	if first.Query != strings.TrimSpace(long) || len(first.Hits) == 0 || second.Query != "refund" || len(second.Hits) == 0 {
		t.Errorf("query of %d bytes with %d hits, then %q with %d", len(first.Query), len(first.Hits), second.Query, len(second.Hits))
	}
}

type keptJSON struct {
	ID      *string
	Rescued bool
}

// everyCommand calls a function for each command that does something.
func everyCommand(do func(*cobra.Command)) {
	for _, cmd := range commands() {
		if !cmd.HasSubCommands() {
			do(cmd)
		}
	}
}

// Every flag that takes a value, and every argument, is completed, or is free
// text for a reason.
func TestEverythingIsCompleted(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	everyCommand(func(cmd *cobra.Command) {
		check := func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			_, completed := cmd.GetFlagCompletionFunc(f.Name)
			_, persistent := cmd.Root().GetFlagCompletionFunc(f.Name)
			if !completed && !persistent {
				t.Errorf("%s --%s: neither completed nor free text", cmd.CommandPath(), f.Name)
			}
			used[f.Value.Type()] = true
		}
		cmd.LocalNonPersistentFlags().VisitAll(check)
		cmd.Root().PersistentFlags().VisitAll(check)
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			t.Errorf("%s: its arguments are not completed", cmd.CommandPath())
		}
	})
	for _, kind := range freeText {
		if !used[kind] {
			t.Errorf("%s is free text, and no kind of flag that is not completed", kind)
		}
	}
}

// Every setting that takes a value is completed, or is free text for a reason.
func TestEverySettingIsCompleted(t *testing.T) {
	t.Parallel()
	settable := config.Settable()
	for _, key := range settable {
		_, out, _ := commandIn(t, runner.Env{}, "", "__complete", "config", "set", key, "")
		if _, free := freeSettings[key]; !free && strings.HasPrefix(out, ":4") {
			t.Errorf("config set %s: nothing is offered, and it is no free text", key)
		}
	}
	for key, reason := range freeSettings {
		if !slices.Contains(settable, key) || reason == "" {
			t.Errorf("%s is free text, and no setting or without a reason", key)
		}
	}
}
