// Package clientfile reads the configurations of MCP clients, which say how to
// reach servers and which of their tools to take. It is the one reader of them:
// package shapes recognises a configuration by it, and package live asks the
// servers that it finds.
//
// Of finds the section of servers in an object of JSON, Parse in a file, which may
// be JSON with comments, YAML or TOML. A file of Goose such as
//
//	extensions:
//	  files: {type: stdio, cmd: server-filesystem, available_tools: [read]}
//
// has the client "goose", the path extensions and one entry, files.
//
// What the clients write, as of 2026 (their own documentation and schemas):
//
//	client              where                              entry
//	Claude, Cursor,     mcpServers                         command, args, env; or url, headers
//	Cline, Roo, Kiro,                                      disabled (not Claude Code); serverUrl;
//	Windsurf                                               disabledTools (Roo, Kiro, Windsurf)
//	Gemini CLI          mcpServers                         httpUrl or url (SSE); includeTools, excludeTools;
//	                                                       mcp.allowed, mcp.excluded, tools.exclude
//	Continue            mcpServers, a list with names      requestOptions.headers
//	Continue, older     experimental.modelContextProtocolServers, a list of {transport}
//	Amp                 amp.mcpServers                     includeTools; amp.tools.disable
//	Zed                 context_servers                    command, args, env; or url
//	VS Code             servers, or mcp.servers            type, command; or url
//	                    in its settings; the same under
//	                    settings (.code-workspace) and
//	                    customizations.vscode
//	                    (devcontainer.json)
//	Open WebUI          a list of connections, also as     type mcp, url, key, config.enable,
//	                    TOOL_SERVER_CONNECTIONS            config.function_name_filter_list
//	mcpproxy            mcpServers, a list with names      protocol, working_dir, quarantined;
//	                                                       enabled_tools, disabled_tools
//	OpenCode            mcp, or mcp.servers                type local or remote, command as a list, environment;
//	                                                       tools, permission
//	Crush               mcp                                type, command, disabled_tools
//	Codex               mcp_servers (TOML)                 enabled_tools, disabled_tools
//	Hermes              mcp_servers (YAML)                 tools.include, tools.exclude
//	LiteLLM             mcp_servers (YAML)                 url, transport, allowed_tools, disallowed_tools
//	Goose               extensions (YAML), in a recipe     cmd, args, envs; or uri; available_tools
//	                    a list with names
//	MCP registry        server.json, and pages of it       see registryEntries
//
// Invariants:
//
//   - No error repeats a value of a file: env, headers and arguments may be secrets.
//   - Entries keep the order of the file, of those of one name the last counts.
package clientfile

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/yamltext"
)

// File is the configuration of a client.
type File struct {
	// Client is whose file it is, in lower case, such as "claude-code", "goose" or
	// "litellm"; "" for an mcpServers file whose name does not show the client.
	Client   string
	Path     []string // the keys that lead to the section of servers; nil if the file is the section
	Entries  []Member // of the section; those of a list by their names
	Repeated []string // names that stand twice in the section
	Root     Value    // the whole file

	// Projects are the folders for which Claude Code keeps entries, by the entries' names.
	Projects map[string]string

	// Ways are how the servers of an entry of the MCP registry are started or reached, in
	// short: beginnings of commands, and addresses. They are foreign text.
	Ways []string
}

// Parse reads a file. Its name decides the syntax, or else its content. A file without a section
// of servers has no path, no entries, and no client but "litellm"; Root is what it holds then too.
// Errors begin with "line:col: ".
func Parse(name string, data []byte) (File, bool, error) {
	syntax := Syntax(name, data)
	root, err := parse(syntax, data)
	if err != nil {
		return File{}, false, err
	}
	f, ok := find(root)
	switch {
	case ok:
		f.Client = clientOf(f, syntax, name)
	case root.has(liteLLMKeys...):
		f.Client = "litellm"
	}
	return f, ok, nil
}

// geminiKeys are members of a file with mcpServers that no client but Gemini CLI has.
var geminiKeys = []string{"allowMCPServers", "excludeMCPServers", "excludeTools", "coreTools"}

// mcpproxyKeys are members of a file with mcpServers that no client but mcpproxy has.
var mcpproxyKeys = []string{"top_k", "tools_limit", "tool_response_limit", "quarantine_enabled", "docker_isolation"}

