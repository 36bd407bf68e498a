package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/workbench"
)

// Level is how good or bad the news of a line is.
type Level int

// The levels.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// Line is one line of what happened, safe for a terminal.
type Line struct {
	Level Level
	Text  string
}

// lineOf returns a line by a format, as Textf reads it.
func lineOf(l Level, format string, args ...any) Line {
	return Line{l, Textf(format, args...).String()}
}

// clauses are the parts of a line, which a separator joins.
type clauses []string

// add appends a clause, by a format as Textf has it, if the condition holds.
func (c *clauses) add(so bool, format string, args ...any) {
	if so {
		*c = append(*c, Textf(format, args...).String())
	}
}

// Reload puts into words what was reloaded and what that changed.
type Reload struct {
	*workbench.Reload
	Saved string // what the program itself wrote, in words; empty for what others wrote
	// Hidden are the tools whose description changed on disk while another one is tried.
	Hidden []string
}

// Notice returns in one line what was reloaded, which settings that changed and what about
// search, the first of the new warnings, and how long it took.
func (r Reload) Notice(took time.Duration) string {
	var out clauses
	out.add(r.Saved != "", "%s", r.Saved)
	out.add(r.Saved == "", "%s reloaded", r.what())
	out.add(len(r.Flips) > 0, "search is now %s", r.FlipsNow())
	if r.Saved == "" {
		for _, c := range r.Settings[:min(len(r.Settings), noticedSettings)] {
			out.add(true, "%s", settingLine(c))
		}
		out.add(len(r.Settings) > noticedSettings, "%d more settings", len(r.Settings)-noticedSettings)
	}
	counts := toolCounts(&r.Diff)
	if counts != "" {
		counts = " (" + counts + ")"
	}
	out.add(r.Registry, "%d → %s%s", r.Diff.OldRegistry.Tools, Count(r.Diff.NewRegistry.Tools, "tool"), counts)
	out.add(len(r.Hidden) > 0, "the text that is tried hides the new one of %s", FirstNames(r.Hidden))
	if len(r.Warnings) > 0 {
		out.add(true, "%s: %s", Count(len(r.Warnings), "new warning"), Warning(r.Warnings[0]))
	}
	took = took.Round(time.Millisecond)
	out.add(took > 0 && r.Saved == "", "in %s", took)
	return strings.Join(out, " · ")
}

// noticedSettings is how many changed settings a notice names.
const noticedSettings = 2

// Title returns in one line what was reloaded and what that changed.
func (r Reload) Title() Line {
	d := &r.Diff
	var out clauses
	out.add(true, "%s reloaded", r.what())
	counts := toolCounts(d)
	out.add(counts != "", "%s %s", counts, words.Plural(d.AddedCount()+d.RemovedCount()+d.ChangedCount(), "tool"))
	all, granted := d.NewRegistry.Tokens-d.OldRegistry.Tokens, d.New.EagerTokens-d.Old.EagerTokens
	out.add(r.Same && granted != 0, "%s tokens in %s", signed(granted), r.session())
	out.add(r.Same && granted == 0 && all != 0, "%s tokens, none in %s", signed(all), r.session())
	named := r.Settings
	if !r.namesAll() {
		named = named[:namedSettings-1]
	}
	for _, c := range named {
		out.add(true, "%s", settingLine(c))
	}
	out.add(!r.namesAll(), "%d more settings", len(r.Settings)-len(named))
	if len(r.Flips) == 1 {
		out.add(true, "%s: search %s", shortName(r.Flips[0].New.Session), flipText(r.Flips[0]))
	} else {
		off, on := r.flippedTo(false), r.flippedTo(true)
		out.add(len(off) > 0, "search ON → OFF in %s", firstOf(off, shortName))
		out.add(len(on) > 0, "search OFF → ON in %s", firstOf(on, shortName))
	}
	out.add(r.Lost > 0 && r.Found > 0, "saved queries lost %s, found %d again", Count(r.Lost, "tool"), r.Found)
	out.add(r.Lost > 0 && r.Found == 0, "saved queries lost %s", Count(r.Lost, "tool"))
	out.add(r.Lost == 0 && r.Found > 0, "saved queries found %s again", Count(r.Found, "tool"))
	out.add(len(r.Warnings) > 0, "%s", Count(len(r.Warnings), "new warning"))
	out.add(r.Gone > 0, "%s gone", Count(r.Gone, "warning"))
	if len(out) == 1 {
		unchanged := "tool"
		switch {
		case r.Registry && r.Config:
			unchanged = "tool and no setting"
		case r.Config:
			unchanged = "setting"
		}
		out.add(true, "no %s changed", unchanged)
	}
	level := Good
	switch {
	case r.Lost > 0:
		level = Bad
	case len(r.Flips) > 0 || len(r.Warnings) > 0:
		level = Warn
	}
	return Line{level, strings.Join(out, " · ")}
}

