package budget

import (
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// changeRows is the number of lines of what the knobs change, without the heading.
const changeRows = 6

// shortMethods name the token methods in a column of numbers.
var shortMethods = map[tokens.Method]string{tokens.Chars4: "chars4", tokens.O200k: "o200k", tokens.Cl100k: "cl100k",
	tokens.RenderedOpenAI: "r:openai", tokens.RenderedAnthropic: "r:anthropic"}

// drawChange draws the state without the knobs against the state with them. The
// first is the state on disk while no flag overrides the file. When the two are
// counted by different methods, the headings name the methods.
func (s *Screen) drawChange(t *ui.Theme, w int) []string {
	disk, now := s.host.Knobs.Files().Budget, s.state.Budget
	cell := 11
	switch {
	case w < 44:
		cell = 9
	case w < 50: // the longest label is whole
		cell = 10
	}
	was, is := "on disk", "now"
	if s.host.Input.Flags.Context != nil {
		was = "no knobs"
	}
	if a, b := disk.Tokenizer, now.Tokenizer; a != b {
		was, is = shortMethods[a], shortMethods[b]
		if cell > 10 {
			was, is = "was "+was, "now "+is
		}
	}
	heads := ui.PadLeft(was, cell) + ui.PadLeft(is, cell) + ui.PadLeft("change", cell)
	lines := []string{ui.DrawHeading(t, w, s.focused(viewChange) && s.view == viewChange, "tokens", heads)}
	var l ui.Line
	row := func(label, was, is, change string) {
		l.StartAt(w, 1)
		l.Cell(t.Text, label, max(8, w-3*cell-1))
		l.CellRight(t.Faint, was, cell)
		l.CellRight(t.Number, is, cell)
		style := t.Faint
		if was != is {
			style = t.Warn
		}
		l.CellRight(style, change, cell)
		lines = append(lines, l.End())
	}
	number := func(label string, was, is int) {
		text := t.Same
		switch {
		case is > was:
			text = t.Risen + ui.Thousands(is-was)
		case is < was:
			text = t.Fallen + ui.Thousands(was-is)
		}
		row(label, ui.Thousands(was), ui.Thousands(is), text)
	}
	either := func(label string, was int, wasKnown bool, is int, isKnown bool) {
		if wasKnown && isKnown {
			number(label, was, is)
		} else {
			row(label, figure(was, wasKnown), figure(is, isKnown), "")
		}
	}
	number("everything", disk.EagerTokens, now.EagerTokens)
	either("sent", disk.AfterTokens, disk.Measured(), now.AfterTokens, now.Measured())
	either("saved", disk.SavedTokens, disk.Measured(), now.SavedTokens, now.Measured())
	if now.Listing == nil {
		either("threshold", disk.ThresholdTokens, disk.Host == "", now.ThresholdTokens, now.Host == "")
	} else {
		was, is, change := listingForm(disk), listingForm(now), t.Same
		if was != is {
			change = "changes"
		}
		row("listing", was, is, change)
	}
	flips := t.Same
	if disk.Active != now.Active {
		flips = "flips"
	}
	row("search", report.OnOff(disk.Active), report.OnOff(now.Active), flips)
	wasSaved, _, wasKnown := disk.ReferenceSaved()
	isSaved, _, isKnown := now.ReferenceSaved()
	either(agentSaved, wasSaved, wasKnown, isSaved, isKnown)
	return lines
}

// agentSaved names the tokens saved with the own bridge of Hermes, the reference agent, which costs more.
const agentSaved = "saved in Hermes"

// listingForm returns the form of the listing, a dash for a generation without one.
func listingForm(b engine.Budget) string {
	if b.Listing == nil {
		return "–"
	}
	return string(b.Listing.Form)
}

// figure returns a number, or a dash when it is not known.
func figure(n int, known bool) string {
	if !known {
		return "–"
	}
	return ui.Thousands(n)
}
