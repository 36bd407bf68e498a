package config

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is the kind of a setting's value.
type Kind uint8

// The kinds of settings.
const (
	Text   Kind = iota // a string
	Choice             // one of a few words
	Whole              // an int within a range
	Number             // a float64 within a range
	Bool
	List // of names, a []string
)

// Unit is the unit of a number as it is written behind it; empty for a plain count.
type Unit string

// The units of settings.
const (
	Percent    Unit = "%"
	Tokens     Unit = "tokens"
	Characters Unit = "characters"
	Hours      Unit = "hours"
	Megabytes  Unit = "MB"
	Millis     Unit = "ms"
)

// Spec describes one setting. Parsing, Override, Set, commands and knobs all go by it, so that no
// range and no list of choices is written twice.
type Spec struct {
	Key      string // dotted, as in the file
	Label    string // what a narrow column calls it
	Kind     Kind
	Default  any        // of the Go type of the kind; nil for a context of unknown length
	Later    any        // the default in september-2026 where it is another; nil: the same
	Fuzzy    any        // the default with the embedder fuzzy, where it is another; nil: the same
	Modelled any        // the default with an embedder that is not built in, where it is another; nil: the same
	Since    Generation // the first that reads the setting; empty: all do

	Least, Most float64 // of a Whole or a Number, both allowed
	AtMost      string  // the key of the setting that is a further upper bound; empty for none
	Unit        Unit
	Choices     []string // of a Choice, in the order in which a knob goes through them; of a Text some of the values that it takes
}

// SpecOf returns the description of a single value or list of names; false for any other key.
func SpecOf(key string) (Spec, bool) {
	r, ok := rowOf(canonical(key))
	if !ok || r.at == nil {
		return Spec{}, false
	}
	s := r.Spec
	s.Choices = slices.Clone(s.Choices)
	return s, true
}

// Clamp returns the value in the range that is nearest to n.
func (s Spec) Clamp(n float64) float64 { return max(s.Least, min(s.Most, n)) }

// Takes says in words what the setting takes: "a whole number from 1 to 50".
func (s Spec) Takes() string {
	switch s.Kind {
	case Choice:
		return strings.Join(s.Choices, ", ")
	case Whole, Number:
		noun := map[Kind]string{Whole: "a whole number", Number: "a number"}[s.Kind]
		text := noun + " from " + formatNumber(s.Least) + " to " + formatNumber(s.Most)
		if s.Unit != "" {
			text += " " + string(s.Unit)
		}
		return text
	case Bool:
		return "true or false"
	case List:
		return "[a list of names]"
	}
	return "text"
}

// In returns the setting's value as an int, float64, bool, string or []string; nil for no context.
func (s Spec) In(c *Config) any {
	r, _ := rowOf(s.Key)
	return r.read(c)
}

// Within returns the description with the range that AtMost leaves in a configuration.
func (s Spec) Within(c *Config) Spec {
	if r, ok := rowOf(s.AtMost); ok {
		if most, whole := r.read(c).(int); whole {
			s.Most = min(s.Most, float64(most))
		}
	}
	return s
}

// row is one setting in the table, with its rule.
type row struct {
	Spec

	// at returns a pointer to the value in a configuration: *int, **int,
	// *float64, *bool, *string, *Mode or *[]string. Nil for a setting with a
	// reader of its own.
	at func(*Config) any

	// rule checks a value and puts it into the configuration. When it does not
	// accept the value, the configuration keeps the default. Nil: the rule of the
	// kind.
	rule func(row, *Config, value) outcome

	own     bool   // only caliper reads it, though it is in a section of the agent
	code    string // of the warning about a word that is not among the Choices
	instead string // the value used in place of one that is not a List, in words

	// conceal returns a value without what nobody may see. Nil: all may be seen.
	conceal func(value) value

	// follows is the key of the setting that the default depends on. As with
	// AtMost, the rule then runs without a value, too, and its warning is about
	// that other setting.
	follows string

	// members are the keys of each entry of a structured setting, which has a
	// reader of its own. A row with neither at nor members is known, and not yet
	// read.
	members []string
}

// dependsOn returns the key of the setting that the value depends on, empty for none.
func (r row) dependsOn() string { return cmp.Or(r.AtMost, r.follows) }

// read returns the value that a configuration has, as Spec.In does.
func (r row) read(c *Config) any {
	switch at := r.at(c).(type) {
	case *int:
		return *at
	case **int:
		if *at != nil {
			return **at
		}
	case *float64:
		return *at
	case *bool:
		return *at
	case *string:
		return *at
	case *Mode:
		return string(*at)
	case *Generation:
		return string(*at)
	case *[]string:
		return slices.Clone(*at)
	}
	return nil
}