// session returns the session whose figures are given.
func (r Reload) session() string { return shortName(r.Diff.New.Session) }

// namedSettings is how many settings a title names at most.
const namedSettings = 3

// namesAll reports whether the title names every setting that changed.
func (r Reload) namesAll() bool { return len(r.Settings) <= namedSettings }

// what returns the name of what was read again.
func (r Reload) what() string {
	tools := "registry"
	if r.Overridden {
		tools = "descriptions"
	}
	switch {
	case r.Registry && r.Config:
		return tools + " and config"
	case r.Registry:
		return tools
	}
	return "config"
}

// toolCounts counts the tools that came, went and changed; empty for none.
func toolCounts(d *diff.Diff) string {
	var out clauses
	out.add(d.AddedCount() > 0, "+%d", d.AddedCount())
	out.add(d.RemovedCount() > 0, "−%d", d.RemovedCount())
	out.add(d.ChangedCount() > 0, "~%d", d.ChangedCount())
	return strings.Join(out, " ")
}

// FlipsNow returns in which sessions search is now on, and in which off.
func (r Reload) FlipsNow() string {
	var out clauses
	for _, active := range []bool{false, true} {
		names := r.flippedTo(active)
		out.add(len(names) > 0, "%s in %s", OnOff(active), firstOf(names, shortName))
	}
	return strings.Join(out, ", and ")
}

// flippedTo returns the sessions for which search is now active, or not.
func (r Reload) flippedTo(active bool) []string {
	var names []string
	for _, f := range r.Flips {
		if f.New.Active == active {
			names = append(names, f.New.Session)
		}
	}
	return names
}

// flipText returns whether search was on in a session, and whether it is now.
func flipText(f engine.Flip) string { return OnOff(f.Old.Active) + " → " + OnOff(f.New.Active) }

// Lines returns all that changed, a line each.
func (r Reload) Lines() []Line {
	var out []Line
	add := func(l Level, format string, args ...any) { out = append(out, lineOf(l, format, args...)) }
	if !r.namesAll() {
		for _, c := range r.Settings {
			add(Info, "%s", settingLine(c))
		}
	}
	for _, f := range r.Flips {
		var reason Text
		if r.Auto {
			reason = Textf(", %d deferrable tokens, threshold %d", f.New.Deferrable, f.New.Threshold)
		}
		add(Warn, "%s: search %s%s", shortName(f.New.Session), flipText(f), reason)
	}
	out = append(out, r.figureLines()...)
	out = append(append(out, r.toolLines()...), r.queryLines()...)
	for _, w := range r.Warnings {
		add(Warn, "new warning %s", Warning(w))
	}
	if r.Gone > 0 {
		add(Info, "%s gone", Count(r.Gone, "warning"))
	}
	return out
}

// figureLines returns the figures of the session that changed, and those that say whether
// search is on and the prompt cache holds, changed or not; a line of Flips has told it where
// search was switched. Figures of two sessions or tokenizers are not compared.
func (r Reload) figureLines() []Line {
	figures := (&TwoStates{Diff: r.Diff}).Budget()
	if !r.Same {
		figures = figures[:1] // the tools of the registry
	}
	flipped := slices.ContainsFunc(r.Flips, func(f engine.Flip) bool { return f.New.Session == r.Diff.New.Session })
	always := []string{"search", "mode", "prompt cache"}
	if r.Auto {
		always = append(always, "threshold", "deferrable tokens")
	}
	out := []Line{lineOf(Info, "figures of %s", r.session())}
	for _, f := range figures {
		if f.Name == "search" && flipped {
			continue
		}
		text := f.Old
		if f.Old != f.New {
			text += " → " + f.New
		}
		switch f.Change {
		case "":
			if !slices.Contains(always, f.Name) {
				continue
			}
		case "differs":
		default:
			text += ", " + f.Change
		}
		out = append(out, lineOf(Info, "  %s %s", f.Name, text))
	}
	return out
}

