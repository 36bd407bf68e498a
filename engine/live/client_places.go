package live

import (
	"cmp"
	"path/filepath"
	"slices"
)

// ClientPlaces are the folders in which FindClients looks. An empty one is not looked in.
type ClientPlaces struct {
	Home   string // the user's home folder
	Work   string // the folder that the program was started in
	Config string // the user's folder of settings, such as ~/.config

	// The homes of agents that a user can move; empty for the usual ones below
	// Home.
	Claude, Codex, Copilot, Hermes, Pi string

	// Lookup finds a variable of the environment, by which entries of files are compared with what
	// an organisation denies; nil: they are compared as they are written.
	Lookup func(name string) (value string, ok bool)
}

// The files of clients and agents, below the working folder, the home folder, the
// folder of settings, and the homes of agents. ParseClientConfig finds out whose
// format a file has.
var (
	inWork = []string{
		".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".codex/config.toml", ".zed/settings.json", ".gemini/settings.json",
		".qwen/settings.json", ".kiro/settings/mcp.json", ".roo/mcp.json", ".amazonq/mcp.json", "opencode.json", "opencode.jsonc", ".opencode/opencode.json", "crush.json", ".crush.json",
		".amp/settings.json", ".continue/config.yaml", "litellm_config.yaml", ".pi/mcp.json",
	}
	inHome = []string{
		".mcp.json", ".cursor/mcp.json", ".gemini/settings.json", ".qwen/settings.json", ".kiro/settings/mcp.json", ".mcpproxy/mcp_config.json", ".codeium/windsurf/mcp_config.json", ".aws/amazonq/mcp.json",
		".lmstudio/mcp.json", ".vscode/mcp.json", ".continue/config.yaml", ".continue/config.json",
	}
	inConfig = []string{
		"Claude/claude_desktop_config.json", "Code/User/mcp.json", "Code/User/settings.json", "zed/settings.json",
		"Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
		"Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
		"opencode/opencode.json", "opencode/opencode.jsonc", "crush/crush.json", "goose/config.yaml", "Block/goose/config/config.yaml", "amp/settings.json",
	}
)

// paths returns where configurations may be, the working folder's first.
func (p ClientPlaces) paths() []string {
	var all []string
	add := func(folder string, names ...string) {
		for _, name := range names {
			if path := filepath.Join(folder, filepath.FromSlash(name)); folder != "" && !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	below := func(folder, name string) string {
		if folder == "" && p.Home != "" {
			folder = filepath.Join(p.Home, name)
		}
		return folder
	}
	add(p.Work, inWork...)
	for _, folder := range above(p.Work) { // where Claude Code reads it too
		add(folder, ".mcp.json")
	}
	add(cmp.Or(p.Claude, p.Home), ".claude.json")
	add(below(p.Codex, ".codex"), "config.toml")
	add(below(p.Copilot, ".copilot"), "mcp-config.json") // COPILOT_HOME moves it in 1.0.102
	add(below(p.Hermes, ".hermes"), "config.yaml")
	add(below(p.Pi, ".pi/agent"), "mcp.json")
	add(p.Home, inHome...)
	add(p.Config, inConfig...)
	return all
}

// above returns the folders above one, nearest first, without the root of the system.
func above(folder string) []string {
	var all []string
	for folder != "" {
		up := filepath.Dir(folder)
		if up == folder || filepath.Dir(up) == up {
			break
		}
		all, folder = append(all, up), up
	}
	return all
}

// CodexProfiles returns the files NAME.config.toml beside Codex' config.toml, whose settings come
// before its own (measured on 0.171.0).
func (p ClientPlaces) CodexProfiles() []string {
	home := p.Codex
	if home == "" {
		home = filepath.Join(p.Home, ".codex")
	}
	files, _ := filepath.Glob(filepath.Join(home, "*"+CodexProfile)) // a folder of an odd name has none
	return files
}

// CodexProfile is how the name of a file ends that is a profile of Codex.
const CodexProfile = ".config.toml"
