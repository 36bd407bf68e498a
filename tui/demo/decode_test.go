package demo

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The tests decode the files themselves, plainly, so that they judge the data
// and not the importers.

type dump struct {
	GeneratedAt string             `json:"generated_at"`
	Generator   string             `json:"generator"`
	Naming      string             `json:"naming"`
	Toolsets    map[string]toolset `json:"toolsets"`
	Tools       []tool             `json:"tools"`
}

type toolset struct {
	Description string   `json:"description"`
	Source      string   `json:"source"`
	Server      string   `json:"server"`
	Includes    []string `json:"includes"`
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
	Toolset   string          `json:"toolset"`
	Source    string          `json:"source"`
	Server    string          `json:"server"`
	Original  string          `json:"original_name"`
	Available *bool           `json:"available"`
	Raw       json.RawMessage `json:"-"` // the function object as it is written
}

func (t tool) available() bool { return t.Available == nil || *t.Available }

// deferrable holds because the builtin tools of the demo are the ones on the
// core list, which TestCore checks.
func (t tool) deferrable() bool { return t.Source != "builtin" && t.available() }

// chars counts the code points of the compact definition: the unit of chars4.
func (t tool) chars(tb testing.TB) int {
	tb.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, t.Raw); err != nil {
		tb.Fatal(err)
	}
	return len(`{"type":"function","function":}`) + utf8.RuneCount(b.Bytes())
}

func decode(tb testing.TB) dump {
	tb.Helper()
	var d dump
	dec := json.NewDecoder(strings.NewReader(registry))
	if err := dec.Decode(&d); err != nil {
		tb.Fatal(err)
	}
	var raw struct {
		Tools []struct{ Function json.RawMessage }
	}
	if err := json.Unmarshal([]byte(registry), &raw); err != nil {
		tb.Fatal(err)
	}
	for i := range d.Tools {
		d.Tools[i].Raw = raw.Tools[i].Function
	}
	return d
}

// resolve returns the names of the toolsets that names stand for: themselves,
// the toolset of a server, and whatever a composite includes.
func (d dump) resolve(tb testing.TB, names []string) map[string]bool {
	tb.Helper()
	out := map[string]bool{}
	var add func(string)
	add = func(name string) {
		if _, ok := d.Toolsets[name]; !ok {
			name = "mcp-" + name
		}
		ts, ok := d.Toolsets[name]
		if !ok {
			tb.Fatalf("no toolset %q", name)
		}
		if out[name] {
			return
		}
		out[name] = true
		for _, n := range ts.Includes {
			add(n)
		}
	}
	for _, n := range names {
		add(n)
	}
	return out
}

type configFile struct {
	Model struct {
		Default string `yaml:"default"`
	} `yaml:"model"`
	Tools struct {
		ToolSearch struct {
			Enabled   string  `yaml:"enabled"`
			Threshold float64 `yaml:"threshold_pct"`
			Limit     int     `yaml:"search_default_limit"`
			Max       int     `yaml:"max_search_limit"`
			Ranker    string  `yaml:"ranker"`
		} `yaml:"tool_search"`
		Selection string `yaml:"selection"`
	} `yaml:"tools"`
	Sessions map[string]scope `yaml:"sessions"`
	Policy   []struct {
		Match  string `yaml:"match"`
		Action string `yaml:"action"`
	} `yaml:"policy"`
}

type scope struct {
	Enabled  []string `yaml:"enabled_toolsets"`
	Disabled []string `yaml:"disabled_toolsets"`
}

func decodeConfig(tb testing.TB) configFile {
	tb.Helper()
	var s configFile
	dec := yaml.NewDecoder(strings.NewReader(config))
	dec.KnownFields(true)
	if err := dec.Decode(&s); err != nil {
		tb.Fatal(err)
	}
	return s
}

// catalog returns the deferrable tools that a scope grants.
func (d dump) catalog(tb testing.TB, s scope) []tool {
	tb.Helper()
	on, off := d.resolve(tb, s.Enabled), d.resolve(tb, s.Disabled)
	return slices.DeleteFunc(slices.Clone(d.Tools), func(t tool) bool {
		return !t.deferrable() || off[t.Toolset] || s.Enabled != nil && !on[t.Toolset]
	})
}

func sum(tb testing.TB, tools []tool) int {
	tb.Helper()
	chars := 0
	for _, t := range tools {
		chars += t.chars(tb)
	}
	return (chars + 3) / 4
}

type query struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"`
}

func decodeQueries(tb testing.TB) []query {
	tb.Helper()
	var out []query
	for line := range strings.Lines(queries) {
		var q query
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&q); err != nil {
			tb.Fatalf("line %d: %v", len(out)+1, err)
		}
		out = append(out, q)
	}
	return out
}
