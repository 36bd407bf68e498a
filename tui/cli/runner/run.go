// Package runner runs a command: it declares the flags that all have, reads what they name,
// prints what the command answers, for a person or as JSON, and says how the program ends.
//
// Goals: a command is a Row, which holds its own flags and computes; the same data, the same
// words for the same mistake and the same exit codes whatever the command; nothing of a
// registry acts on the terminal (FlagSet, Run.Complain, Run.WriteJSON).
//
// Non-goals: knowing any command. Pages reads their help, package cli lists them.
package runner

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"sync"

	"caliper/engine/embed"
	"caliper/engine/live/signin"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitYes         = 0
	exitNo          = 1 // denied, no hit, a violation
	exitBad         = 2 // bad usage or bad input
	ExitInterrupted = 130
)

// Version returns the version of the program as the build recorded it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

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

// New returns a run, whose input ends with ctx.
func New(ctx context.Context, in io.Reader, out, errOut io.Writer, env Env) *Run {
	if env.Lookup == nil {
		env.Lookup = func(string) (string, bool) { return "", false }
	}
	r := &Run{Env: env, ErrOut: errOut, Bench: workbench.New()}
	r.In = reader(func(p []byte) (int, error) {
		if r.Env.StdinTerminal { // who types must see what they type
			r.EndWaiting()
		}
		return readUntil(ctx, in, p)
	})
	r.Out = bufio.NewWriter(Writer(func(p []byte) (int, error) {
		r.EndWaiting()
		return out.Write(p)
	}))
	r.Bench.Lookup = env.Lookup
	if env.SignIns != "" {
		r.SignIns = &signin.Keeper{Folder: env.SignIns, Keyring: env.Keyring, HTTP: env.Embedding.HTTP}
	}
	return r
}

// Run is one run of the program.
type Run struct {
	Env         Env
	In          io.Reader
	Out         *bufio.Writer
	ErrOut      io.Writer
	complaining sync.Mutex // of errOut
	waiting     *progress  // nil: none
	counting    *progress  // the last that was counted; nil: nothing was
	Bench       *workbench.Workbench
	SignIns     *signin.Keeper // nil: nobody can sign in
	Flags       Flags

	Root     *cobra.Command
	Commands []*cobra.Command // in the order of the help page
	Ran      *cobra.Command   // that is run

	Logged      *watch.File // the registry, where replay takes it from logs; nil for none
	DemoUnasked bool        // the demo was shown, and nobody asked for it

	held map[string][]byte // what the files had that flags name to be written, when the command began

	leftOut []model.Diagnostic // files of folders that could not be read beside others that could

	embedder *embed.Waking // the embedder of a server that was asked last; nil: none
}

// Conclude writes why a run failed, if it did, and returns its exit code.
func (r *Run) Conclude(ctx context.Context, err error) int {
	var inputs InputErrors
	var usage *usageError
	if r.DemoUnasked && (err == nil || errors.Is(err, ErrNo)) {
		r.Complain(DemoNotice)
	}
	if len(r.leftOut) > 0 && err == nil {
		r.Complain("caliper: " + words.CountOf(len(r.leftOut), "file was", "files were") + " left out")
		err = ErrNo
	}
	switch {
	case err == nil:
		return exitYes
	case errors.Is(err, ErrNo):
		return exitNo
	case errors.Is(err, ErrBad):
		return exitBad
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &inputs):
		for _, d := range inputs {
			r.Complain(d.Error())
		}
	case errors.As(err, &usage):
		r.Complain(usage.Error())
	default:
		r.Complain("caliper: " + err.Error())
	}
	return exitBad
}