// reset gives the setting its default of a generation in a configuration.
func (r row) reset(c *Config, g Generation) {
	switch at := r.at(c).(type) {
	case *int:
		*at = r.DefaultIn(g).(int)
	case *float64:
		*at = r.DefaultIn(g).(float64)
	case *bool:
		*at = r.DefaultIn(g).(bool)
	case *string:
		*at = r.DefaultIn(g).(string)
	case *Mode:
		*at = Mode(r.DefaultIn(g).(string))
	case *Generation:
		*at = Generation(r.DefaultIn(g).(string))
	case *[]string:
		*at = slices.Clone(r.DefaultIn(g).([]string))
	}
}

// Keys of settings and sections that other packages name.
const (
	KeyModel      = modelKey + ".default"
	KeyContext    = modelKey + ".context_length"
	KeyToolSearch = "tools.tool_search" // a section
	KeyMode       = KeyToolSearch + ".enabled"
	KeyLimit      = KeyToolSearch + ".search_default_limit"
	KeyRanker     = KeyToolSearch + ".ranker"
	KeyMeaning    = KeyToolSearch + ".meaning_weight"
	KeyLearn      = KeyToolSearch + ".learn"
	KeyLearnOver  = KeyToolSearch + ".learn_over"
	KeyConfidence = KeyToolSearch + ".min_confidence"
	KeySelection  = "tools.selection"
	KeyRAGCore    = "tools.rag_core"
	KeyCore       = "tools.core"
)

// Own are the settings that caliper alone reads: no agent has them.
var Own = []string{KeyHost, KeyGeneration, KeyRanker, KeyMeaning, KeyLearn, KeyLearnOver, KeyConfidence}

// Keys that only this package names.
const (
	modelKey    = "model"
	modelIDKey  = modelKey + ".model"
	maxLimitKey = KeyToolSearch + ".max_search_limit"
	embedKey    = "tools.rag_embed_model"
	weights     = "tools.rag_weights"
	sessionsKey = "sessions"
	policyKey   = "policy"
)

// The section of rescue is at the top level, where the plugin reads it. The agent
// also has plugins.toolaria, where a host would look for it; that section counts
// if the top level has no section of rescue.
const (
	rescueKey   = "toolaria"
	pluginsKey  = "plugins"
	rescueAlias = pluginsKey + "." + rescueKey
)

// Upper bounds that rules name, too.
const (
	maxSearchLimit = 50
	maxContext     = 100_000_000 // the most tokens that a context is stepped to; a file may say more
	maxRange       = 100_000_000 // of a number of characters that no range is needed for
)

// The defaults of a fusion. The proposal has 60 and equal weights, for two rankings that are as
// good as each other; an embedder that has a model has those. Over the development halves of five
// public sets fuzzy takes more from ranker fielded than it gives at
// any larger weight. The similarities of builtin, as shares of the largest, are added to the
// shares of the keywords, which beats ranks (TestSimilarityQuality of engine/retrieval/meaning).
const (
	builtInRRFK         = 0.0
	builtInWeight       = 0.3
	fuzzyRRFK           = 2.0
	fuzzyWeight         = 0.3
	modelRRFK           = 60.0
	modelSemanticWeight = 1.0
)

