package live

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"caliper/model/clientfile"
)

// Config has the MCP servers of a client's configuration file.
type Config struct {
	// Client is whose file it is, as clientfile.File has it: "claude-code",
	// "opencode", "goose" and so on, or "" for an mcpServers file whose name does
	// not show the client.
	Client  string
	Servers []Server // order of the file
	// Repeated are the names that stand twice in the section of servers.
	Repeated []string
}

// wanted tells what a configuration looks like.
const wanted = "want a client's configuration: JSON with mcpServers (Claude, Cursor, Gemini CLI, Cline, Roo, Windsurf), amp.mcpServers (Amp), servers (VS Code, also in its settings, a workspace file or a devcontainer.json), mcp (OpenCode, Crush) or context_servers (Zed), TOML (Codex) or YAML (Hermes, LiteLLM) with mcp_servers, YAML with extensions (Goose) or a list of mcpServers (Continue), the connections of Open WebUI, or a server.json of the MCP registry"

// formats are the endings of the names of configurations.
var formats = []string{".json", ".jsonc", ".code-workspace", ".toml", ".yaml", ".yml"}

// MaxConfig bounds the size of a configuration file in bytes.
const MaxConfig = 16 << 20

// ErrNoServers is the fault of a readable file without a section of MCP servers, for errors.Is.
var ErrNoServers = errors.New("holds no MCP servers")

// ParseClientConfig reads the configuration of an MCP client, one of those that package clientfile
// knows. The name tells clients apart where the content is alike, and is in errors: name:line:col.
// Comments and trailing commas are read over in JSON. Of duplicate keys the last one holds. A file
// without a section of servers is an error; an entry that says neither how to start nor how to
// reach a server has a Problem.
//
// SECURITY: no error repeats a value of the file.
func ParseClientConfig(name string, data []byte) (Config, error) {
	if len(data) > MaxConfig {
		return Config{}, fmt.Errorf("%s: %d bytes, more than a client's configuration can have", name, len(data))
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if len(bytes.TrimSpace(data)) == 0 {
		return Config{}, fmt.Errorf("%s: the file is empty; %s", name, wanted)
	}
	file, found, err := clientfile.Parse(name, data)
	switch {
	case err == nil:
	case !slices.Contains(formats, strings.ToLower(path.Ext(name))) && path.Ext(name) != "":
		return Config{}, fmt.Errorf("%s: a file ending in %s is not a client's configuration; %s", name, path.Ext(name), wanted)
	default:
		return Config{}, fmt.Errorf("%s:%w", name, err)
	}
	if !found {
		if file.Client == "litellm" {
			return Config{}, fmt.Errorf("%s: a configuration of LiteLLM, which %w: it would list them under mcp_servers", name, ErrNoServers)
		}
		if file.Root.Member("tools").Kind == clientfile.List || file.Root.Kind == clientfile.List {
			return Config{}, fmt.Errorf("%s: %w, but may hold tools: caliper import reads those of a file that it is given alone; %s", name, ErrNoServers, wanted)
		}
		return Config{}, fmt.Errorf("%s: %w; %s", name, ErrNoServers, wanted)
	}
	c := Config{Client: file.Client, Repeated: file.Repeated}
	for _, m := range file.Entries {
		at := append(slices.Clone(file.Path), m.Name)
		if folder, ok := file.Projects[m.Name]; ok {
			at = []string{"projects", folder, "mcpServers", strings.TrimSuffix(m.Name, " ("+folder+")")}
		}
		s := readServer(m.Name, strings.Join(at, "."), m.Value, file.Client)
		s.Project, s.path, s.client = file.Projects[m.Name], at, file.Client
		c.Servers = append(c.Servers, s)
	}
	// The settings that are about all of its servers.
	for i := range c.Servers {
		s := &c.Servers[i]
		switch c.Client {
		case "":
			if file.Root.Member("tools").Kind == clientfile.List { // of an agent of Kiro or Amazon Q: "@SERVER/TOOL"
				s.Unread = append(s.Unread, "tools")
			}
		case "gemini", "qwen":
			s.filterGemini(file.Root)
		case "opencode":
			s.filterOpenCode(file.Root)
		case "amp":
			s.filterAmp(file.Root)
		case "crush":
			patterns, key := s.firstOf([]filter{{"options.disabled_tools", file.Root.Member("options", "disabled_tools")}}, excluded)
			s.exclude(patterns, Setting{Key: key}, "mcp_"+s.Name+"_")
		case "vscode": // its other sections: of several the first counts here
			for _, path := range [][]string{{"mcp.servers"}, {"settings", "mcp.servers"}, {"customizations", "vscode", "settings", "mcp", "servers"}, {"customizations", "vscode", "settings", "mcp.servers"}} {
				if len(file.Root.Member(path...).Members) > 0 && !slices.Equal(path, file.Path) {
					s.Unread = append(s.Unread, strings.Join(path, "."))
				}
			}
		case "zed":
			for _, profile := range file.Root.Member("agent", "profiles").Members {
				if profile.Member("context_servers", s.Name, "tools").Kind != 0 || profile.Member("enable_all_context_servers").Says("false") {
					s.Unread = append(s.Unread, "agent.profiles."+profile.Name)
				}
			}
		}
	}
	return c, nil
}

// RenameRepeated gives the later servers of one name a name of their own, which tell hears.
func RenameRepeated(files []ClientFile, tell func(line string)) {
	taken := map[string]string{} // the file of a name
	for _, f := range files {
		for _, s := range f.Servers {
			if _, ok := taken[s.Name]; !ok {
				taken[s.Name] = f.Path
			}
		}
	}
	seen := map[string]bool{}
	for _, f := range files {
		for m := range f.Servers {
			s := &f.Servers[m]
			if !seen[s.Name] {
				seen[s.Name] = true
				continue
			}
			given, number := s.Name, 2
			for ; taken[fmt.Sprintf("%s-%d", given, number)] != ""; number++ {
			}
			s.Name = fmt.Sprintf("%s-%d", given, number)
			taken[s.Name], seen[s.Name] = taken[given], true
			tell(fmt.Sprintf("server %s of %s is called %s here: %s has one of this name too", given, f.Path, s.Name, taken[given]))
		}
	}
}
