package config

import (
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"caliper/model/yamltext"
)

// load reads a document that the agent's loader accepts. An agent key that is no mapping is an error:
// the loader then gives up on the whole file, since _normalize_max_turns_config of
// hermes_cli/config.py (2026-06-05) calls dict on it.
func load(file string, data []byte) (*yamltext.Document, error) {
	d, err := yamltext.Load(file, data)
	if err != nil || d.Root == nil {
		return d, err
	}
	for _, e := range yamltext.Entries(d.Root) {
		if !e.IsText || e.Name != agentKey {
			continue
		}
		v := valueOf(e.Val)
		// Python's dict takes a mapping, what is false, or pairs: two items each, the first of which
		// can be a key.
		taken := !v.Truthy() || v.Kind == yamltext.Mapping || v.Kind == yamltext.List && !slices.ContainsFunc(yamltext.Follow(e.Val).Content, func(item *yaml.Node) bool {
			item = yamltext.Follow(item)
			switch v := valueOf(item); v.Kind {
			case yamltext.Mapping:
				return len(yamltext.Entries(item)) != 2
			case yamltext.List:
				return len(item.Content) != 2 || yamltext.Follow(item.Content[0]).Kind != yaml.ScalarNode
			case yamltext.Text:
				return utf8.RuneCountInString(v.Text) != 2
			}
			return true
		})
		if !taken {
			return nil, d.Fault(d.At(e.Place()), "unloadable", "agent is "+v.source()+", not a mapping, at which the agent fails")
		}
	}
	return d, nil
}

// hooksKey is the agent's section of shell hooks.
const hooksKey = "hooks"

// Hook is a command that the agent runs when a tool is called. It is shown and never run.
type Hook struct {
	Event   string // one of the events of HookEvents
	Matcher string // a regular expression for the whole real name of the tool; empty: every tool
	Command string
}

// HookEvents has the stages of the agent's events about tool calls. It must not be changed.
var HookEvents = map[string]Stage{
	"pre_tool_call":  StagePre, // may block
	"post_tool_call": StagePost,
}
