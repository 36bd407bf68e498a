package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"caliper/engine/rescue/fetch"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// rescueFetchRow is `rescue fetch`: what rescuer_fetch answers.
func (r *run) rescueFetchRow() runner.Row {
	var q fetch.Request
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one ID"), Complete: r.completeResult,
		Flags: func(f runner.FlagSet) {
			text := func(name, kind, usage string, to *string) {
				f.Value(name, kind, usage, func(s string) error {
					*to = s
					return nil
				})
			}
			number := func(name, usage string, to *int64) {
				f.Value(name, "N", usage, func(s string) (err error) {
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
			f.Completed("mode", fetch.Modes)
			f.Completed("unit", []string{fetch.Lines, fetch.Chars})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if !r.Given("mode") {
				return nil, runner.Usagef("needs --mode: %s", strings.Join(fetch.Modes, ", "))
			}
			q.CountGiven = r.Given("count") // a 0 that is written is not the same as none
			return r.rescue(ctx, false, func(s rescuing) (*runner.Outcome, error) { return s.fetch(ctx, args[0], q) })
		},
	}
}

// fetch answers one request, or tells why it cannot.
func (s rescuing) fetch(ctx context.Context, id string, q fetch.Request) (*runner.Outcome, error) {
	meta, err := s.rescuer.Find(ctx, s.session, id)
	var a fetch.Answer
	if err == nil {
		a, err = s.rescuer.Fetch(ctx, s.session, meta.ID, q)
	}
	switch code := workbench.RescueCode(err); {
	case code != "" && s.run.Flags.JSON:
		return &runner.Outcome{Value: runner.Object{{"error", err.Error()}, {"code", code}}, No: true}, nil
	case code != "":
		s.run.Complain("caliper: " + code + ": " + err.Error())
		return nil, runner.ErrNo
	case err != nil:
		return nil, err
	case s.run.Flags.JSON:
		return &runner.Outcome{Value: fetchedJSON{meta.ID, a}}, nil
	}
	n, err := s.rescuer.Tokens(ctx, a.Text)
	next := ""
	if a.Next != nil {
		next = fetchLine(meta.ID, sameStore(&s.run.Flags, s.session), *a.Next)
	}
	return &runner.Outcome{Page: report.Fetch(a, n, s.method(), next)}, err
}

// fetchedJSON is an answer for JSON.
type fetchedJSON struct {
	ID string `json:"id"`
	fetch.Answer
}

// sameStore returns the flags that a command line needs to find the same store
// and session again.
func sameStore(f *runner.Flags, session string) []string {
	var out []string
	if f.Config != "" {
		out = append(out, "--config", f.Config)
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
