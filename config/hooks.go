package config

import "strings"

// hooksKey is the agent's section of shell hooks.
const hooksKey = "hooks"

// Hook is a command that the agent runs when a tool is called. It is shown
// where it would see a call, and never run.
type Hook struct {
	Event   string // one of the events of HookEvents
	Matcher string // a regular expression for the whole real name of the tool; empty: every tool
	Command string
}

// HookEvents are the agent's events that are about a tool call, with the stage
// of each. It must not be changed.
var HookEvents = map[string]Stage{
	"pre_tool_call":  StagePre, // may block
	"post_tool_call": StagePost,
}

// agentHooks reads the hooks that see tool calls, by the rules of the agent
// (agent/shell_hooks.py): an event has a list of mappings with a command. What
// it would skip, and events that are no matter of tools, are left out without
// a warning: the section is the agent's own.
func (p *parser) agentHooks(e entry) {
	p.hooks = nil
	for _, event := range entries(e.val) {
		if _, known := HookEvents[event.name]; !known || !event.isText {
			continue
		}
		v, _ := resolveNode(event.val)
		if v.kind != list {
			continue
		}
		for _, item := range v.elements() {
			if h, ok := agentHook(event.name, item); ok {
				p.hooks = append(p.hooks, h)
			}
		}
	}
}

// agentHook reads one hook; ok is false where the agent skips it.
func agentHook(event string, item value) (h Hook, ok bool) {
	if item.kind != mapping {
		return Hook{}, false
	}
	h.Event = event
	for _, member := range entries(item.node) {
		v, _ := resolveNode(member.val)
		if v.kind != text || !member.isText {
			continue
		}
		switch member.name {
		case "command":
			h.Command = strings.TrimSpace(v.text)
		case "matcher":
			h.Matcher = strings.TrimSpace(v.text)
		}
	}
	return h, h.Command != ""
}
