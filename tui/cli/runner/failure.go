package runner

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ErrNo is the outcome of a command that has printed its answer, which is no.
var ErrNo = errors.New("no")

// ErrBad is the outcome of a command that has printed the faults of the
// input.
var ErrBad = errors.New("bad input")

// InputErrors are the faults of the input files.
type InputErrors []model.Diagnostic

// Error returns the first of them.
func (e InputErrors) Error() string { return e[0].Error() }

// InputError returns the error of one input file, at no known line.
func InputError(file, message string) InputErrors {
	return InputErrors{{File: safetext.Line(file), Code: "unreadable", Message: safetext.Line(message)}}
}

// FileError returns the error of a file that could not be read or written.
func FileError(name string, err error) InputErrors { return InputError(name, Innermost(err).Error()) }

// AsInputError returns the error of package workbench about one input as an error about inputs.
func AsInputError(err error) error {
	if d := (model.Diagnostic{}); errors.As(err, &d) {
		return InputErrors{d}
	}
	return err
}

// OutputError returns the error of output that could not be written.
func OutputError(err error) error { return fmt.Errorf("writing the output: %w", err) }

// Complain writes one line of diagnostics. Any goroutine may call it. An error
// of standard error cannot be reported anywhere.
//
// SECURITY: file names, arguments and messages of libraries end up here, so
// that every line is made safe for a terminal.
func (r *Run) Complain(line string) {
	r.EndWaiting()
	r.complaining.Lock()
	defer r.complaining.Unlock()
	_, _ = io.WriteString(r.ErrOut, safetext.Line(line)+"\n")
}

// usageError is an error about how a command was called.
type usageError struct{ command, problem string }

// Error returns the problem in one line, with the command that explains the usage.
func (e *usageError) Error() string {
	return fmt.Sprintf("%s: %s; see %s --help", e.command, e.problem, e.command)
}

// Usagef returns a usageError, in which of puts the command.
func Usagef(format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...)}
}

// FlagError returns the usageError for an error of the flag parser.
func FlagError(err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return Usagef("unknown flag -%s", name)
		}
		return Usagef("unknown flag --%s", name)
	case errors.As(err, &missing):
		return Usagef("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &invalid) && errors.Is(err, errTwice): // SECURITY: a value may be an address that holds a key
		return Usagef("--%s is given twice and takes one value", invalid.GetFlag().Name)
	case errors.As(err, &invalid):
		problem := errors.Unwrap(invalid).Error()
		switch invalid.GetFlag().Value.Type() { // the kinds of flags of the library get our wording
		case "int":
			problem = "want a whole number"
		case "bool":
			problem = "want true or false"
		}
		return Usagef("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), problem)
	}
	return Usagef("%s", err)
}

// errTwice is the error of a flag for one value that is repeated with another.
var errTwice = errors.New("given twice")

// ArgumentCount returns a check that there are between low and high arguments;
// what names them as the usage line does.
func ArgumentCount(low, high int, what string) func(args []string) error {
	return func(args []string) error {
		switch {
		case len(args) < low:
			return Usagef("needs %s", what)
		case len(args) > high && high == 0:
			return Usagef("takes no arguments, got %q", args[0])
		case len(args) > high:
			return Usagef("takes %s; %q is too many", what, args[high])
		}
		return nil
	}
}

// UnknownCommand is the error of a word that is no command. It offers the nearest one,
// or else the first that begins with the word.
func UnknownCommand(cmd *cobra.Command, word string) error {
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	near := words.Nearest(word, known)
	if i := slices.IndexFunc(known, func(name string) bool { return word != "" && strings.HasPrefix(name, word) }); near == "" && i >= 0 {
		near = known[i]
	}
	return Usagef("unknown command %q%s", word, words.DidYouMean(near))
}

// WarningLine returns a warning in one line that tells it from an error.
func WarningLine(d model.Diagnostic) string {
	place := d.Position()
	d.File, d.Line = "", 0
	if place == "" {
		return "warning: " + d.Error()
	}
	return place + ": warning: " + d.Error()
}
