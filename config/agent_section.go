package config

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// checkAgent returns an error for a section agent out of which the reference's
// loader cannot make a mapping: it then gives up on the whole file. Source:
// _normalize_max_turns_config of hermes_cli/config.py at 3c231eb39
// (2026-06-05), which calls dict(config.get("agent") or {}).
func (d *document) checkAgent() error {
	for _, e := range entries(d.root) {
		if e.isText && e.name == "agent" && !makesMapping(e.val) {
			v, _ := resolveNode(e.val)
			return d.fault(d.at(e.place()), "unloadable",
				"agent is "+v.source()+", not a mapping; the agent fails at it and takes its defaults for every setting")
		}
	}
	return nil
}

// makesMapping reports whether the dict of the reference's language takes a
// value: a mapping, anything that counts as false, or a list of pairs.
func makesMapping(n *yaml.Node) bool {
	v, _ := resolveNode(n)
	target := follow(n)
	switch {
	case !v.truthy(), v.kind == mapping:
		return true
	case v.kind != list:
		return false
	}
	for _, item := range target.Content {
		if !isPair(follow(item)) {
			return false
		}
	}
	return true
}

// isPair reports whether a value has two parts, of which the first can be a
// key.
func isPair(n *yaml.Node) bool {
	switch v, _ := resolveNode(n); v.kind {
	case mapping:
		return len(entries(n)) == 2
	case list:
		return len(n.Content) == 2 && follow(n.Content[0]).Kind == yaml.ScalarNode
	case text:
		return utf8.RuneCountInString(v.text) == 2
	}
	return false
}

// truthy reports whether a value counts as true in the reference's language.
func (v value) truthy() bool {
	switch v.kind {
	case null:
		return false
	case boolean:
		return v.yes
	case integer:
		return v.int != 0
	case decimal:
		return v.float != 0
	case text, binary:
		return v.text != ""
	case list, mapping:
		return v.node == nil || len(follow(v.node).Content) > 0
	}
	return true
}
