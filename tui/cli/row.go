package cli

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

// row is a command: what it takes, and what it answers. Its usage, its help and its group
// are its page in commands.md.
type row struct {
	reads    reads
	args     func(args []string) error // what is wrong with them; nil: there must be none
	choices  []string                  // of the first argument, where they are few
	complete cobra.CompletionFunc      // of the arguments; nil: nothing is offered
	flags    func(f flagSet)           // declares the flags, each bound to a variable
	run      func(ctx context.Context, args []string) (*outcome, error)
	// on takes the place of run in a command that needs good input, which is loaded before.
	on func(ctx context.Context, st workbench.State, args []string) (*outcome, error)
}

// reads tells what data a command reads, by which its page has the flags about data. By
// default it is the user's, and the demo's where none is named.
type reads string

const (
	// ownData is the user's, and the demo only with --demo: an answer about invented data
	// must not be taken for one about the user's, least of all where an exit code decides.
	ownData    reads = "own"
	noRegistry reads = "no registry"
	noData     reads = "nothing" // the flags about data are global, and taken without effect
)

// readsAnnotation is the annotation of a command that has its reads.
const readsAnnotation = "caliper_reads"

// outcome is what a command answers. A command that has printed its answer by itself
// returns nil.
type outcome struct {
	value    any            // of --json
	page     *report.Report // for a person; nil: nothing is printed
	markdown *report.Report // of --markdown; nil: the page
	no       bool           // the answer is no: exit code 1
	wrong    inputErrors    // what is wrong with the input, which value has and page has not: exit code 2
}

// command returns the command of a page.
func (r *run) command(p page, x row) *cobra.Command {
	cmd := &cobra.Command{Use: p.use, Short: p.short, Long: p.long, Example: p.example, GroupID: p.group}
	if x.run == nil && x.on == nil {
		return head(cmd, p.name)
	}
	if x.args == nil {
		x.args = argumentCount(0, 0, "")
	}
	if x.complete == nil && x.choices == nil {
		x.complete = cobra.NoFileCompletions
	}
	cmd.Annotations = map[string]string{readsAnnotation: string(x.reads)}
	cmd.ValidArgs, cmd.ValidArgsFunction = x.choices, x.complete
	cmd.Args = func(cmd *cobra.Command, args []string) error { return of(cmd, x.args(args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return of(cmd, r.answer(x.answer(cmd.Context(), r, args)))
	}
	if x.flags != nil {
		x.flags(flagSet{cmd.Flags(), cmd, ""})
	}
	return cmd
}

// head makes a command that does nothing by itself, and has others below it.
func head(cmd *cobra.Command, name string) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return of(cmd, unknownCommand(cmd, args[0]))
		}
		var below []string
		for _, p := range commandPages() {
			if under, ok := strings.CutPrefix(p.name, name+" "); ok {
				below = append(below, under)
			}
		}
		return of(cmd, usagef("needs a command: %s", words.Or(below)))
	}
	return cmd
}

// answer runs a command, on good input if it needs that.
func (x row) answer(ctx context.Context, r *run, args []string) (*outcome, error) {
	if x.on == nil {
		return x.run(ctx, args)
	}
	st, err := r.loadGood(ctx)
	if err != nil {
		return nil, err
	}
	return x.on(ctx, st, args)
}

// answer prints what a command answers: as Markdown, which is safe for a terminal, as JSON,
// or for a person. It returns the error that stands for the exit code.
func (r *run) answer(o *outcome, err error) error {
	if err != nil || o == nil {
		return err
	}
	value := o.value
	if r.flags.markdown {
		text, _ := cmp.Or(o.markdown, o.page).Markdown()
		if value = (object{{"markdown", text}}); !r.flags.json {
			err = r.write([]byte(text))
		}
	} else if !r.flags.json && o.page != nil {
		r.print(o.page)
	}
	if r.flags.json && value != nil {
		err = r.printJSON(value)
	}
	switch {
	case err != nil:
		return err
	case len(o.wrong) > 0 && r.flags.json:
		return errBad
	case len(o.wrong) > 0:
		return o.wrong
	case o.no:
		return errNo
	}
	return nil
}

// readsOf returns what data a command reads.
func readsOf(cmd *cobra.Command) reads { return reads(cmd.Annotations[readsAnnotation]) }

// given reports whether a flag of the command is on the command line.
func (r *run) given(flag string) bool { return r.ran.Flags().Changed(flag) }

// of returns an error that names the command whose usage is wrong.
func of(cmd *cobra.Command, err error) error {
	var u *usageError
	if errors.As(err, &u) && u.command == "" {
		u.command = cmd.CommandPath()
	}
	return err
}
