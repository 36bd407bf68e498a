package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// The scripts run the command line in the process of the test, and as exec
// caliper in one of its own. What main would find out of a terminal is then in
// the environment:
//
//	TTY=WIDTH   both ends are a terminal of that width, and there is an explorer
//	EDIT=1      the explorer changes the demo's config
//	LEAVE=WORD  how the explorer ends: interrupt or error
func TestMain(m *testing.M) {
	// A server that a script imports is supervised by the program that runs the
	// script.
	if code, ok := Supervise(os.Args[1:], os.Environ()); ok {
		os.Exit(code)
	}
	_ = flag.Set("test.parallel", "6") // some wait for a server or a child most of the time
	testscript.Main(inMemory{m}, map[string]func(){"caliper": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		env := runner.Env{Lookup: os.LookupEnv, Store: workbench.StatePath(os.Getenv, "rescue"), Supervise: true, State: "state.json"}
		env.Work, _ = os.Getwd()
		if width := os.Getenv("TTY"); width != "" {
			env.StdinTerminal, env.StdoutTerminal = true, true
			env.Width, _ = strconv.Atoi(width)
			env.Explore = pretendToExplore
		}
		os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, env))
	}, "mcpserver": serveTools})
}

// inMemory are tests whose temporary files are in memory, but for the programs of the scripts.
type inMemory struct{ *testing.M }

func (m inMemory) Run() int { return require.Run(m.M) }

// pretendToExplore prints what the explorer would be opened on.
func pretendToExplore(_ context.Context, o tui.Options) error {
	context := "of the config"
	if o.Flags.Context != nil {
		context = strconv.Itoa(*o.Flags.Context)
	}
	fmt.Printf("explorer\nregistry %q\nconfig %q\nresults %q\ndemo %q\nsession %q\ncontext %s\ntokenizer %q\nstrict %t\ntheme %s\nno-state %t\nno-mouse %t\n",
		o.Registry, o.Config, o.Results, o.Demo, o.Flags.Session, context, o.Flags.Tokenizer, o.Flags.Strict, o.Theme, o.StatePath == "", o.NoMouse)
	for _, path := range append(o.Registry, o.Config) {
		if _, err := os.Stat(path); err != nil && o.Demo != "" {
			return err
		}
	}
	if name := os.Getenv("EDIT"); name != "" {
		if err := os.WriteFile(filepath.Join(o.Demo, name), []byte("edited: true\n"), 0o600); err != nil {
			return err
		}
	}
	switch os.Getenv("LEAVE") {
	case "interrupt":
		return errLeft
	case "error":
		return errors.New("the screen is broken")
	}
	return nil
}

// errLeft stands for a user who interrupts.
var errLeft = fmt.Errorf("left by ctrl-c: %w", context.Canceled)

// TestScripts runs the scripts. It does not run at the same time as other
// tests, for which the working folder of the process stays where it is.
func TestScripts(t *testing.T) {
	dir, err := filepath.Abs("testdata/script") // the commands change the folder
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		WorkdirRoot:         os.Getenv("TMPDIR"), // of inMemory; a folder below it is too long for a line
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Under the race detector every process would linger for a second.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Values[inputKey{}] = new(string)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":      expectCode,
			"harmless":  expectHarmless,
			"oneline":   expectOneLine,
			"again":     expectSameAgain,
			"input":     giveInput,
			"blob":      rememberBlob,
			"unescape":  unescapeFile,
			"hostilely": runHostilely,
			"bytes":     makeBytes,
			"damage":    damageBlob,
		},
	})
}

// expectCode is `code N COMMAND...`: runs a command, which must exit with N.
// The command is caliper, or exec and a program.
func expectCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	got := runCommand(ts, args[1:])
	got.show(ts)
	if strconv.Itoa(got.code) != args[0] {
		ts.Fatalf("exit code %d, want %s", got.code, args[0])
	}
}

// ended is the end of a command.
type ended struct {
	code            int
	out, complaints string
}

// show gives the output of a command to the lines of the script that follow.
func (o ended) show(ts *testscript.TestScript) {
	_, _ = io.WriteString(ts.Stdout(), o.out)
	_, _ = io.WriteString(ts.Stderr(), o.complaints)
}

