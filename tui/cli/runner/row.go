package runner

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

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

// Outcome is what a command answers. A command that has printed its answer by itself
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
