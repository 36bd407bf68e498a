// Package changes puts what changed into words, once for the screens, the commands and
// issues: a reload, two states side by side, a difference of registries, the verdict of the
// gate on a change, what other words do to a tool, and other settings to search.
//
// Goals: values in, a report or a line out; a figure that is printed in two places is the
// same in both. Non-goals: finding out what changed, which packages diff, whatif and
// workbench do, and printing, which package report does.
package changes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// clauses are the parts of a line, which a separator joins.
type clauses []string

// add appends a clause, by a format as Textf has it, if the condition holds.
func (c *clauses) add(so bool, format string, args ...any) {
	if so {
		*c = append(*c, report.Textf(format, args...).String())
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
	out.add(r.Registry, "%d → %s%s", r.Diff.OldRegistry.Tools, report.Count(r.Diff.NewRegistry.Tools, "tool"), counts)
	out.add(len(r.Hidden) > 0, "the text that is tried hides the new one of %s", report.FirstNames(r.Hidden))
	if len(r.Warnings) > 0 {
		out.add(true, "%s: %s", report.Count(len(r.Warnings), "new warning"), report.Warning(r.Warnings[0]))
	}
	took = took.Round(time.Millisecond)
	out.add(took > 0 && r.Saved == "", "in %s", took)
	return strings.Join(out, " · ")
}

// noticedSettings is how many changed settings a notice names.
const noticedSettings = 2

// Title returns in one line what was reloaded and what that changed.
func (r Reload) Title() report.Line {
	d := &r.Diff
	var out clauses
	out.add(true, "%s reloaded", r.what())
	counts := toolCounts(d)
	added, removed, changed := d.Counts()
	out.add(counts != "", "%s %s", counts, words.Plural(added+removed+changed, "tool"))
	all, granted := d.NewRegistry.Tokens-d.OldRegistry.Tokens, d.New.EagerTokens-d.Old.EagerTokens
	out.add(r.Same && granted != 0, "%s tokens in %s", report.Signed(granted), r.session())
	out.add(r.Same && granted == 0 && all != 0, "%s tokens, none in %s", report.Signed(all), r.session())
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
		out.add(len(off) > 0, "search ON → OFF in %s", report.FirstOf(off, shortName))
		out.add(len(on) > 0, "search OFF → ON in %s", report.FirstOf(on, shortName))
	}
	out.add(r.Lost > 0 && r.Found > 0, "saved queries lost %s, found %d again", report.Count(r.Lost, "tool"), r.Found)
	out.add(r.Lost > 0 && r.Found == 0, "saved queries lost %s", report.Count(r.Lost, "tool"))
	out.add(r.Lost == 0 && r.Found > 0, "saved queries found %s again", report.Count(r.Found, "tool"))
	out.add(len(r.Warnings) > 0, "%s", report.Count(len(r.Warnings), "new warning"))
	out.add(r.Gone > 0, "%s gone", report.Count(r.Gone, "warning"))
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
	level := report.Good
	switch {
	case r.Lost > 0:
		level = report.Bad
	case len(r.Flips) > 0 || len(r.Warnings) > 0:
		level = report.Warn
	}
	return report.Line{Level: level, Text: strings.Join(out, " · ")}
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
	added, removed, changed := d.Counts()
	out.add(added > 0, "+%d", added)
	out.add(removed > 0, "−%d", removed)
	out.add(changed > 0, "~%d", changed)
	return strings.Join(out, " ")
}

// FlipsNow returns in which sessions search is now on, and in which off.
func (r Reload) FlipsNow() string {
	var out clauses
	for _, active := range []bool{false, true} {
		names := r.flippedTo(active)
		out.add(len(names) > 0, "%s in %s", report.OnOff(active), report.FirstOf(names, shortName))
	}
	return strings.Join(out, ", and ")
}