// liteLLMKeys are members that no file but one of LiteLLM has.
var liteLLMKeys = []string{"model_list", "litellm_settings", "router_settings"}

// has reports whether v has a member of one of the names.
func (v Value) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return v.Member(n).Kind != 0 })
}

// Of returns the configuration that an object of JSON is.
func Of(object []byte) (File, bool) {
	root, err := parseTree(object)
	if err != nil {
		return File{}, false
	}
	f, ok := find(root)
	if ok {
		f.Client = clientOf(f, "json", "")
	}
	return f, ok
}

// parse reads a text of a syntax. Errors begin with "line:col: ".
func parse(syntax string, data []byte) (Value, error) {
	switch syntax {
	case "toml":
		return parseTOML(data)
	case "yaml":
		source := jsontree.NewText(data)
		text, fault := yamltext.JSON(source)
		if fault != nil {
			line, col := jsontree.Position(data, fault.At)
			return Value{}, fmt.Errorf("%d:%d: %s", line, col, fault.Message)
		}
		document, _, _ := strings.Cut(string(text.Data), "\n") // of several documents the first
		root, err := parseTree([]byte(document))
		if err != nil {
			line, col := jsontree.Position(data, text.Origin(int(err.At)))
			return Value{}, fmt.Errorf("%d:%d: %w", line, col, errDeep)
		}
		return root, nil
	}
	root, err := parseTree(data)
	if err == nil {
		return root, nil
	}
	what, at := "not valid JSON", err.At
	switch {
	case err.Problem == jsontree.TooDeep:
		what = errDeep.Error()
	case err.Problem == jsontree.MoreText:
		at = err.From
	case err.Ended:
		what = "unexpected end of input"
	}
	line, col := jsontree.Position(data, int(at))
	return Value{}, fmt.Errorf("%d:%d: %s", line, col, what)
}

// Syntax returns "json", "yaml" or "toml", by a file's ending or else its content.
func Syntax(name string, data []byte) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc", ".code-workspace":
		return "json"
	case ".toml":
		return "toml"
	case ".yaml", ".yml":
		return "yaml"
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case bytes.HasPrefix(line, []byte("{")), bytes.HasPrefix(line, []byte("//")), bytes.HasPrefix(line, []byte("/*")):
			return "json"
		case line[0] == '[':
			return "toml"
		default:
			if key, _, ok := bytes.Cut(line, []byte("=")); ok && !bytes.ContainsRune(key, ':') {
				return "toml"
			}
			return "yaml"
		}
	}
	return "json"
}

// section is a place where clients keep their servers.
type section struct {
	path   []string
	client string // "" if the place does not show it
	// holds reports whether a value is such a section; nil for any object.
	holds func(v Value) bool
}

// sections holds every place; the first that a file has counts.
var sections = []section{
	{[]string{"mcpServers"}, "", nil},
	{[]string{"context_servers"}, "zed", nil},
	{[]string{"mcp_servers"}, "", nil},
	{[]string{"amp.mcpServers"}, "amp", nil},
	{[]string{"amp", "mcpServers"}, "amp", nil},
	{[]string{"mcp", "servers"}, "vscode", holdsObjects},
	{[]string{"mcp.servers"}, "vscode", holdsObjects}, // VS Code takes a setting's parts behind dots, too
	{[]string{"settings", "mcp", "servers"}, "vscode", holdsObjects},
	{[]string{"settings", "mcp.servers"}, "vscode", holdsObjects},
	{[]string{"customizations", "vscode", "mcp", "servers"}, "vscode", holdsObjects},
	{[]string{"customizations", "vscode", "settings", "mcp", "servers"}, "vscode", holdsObjects},
	{[]string{"customizations", "vscode", "settings", "mcp.servers"}, "vscode", holdsObjects},
	{[]string{"TOOL_SERVER_CONNECTIONS"}, "open-webui", holdsConnections},
	{[]string{"tool_server", "connections"}, "open-webui", holdsConnections},
	{[]string{"servers"}, "vscode", holdsServers},
	{[]string{"mcp"}, "crush", func(v Value) bool { // or switches of servers, as OpenCode's section may have
		return holdsServers(v) || holdsObjects(v) && len(v.Members) > 0 && all(v.Members, Value.Switches)
	}},
	{[]string{"extensions"}, "goose", holdsExtensions},
	{[]string{"experimental", "modelContextProtocolServers"}, "continue", nil},
}

