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
// and a report; the runner loads, prints either, and exits.
package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"caliper/engine/transcript/logs"

	"caliper/engine/embed"
	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitYes         = 0
	exitNo          = 1 // denied, no hit, a violation
	exitBad         = 2 // bad usage or bad input
	exitInterrupted = 130
)

// Env is the surroundings of the process.
type Env struct {
	StdinTerminal  bool
	StdoutTerminal bool
	StderrTerminal bool
	Width          int                             // of the terminal in cells; 0 when standard output is none
	Lookup         func(key string) (string, bool) // environment variable; nil: there are none

	// Embedding is the means of embedders, and the folder that keeps what was
	// computed of tools and read of logs. Nothing is kept under --no-cache and --no-state.
	Embedding workbench.Embedding

	// Store is the folder of rescued results unless the configuration names
	// one; empty: there is none. It is made by the first command that needs it,
	// with --no-state too, which is about what the explorer remembers.
	Store string

	// Home, Work and Settings are the user's home folder, the folder that the program
	// was started in and the user's folder of settings, each empty where there is
	// none. Configurations of clients and agents are looked for there when the
	// program is started without data in a terminal.
	Home, Work, Settings string
	// Own is the folder of the registries that the explorer writes of the user's
	// servers; empty: a temporary one.
	Own string

	// State is the path of the explorer's state file; empty: nothing is remembered.
	State string

	// SignIns is the folder of the sign-ins to servers that the keyring of the system
	// does not keep; empty: nobody can sign in. Keyring reports that there is a keyring.
	SignIns string
	Keyring bool
	// Browse opens an address in the user's browser; nil: there is none.
	Browse func(address string) error

	// Supervise has every server that is started run under a supervisor, for
	// which the program calls the function Supervise first of all.
	Supervise bool

	// ReadSessions reads the logs of agents at some paths, files or folders,
	// for replay. agent is who wrote them; empty when their content tells. Nil
	// means logs.Read, with the index in the folder of Embedding. The log is the
	// caller's, which spends its sessions.
	ReadSessions func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error)

	// Explore opens the explorer and returns when it is left. It is nil where
	// there is none: the summary is then printed in its place. An error that
	// is context.Canceled means that the user interrupted it.
	Explore func(context.Context, tui.Options) error
}

// Main runs one command line, without the name of the program, and returns
// its exit code. Everything is written when it returns.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, env Env) int {
	if env.Lookup == nil {
		env.Lookup = func(string) (string, bool) { return "", false }
	}
	r := &run{
		env:    env,
		errOut: errOut,
		bench:  workbench.New(),
	}
	r.in = input{r, interruptible{ctx, in}}
	r.out = bufio.NewWriter(output{r, out})
	r.bench.Lookup = env.Lookup
	if env.SignIns != "" {
		r.signIns = &signin.Keeper{Folder: env.SignIns, Keyring: env.Keyring, HTTP: env.Embedding.HTTP}
	}
	root := r.rootCommand()
	root.SetArgs(append([]string{}, args...)) // for nil cobra would take the arguments of the process
	err := root.ExecuteContext(ctx)
	r.endWaiting()
	if flushErr := r.out.Flush(); err == nil && flushErr != nil {
		err = outputError(flushErr)
	}
	r.awaitModel(ctx)
	return r.conclude(ctx, err)
}

// run is one run of the program.
type run struct {
	env         Env
	in          io.Reader
	out         *bufio.Writer
	errOut      io.Writer
	complaining sync.Mutex // of errOut
	waiting     *waiting   // nil: none
	counting    *progress  // the last that was counted; nil: nothing was
	bench       *workbench.Workbench
	signIns     *signin.Keeper // nil: nobody can sign in
	flags       flags
	agents      listening // what the explorer shows of agents

	root     *cobra.Command
	commands []*cobra.Command // in the order of the help page
	ran      *cobra.Command   // that is run

	logged      *watch.File // the registry, where replay takes it from logs; nil for none
	demoUnasked bool        // the demo was shown, and nobody asked for it

	leftOut []model.Diagnostic // files of folders that could not be read beside others that could

	prices replay.PriceList // of the explorer's replay

	embedder *embed.Waking // the embedder of a server that was asked last; nil: none

	following *logs.Follower // of the explorer, which reads logs as they grow; nil: they are read once
}

// conclude writes why a run failed, if it did, and returns its exit code.
func (r *run) conclude(ctx context.Context, err error) int {
	var inputs inputErrors
	var usage *usageError
	if r.demoUnasked && (err == nil || errors.Is(err, errNo)) {
		r.complain(demoNotice)
	}
	if len(r.leftOut) > 0 && err == nil {
		r.complain("caliper: " + words.CountOf(len(r.leftOut), "file was", "files were") + " left out")
		err = errNo
	}
	switch {
	case err == nil:
		return exitYes
	case errors.Is(err, errNo):
		return exitNo
	case errors.Is(err, errBad):
		return exitBad
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &inputs):
		for _, d := range inputs {
			r.complain(d.Error())
		}
	case errors.As(err, &usage):
		r.complain(usage.Error())
	default:
		r.complain("caliper: " + err.Error())
	}
	return exitBad
}

// interruptible is a reader that gives up when its context ends. The read
// under way is then abandoned to the end of the process, because reading a
// terminal or a pipe cannot be called back.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read reads into p, or returns the context's error.
func (r interruptible) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	buffer := make([]byte, len(p)) // an abandoned read must not write to p
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(buffer)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buffer[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}

// Supervise supervises a server, until it is to end, if the arguments of the
// process say so. It returns the code to exit with; ok is false for any other
// command line. No user gives such arguments: import starts the program with
// them, so that nothing of a server is left behind, however the program ends.
func Supervise(args, environment []string) (code int, ok bool) {
	return live.Supervise(args, environment)
}
