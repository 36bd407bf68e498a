package changes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

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