// runCommand runs a command and returns what became of it.
func runCommand(ts *testscript.TestScript, args []string) ended {
	switch {
	case args[0] == "caliper":
		return runHere(ts, args[1:])
	case args[0] != "exec" || len(args) < 2:
		ts.Fatalf("%s is neither caliper nor exec and a program", args[0])
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	code := 0
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	return ended{code, ts.ReadFile("stdout"), ts.ReadFile("stderr")}
}

// hereLock is held by the command that the working folder of the process is
// set for.
var hereLock sync.Mutex

// runHere runs the command line in this process, in the folder of the script,
// with its environment and the input that it gave. A variable that is set to
// nothing is not set: a script cannot tell.
func runHere(ts *testscript.TestScript, args []string) ended {
	hereLock.Lock()
	defer hereLock.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(before)) }()
	given := ts.Value(inputKey{}).(*string)
	in := *given
	*given = ""
	env := runner.Env{Work: ts.MkAbs("."), Store: workbench.StatePath(ts.Getenv, "rescue"), Supervise: true, Lookup: func(name string) (string, bool) {
		value := ts.Getenv(name)
		return value, value != ""
	}}
	if ts.Getenv("TTY") != "" {
		env.StdinTerminal, env.StdoutTerminal = true, true
		env.Explore = func(context.Context, tui.Options) error { return errors.New("the explorer is opened") }
	}
	var out, complaints strings.Builder
	code := Main(context.Background(), args, strings.NewReader(in), &out, &complaints, env)
	return ended{code, out.String(), complaints.String()}
}

// inputKey is the key of the input that a script gave its next command.
type inputKey struct{}

// giveInput is `input FILE`: what the next caliper reads. testscript does not
// say what its own stdin was given.
func giveInput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: input FILE")
	}
	*ts.Value(inputKey{}).(*string) = ts.ReadFile(args[0])
}

// expectHarmless is `harmless`: nothing of what the last command wrote can act
// on a terminal.
func expectHarmless(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: harmless")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		text := ts.ReadFile(stream)
		for i, r := range text {
			if hostile(r) {
				ts.Fatalf("%s has %U at byte %d: %q", stream, r, i, text[max(0, i-30):min(len(text), i+10)])
			}
		}
	}
}

// hostile reports whether a character can act on a terminal or hide in it. It
// is told apart from the code that keeps them out on purpose.
func hostile(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c:
		return true
	case r >= 0x200b && r <= 0x200f && r != 0x200d, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0xfeff, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// expectOneLine is `oneline`: the last command wrote one line to standard
// error and nothing to standard output.
func expectOneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: oneline")
	}
	text := ts.ReadFile("stderr")
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || ts.ReadFile("stdout") != "" {
		ts.Fatalf("want one line of standard error and nothing else")
	}
}

// expectSameAgain is `again COMMAND...`: two runs of a command write the same
// bytes and exit alike.
func expectSameAgain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: again COMMAND...")
	}
	first := runCommand(ts, args)
	if first.out == "" {
		ts.Fatalf("no output")
	}
	second := runCommand(ts, args)
	second.show(ts)
	if second != first {
		ts.Fatalf("two runs differ")
	}
}

// The shape of testdata/hermes was checked against the public source of Hermes Agent
// (NousResearch/hermes-agent), in November 2026:
//   - tools/registry.py at 00067189: attributes name, toolset, schema, check_fn and
//     dynamic_schema_overrides of an entry; get_all_entries, which merges a profile's
//     own plugins into _tools; get_definitions(names, quiet), which sorts the names,
//     leaves out what check_fn fails or raises on, and applies the overrides;
//     register_toolset_alias and _toolset_aliases
//   - tools/mcp_tool.py at 0059a797: it no longer has discover_mcp_tools and
//     shutdown_mcp_servers, which stand in tools/mcp_tool_discovery.py and
//     tools/mcp_tool_lifecycle.py, and are not imported into it again; public forks of
//     before have both in tools/mcp_tool.py
//   - toolsets.py of such forks: TOOLSETS and _HERMES_CORE_TOOLS; hermes_cli/plugins.py:
//     discover_plugins

// dumpOfAgent runs the script in a folder with a registry of the agent's shape.
func dumpOfAgent(t *testing.T) []byte {
	t.Helper()
	dump, problems := dumpIn(t, "testdata/hermes")
	if problems != "importing\nconnecting\n" { // what the agent itself prints
		t.Errorf("said %q", problems)
	}
	return dump
}

