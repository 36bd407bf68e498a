package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"caliper/model"
	"caliper/model/safetext"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errNo is the outcome of a command that has printed its answer, which is no.
var errNo = errors.New("no")

// errBad is the outcome of a command that has printed the faults of the
// input.
var errBad = errors.New("bad input")

// inputErrors are the faults of the input files.
type inputErrors []model.Diagnostic

// Error returns the first of them.
func (e inputErrors) Error() string { return e[0].Error() }

// inputError returns the error of one input file, at no known line.
func inputError(file, message string) inputErrors {
	return inputErrors{{File: safetext.Line(file), Code: "unreadable", Message: safetext.Line(message)}}
}

// fileError returns the error of a file that could not be read or written.
func fileError(name string, err error) inputErrors { return inputError(name, innermost(err).Error()) }

// asInputError returns the error of package workbench about one input as an error about inputs.
func asInputError(err error) error {
	if d := (model.Diagnostic{}); errors.As(err, &d) {
		return inputErrors{d}
	}
	return err
}

// outputError returns the error of output that could not be written.
func outputError(err error) error { return fmt.Errorf("writing the output: %w", err) }

// complain writes one line of diagnostics. Any goroutine may call it. An error
// of standard error cannot be reported anywhere.
//
// SECURITY: file names, arguments and messages of libraries end up here, so
// that every line is made safe for a terminal.
func (r *run) complain(line string) {
	r.endWaiting()
	r.complaining.Lock()
	defer r.complaining.Unlock()
	_, _ = io.WriteString(r.errOut, safetext.Line(line)+"\n")
}

// usageError is an error about how a command was called.
type usageError struct{ command, problem string }

// Error returns the problem in one line, with the command that explains the usage.
func (e *usageError) Error() string {
	return fmt.Sprintf("%s: %s; see %s --help", e.command, e.problem, e.command)
}

// usagef returns a usageError, in which of puts the command.
func usagef(format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...)}
}

// flagError returns the usageError for an error of the flag parser.
func flagError(err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return usagef("unknown flag -%s", name)
		}
		return usagef("unknown flag --%s", name)
	case errors.As(err, &missing):
		return usagef("--%s needs a value", missing.GetFlag().Name)
	case errors.As(err, &invalid) && errors.Is(err, errTwice): // SECURITY: a value may be an address that holds a key
		return usagef("--%s is given twice and takes one value", invalid.GetFlag().Name)
	case errors.As(err, &invalid):
		return usagef("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), valueProblem(invalid))
	}
	return usagef("%s", err)
}

// errTwice is the error of a flag for one value that is repeated with another.
var errTwice = errors.New("given twice")

// valueProblem returns why a flag's value is refused. The kinds of flags of the
// library get our wording.
func valueProblem(err *pflag.InvalidValueError) string {
	switch err.GetFlag().Value.Type() {
	case "int":
		return "want a whole number"
	case "bool":
		return "want true or false"
	}
	return errors.Unwrap(err).Error()
}

// argumentCount returns a check that there are between low and high arguments;
// what names them as the usage line does.
func argumentCount(low, high int, what string) func(args []string) error {
	return func(args []string) error {
		switch {
		case len(args) < low:
			return usagef("needs %s", what)
		case len(args) > high && high == 0:
			return usagef("takes no arguments, got %q", args[0])
		case len(args) > high:
			return usagef("takes %s; %q is too many", what, args[high])
		}
		return nil
	}
}

// unknownCommand is the error of a word that is no command.
func unknownCommand(cmd *cobra.Command, word string) error {
	if near := cmd.SuggestionsFor(word); len(near) > 0 && word != "" {
		return usagef("unknown command %q; did you mean %s?", word, strings.Join(near, " or "))
	}
	return usagef("unknown command %q", word)
}
