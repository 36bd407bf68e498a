package repro

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

// Activity returns the repro of events, the newest first, out of so many that
// happened. What the explorer has loaded by now stands before them.
func Activity(c Case, events []Event, of int) string {
	var d document
	d.heading(2, "caliper, what happened")
	d.line("Now:")
	c.surroundings(&d)
	d.heading(3, "Events")
	switch {
	case len(events) == of:
		d.line("All that happened, the newest first:")
	case len(events) == 1:
		d.line(fmt.Sprintf("One of %d events:", of))
	default:
		d.line(fmt.Sprintf("%d of %d events, the newest first:", len(events), of))
	}
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s\n", e.Clock, e.Title)
		for _, detail := range e.Details {
			fmt.Fprintf(&b, "    %s\n", detail)
		}
	}
	d.block("text", b.String(), maxLog)
	return c.end(&d)
}