// Begins reports whether a file's section of servers may be in a member of this name.
func Begins(name string) bool {
	for i := range sections { // a closure would be allocated for every name of every line
		if sections[i].path[0] == name {
			return true
		}
	}
	return name == "projects" || name == "packages" || name == "remotes" || name == "server"
}

// find returns the section of servers of a file.
func find(root Value) (File, bool) {
	f := File{Root: root}
	for _, s := range sections {
		v := root.Member(s.path...)
		switch {
		case s.holds != nil && !s.holds(v):
		case v.Kind == Object:
			f.Client, f.Path, f.Entries, f.Repeated = s.client, s.path, v.Members, v.Repeated
		case v.Kind == List:
			f.Client, f.Path = s.client, s.path
			f.Entries = named(v.Items)
		}
		if f.Path != nil {
			break
		}
	}
	if f.Path == nil && holdsConnections(root) {
		f.Client, f.Entries = "open-webui", named(root.Items)
		return f, true
	}
	if f.Path == nil {
		if f.Entries, f.Ways = registryEntries(root); len(f.Entries) > 0 {
			f.Client = RegistryClient
			return f, true
		}
	}
	projects := f.addProjects()
	if f.Path == nil && !projects {
		if len(root.Members) == 0 || !all(root.Members, Value.isServer) {
			return f, false
		}
		f.Entries, f.Repeated = root.Members, root.Repeated
	}
	return f, true
}

// named returns the entries of a list by their names.
func named(items []Value) []Member {
	var g gatherer
	for i, v := range items {
		name := v.Member("name").Text
		for _, key := range []string{"id", "name"} { // a connection of Open WebUI
			if name == "" {
				name = v.Member("info", key).Text
			}
		}
		if uses := v.Member("uses").Text; name == "" && uses != "" { // a block of Continue's hub
			name = path.Base(uses)
		}
		if name == "" {
			name = fmt.Sprintf("server-%d", i+1)
		}
		if t := v.Member("transport"); t.Kind == Object { // older files of Continue
			v = t
		}
		g.set(name, v)
	}
	return g.members
}

// addProjects adds the servers of single projects in ~/.claude.json, and reports whether there are
// any. A name that is taken has its project behind it.
func (f *File) addProjects() bool {
	projects := f.Root.Member("projects")
	if projects.Kind != Object {
		return false
	}
	any := false
	var g gatherer
	for _, m := range f.Entries {
		g.set(m.Name, m.Value)
	}
	for _, project := range projects.Members {
		section := project.Member("mcpServers")
		if section.Kind == Object {
			any, f.Client = true, "claude-code"
		}
		for _, m := range section.Members {
			name := m.Name
			if _, ok := g.at[name]; ok {
				name += " (" + project.Name + ")"
			}
			g.set(name, m.Value)
			if f.Projects == nil {
				f.Projects = map[string]string{}
			}
			f.Projects[name] = project.Name
		}
	}
	f.Entries = g.members
	return any
}

// isServer reports whether v says how to start or to reach a server.
func (v Value) isServer() bool {
	if v.Kind != Object {
		return false
	}
	for _, key := range []string{"command", "url", "serverUrl", "httpUrl"} {
		if v.Member(key).Kind != 0 {
			return true
		}
	}
	return false
}

// all reports whether every member is as it should be.
func all(members []Member, is func(Value) bool) bool {
	return !slices.ContainsFunc(members, func(m Member) bool { return !is(m.Value) })
}

// holdsObjects reports whether v is an object of objects only.
func holdsObjects(v Value) bool {
	return v.Kind == Object && all(v.Members, func(v Value) bool { return v.Kind == Object })
}

// holdsServers reports whether v has objects only, at least one of them a server and no switch.
func holdsServers(v Value) bool {
	return holdsObjects(v) && slices.ContainsFunc(v.Members, func(m Member) bool { return m.isServer() })
}

