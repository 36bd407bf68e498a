package config

import (
	"slices"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// The agent's own sections that say which tools a session has.
const (
	agentKey        = "agent"
	platformsKey    = "platform_toolsets"
	knownPluginsKey = "known_plugin_toolsets"
	disabledKey     = "disabled_toolsets"
)

// AgentScope holds the tools that the agent's own sections take away from every session.
type AgentScope struct {
	Disabled []string // agent.disabled_toolsets
	Servers  []Server // mcp_servers, in the order of the file
}

// Server returns the server of a name, false where the file has none.
func (a AgentScope) Server(name string) (Server, bool) {
	i := slices.IndexFunc(a.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return a.Servers[i], true
}

// agentSection reads a key of the agent at the top level; false for another key.
func (p *parser) agentSection(e yamltext.Entry) bool {
	switch e.Name {
	case hooksKey:
		// Read the hooks that see tool calls, by the rules of the agent (agent/shell_hooks.py): an
		// event has a list of mappings with a command.
		p.hooks = nil
		for _, event := range yamltext.Entries(e.Val) {
			if _, known := HookEvents[event.Name]; !known || !event.IsText {
				continue
			}
			v := valueOf(event.Val)
			if v.Kind != yamltext.List {
				continue
			}
			for _, item := range v.elements() {
				if item.Kind != yamltext.Mapping {
					continue
				}
				h := Hook{Event: event.Name}
				for _, member := range yamltext.Entries(item.Node) {
					switch v := valueOf(member.Val); {
					case v.Kind != yamltext.Text || !member.IsText:
					case member.Name == "command":
						h.Command = strings.TrimSpace(v.Text)
					case member.Name == "matcher":
						h.Matcher = strings.TrimSpace(v.Text)
					}
				}
				if h.Command != "" { // the agent skips others
					p.hooks = append(p.hooks, h)
				}
			}
		}
	case serversKey:
		// Read the servers and their filters.
		p.servers = nil
		for _, entry := range memberEntries(p.value(e.Val)) {
			s := Server{Name: entry.Name, Resources: true, Prompts: true}
			path := yamltext.Join(serversKey, entry.Name)
			for _, member := range memberEntries(p.value(entry.Val)) {
				switch v := p.value(member.Val); member.Name {
				case "enabled":
					s.Off = !v.boolish()
				case "tools":
					p.readFilter(&s, yamltext.Join(path, member.Name), v)
				}
			}
			p.servers = slices.DeleteFunc(p.servers, func(o Server) bool { return o.Name == s.Name })
			p.servers = append(p.servers, s)
		}
	case platformsKey:
		p.readPlatforms(e)
	case knownPluginsKey:
		// Read the toolsets of plugins that somebody has seen and could have turned on for a platform.
		p.known = map[string][]string{}
		for _, platform := range memberEntries(p.value(e.Val)) {
			if v := p.value(platform.Val); v.Kind == yamltext.List {
				p.known[platform.Name], _ = v.names()
			}
		}
	case agentKey:
		p.readAgent(e)
	default:
		return false
	}
	return true
}

// readAgent reads the toolsets that no session has, and caliper's own key.
func (p *parser) readAgent(e yamltext.Entry) {
	p.disabled, p.disabledAt = nil, Setting{}
	for _, member := range memberEntries(p.value(e.Val)) {
		switch {
		case member.IsText && member.Name == hostKey:
			p.duplicate(member, KeyHost)
			p.give(KeyHost, KeyHost, p.value(member.Val), member.Place(), nil)
			continue
		case !member.IsText || member.Name != disabledKey:
			continue
		}
		path := agentKey + "." + disabledKey
		p.duplicate(member, path)
		p.disabled = nil
		v := p.value(member.Val)
		var names []string
		switch {
		case v.Kind == yamltext.List:
			names, _ = v.names()
		case v.Kind == yamltext.Text:
			names = []string{v.Text}
			inner, isList := strings.CutPrefix(words.Strip(v.Text), "[") // as some editors write a list
			if inner, closed := strings.CutSuffix(inner, "]"); isList && closed {
				names = strings.Split(inner, ",")
				for i, item := range names {
					names[i] = strings.Trim(words.Strip(item), `"'`)
				}
			}
		case v.Truthy():
			p.warn(member.Place(), path, "not_a_list", v.source()+" is not a list of toolsets, so the agent disables none")
		}
		for _, name := range names {
			if name = words.Strip(name); name != "" {
				p.disabled = append(p.disabled, name)
			}
		}
		p.disabledAt = p.settingAt(path, member, "")
		p.disabledAt.Value = namesOrNil(p.disabled)
	}
}

// readPlatforms reads the toolsets of each platform: its own bundle where the value is no list.
func (p *parser) readPlatforms(e yamltext.Entry) {
	p.platforms = nil
	for _, platform := range memberEntries(p.value(e.Val)) {
		path := yamltext.Join(platformsKey, platform.Name)
		p.duplicate(platform, path)
		v := p.value(platform.Val)
		names := []string{bundlePrefix + platform.Name}
		if v.Kind == yamltext.List {
			names, _ = v.names()
		}
		line, _ := p.doc.Position(platform.Key)
		s := scope{Session: Session{Name: platform.Name, Platform: true, Enabled: names, Line: line}}
		list := p.settingAt(path, platform, "")
		list.Value = namesOrNil(names)
		s.settings = []Setting{list}
		p.platforms = slices.DeleteFunc(p.platforms, func(o scope) bool { return o.Name == s.Name })
		p.platforms = append(p.platforms, s)
	}
}

// bundlePrefix begins the names of the platforms' bundles, which hold the core tools.
const bundlePrefix = "hermes-"

// bundles hold other tools than all core tools. Source: toolsets.py of the agent, September 2026.
var bundles = map[string][]string{
	"debugging":      {"terminal", "web", "file"},
	"safe":           {"web", "vision", "image_gen"},
	"search":         {"web"},
	"hermes-webhook": {"web", "vision", "clarify"},
}

// Bundle returns the toolsets of one of the agent's bundles, or with core all that hold a core
// tool and are of no MCP server; ok is false for a name that is no bundle.
func Bundle(name string) (toolsets []string, core, ok bool) {
	if toolsets, ok := bundles[name]; ok {
		return toolsets, false, true
	}
	core = strings.HasPrefix(name, bundlePrefix)
	return nil, core, core
}

// builtinToolsets are the agent's own toolsets, which a dump without their tools lacks. Source: as
// for bundles.
var builtinToolsets = strings.Fields("web search x_search vision video image_gen video_gen computer_use terminal skills skills_hub browser " +
	"cronjob file tts todo memory context_engine session_search project bot_room desktop_ui clarify code_execution delegation " +
	"homeassistant kanban discord discord_admin yuanbao feishu_doc feishu_drive spotify debugging safe coding moa messaging rl")

// NoServers in the list of a platform takes all MCP servers away from it.
const NoServers = "no_mcp"

// Knows reports whether a name in a platform's list means something beside the toolsets.
func (a AgentScope) Knows(name string) bool {
	_, server := a.Server(name)
	_, _, bundle := Bundle(name)
	return server || bundle || name == NoServers || slices.Contains(builtinToolsets, name)
}

// agentSessions are the agent's own keys in its section of sessions, about kept conversations.
var agentSessions = strings.Fields("auto_prune retention_days auto_archive auto_archive_days vacuum_after_prune " +
	"min_vacuum_interval_days min_interval_hours write_json_snapshots db_size_vacuum_threshold_mb search_index")

// agentsOwn reports whether an entry of the section sessions is a setting of the
// agent, not a session.
//
// SECURITY: a mapping is a session whatever its name is, so that no scope is skipped.
func (p *parser) agentsOwn(e yamltext.Entry) bool {
	v := p.value(e.Val)
	return e.IsText && slices.Contains(agentSessions, e.Name) && v.Kind != yamltext.Mapping && v.Kind != yamltext.List
}
