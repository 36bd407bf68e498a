// Package cli is the command line of caliper: the commands, one file each, which
// print what the explorer draws, as text or as JSON.
//
// Goals:
//   - the contract of every command: keys in a fixed order, the same bytes for
//     the same input, exit codes 0 yes, 1 no, 2 bad usage or input, 130
//     interrupted
//   - errors that a person and an editor can follow: file:line:col: what, one
//     line each, on standard error
//   - nothing a registry holds can write control sequences to the terminal, in
//     text or in JSON
//
// Non-goals: deciding anything. Package engine decides which tools are granted, found,
// allowed and counted, through the workbench that the explorer uses too; package
// report puts it into words. Main looks at the terminal and the environment and
// passes what it found as an Env.
//
// A new command is a page in commands.md, a file with a method of run that returns its
// row, and a line in rows. The row has the flags and a function that computes a value
// and a report; package runner loads, prints either, and exits. Package connect has the
// commands that talk to servers and agents: import and serve.
package cli

import (
	"context"
	"io"

	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"

	"caliper/engine/live"
	"caliper/engine/replay"
)

// Main runs one command line, without the name of the program, and returns
// its exit code. Everything is written when it returns.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, env runner.Env) int {
	r := &run{Run: runner.New(ctx, in, out, errOut, env)}
	root := r.rootCommand()
	root.SetArgs(append([]string{}, args...)) // for nil cobra would take the arguments of the process
	err := root.ExecuteContext(ctx)
	r.EndWaiting()
	if flushErr := r.Out.Flush(); err == nil && flushErr != nil {
		err = runner.OutputError(flushErr)
	}
	r.AwaitModel(ctx)
	return r.Conclude(ctx, err)
}

// Supervise supervises a server, until it is to end, if the arguments of the
// process say so. It returns the code to exit with; ok is false for any other
// command line. No user gives such arguments: import starts the program with
// them, so that nothing of a server is left behind, however the program ends.
func Supervise(args, environment []string) (code int, ok bool) {
	return live.Supervise(args, environment)
}

// run is one run of the program, with what its commands share beside the runner.
type run struct {
	*runner.Run
	agents connect.Listening // what the explorer shows of agents
	prices replay.PriceList  // of the explorer's replay
}
