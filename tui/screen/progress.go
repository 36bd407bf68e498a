package screen

import (
	"caliper/tui/ui"
)

// Progress returns the progress of a job for the note of a title; empty when
// the job has ended or has not begun. Verb names the work: "evaluating". A
// narrow title shows only the numbers.
func Progress(s ui.Status, verb string, narrow bool) string {
	switch {
	case s.Held:
		return "enter starts it"
	case s.Stopped:
		return "cancelled, enter starts it"
	case s.Err != nil:
		return "failed, enter starts it"
	case !s.Running:
		return ""
	case s.Total > 0 && narrow:
		return ui.Thousands(s.Done) + "/" + ui.Thousands(s.Total)
	case s.Total > 0:
		return verb + " " + ui.Thousands(s.Done) + " of " + ui.Thousands(s.Total)
	}
	return verb
}
