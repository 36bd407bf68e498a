package config

import "caliper/model/yamltext"

// Rescue has the settings by which oversized results are kept out of the context: the section
// toolaria, with that plugin's keys and defaults. Characters are code points.
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

// OffReason is the key of the list of plugins because of which nothing is rescued.
type OffReason string

// The reasons. The zero one means that the plugin is loaded.
const (
	RescueOn         OffReason = ""
	RescueNotEnabled OffReason = pluginsKey + ".enabled"  // the list does not name it
	RescueDisabled   OffReason = pluginsKey + ".disabled" // the list names it
)

// Plugins has the lists by which the agent loads plugins. A nil Enabled is no list: the agent then
// asks its user, and the plugin counts as enabled here.
type Plugins struct {
	Enabled  []string
	Disabled []string
}

// setEnabledPlugins takes a list of names. Any other value enables nothing, as in the agent.
func setEnabledPlugins(r row, c *Config, v value) outcome {
	if v.Kind == yamltext.List {
		return r.names(&c.Plugins.Enabled, v)
	}
	c.Plugins.Enabled = []string{}
	out := outcome{code: "not_a_list", problem: v.source() + " is not a list of names", instead: ", so no plugin is enabled"}
	if v.Kind == yamltext.Text {
		out.meant = "[" + yamltext.Printable(v.asWritten()) + "]"
	}
	return out
}

// String returns the reason in words, empty for none.
func (r OffReason) String() string {
	switch r {
	case RescueNotEnabled:
		return string(RescueNotEnabled) + " does not name " + rescueKey + ", so the agent does not load it and nothing is rescued"
	case RescueDisabled:
		return string(RescueDisabled) + " names " + rescueKey + ", so the agent does not load it and nothing is rescued"
	}
	return ""
}