// Switches reports whether v only says whether a server of another file is on: OpenCode 1.18 puts
// the project's entry over the user's, key by key.
func (v Value) Switches() bool {
	return len(v.Members) == 1 && v.Member("enabled").Kind == Bool
}

// Overrides reports whether v changes the user's entry: pi 1.6.0 reads one without command, url
// and type so.
func (v Value) Overrides() bool {
	return v.Member("command").Kind+v.Member("url").Kind+v.Member("type").Kind == 0
}

// extensionTypes are what the extensions of Goose are.
var extensionTypes = []string{"stdio", "sse", "streamable_http", "builtin", "platform", "frontend", "inline_python"}

// holdsExtensions reports whether v has Goose's extensions, an object, or in a recipe a list.
func holdsExtensions(v Value) bool {
	is := func(v Value) bool { return slices.Contains(extensionTypes, v.Member("type").Text) }
	if v.Kind == List {
		return slices.ContainsFunc(v.Items, is)
	}
	return holdsObjects(v) && slices.ContainsFunc(v.Members, func(m Member) bool { return is(m.Value) || is(m.Member("config")) })
}

// holdsConnections reports whether v is a list with an MCP connection of Open WebUI.
func holdsConnections(v Value) bool {
	return v.Kind == List && slices.ContainsFunc(v.Items, func(i Value) bool {
		return i.Member("type").Text == "mcp" && i.Member("url").Kind == Text && i.has("config", "info", "auth_type")
	})
}

// clientOf returns the client whose file it is, by its section, its settings or its name.
func clientOf(f File, syntax, name string) string {
	any := func(keys ...string) bool {
		return slices.ContainsFunc(f.Entries, func(m Member) bool { return m.has(keys...) })
	}
	if f.Client == "vscode" && (strings.Contains(f.Root.Member("$schema").Text, "opencode") || len(f.Path) == 2 && slices.ContainsFunc(f.Entries, isOpenCode)) {
		return "opencode" // from version 2 on
	}
	if f.Client == "crush" && !strings.Contains(f.Root.Member("$schema").Text, "crush") && slices.ContainsFunc(f.Entries, isOpenCode) {
		return "opencode"
	}
	if f.Client != "" {
		return f.Client
	}
	lower := strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	switch base := path.Base(lower); {
	case syntax == "toml":
		return "codex"
	case len(f.Path) == 1 && f.Path[0] == "mcp_servers" &&
		(f.Root.has(liteLLMKeys...) || f.Root.has("general_settings") || any("allowed_tools", "disallowed_tools", "auth_type", "static_headers", "mcp_info")):
		return "litellm"
	case any("quarantined", "protocol"), base == "mcp_config.json" && f.Root.has(mcpproxyKeys...):
		return "mcpproxy"
	case len(f.Path) == 1 && f.Root.Member(f.Path...).Kind == List:
		return "continue"
	case syntax == "yaml":
		return "hermes"
	case strings.HasPrefix(base, "claude_desktop"):
		return "claude-desktop"
	case base == ".mcp.json", base == ".claude.json":
		return "claude-code"
	case base == "mcp-config.json":
		return "copilot"
	}
	for _, named := range [][2]string{ // a part of the name, and the client
		{".gemini/", "gemini"}, {".qwen/", "qwen"}, {".kiro/", "kiro"}, {".copilot/", "copilot"}, {"windsurf", "windsurf"}, {"codeium", "windsurf"},
		{"cline", "cline"}, {".pi/", "pi"}, {".roo/", "roo"}, {"roo-cline", "roo"}, {"roo-code", "roo"}, {"cursor", "cursor"}, {".mcp.json", "claude-code"},
	} {
		if strings.Contains(lower, named[0]) {
			return named[1]
		}
	}
	if any("httpUrl", "includeTools", "excludeTools") || f.Root.has(geminiKeys...) ||
		len(f.Path) == 1 && f.Path[0] == "mcpServers" && (f.Root.Member("tools").has("exclude", "core", "allowed") || f.Root.Member("mcp").has("allowed", "excluded")) {
		return "gemini"
	}
	return ""
}

// isOpenCode reports whether an entry of a section "mcp" is one of OpenCode.
func isOpenCode(m Member) bool {
	return m.Member("command").Kind == List || m.Switches() || slices.Contains([]string{"local", "remote"}, m.Member("type").Text)
}
