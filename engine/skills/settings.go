package skills

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"caliper/model/words"
)

// Settings are the settings of Claude Code that shape its list; the zero value is Claude Code as it comes. Source:
// code.claude.com/docs/en/settings, as of November 2026; testdata has what they do.
type Settings struct {
	Budget    int               `json:"-"` // in characters, of SLASH_COMMAND_TOOL_CHAR_BUDGET; 0: Fraction decides
	Fraction  float64           `json:"skillListingBudgetFraction"`
	Longest   int               `json:"skillListingMaxDescChars"`
	Overrides map[string]string `json:"skillOverrides"` // by the folder of a skill
}

// overrides are the values of skillOverrides.
var overrides = []string{"on", "name-only", "user-invocable-only", "off"}

// ReadSettings reads the contents of files of settings, of which a later one counts before an earlier one, and the value of
// SLASH_COMMAND_TOOL_CHAR_BUDGET. As for Claude Code, nothing in a file counts if a setting has a value that it cannot have.
func ReadSettings(files [][]byte, budget string) Settings {
	s := Settings{Fraction: 0.01, Longest: 1536}
	for _, data := range files {
		next := s
		next.Overrides = maps.Clone(s.Overrides)
		good := json.Unmarshal(data, &next) == nil && next.Fraction > 0 && next.Fraction <= 1 && next.Longest > 0
		for _, kind := range next.Overrides {
			good = good && slices.Contains(overrides, kind)
		}
		if good {
			s = next
		}
	}
	if n, err := strconv.Atoi(budget); err == nil && n > 0 {
		s.Budget = n
	}
	return s
}

// under returns the rules of Claude Code under settings.
func (r *hostRules) under(s Settings) *hostRules {
	out := *r
	out.budget = func(context int) int {
		return cmp.Or(s.Budget, max(1, int(float64(context*4)*cmp.Or(s.Fraction, 0.01))))
	}
	out.cut = func(text string) string { // in units of UTF-16, with an ellipsis for the last
		most := cmp.Or(s.Longest, 1536)
		if words.Units(text) <= most {
			return text
		}
		kept := words.CutUnits(text, most-1)
		if words.Units(kept) < most-1 { // half a character is left
			kept += "\ufffd"
		}
		return kept + "…"
	}
	out.named = func(k *Skill) bool { return s.Overrides[k.Folder] == "name-only" }
	out.leaves = func(k *Skill, text string) Why {
		why := r.leaves(k, text)
		if kind := s.Overrides[k.Folder]; why == "" && (kind == "off" || kind == "user-invocable-only") {
			return ForSetting
		}
		return why
	}
	return &out
}
