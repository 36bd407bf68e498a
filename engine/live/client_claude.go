package live

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Claude Code reads, in a folder (measured on 2.1.332):
//
//   - .mcp.json of the folder and of each folder above it but the root, also above the
//     repository; of one name the nearest counts;
//   - of ~/.claude.json its mcpServers, and the project's: the root of the main
//     checkout of the repository, also in a subfolder or a linked worktree; the folder of a
//     bare repository; or, without git, the folder itself;
//   - settings.json and settings.local.json in .claude of the folder, settings.local.json of
//     the project, and settings.json in ~/.claude. Files of folders between are not read.
//
// Where servers share a name, the one in the project's state counts, else the one in .mcp.json,
// else the user's. CLAUDE_CONFIG_DIR replaces ~/.claude and has the .claude.json too.

// rulebook has what Claude Code does in the folders that were asked about.
type rulebook map[string]ClaudeRules

// Heed switches the servers that other files switch, and off the ones of Claude Code's files
// that it does not have where they are used: the working folder for ~/.claude.json and for a .mcp.json that is read there, else the
// folder of the .mcp.json. It returns a line for each file of settings that cannot be read,
// and for each .mcp.json that Claude Code reads besides.
func (p ClientPlaces) Heed(files []ClientFile) (notes []string) {
	var rules rulebook
	for i := range files {
		notes = append(notes, p.heed(&files[i], &rules)...)
	}
	settleClients(files)
	for _, folder := range above(p.Work) {
		path := filepath.Join(folder, mcpJSON)
		_, err := os.Stat(path)
		given := slices.ContainsFunc(files, func(f ClientFile) bool { return f.Path == path })
		used := slices.ContainsFunc(files, func(f ClientFile) bool { return f.scope == p.Work && filepath.Base(f.Path) == mcpJSON })
		if err == nil && !given && used {
			notes = append(notes, "Claude Code reads "+path+" here too; --mcp-config adds it")
		}
	}
	return notes
}

const mcpJSON = ".mcp.json"

// heed applies what Claude Code does in the folder of a file to its servers.
func (p ClientPlaces) heed(f *ClientFile, known *rulebook) (notes []string) {
	folder := filepath.Dir(f.Path)
	base := filepath.Base(f.Path)
	switch {
	case f.Client != "claude-code" || base != mcpJSON && base != ".claude.json":
		return nil
	case p.Work != "" && (base == ".claude.json" || folder == p.Work || slices.Contains(above(p.Work), folder)):
		folder = p.Work
	}
	rules, ok := (*known)[folder]
	if !ok {
		project, state := ClaudeProject(folder), ""
		if home := cmp.Or(p.Claude, p.Home); home != "" {
			state = filepath.Join(home, ".claude.json")
		}
		rules, notes = ReadClaudeRules(project, readClaude(state), p.ClaudeSettings(folder, project))
		rules.lookup = p.Lookup
		if *known == nil {
			*known = rulebook{}
		}
		(*known)[folder] = rules
	}
	rules.Heed(&f.Config, base == mcpJSON)
	f.scope = folder
	return notes
}

// ClaudeSettings reads Claude Code's settings for a folder of a project, the user's last.
func (p ClientPlaces) ClaudeSettings(folder, project string) (settings []ClaudeFile) {
	paths := []string{filepath.Join(folder, ".claude", "settings.json"), filepath.Join(folder, ".claude", "settings.local.json")}
	if project != folder {
		paths = append(paths, filepath.Join(project, ".claude", "settings.local.json"))
	}
	if p.Claude != "" {
		paths = append(paths, filepath.Join(p.Claude, "settings.json"))
	} else if p.Home != "" {
		paths = append(paths, filepath.Join(p.Home, ".claude", "settings.json"))
	}
	for _, path := range paths {
		settings = append(settings, readClaude(path))
	}
	return settings
}

// readClaude reads a file of Claude Code; one that cannot be read is empty.
func readClaude(path string) ClaudeFile {
	data, err := ReadClientBytes(path)
	if err != nil {
		data = nil
	}
	return ClaudeFile{Name: path, Data: data}
}

// ClaudeProject returns the folder under which Claude Code keeps the local state of a folder.
func ClaudeProject(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return dir
		case err == nil:
			// The file .git of a worktree leads to the main checkout: to a bare repository itself,
			// and to the worktree if it is a repository of its own, as a submodule is.
			data, err := ReadClientBytes(git)
			folder, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir:")
			if err != nil || !ok {
				return dir
			}
			resolve := func(base, path string) string {
				if path = filepath.FromSlash(strings.TrimSpace(path)); !filepath.IsAbs(path) {
					path = filepath.Join(base, path)
				}
				return filepath.Clean(path)
			}
			folder = resolve(dir, folder)
			common, err := ReadClientBytes(filepath.Join(folder, "commondir"))
			if err != nil {
				return dir
			}
			repository := resolve(folder, string(common))
			if filepath.Base(repository) == ".git" {
				return filepath.Dir(repository)
			}
			return repository
		case dir == filepath.Dir(dir):
			return folder
		}
	}
}