// readUntil reads into p, or gives up when ctx ends and returns its error. The read under way is
// then abandoned to the end of the process, because reading a terminal or a pipe cannot be called
// back.
func readUntil(ctx context.Context, in io.Reader, p []byte) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	buffer := make([]byte, len(p)) // an abandoned read must not write to p
	var read int
	var fault error
	done := make(chan bool)
	go func() {
		read, fault = in.Read(buffer)
		close(done)
	}()
	select {
	case <-done:
		return copy(p, buffer[:read]), fault
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Row is a command: what it takes, and what it answers. Its usage, its help and its group
// are its page in commands.md.
type Row struct {
	Reads    reads
	Args     func(args []string) error // what is wrong with them; nil: there must be none
	Choices  []string                  // of the first argument, where they are few
	Complete cobra.CompletionFunc      // of the arguments; nil: nothing is offered
	Flags    func(f FlagSet)           // declares the flags, each bound to a variable
	Run      func(ctx context.Context, args []string) (*Outcome, error)
	// on takes the place of run in a command that needs good input, which is loaded before.
	On func(ctx context.Context, st workbench.State, args []string) (*Outcome, error)
}

// reads tells what data a command reads, by which its page has the flags about data. By
// default it is the user's, and the demo's where none is named.
type reads string

const (
	// OwnData is the user's, and the demo only with --demo: an answer about invented data
	// must not be taken for one about the user's, least of all where an exit code decides.
	OwnData    reads = "own"
	NoRegistry reads = "no registry"
	NoData     reads = "nothing" // the flags about data are global, and taken without effect
)

// readsAnnotation is the annotation of a command that has its reads.
const readsAnnotation = "caliper_reads"

// Outcome is the answer of a command. A command that has printed its answer by itself
// returns nil.
type Outcome struct {
	Value    any            // of --json
	Page     *report.Report // for a person; nil: nothing is printed
	Markdown *report.Report // of --markdown; nil: the page
	No       bool           // the answer is no: exit code 1
	Wrong    InputErrors    // what is wrong with the input, which value has and page has not: exit code 2
}

// Fill gives a command, of which there is the help, what its row says. One without a function has
// others below it, names of all commands.
func (r *Run) Fill(cmd *cobra.Command, x Row, names []string) {
	if x.Run == nil && x.On == nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Of(cmd, UnknownCommand(cmd, args[0]))
			}
			var below []string
			for _, other := range names {
				if under, ok := strings.CutPrefix(other, cmd.Name()+" "); ok {
					below = append(below, under)
				}
			}
			return Of(cmd, Usagef("needs a command: %s", words.Or(below)))
		}
		return
	}
	if x.Args == nil {
		x.Args = ArgumentCount(0, 0, "")
	}
	if x.Complete == nil && x.Choices == nil {
		x.Complete = cobra.NoFileCompletions
	}
	cmd.Annotations = map[string]string{readsAnnotation: string(x.Reads)}
	cmd.ValidArgs, cmd.ValidArgsFunction = x.Choices, x.Complete
	cmd.Args = func(cmd *cobra.Command, args []string) error { return Of(cmd, x.Args(args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r.hold(cmd.Flags())
		if x.On == nil {
			return Of(cmd, r.Answer(x.Run(cmd.Context(), args)))
		}
		st, err := r.LoadGood(cmd.Context())
		if err != nil {
			return Of(cmd, err)
		}
		return Of(cmd, r.Answer(x.On(cmd.Context(), st, args)))
	}
	if x.Flags != nil {
		x.Flags(FlagSet{cmd.Flags(), cmd, ""})
	}
}

// Answer prints what a command answers: as Markdown, which is safe for a terminal, as JSON,
// or for a person. It returns the error that stands for the exit code.
func (r *Run) Answer(o *Outcome, err error) error {
	if err != nil || o == nil {
		return err
	}
	value := o.Value
	if r.Flags.Markdown {
		text, _ := cmp.Or(o.Markdown, o.Page).Markdown()
		if value = (Object{{"markdown", text}}); !r.Flags.JSON {
			err = r.Write([]byte(text))
		}
	} else if !r.Flags.JSON && o.Page != nil {
		r.Print(o.Page)
	}
	if r.Flags.JSON && value != nil {
		err = r.PrintJSON(value)
	}
	switch {
	case err != nil:
		return err
	case len(o.Wrong) > 0 && r.Flags.JSON:
		return ErrBad
	case len(o.Wrong) > 0:
		return o.Wrong
	case o.No:
		return ErrNo
	}
	return nil
}

// Given reports whether a flag of the command is on the command line.
func (r *Run) Given(flag string) bool { return r.Ran.Flags().Changed(flag) }

// Of returns an error that names the command whose usage is wrong.
func Of(cmd *cobra.Command, err error) error {
	var u *usageError
	if errors.As(err, &u) && u.command == "" {
		u.command = cmd.CommandPath()
	}
	return err
}
