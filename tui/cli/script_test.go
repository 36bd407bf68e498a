package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"caliper/tui/workbench"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// The scripts run the command line in processes of their own. What main would
// find out of a terminal is in the environment:
//
//	TTY=WIDTH   both ends are a terminal of that width, and there is an explorer
//	EDIT=1      the explorer changes the demo's config
//	LEAVE=WORD  how the explorer ends: interrupt or error
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"caliper": func() {
		if code, ok := Supervise(os.Args[1:], os.Environ()); ok {
			os.Exit(code)
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		env := Env{Lookup: os.LookupEnv, Store: workbench.StorePath(os.Getenv), Supervise: true}
		if width := os.Getenv("TTY"); width != "" {
			env.StdinTerminal, env.StdoutTerminal = true, true
			env.Width, _ = strconv.Atoi(width)
			env.Explore = pretendToExplore
		}
		os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, env))
	}, "mcpserver": serveTools})
}

// pretendToExplore prints what the explorer would be opened on.
func pretendToExplore(_ context.Context, o Options) error {
	context := "of the config"
	if o.Flags.Context != nil {
		context = strconv.Itoa(*o.Flags.Context)
	}
	fmt.Printf("explorer\nregistry %q\nconfig %q\nresults %q\ndemo %q\nsession %q\ncontext %s\ntokenizer %q\nstrict %t\ntheme %s\nno-state %t\nno-mouse %t\n",
		o.Registry, o.Config, o.Results, o.Demo, o.Flags.Session, context, o.Flags.Tokenizer, o.Flags.Strict, o.Theme, o.NoState, o.NoMouse)
	for _, path := range append(o.Registry, o.Config) {
		if _, err := os.Stat(path); err != nil && o.Demo != "" {
			return err
		}
	}
	if os.Getenv("EDIT") != "" {
		if err := os.WriteFile(o.Config, []byte("edited: true\n"), 0o600); err != nil {
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

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Under the race detector every process would linger for a second.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":      expectCode,
			"harmless":  expectHarmless,
			"oneline":   expectOneLine,
			"again":     expectSameAgain,
			"blob":      rememberBlob,
			"unescape":  unescapeFile,
			"hostilely": runHostilely,
			"bytes":     makeBytes,
			"damage":    damageBlob,
		},
	})
}

// expectCode is `code N COMMAND...`: runs a command, which must exit with N.
func expectCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	if got := exitCode(ts, args[1:]); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// exitCode runs a command and returns its exit code.
func exitCode(ts *testscript.TestScript, args []string) int {
	err := ts.Exec(args[0], args[1:]...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	ts.Fatalf("%v", err)
	return -1
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
	first := exitCode(ts, args)
	out, complaints := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if out == "" {
		ts.Fatalf("no output")
	}
	if exitCode(ts, args) != first || ts.ReadFile("stdout") != out || ts.ReadFile("stderr") != complaints {
		ts.Fatalf("two runs differ")
	}
}
