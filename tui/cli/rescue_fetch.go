package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"caliper/engine/rescue/fetch"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// rescueFetchCommand is `rescue fetch`: what rescuer_fetch answers.
func (r *run) rescueFetchCommand() *cobra.Command {
	var q fetch.Request
	cmd := &cobra.Command{
		Use:   "fetch ID --mode MODE",
		Short: "Read a slice of a result that was kept, as rescuer_fetch would.",
		Example: `caliper rescue fetch "$ID" --mode range --start 100 --count 50
caliper rescue fetch "$ID" --mode range --unit chars --start 4000
caliper rescue fetch "$ID" --mode grep --pattern 'error|panic'
caliper rescue fetch "$ID" --mode search --query "which job failed"
caliper rescue fetch "$ID" --mode pointer --pointer /items/0/name`,
		Long: "ID is the whole id or at least its first 16 digits. An answer has its budget and says what it holds; " +
			"next is the request that goes on. Lines, entries and passages are counted from 1, characters from 0, and a start of 0 " +
			"is the beginning. A range past the end is the last lines. grep ignores case unless the pattern says (?-i). " +
			"Exits with 1 when there is no answer, with the code that says why.",
		Args: argumentCount(1, 1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("mode") {
				return usageErrorf(cmd, "needs --mode: %s", strings.Join(fetch.Modes, ", "))
			}
			q.CountGiven = cmd.Flags().Changed("count") // a 0 that is written is not the same as none
			return r.rescue(cmd.Context(), false, func(s rescuing) error { return s.fetch(cmd.Context(), args[0], q) })
		},
	}
	text := func(name, kind, usage string, to *string) {
		valueFlag(cmd.Flags(), name, kind, usage, func(s string) error {
			*to = s
			return nil
		})
	}
	number := func(name, usage string, to *int64) {
		valueFlag(cmd.Flags(), name, "N", usage, func(s string) (err error) {
			if *to, err = strconv.ParseInt(s, 10, 64); err != nil {
				return errors.New("want a whole number")
			}
			return nil
		})
	}
	text("mode", "MODE", strings.Join(fetch.Modes, ", "), &q.Mode)
	number("start", "where to begin; 0 is the beginning", &q.Start)
	number("count", "most lines, characters, hits or the like (default 20 lines, 50 hits, else what fits)", &q.Count)
	text("unit", "UNIT", "lines or chars, for range and grep", &q.Unit)
	text("pattern", "P", "RE2 expression, for grep; case does not count", &q.Pattern)
	text("query", "Q", "question, for search", &q.Query)
	text("pointer", "P", "JSON pointer, for pointer and outline", &q.Pointer)
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(fetch.Modes, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("unit", cobra.FixedCompletions([]string{fetch.Lines, fetch.Chars}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// fetch answers one request, or prints why it cannot.
func (s rescuing) fetch(ctx context.Context, id string, q fetch.Request) error {
	meta, err := s.rescuer.Find(ctx, s.session, id)
	var a fetch.Answer
	if err == nil {
		a, err = s.rescuer.Fetch(ctx, s.session, meta.ID, q)
	}
	switch code := workbench.RescueCode(err); {
	case code != "":
		return s.refuse(err, code)
	case err != nil:
		return err
	case s.run.flags.json:
		return s.run.printJSON(fetchedJSON{meta.ID, a})
	}
	n, err := s.rescuer.Tokens(ctx, a.Text)
	if err != nil {
		return err
	}
	next := ""
	if a.Next != nil {
		next = fetchLine(meta.ID, s.run.flags.given(s.session), *a.Next)
	}
	s.run.print(report.Fetch(a, n, s.method(), next))
	return nil
}

// refuse prints why there is no answer.
func (s rescuing) refuse(err error, code string) error {
	if s.run.flags.json {
		return noWhen(true, s.run.printJSON(object{{"error", err.Error()}, {"code", code}}))
	}
	s.run.complain("caliper: " + code + ": " + err.Error())
	return errNo
}

// fetchedJSON is an answer for JSON.
type fetchedJSON struct {
	ID string `json:"id"`
	fetch.Answer
}

// given returns the flags that a command line needs to find the same store
// and session again.
func (f *flags) given(session string) []string {
	var out []string
	if f.config != "" {
		out = append(out, "--config", f.config)
	}
	if session != workbench.DefaultRescueSession {
		out = append(out, "--session", session)
	}
	return out
}

// fetchLine returns the command line of a request.
func fetchLine(id string, more []string, q fetch.Request) string {
	args := []string{"caliper", "rescue", "fetch", id}
	add := func(name, value string) {
		if value != "" && value != "0" {
			args = append(args, "--"+name, value)
		}
	}
	add("mode", q.Mode)
	add("start", strconv.FormatInt(q.Start, 10))
	add("count", strconv.FormatInt(q.Count, 10))
	add("unit", q.Unit)
	add("pattern", q.Pattern)
	add("query", q.Query)
	add("pointer", q.Pointer)
	return report.CommandLine(append(args, more...)...)
}