// table has the settings in the order of config show, each behind those that it depends on.
var table = []row{
	{Spec: Spec{Key: KeyModel, Label: "model", Kind: Text, Default: ""}, rule: setModel,
		at: func(c *Config) any { return &c.Model.Default }},
	{Spec: Spec{Key: modelIDKey, Label: "model id", Kind: Text, Default: ""}, rule: setModel,
		at: func(c *Config) any { return &c.Model.Model }},
	{Spec: Spec{Key: KeyContext, Label: "context", Kind: Whole, Least: 1, Most: maxContext, Unit: Tokens}, rule: setContext,
		at: func(c *Config) any { return &c.ContextLength }},

	{Spec: Spec{Key: KeyHost, Label: "agent", Kind: Choice, Default: hostJune, Later: hostSeptember, Choices: Hosts}, own: true, code: unknownHost,
		at: func(c *Config) any { return &c.Host }},
	{Spec: Spec{Key: KeyGeneration, Label: "generation", Kind: Choice, Default: string(June2026), Choices: Generations}, code: "unknown_generation",
		at: func(c *Config) any { return &c.ToolSearch.Generation }},
	{Spec: Spec{Key: KeyMode, Label: "mode", Kind: Choice, Default: string(Auto), Choices: []string{string(Off), string(Auto), string(On)}}, rule: setMode,
		at: func(c *Config) any { return &c.ToolSearch.Enabled }},
	{Spec: Spec{Key: KeyToolSearch + ".threshold_pct", Label: "threshold", Kind: Number, Default: 10.0, Later: 5.0, Most: 100, Unit: Percent},
		at: func(c *Config) any { return &c.ToolSearch.ThresholdPct }},
	{Spec: Spec{Key: maxLimitKey, Label: "most hits", Kind: Whole, Default: 20, Later: 25, Least: 1, Most: maxSearchLimit},
		at: func(c *Config) any { return &c.ToolSearch.MaxLimit }},
	{Spec: Spec{Key: KeyLimit, Label: "limit", Kind: Whole, Default: 5, Least: 1, Most: maxSearchLimit, AtMost: maxLimitKey}, rule: setDefaultLimit,
		at: func(c *Config) any { return &c.ToolSearch.DefaultLimit }},
	{Spec: Spec{Key: KeyRanker, Label: "ranker", Kind: Choice, Default: RankerBM25, Later: RankerGated, Choices: Rankers}, code: "unknown_ranker",
		at: func(c *Config) any { return &c.ToolSearch.Ranker }},
	{Spec: Spec{Key: KeyMeaning, Label: "meaning", Kind: Number, Default: 0.4, Most: 10}, own: true,
		at: func(c *Config) any { return &c.ToolSearch.Meaning }},
	{Spec: Spec{Key: KeyLearn, Label: "learn from", Kind: Text, Default: ""},
		rule: func(_ row, c *Config, v value) outcome {
			return setPath(&c.ToolSearch.Learn, v, "; nothing is learned")
		},
		at: func(c *Config) any { return &c.ToolSearch.Learn }},
	{Spec: Spec{Key: KeyLearnOver, Label: "learn over", Kind: Choice, Default: RankerHybrid, Choices: []string{RankerHybrid, RankerFielded}}, code: "unknown_ranker",
		at: func(c *Config) any { return &c.ToolSearch.LearnOver }},
	{Spec: Spec{Key: KeyConfidence, Label: "confidence", Kind: Number, Default: 0.0, Most: 1}, own: true,
		at: func(c *Config) any { return &c.ToolSearch.MinConfidence }},
	{Spec: Spec{Key: KeyListing, Label: "listing", Kind: Choice, Default: string(Auto), Since: September2026, Choices: []string{string(Off), string(Auto), string(On)}}, rule: setMode,
		at: func(c *Config) any { return &c.ToolSearch.Listing }},
	{Spec: Spec{Key: KeyListingMost, Label: "list max", Kind: Whole, Default: 4_000, Since: September2026, Least: 200, Most: 60_000, Unit: Tokens},
		at: func(c *Config) any { return &c.ToolSearch.ListingMost }},
	{Spec: Spec{Key: KeyDefer, Label: "defer list", Kind: List, Default: curatedDefer, Since: September2026}, rule: setDefer, instead: "the curated list is used",
		at: func(c *Config) any { return &c.Defer }},
	{Spec: Spec{Key: KeyCore, Label: "core tools", Kind: List, Default: builtinCore}, instead: "the built-in core list is used",
		at: func(c *Config) any { return &c.Core }},
	{Spec: Spec{Key: KeySelection, Label: "strategy", Kind: Choice, Default: SelectEager, Choices: Strategies}, code: "unknown_strategy", rule: setSelection,
		at: func(c *Config) any { return &c.Selection }},

	{Spec: Spec{Key: "tools.rag_top_k", Label: "K", Kind: Whole, Default: 8, Least: 1, Most: 1000},
		at: func(c *Config) any { return &c.PreSelection.TopK }},
	{Spec: Spec{Key: KeyRAGCore, Label: "always sent", Kind: List, Default: []string{"terminal", "read_file", "search_files"}},
		at: func(c *Config) any { return &c.PreSelection.Core }},
	{Spec: Spec{Key: "tools.rag_exclude", Label: "exclude", Kind: List, Default: []string{}},
		at: func(c *Config) any { return &c.PreSelection.Exclude }},
	{Spec: Spec{Key: embedKey, Label: "embedder", Kind: Text, Default: EmbedBuiltin, Choices: []string{EmbedBuiltin, EmbedFuzzy}}, rule: setEmbedModel,
		at: func(c *Config) any { return &c.PreSelection.EmbedModel }},
	{Spec: Spec{Key: "tools.rag_embed_url", Label: "embed URL", Kind: Text, Default: "http://127.0.0.1:11434"}, rule: setEmbedURL, conceal: withoutUserinfo,
		at: func(c *Config) any { return &c.PreSelection.EmbedURL }},
	{Spec: Spec{Key: "tools.rag_embed_timeout_ms", Label: "embed wait, ms", Kind: Whole, Default: 300, Least: 1, Most: 60_000},
		at: func(c *Config) any { return &c.PreSelection.EmbedTimeout }},
	{Spec: Spec{Key: "tools.rag_floor", Label: "floor", Kind: Number, Default: 1.2, Most: 10},
		at: func(c *Config) any { return &c.PreSelection.Floor }},
	{Spec: Spec{Key: "tools.rag_rrf_k", Label: "RRF k", Kind: Number, Default: builtInRRFK, Fuzzy: fuzzyRRFK, Modelled: modelRRFK, Most: 1000}, rule: setFusion, follows: embedKey,
		at: func(c *Config) any { return &c.PreSelection.RRFK }},
	{Spec: Spec{Key: weights + ".keyword", Label: "keyword weight", Kind: Number, Default: 1.0, Most: 100},
		at: func(c *Config) any { return &c.PreSelection.KeywordWeight }},
	{Spec: Spec{Key: weights + ".semantic", Label: "embedder weight", Kind: Number, Default: builtInWeight, Fuzzy: fuzzyWeight, Modelled: modelSemanticWeight, Most: 100}, rule: setFusion, follows: embedKey,
		at: func(c *Config) any { return &c.PreSelection.SemanticWeight }},
	{Spec: Spec{Key: "tools.rag_sticky", Label: "keep picks", Kind: Bool, Default: true},
		at: func(c *Config) any { return &c.PreSelection.Sticky }},

	{Spec: Spec{Key: rescueKey + ".max_result_chars", Label: "size limit", Kind: Whole, Default: 12_000, Least: 1, Most: maxRange, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.MaxResultChars }},
	{Spec: Spec{Key: rescueKey + ".fetch_max_chars", Label: "fetch", Kind: Whole, Default: 4_000, Least: 100, Most: 1_000_000, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.FetchMaxChars }},
	{Spec: Spec{Key: rescueKey + ".full_fetch_max_chars", Label: "largest full read", Kind: Whole, Default: 50_000, Least: 1, Most: maxRange, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.FullFetchMaxChars }},
	{Spec: Spec{Key: rescueKey + ".excerpt_max_chars", Label: "excerpt", Kind: Whole, Default: 8_000, Least: 200, Most: 1_000_000, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.ExcerptMaxChars }},
	{Spec: Spec{Key: rescueKey + ".head_lines", Label: "head lines", Kind: Whole, Default: 40, Most: 10_000},
		at: func(c *Config) any { return &c.Rescue.HeadLines }},
	{Spec: Spec{Key: rescueKey + ".tail_lines", Label: "tail lines", Kind: Whole, Default: 15, Most: 10_000},
		at: func(c *Config) any { return &c.Rescue.TailLines }},
	{Spec: Spec{Key: rescueKey + ".json_head_items", Label: "head items", Kind: Whole, Default: 5, Most: 1_000},
		at: func(c *Config) any { return &c.Rescue.JSONHeadItems }},
	{Spec: Spec{Key: rescueKey + ".json_tail_items", Label: "tail items", Kind: Whole, Default: 2, Most: 1_000},
		at: func(c *Config) any { return &c.Rescue.JSONTailItems }},
	{Spec: Spec{Key: rescueKey + ".refuse_full_fetch", Label: "refuse full", Kind: Bool, Default: true},
		at: func(c *Config) any { return &c.Rescue.RefuseFullFetch }},
	{Spec: Spec{Key: rescueKey + ".ttl_hours", Label: "blob TTL", Kind: Number, Default: 72.0, Least: 0.01, Most: 87_600, Unit: Hours},
		at: func(c *Config) any { return &c.Rescue.TTLHours }},
	{Spec: Spec{Key: rescueKey + ".tombstone_ttl_hours", Label: "memory TTL", Kind: Number, Default: 720.0, Most: 87_600, Unit: Hours},
		at: func(c *Config) any { return &c.Rescue.TombstoneTTLHours }},
	{Spec: Spec{Key: rescueKey + ".max_store_mb", Label: "store size", Kind: Number, Default: 500.0, Least: 1, Most: 1_000_000, Unit: Megabytes},
		at: func(c *Config) any { return &c.Rescue.MaxStoreMB }},
	{Spec: Spec{Key: rescueKey + ".grep_timeout_ms", Label: "grep time", Kind: Whole, Default: 500, Least: 1, Most: 600_000, Unit: Millis},
		at: func(c *Config) any { return &c.Rescue.GrepTimeoutMS }},
	{Spec: Spec{Key: rescueKey + ".grep_max_pattern_len", Label: "grep size", Kind: Whole, Default: 80, Least: 1, Most: 10_000, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.GrepMaxPatternLen }},
	{Spec: Spec{Key: rescueKey + ".grep_max_line_len", Label: "grep line", Kind: Whole, Default: 2_000, Least: 1, Most: 1_000_000, Unit: Characters},
		at: func(c *Config) any { return &c.Rescue.GrepMaxLineLen }},
	{Spec: Spec{Key: rescueKey + ".store_path", Label: "store", Kind: Text, Default: ""},
		rule: func(_ row, c *Config, v value) outcome {
			return setPath(&c.Rescue.StorePath, v, "; the default is used")
		},
		at: func(c *Config) any { return &c.Rescue.StorePath }},
	{Spec: Spec{Key: rescueKey + ".exclude_tools", Label: "no rescue", Kind: List, Default: []string{}},
		at: func(c *Config) any { return &c.Rescue.ExcludeTools }},
	{Spec: Spec{Key: rescueKey + ".error_line_patterns", Label: "errors", Kind: List, Default: []string{}},
		at: func(c *Config) any { return &c.Rescue.ErrorLinePatterns }},

	// The lists of plugins come after the settings of the plugin itself.
	{Spec: Spec{Key: pluginsKey + ".enabled", Label: "plugins", Kind: List, Default: []string(nil)}, rule: setEnabledPlugins,
		at: func(c *Config) any { return &c.Plugins.Enabled }},
	{Spec: Spec{Key: pluginsKey + ".disabled", Label: "plugins off", Kind: List, Default: []string{}}, instead: "no plugin is disabled by it",
		at: func(c *Config) any { return &c.Plugins.Disabled }},

	{Spec: Spec{Key: sessionsKey}, members: []string{"enabled_toolsets", "disabled_toolsets"}},
	{Spec: Spec{Key: policyKey}, members: []string{"match", "action", "stage"}},
}

