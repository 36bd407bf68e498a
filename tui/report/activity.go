package report

import (
	"fmt"
	"strings"
)

// Event is one thing that happened in the explorer: a reload, an error or a
// dry run.
type Event struct {
	Clock   string // when, of the day
	Title   string
	Details []string
}

// maxLog is how many characters of events are written.
const maxLog = 30_000

// Activity returns the report of events, the newest first, out of so many that
// happened. What the explorer has loaded by now stands before them.
func (c Case) Activity(events []Event, of int) *Report {
	r := new(Report)
	r.Heading(2, "caliper, what happened")
	r.Say("Now:")
	c.surroundings(r)
	r.Heading(3, "Events")
	switch {
	case len(events) == of:
		r.Say("All that happened, the newest first:")
	case len(events) == 1:
		r.Say("One of %d events:", of)
	default:
		r.Say("%d of %d events, the newest first:", len(events), of)
	}
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s\n", e.Clock, e.Title)
		for _, detail := range e.Details {
			fmt.Fprintf(&b, "    %s\n", detail)
		}
	}
	r.add(block{kind: fence, name: "text", raw: b.String(), number: maxLog})
	return r
}
