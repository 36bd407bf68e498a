package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"

	"github.com/rogpeppe/go-internal/testscript"
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
	testscript.Main(m, map[string]func(){"caliper": func() {
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

// ended is what became of a command.
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