// section is a mapping that holds settings.
type section struct {
	key string
	// alias is the key of the section that this one may stand for; empty for most.
	alias string
	// owned sections belong to tool search alone, so that an unknown key is a
	// mistake. The others have keys of the agent, too.
	owned bool
}

// sections has every section in which there are settings.
var sections = []section{
	{key: modelKey},
	{key: "tools", owned: true},
	{key: KeyToolSearch, owned: true},
	{key: weights, owned: true},
	{key: rescueKey, owned: true},
	{key: pluginsKey},
	{key: rescueAlias, alias: rescueKey, owned: true},
}

// rowOf returns the row of a key in the table.
func rowOf(key string) (row, bool) {
	for i := range table {
		if table[i].Key == key {
			return table[i], true
		}
	}
	return row{}, false
}

func sectionOf(key string) (section, bool) {
	i := slices.IndexFunc(sections, func(s section) bool { return s.key == key })
	if i < 0 {
		return section{}, false
	}
	return sections[i], true
}

// canonical returns the key in the table of a key that may be in an alias of its section.
func canonical(key string) string {
	for _, s := range sections {
		if name, ok := strings.CutPrefix(key, s.key+"."); ok && s.alias != "" {
			return s.alias + "." + name
		}
	}
	return key
}

// KeysIn returns the names of the keys in a section in the order of the table; "" is the top
// level.
func KeysIn(section string) []string {
	if s, ok := sectionOf(section); ok && s.alias != "" {
		section = s.alias
	}
	if section != "" {
		section += "."
	}
	var known []string
	for _, r := range table {
		rest, ok := strings.CutPrefix(r.Key, section)
		name, _, _ := strings.Cut(rest, ".")
		if ok && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return known
}

// OtherPlace returns the section of a setting, and the one that counts while the file lacks the
// first; both empty for most.
func OtherPlace(key string) (section, other string) {
	for _, s := range sections {
		if s.alias != "" && strings.HasPrefix(key, s.alias+".") {
			return s.alias, s.key
		}
	}
	return "", ""
}

// keyNamed returns the first key that ends in a name, or an empty string.
func keyNamed(name string) string {
	for _, r := range table {
		if strings.HasSuffix(r.Key, "."+name) {
			return r.Key
		}
	}
	return ""
}

// KeyOf returns the key that a name means: a key, the end of one, or a label in any case. A name
// of no setting is returned as it is.
func KeyOf(name string) string {
	_, known := SpecOf(name)
	for _, r := range table {
		if !known && r.at != nil && strings.EqualFold(r.Label, name) {
			return r.Key
		}
	}
	if key := keyNamed(name); !known && key != "" {
		return key
	}
	return name
}