// Regrants returns a sentence for every session that a second snapshot of the same registry grants
// more or fewer tools.
func Regrants(was, is *engine.Snapshot) (out []string) {
	for _, session := range is.Config.Sessions {
		i := slices.IndexFunc(was.Config.Sessions, func(s config.Session) bool { return s.Name == session.Name })
		if i < 0 || len(was.Registry.Tools) != len(is.Registry.Tools) {
			continue
		}
		before, gained, lost := was.Grant(was.Config.Sessions[i]), 0, 0
		for tool, granted := range is.Grant(session) {
			switch {
			case granted && !before[tool]:
				gained++
			case !granted && before[tool]:
				lost++
			}
		}
		var parts clauses
		parts.add(gained > 0, "gains %s", report.Count(gained, "tool"))
		parts.add(lost > 0, "loses %s", report.Count(lost, "tool"))
		if len(parts) > 0 {
			out = append(out, report.Textf("session %s %s", report.Name(session.Name), strings.Join(parts, " and ")).String())
		}
	}
	return out
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
func flipText(f engine.Flip) string {
	return report.OnOff(f.Old.Active) + " → " + report.OnOff(f.New.Active)
}

// Lines returns all that changed, a line each.
func (r Reload) Lines() []report.Line {
	var out []report.Line
	add := func(l report.Level, format string, args ...any) { out = append(out, report.Linef(l, format, args...)) }
	if !r.namesAll() {
		for _, c := range r.Settings {
			add(report.Info, "%s", settingLine(c))
		}
	}
	for _, f := range r.Flips {
		var reason report.Text
		if r.Auto {
			reason = report.Textf(", %d deferrable tokens, threshold %d", f.New.Deferrable, f.New.Threshold)
		}
		add(report.Warn, "%s: search %s%s", shortName(f.New.Session), flipText(f), reason)
	}
	out = append(out, r.figureLines()...)
	more := [3]int{r.Diff.More.Added, r.Diff.More.Removed, r.Diff.More.Changed}
	for i, tools := range [3][]diff.ToolChange{r.Diff.Added, r.Diff.Removed, r.Diff.Changed} {
		for _, t := range tools {
			add(report.Info, "%s %s  %s", signs[i], report.Name(t.Name), report.Joined(t.Parts))
			line := &out[len(out)-1]
			line.Text = strings.TrimRight(line.Text, " ")
		}
		if more[i] > 0 {
			add(report.Info, "%s %d more", signs[i], more[i])
		}
	}
	for _, q := range r.Diff.Queries { // whose relevant tools moved
		var moves []report.Line
		for _, rank := range q.Ranks {
			move := report.Textf("%s  rank %s", report.Name(rank.Tool), report.Arrow(rank.Old, rank.New, "none"))
			switch {
			case rank.Regressed:
				moves = append(moves, report.Linef(report.Bad, "  lost %s, limit %d", move, r.Diff.NewLimit))
			case rank.Regained:
				moves = append(moves, report.Linef(report.Good, "  found again %s", move))
			case rank.Old != rank.New:
				moves = append(moves, report.Linef(report.Info, "  %s", move))
			}
		}
		if len(moves) > 0 {
			out = append(append(out, report.Linef(report.Info, "query %s", report.Name(q.Text))), moves...)
		}
	}
	if more := r.Diff.More.Queries; more > 0 {
		add(report.Info, "and %d more saved queries", more)
	}
	for _, w := range r.Warnings {
		add(report.Warn, "new warning %s", report.Warning(w))
	}
	if r.Gone > 0 {
		add(report.Info, "%s gone", report.Count(r.Gone, "warning"))
	}
	return out
}

// figureLines returns the figures of the session that changed, and those that say whether
// search is on and the prompt cache is kept, changed or not; a line of Flips has told it where
// search was switched. Figures of two sessions or tokenizers are not compared.
func (r Reload) figureLines() []report.Line {
	figures := (&TwoStates{Diff: r.Diff}).Budget()
	if !r.Same {
		figures = figures[:1] // the tools of the registry
	}
	flipped := slices.ContainsFunc(r.Flips, func(f engine.Flip) bool { return f.New.Session == r.Diff.New.Session })
	always := []string{"search", "mode", "prompt cache"}
	if r.Auto {
		always = append(always, "threshold", "deferrable tokens")
	}
	out := []report.Line{report.Linef(report.Info, "figures of %s", r.session())}
	for _, f := range figures {
		if f.Name == "search" && flipped {
			continue
		}
		text := f.New
		if f.Old != f.New && f.Old != "" {
			text = f.Old + " → " + f.New
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
		out = append(out, report.Linef(report.Info, "  %s %s", f.Name, text))
	}
	return out
}

// settingLine returns what a setting was and is.
func settingLine(c workbench.SettingChange) string {
	subject := shortName(c.Key)
	if c.Session != "" {
		subject = strings.TrimRight("session "+shortName(c.Session)+" "+c.Key, " ")
	}
	old, fromList := c.Old.([]string)
	new, toList := c.New.([]string)
	switch {
	case c.Session != "" && c.Key == "" && c.Old == nil:
		return subject + " added"
	case c.Session != "" && c.Key == "":
		return subject + " removed"
	case c.Session != "" && (old == nil) != (new == nil) && c.Key == "enabled_toolsets":
		return subject + " " + scopeText(old) + " → " + scopeText(new)
	case fromList && toList:
		var out []string // what the list gained and lost
		for _, name := range new {
			if !slices.Contains(old, name) {
				out = append(out, "+"+shortName(name))
			}
		}
		for _, name := range old {
			if !slices.Contains(new, name) {
				out = append(out, "−"+shortName(name))
			}
		}
		if len(out) == 0 {
			return subject + " in another order"
		}
		if more := len(out) - report.NamesShown; more > 1 {
			out = append(out[:report.NamesShown], "and "+words.Thousands(more)+" more")
		}
		return subject + " " + strings.Join(out, " ")
	}
	return subject + " " + valueText(c.Old) + " → " + valueText(c.New)
}

// scopeText returns a list of toolsets, where none at all grants every one.
func scopeText(names []string) string {
	switch {
	case names == nil:
		return "every toolset"
	case len(names) == 0:
		return "none"
	}
	return report.FirstOf(names, shortName)
}

// valueText returns the value of a setting.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "unset"
	case int:
		return words.Thousands(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return shortName(v)
	case []string:
		return scopeText(v)
	}
	return "another"
}

// shortName returns a name, safe for a terminal and cut to 60 cells.
func shortName(s string) string { return ui.Truncate(safetext.Line(s), 60) }

// SettingWritten returns the report of a setting that was written to a file, or
// with a dry run would be, with the unified diff of the file. That is empty when
// the setting has the value already.
func SettingWritten(file, key string, value any, unified string, dryRun bool) *report.Report {
	r := new(report.Report)
	if unified == "" {
		r.Line(fmt.Sprintf("%s is unchanged: %s is %s there already", file, key, report.SettingValue(value)))
		return r
	}
	r.Add(report.Unified(unified))
	r.Blank()
	if dryRun {
		r.Line("dry run: " + file + " is as it was")
	} else {
		r.Line(file + " is written")
	}
	return r
}
