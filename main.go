// Command caliper is a terminal workbench for tool search in LLM agents. This
// file starts the process: it looks at the terminal and the environment, which
// no package below it does, and hands over to the command line.
package main

import (
	// Before everything that imports bubbletea; see its documentation.
	_ "caliper/tui/background"

	"context"
	"os"
	"os/signal"

	"caliper/tui/cli"

	"golang.org/x/term"
)

func main() {
	os.Exit(run())
}

// run runs the command line until it ends or is interrupted, and returns the
// exit code. A second interrupt ends the process at once.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	return cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, surroundings())
}

// surroundings returns what the process finds itself in.
func surroundings() cli.Env {
	env := cli.Env{
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		Lookup:         os.LookupEnv,
	}
	if env.StdoutTerminal {
		env.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	return env
}