// dumpIn runs the script in a folder and returns what it prints and says.
func dumpIn(t *testing.T, folder string) (dump []byte, problems string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	script := filepath.Join(t.TempDir(), "dump.py")
	require.NoError(t, os.WriteFile(script, connect.HermesScript, 0o600))
	cmd := exec.Command(python, "-B", script)
	cmd.Dir = folder
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err, said.String())
	}
	return out.Bytes(), said.String()
}

// The dump is the same wherever the agent has what connects its servers, and an agent
// without it is not dumped in silence.
func TestHermesScriptLater(t *testing.T) {
	t.Parallel()
	want := dumpOfAgent(t)
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("testdata/hermes")))
	connects := filepath.Join(folder, "tools", "mcp_tool.py")
	require.NoError(t, os.Rename(connects, filepath.Join(folder, "tools", "mcp_tool_discovery.py")))
	require.NoError(t, os.WriteFile(connects, []byte("_servers = {}\n"), 0o600))
	if got, said := dumpIn(t, folder); !bytes.Equal(got, want) || strings.Contains(said, "discover_mcp_tools") {
		t.Errorf("%s\n%s", said, got)
	}
	require.NoError(t, os.Remove(filepath.Join(folder, "tools", "mcp_tool_discovery.py")))
	if _, said := dumpIn(t, folder); !strings.Contains(said, "tools.mcp_tool: it has no discover_mcp_tools\n") {
		t.Errorf("said %q", said)
	}
}

// The script's dump has every tool with its toolset and availability, so that the
// gauge equals the running agent's.
func TestHermesScript(t *testing.T) {
	t.Parallel()
	dump := dumpOfAgent(t)
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "dump.json", Data: dump})
	if err != nil || len(registry.Warnings) > 0 {
		t.Fatal(err, registry.Warnings, string(dump))
	}
	var got []string
	for _, tool := range registry.Tools {
		line := tool.Name + " " + tool.Toolset
		if tool.Server != "" {
			line += " of " + tool.Server
		}
		if !tool.Available {
			line += " unavailable"
		}
		got = append(got, line)
	}
	want := []string{
		"berth_plan harbour", "delegate_task delegation", "image_generate image_gen unavailable",
		"mcp__ledger__book mcp-ledger of ledger", "mcp__tide_log__find_ship mcp-tide-log of tide-log", "mcp__tide_log__read_tide mcp-tide-log of tide-log",
		"process_manage terminal", "web_search web",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if d, _ := registry.Toolset("harbour"); d.Source != "plugin" {
		t.Errorf("harbour is of %q", d.Source)
	}

	f, err := config.Parse("c.yaml", []byte("tools: {tool_search: {generation: september-2026}}\nplatform_toolsets: {cli: [hermes-cli, tide-log], safe: [safe, no_mcp]}\n"))
	require.NoError(t, err)
	f.DefaultCore(registry.Core)
	for session, want := range map[string]struct {
		direct, deferred int
		active           bool
	}{
		"default": {2, 5, true}, // process_manage is deferred, too, and image_generate is not there
		"cli":     {2, 4, true}, // with the plugin
		"safe":    {1, 1, true},
	} {
		s, err := engine.Build(context.Background(), engine.Inputs{Registry: registry, Config: f.Config, Session: session})
		require.NoError(t, err)
		b := s.Budget(false)
		if b.Tools-b.DeferredCount != want.direct || b.DeferredCount != want.deferred || b.Active != want.active {
			t.Errorf("%s: %d tools, %d deferred, active %v; want %+v", session, b.Tools, b.DeferredCount, b.Active, want)
		}
		if session == "default" && b.EagerTokens != tokensOf(t, dump) {
			t.Errorf("%d tokens without tool search, and the agent's definitions have %d", b.EagerTokens, tokensOf(t, dump))
		}
	}
}

// tokensOf returns a quarter of the characters of the definitions in a dump that are
// available, rounded up, as the agent counts them.
func tokensOf(t *testing.T, dump []byte) int {
	t.Helper()
	var d struct {
		Tools []struct {
			Function  json.RawMessage
			Available *bool
		}
	}
	require.NoError(t, json.Unmarshal(dump, &d))
	chars := 0
	for _, tool := range d.Tools {
		if tool.Available == nil {
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, tool.Function))
			chars += utf8.RuneCount(compact.Bytes()) + len(`{"type":"function","function":}`)
		}
	}
	return (chars + 3) / 4
}
