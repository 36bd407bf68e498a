package config

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"caliper/model/yamltext"
)

// load reads a document that the agent's loader accepts.
func load(file string, data []byte) (*yamltext.Document, error) {
	d, err := yamltext.Load(file, data)
	if err == nil && d.Root != nil {
		err = checkAgent(d)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// checkAgent returns an error when the agent key is no mapping for the reference's loader, which
// then gives up on the whole file: _normalize_max_turns_config of hermes_cli/config.py
// (2026-06-05) calls dict on it.
func checkAgent(d *yamltext.Document) error {
	for _, e := range yamltext.Entries(d.Root) {
		if e.IsText && e.Name == "agent" && !makesMapping(e.Val) {
			v := valueOf(e.Val)
			return d.Fault(d.At(e.Place()), "unloadable",
				"agent is "+v.source()+", not a mapping, at which the agent fails")
		}
	}
	return nil
}

// makesMapping reports whether Python's dict takes a value: a mapping, what is false, or pairs.
func makesMapping(n *yaml.Node) bool {
	v := valueOf(n)
	target := yamltext.Follow(n)
	switch {
	case !v.Truthy(), v.Kind == yamltext.Mapping:
		return true
	case v.Kind != yamltext.List:
		return false
	}
	for _, item := range target.Content {
		if !isPair(yamltext.Follow(item)) {
			return false
		}
	}
	return true
}

// isPair reports whether a value has two items, of which the first can be a key.
func isPair(n *yaml.Node) bool {
	switch v := valueOf(n); v.Kind {
	case yamltext.Mapping:
		return len(yamltext.Entries(n)) == 2
	case yamltext.List:
		return len(n.Content) == 2 && yamltext.Follow(n.Content[0]).Kind == yaml.ScalarNode
	case yamltext.Text:
		return utf8.RuneCountInString(v.Text) == 2
	}
	return false
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

// agentHook reads one hook; ok is false where the agent skips it.
func agentHook(event string, item value) (h Hook, ok bool) {
	if item.Kind != yamltext.Mapping {
		return Hook{}, false
	}
	h.Event = event
	for _, member := range yamltext.Entries(item.Node) {
		v := valueOf(member.Val)
		if v.Kind != yamltext.Text || !member.IsText {
			continue
		}
		switch member.Name {
		case "command":
			h.Command = strings.TrimSpace(v.Text)
		case "matcher":
			h.Matcher = strings.TrimSpace(v.Text)
		}
	}
	return h, h.Command != ""
}
