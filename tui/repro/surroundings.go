package repro

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"caliper/config"
)

// maxNames is how many names a list in a line has.
const maxNames = 12

// surroundings writes what made the repro and what it depends on.
func (c Case) surroundings(d *document) {
	s := c.Snapshot
	var files []string
	for _, source := range s.Registry.Sources {
		files = append(files, filepath.Base(source.Name))
	}
	b := s.Budget(false)
	list := []string{or(code(c.Program), "an unknown version of caliper")}
	if tried := c.tried(); tried != "" {
		list = append(list, "WHAT IF: "+tried+" tried on top of the files, see below")
	}
	d.list(append(list,
		fmt.Sprintf("registry: %d tools in %d toolsets, from %s", len(s.Registry.Tools), len(s.Registry.Toolsets), or(names(files), "no file")),
		fmt.Sprintf("session: %s, granted %d tools; enabled: %s; disabled: %s", code(s.Session.Name), b.Tools,
			enabled(s.Session), or(names(s.Session.Disabled), "none")),
		fmt.Sprintf("tool search: %s, with %d deferrable tools of %d tokens, by %s, and the threshold at %d", activeWord(b.Active), b.DeferredCount, b.DeferredTokens,
			code(string(b.Tokenizer)), b.ThresholdTokens),
	))
	c.settings(d)
	c.whatIf(d)
}

// activeWord is the word for a decision.
func activeWord(active bool) string {
	if active {
		return "active"
	}
	return "not active"
}

// enabled returns the toolsets that a session is granted.
func enabled(s config.Session) string {
	switch {
	case s.Enabled == nil:
		return "every toolset"
	case len(s.Enabled) == 0:
		return "none"
	}
	return names(s.Enabled)
}

// names returns names as a list in a line.
func names(list []string) string {
	out := make([]string, 0, maxNames+1)
	for _, name := range list[:min(len(list), maxNames)] {
		out = append(out, code(name))
	}
	if more := len(list) - maxNames; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

// settings writes the settings whose values are not the defaults. Those of
// sessions are left out: the one that matters has a line of its own.
func (c Case) settings(d *document) {
	defaults := map[string]string{}
	none, _ := config.Parse("", nil)
	for _, s := range none.Settings {
		defaults[s.Key] = value(s.Value)
	}
	changed := tableOf("setting", "value", "from")
	for _, s := range c.Settings {
		if v := value(s.Value); v != defaults[s.Key] && !strings.HasPrefix(s.Key, "sessions.") {
			changed.add(code(s.Key), code(v), origin(s))
		}
	}
	if len(changed.rows) == 0 {
		d.line("All settings have their defaults.")
		return
	}
	d.table(changed)
}

// value returns the value of a setting as JSON.
func value(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// origin returns where a setting comes from.
func origin(s config.Setting) string {
	if s.Origin == config.OriginFile && s.Line > 0 {
		return code(fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line))
	}
	return code(s.Origin)
}