// toolLines returns the tools that changed.
func (r Reload) toolLines() []Line {
	var out []Line
	for _, kind := range []struct {
		sign  string
		tools []diff.ToolChange
		more  int
	}{
		{"+", r.Diff.Added, r.Diff.More.Added},
		{"−", r.Diff.Removed, r.Diff.More.Removed},
		{"~", r.Diff.Changed, r.Diff.More.Changed},
	} {
		for _, t := range kind.tools {
			line := lineOf(Info, "%s %s  %s", kind.sign, Name(t.Name), joined(t.Parts))
			line.Text = strings.TrimRight(line.Text, " ")
			out = append(out, line)
		}
		if kind.more > 0 {
			out = append(out, lineOf(Info, "%s %d more", kind.sign, kind.more))
		}
	}
	return out
}

// queryLines returns the saved queries whose relevant tools moved.
func (r Reload) queryLines() []Line {
	var out []Line
	for _, q := range r.Diff.Queries {
		var moves []Line
		for _, rank := range q.Ranks {
			move := Textf("%s  rank %s", Name(rank.Tool), arrow(rank.Old, rank.New, "none"))
			switch {
			case rank.Regressed:
				moves = append(moves, lineOf(Bad, "  lost %s, limit %d", move, r.Diff.NewLimit))
			case rank.Regained:
				moves = append(moves, lineOf(Good, "  found again %s", move))
			case rank.Old != rank.New:
				moves = append(moves, lineOf(Info, "  %s", move))
			}
		}
		if len(moves) > 0 {
			out = append(append(out, lineOf(Info, "query %s", Name(q.Text))), moves...)
		}
	}
	if more := r.Diff.More.Queries; more > 0 {
		out = append(out, lineOf(Info, "and %d more saved queries", more))
	}
	return out
}

// Warning returns a diagnostic in one line, with the names of files instead of
// their paths.
func Warning(d model.Diagnostic) string {
	if d.File != "" {
		name := filepath.Base(d.File)
		d.Message, d.File = strings.ReplaceAll(d.Message, d.File, name), name
	}
	return safetext.Line(d.Error())
}

// Verdict returns what a dry run decided, in words, and how good that is.
func Verdict(t engine.Trace) (string, Level) {
	switch {
	case !t.Authorized:
		return "DENIED " + t.Code + " at gate " + string(t.Gate), Bad
	case len(t.Warnings) > 0:
		var warnings []string
		for _, w := range t.Warnings {
			warnings = append(warnings, w.String())
		}
		return "ALLOWED with wrong arguments: " + strings.Join(warnings, "; "), Warn
	case t.TaskOnly:
		return "ALLOWED, but only as a task, which no plain call starts", Warn
	case t.Partial:
		return "ALLOWED, checked in part", Good
	}
	return "ALLOWED", Good
}

// DryRun returns the outcome of a dry run, under the real name of the tool, and a
// line for every gate that ran or gives a reason.
func DryRun(t engine.Trace) (title Line, gates []Line) {
	verdict, l := Verdict(t)
	levels := map[engine.Verdict]Level{engine.Warn: Warn, engine.Fail: Bad}
	for _, step := range t.Steps {
		if step.Verdict != engine.Skip || step.Detail != "" {
			gates = append(gates, Line{levels[step.Verdict], string(step.Verdict) + " " + step.Gate + ": " + step.Detail})
		}
	}
	return lineOf(l, "dry run %s  %s", Name(cmp.Or(string(t.RealName), t.Name)), verdict), gates
}

// OnOff returns the word for whether search is active.
func OnOff(active bool) string {
	if active {
		return "ON"
	}
	return "OFF"
}

// signed returns a change with its sign.
func signed(n int) Text {
	switch {
	case n > 0:
		return Textf("+%d", n)
	case n < 0:
		return Textf("−%d", -n)
	}
	return textOf(0)
}

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
