package tui

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/model"
	"caliper/tui/cells"
)

// settingChanges returns the settings that two configurations do not have
// alike, a line each, in the order in which config show lists them.
func settingChanges(old, new config.File) []string {
	was := map[string]any{}
	for _, s := range old.Settings {
		was[s.Key] = s.Value
	}
	var out []string
	for _, s := range new.Settings {
		_, isPolicy := s.Value.([]config.Rule)
		if isPolicy || strings.HasPrefix(s.Key, "sessions.") || reflect.DeepEqual(s.Value, was[s.Key]) {
			continue
		}
		line := shortName(s.Key) + " "
		a, fromList := was[s.Key].([]string)
		if b, toList := s.Value.([]string); fromList && toList {
			line += listChange(a, b)
		} else {
			line += valueWord(was[s.Key]) + " → " + valueWord(s.Value)
		}
		out = append(out, line)
	}
	out = append(out, sessionChanges(old.Sessions, new.Sessions)...)
	if a, b := ruleWords(old.Policy), ruleWords(new.Policy); !slices.Equal(a, b) {
		out = append(out, "policy "+listChange(a, b))
	}
	return out
}

// sessionChanges returns the sessions that came, went, or have another scope.
func sessionChanges(old, new []config.Session) []string {
	was := map[string]config.Session{}
	for _, s := range old {
		was[s.Name] = s
	}
	var out []string
	for _, s := range new {
		name := "session " + shortName(s.Name)
		before, known := was[s.Name]
		delete(was, s.Name)
		switch {
		case !known:
			out = append(out, name+" added")
		case (before.Enabled == nil) != (s.Enabled == nil):
			out = append(out, name+" enabled_toolsets "+scopeWords(before.Enabled)+" → "+scopeWords(s.Enabled))
		case !slices.Equal(before.Enabled, s.Enabled):
			out = append(out, name+" enabled_toolsets "+listChange(before.Enabled, s.Enabled))
		}
		if known && !slices.Equal(before.Disabled, s.Disabled) {
			out = append(out, name+" disabled_toolsets "+listChange(before.Disabled, s.Disabled))
		}
	}
	for _, s := range old {
		if _, gone := was[s.Name]; gone {
			out = append(out, "session "+shortName(s.Name)+" removed")
		}
	}
	return out
}

// ruleWords returns the rules of a policy, a text each.
func ruleWords(rules []config.Rule) []string {
	var out []string
	for _, r := range rules {
		out = append(out, string(r.Action)+" "+r.Match)
	}
	return out
}

// listedNames is how many names are listed before the others are counted.
const listedNames = 5

// listChange says what a list gained and lost.
func listChange(old, new []string) string {
	var out []string
	for _, part := range []struct {
		sign      string
		list, not []string
	}{{"+", new, old}, {"−", old, new}} {
		for _, name := range part.list {
			if !slices.Contains(part.not, name) {
				out = append(out, part.sign+shortName(name))
			}
		}
	}
	if len(out) == 0 {
		return "in another order"
	}
	if more := len(out) - listedNames; more > 1 {
		out = append(out[:listedNames], "and "+thousands(more)+" more")
	}
	return strings.Join(out, " ")
}

// scopeWords is a list of toolsets, where none at all grants every one.
func scopeWords(names []string) string {
	switch {
	case names == nil:
		return "every toolset"
	case len(names) == 0:
		return "none"
	}
	return someOf(names)
}

// someOf lists the first names, and counts the others.
func someOf(names []string) string {
	var out []string
	for _, name := range names[:min(len(names), listedNames)] {
		out = append(out, shortName(name))
	}
	text := strings.Join(out, ", ")
	if more := len(names) - len(out); more > 0 {
		text += " and " + thousands(more) + " more"
	}
	return text
}

// valueWord is the value of a setting.
func valueWord(v any) string {
	switch v := v.(type) {
	case nil:
		return "unset"
	case int:
		return thousands(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return shortName(v)
	case []string:
		return scopeWords(v)
	}
	return "another"
}

// shortName is a name of the user's, safe for a terminal and not longer than
// a line should be.
func shortName(s string) string { return cells.Truncate(model.Sanitize(s), 60) }
