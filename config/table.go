package config

import (
	"slices"
	"strings"
)

// row is one setting. The table of rows is the only place that knows the names
// of settings: parsing, "did you mean", config show and overriding go by it.
type row struct {
	key string // dotted, as in the YAML

	domain Domain // of the values that it can have

	// set puts a value into the configuration, after checking it, and says
	// what became of it. On any fate but taken the configuration keeps its
	// default. Nil for a row that is not a single value.
	set func(*Config, value) outcome
	// read returns the effective value as config show has it.
	read func(*Config) any

	// conceal takes out of a value what nobody may see. Nil: nothing.
	conceal func(value) value

	// always makes set run without a value too, for a setting whose default
	// depends on another; then the warning stands at that other one.
	always string

	// members are the keys of each entry of a structured setting, which has
	// its own reader. A row with neither set nor members is reserved: known,
	// and not yet read.
	members []string
}

// Keys that the readers of this package name.
const (
	toolSearch   = "tools.tool_search"
	enabledKey   = toolSearch + ".enabled"
	maxLimitKey  = toolSearch + ".max_search_limit"
	coreKey      = "tools.core"
	selectionKey = "tools.selection"
	sessionsKey  = "sessions"
	policyKey    = "policy"
)

// section is a mapping that holds settings.
type section struct {
	key string
	// alias is the key of the section that this one is another place of;
	// empty for a section of its own.
	alias string
	// owned sections are caliper's or tool search's alone, so that an unknown
	// key is a mistake. Others belong to the agent and are its own business.
	owned bool
}

var sections = []section{
	{key: modelKey},
	{key: "tools", owned: true},
	{key: toolSearch, owned: true},
	{key: weights, owned: true},
	{key: rescueKey, owned: true},
	{key: pluginsKey},
	{key: rescueAlias, alias: rescueKey, owned: true},
}

// table has the settings in the order of config show. A row comes after those
// that its value depends on.
var table = slices.Concat(modelRows, toolRows, preSelectionRows, rescueRows, pluginRows, scopeRows)

// toolRows are the settings of tool search.
var toolRows = []row{
	{key: enabledKey, domain: Domain{Kind: Choice, Choices: []string{string(Auto), string(On), string(Off)}}, set: setEnabled, read: func(c *Config) any { return string(c.ToolSearch.Enabled) }},
	{key: toolSearch + ".threshold_pct", domain: Domain{Kind: Number, Most: maxThresholdPct}, set: setThreshold, read: func(c *Config) any { return c.ToolSearch.ThresholdPct }},
	{key: maxLimitKey, domain: Domain{Kind: Integer, Least: 1, Most: maxSearchLimit}, set: setMaxLimit, read: func(c *Config) any { return c.ToolSearch.MaxLimit }},
	{key: toolSearch + ".search_default_limit", domain: Domain{Kind: Integer, Least: 1, Most: maxSearchLimit}, set: setDefaultLimit, read: func(c *Config) any { return c.ToolSearch.DefaultLimit },
		always: maxLimitKey},
	{key: toolSearch + ".ranker", domain: Domain{Kind: Choice, Choices: Rankers}, set: setRanker, read: func(c *Config) any { return c.ToolSearch.Ranker }},
	{key: coreKey, domain: Domain{Kind: Names}, set: setCore, read: func(c *Config) any { return slices.Clone(c.Core) }},
	{key: selectionKey, domain: Domain{Kind: Choice, Choices: Strategies}, set: setSelection, read: func(c *Config) any { return c.Selection }},
}

// scopeRows are the settings of what a session may reach.
var scopeRows = []row{
	{key: sessionsKey, members: []string{"enabled_toolsets", "disabled_toolsets"}},
	{key: policyKey, members: []string{"match", "action", "stage"}},
}

func rowOf(key string) (row, bool) {
	i := slices.IndexFunc(table, func(r row) bool { return r.key == key })
	if i < 0 {
		return row{}, false
	}
	return table[i], true
}

func sectionOf(key string) (section, bool) {
	i := slices.IndexFunc(sections, func(s section) bool { return s.key == key })
	if i < 0 {
		return section{}, false
	}
	return sections[i], true
}

// canonical returns the key in the table of a setting that may be given by the
// alias of its section.
func canonical(key string) string {
	for _, s := range sections {
		if name, ok := strings.CutPrefix(key, s.key+"."); ok && s.alias != "" {
			return s.alias + "." + name
		}
	}
	return key
}

// keysOf returns the known keys of a section, in the order of the table.
func keysOf(prefix string) []string {
	if s, ok := sectionOf(prefix); ok && s.alias != "" {
		prefix = s.alias
	}
	var known []string
	for _, r := range table {
		rest, ok := strings.CutPrefix(r.key, prefix+".")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, ".")
		if !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return known
}

// placeOf returns the dotted key of the setting whose last part is name, or an
// empty string.
func placeOf(name string) string {
	for _, r := range table {
		if strings.HasSuffix(r.key, "."+name) {
			return r.key
		}
	}
	return ""
}
