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

// AgentScope is what the agent's own sections take away from every session.
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
				if h, ok := agentHook(event.Name, item); ok {
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
		names, ok := v.oneOrMore()
		if !ok && v.Truthy() {
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

// oneOrMore returns the names of a list, of a text that writes one as some editors do, or the one
// that a text is; ok is false for any other value.
func (v value) oneOrMore() (names []string, ok bool) {
	switch v.Kind {
	case yamltext.List:
		names, _ = v.names()
		return names, true
	case yamltext.Text:
		inner, isList := strings.CutPrefix(words.Strip(v.Text), "[")
		if inner, closed := strings.CutSuffix(inner, "]"); isList && closed {
			for _, item := range strings.Split(inner, ",") {
				names = append(names, strings.Trim(words.Strip(item), `"'`))
			}
			return names, true
		}
		return []string{v.Text}, true
	}
	return nil, false
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

// evaluateAgent adds a session for each platform, and what no session has.
func (f *File) evaluateAgent() {
	f.Agent = AgentScope{Disabled: slices.Clone(f.disabled), Servers: slices.Clone(f.servers)}
	for i := range f.Agent.Servers {
		f.Agent.Servers[i].Later = f.ToolSearch.Generation == September2026
	}
	for _, s := range f.platforms {
		session, setting := s.Session, s.settings[0]
		session.Enabled, session.Known = slices.Clone(s.Enabled), slices.Clone(f.known[s.Name])
		if slices.ContainsFunc(f.scopes, func(o scope) bool { return o.Name == s.Name }) {
			g := given{origin: OriginFile, line: setting.Line, col: setting.Col}
			setting.Note = sessionsKey + " has a session of this name, which counts"
			f.warn(g, setting.Key, "shadowed_section", setting.Note)
		} else {
			f.Sessions = append(f.Sessions, session)
		}
		f.Settings = append(f.Settings, setting)
	}
	if f.disabledAt.Key != "" {
		f.Settings = append(f.Settings, f.disabledAt)
	}
}
