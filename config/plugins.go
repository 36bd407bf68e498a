package config

import (
	"fmt"
	"slices"
)

// Plugins are the lists by which the agent decides which plugins it loads. A
// nil Enabled is no list: the agent then asks, and this program takes the
// plugin that it knows for enabled.
type Plugins struct {
	Enabled  []string
	Disabled []string
}

// pluginRows are the lists of plugins. They come after the settings of the
// plugin itself.
var pluginRows = []row{
	{key: pluginsKey + ".enabled", domain: Domain{Kind: Names}, set: setEnabledPlugins, read: func(c *Config) any { return slices.Clone(c.Plugins.Enabled) }},
	{key: pluginsKey + ".disabled", domain: Domain{Kind: Names}, set: setDisabledPlugins, read: func(c *Config) any { return slices.Clone(c.Plugins.Disabled) }},
}

// setEnabledPlugins takes a list of names. Anything else enables nothing, as
// in the agent.
func setEnabledPlugins(c *Config, v value) outcome {
	switch v.kind {
	case null:
		return outcome{}
	case list:
		names, items := v.names()
		c.Plugins.Enabled = names
		return outcome{items: items}
	}
	c.Plugins.Enabled = []string{}
	note := v.source() + " is not a list of names, so no plugin is enabled"
	if v.kind == text {
		note += fmt.Sprintf("; did you mean [%s]?", printable(v.asWritten()))
	}
	return outcome{code: "not_a_list", note: note}
}

// setDisabledPlugins takes a list of names. Anything else disables nothing, as
// in the agent.
func setDisabledPlugins(c *Config, v value) outcome {
	switch v.kind {
	case null:
		return outcome{}
	case list:
		names, items := v.names()
		c.Plugins.Disabled = names
		return outcome{items: items}
	}
	return outcome{fate: refused, code: "not_a_list", note: v.source() + " is not a list of names; no plugin is disabled by it"}
}

// off returns why the agent does not load the plugin that rescues.
func (p Plugins) off() OffReason {
	switch {
	case slices.Contains(p.Disabled, rescueKey):
		return RescueDisabled
	case p.Enabled != nil && !slices.Contains(p.Enabled, rescueKey):
		return RescueNotEnabled
	}
	return RescueOn
}

// settleRescue switches rescue off when the agent does not load its plugin,
// and says so at the list that is the reason.
func (f *File) settleRescue() {
	f.Config.Rescue.Off = f.Config.Plugins.off()
	if why := f.Config.Rescue.Off; why != RescueOn {
		f.warn(f.given[string(why)], string(why), "rescue_off", f.Config.Rescue.Off.String())
	}
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
