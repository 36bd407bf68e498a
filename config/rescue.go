package config

import (
	"fmt"
	"slices"
	"strings"
)

// Rescue is how oversized results are kept out of the context: the section
// toolaria, with the keys and defaults of that plugin. Numbers of characters
// are code points.
type Rescue struct {
	MaxResultChars    int // a longer result is rescued
	FetchMaxChars     int // of one answer to a fetch
	FullFetchMaxChars int // beyond which a blob is not fetched whole
	ExcerptMaxChars   int // of what the model gets in place of the result
	HeadLines         int
	TailLines         int
	JSONHeadItems     int
	JSONTailItems     int
	RefuseFullFetch   bool
	TTLHours          float64 // of a blob
	TombstoneTTLHours float64 // of the memory that there was one
	MaxStoreMB        float64
	GrepTimeoutMS     int
	GrepMaxPatternLen int
	GrepMaxLineLen    int
	StorePath         string   // folder; empty: the face's default
	ExcludeTools      []string // whose results are never rescued
	ErrorLinePatterns []string // that make a line look like an error; empty: the plugin's own words
	Off               OffReason
}

// OffReason is the list of plugins because of which the agent does not load
// the plugin, so that nothing is rescued.
type OffReason string

// The reasons; the zero one means that the plugin is loaded.
const (
	RescueOn         OffReason = ""
	RescueNotEnabled OffReason = pluginsKey + ".enabled"  // the list does not name it
	RescueDisabled   OffReason = pluginsKey + ".disabled" // the list names it
)

// The section is at the top level, where the plugin reads it. The agent has
// plugins.toolaria too, as the place where a host would look; it counts when
// there is no section at the top level.
const (
	rescueKey   = "toolaria"
	pluginsKey  = "plugins"
	rescueAlias = pluginsKey + "." + rescueKey
)

func defaultRescue() Rescue {
	return Rescue{
		MaxResultChars:    12_000,
		FetchMaxChars:     4_000,
		FullFetchMaxChars: 50_000,
		ExcerptMaxChars:   8_000,
		HeadLines:         40,
		TailLines:         15,
		JSONHeadItems:     5,
		JSONTailItems:     2,
		RefuseFullFetch:   true,
		TTLHours:          72,
		TombstoneTTLHours: 720,
		MaxStoreMB:        500,
		GrepTimeoutMS:     500,
		GrepMaxPatternLen: 80,
		GrepMaxLineLen:    2_000,
		ExcludeTools:      []string{},
		ErrorLinePatterns: []string{},
	}
}

// rescueRows are the settings of rescue, in the order of the specification.
var rescueRows = []row{
	rescueCount("max_result_chars", 1, 100_000_000, func(r *Rescue) *int { return &r.MaxResultChars }),
	rescueCount("fetch_max_chars", 100, 1_000_000, func(r *Rescue) *int { return &r.FetchMaxChars }),
	rescueCount("full_fetch_max_chars", 1, 100_000_000, func(r *Rescue) *int { return &r.FullFetchMaxChars }),
	rescueCount("excerpt_max_chars", 200, 1_000_000, func(r *Rescue) *int { return &r.ExcerptMaxChars }),
	rescueCount("head_lines", 0, 10_000, func(r *Rescue) *int { return &r.HeadLines }),
	rescueCount("tail_lines", 0, 10_000, func(r *Rescue) *int { return &r.TailLines }),
	rescueCount("json_head_items", 0, 1_000, func(r *Rescue) *int { return &r.JSONHeadItems }),
	rescueCount("json_tail_items", 0, 1_000, func(r *Rescue) *int { return &r.JSONTailItems }),
	{key: rescueKey + ".refuse_full_fetch", domain: Domain{Kind: Boolean}, set: func(c *Config, v value) outcome { return setBool(&c.Rescue.RefuseFullFetch, v) },
		read: func(c *Config) any { return c.Rescue.RefuseFullFetch }},
	rescueAmount("ttl_hours", 0.01, 87_600, func(r *Rescue) *float64 { return &r.TTLHours }),
	rescueAmount("tombstone_ttl_hours", 0, 87_600, func(r *Rescue) *float64 { return &r.TombstoneTTLHours }),
	rescueAmount("max_store_mb", 1, 1_000_000, func(r *Rescue) *float64 { return &r.MaxStoreMB }),
	rescueCount("grep_timeout_ms", 1, 600_000, func(r *Rescue) *int { return &r.GrepTimeoutMS }),
	rescueCount("grep_max_pattern_len", 1, 10_000, func(r *Rescue) *int { return &r.GrepMaxPatternLen }),
	rescueCount("grep_max_line_len", 1, 1_000_000, func(r *Rescue) *int { return &r.GrepMaxLineLen }),
	{key: rescueKey + ".store_path", domain: Domain{Kind: Text}, set: setStorePath, read: func(c *Config) any { return c.Rescue.StorePath }},
	{key: rescueKey + ".exclude_tools", domain: Domain{Kind: Names}, set: func(c *Config, v value) outcome { return setNames(&c.Rescue.ExcludeTools, v) },
		read: func(c *Config) any { return slices.Clone(c.Rescue.ExcludeTools) }},
	{key: rescueKey + ".error_line_patterns", domain: Domain{Kind: Names}, set: func(c *Config, v value) outcome { return setNames(&c.Rescue.ErrorLinePatterns, v) },
		read: func(c *Config) any { return slices.Clone(c.Rescue.ErrorLinePatterns) }},
}

// rescueCount is a setting that is clamped to a range.
func rescueCount(name string, least, most int, of func(*Rescue) *int) row {
	return row{
		key:    rescueKey + "." + name,
		domain: Domain{Kind: Integer, Least: float64(least), Most: float64(most)},
		set:    func(c *Config, v value) outcome { return setRange(of(&c.Rescue), v, least, most) },
		read:   func(c *Config) any { return *of(&c.Rescue) },
	}
}

// rescueAmount is a setting that may have a fraction and is clamped to a range.
func rescueAmount(name string, least, most float64, of func(*Rescue) *float64) row {
	return row{
		key:    rescueKey + "." + name,
		domain: Domain{Kind: Number, Least: least, Most: most},
		set:    func(c *Config, v value) outcome { return setNumber(of(&c.Rescue), v, least, most) },
		read:   func(c *Config) any { return *of(&c.Rescue) },
	}
}

// setStorePath takes any path but one that no file system has.
func setStorePath(c *Config, v value) outcome {
	switch {
	case v.kind == null:
		return outcome{}
	case v.kind != text || strings.TrimSpace(v.text) == "" || strings.ContainsRune(v.text, 0):
		return outcome{fate: refused, code: "not_a_path", note: v.source() + " is not a path; the default is used"}
	}
	c.Rescue.StorePath = v.text
	return outcome{}
}

// setRange clamps an integer to least..most.
func setRange(n *int, v value, least, most int) outcome {
	if v.kind == null {
		return outcome{}
	}
	given, fate := v.integer()
	if fate != taken || v.kind == boolean {
		return unusable(v, "an integer", fmt.Sprintf("the default %d is used", *n))
	}
	*n = int(max(int64(least), min(int64(most), given)))
	if int64(*n) != given {
		return outcome{code: "clamped", note: fmt.Sprintf("%s is outside %d..%d; %d is used", v.read(float64(given)), least, most, *n)}
	}
	return v.reading(float64(given))
}
