package cli

import (
	"context"
	"os"
	"path/filepath"

	"caliper/engine/transcript"
	"caliper/engine/transcript/source"
	"caliper/tui/demo"
)

// ReadSessions reads the logs of agents among some files and folders, as Env.ReadSessions
// does.
func ReadSessions(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
	return source.Read(ctx, paths, agent, o)
}

// foundSessions returns where there are logs of sessions: those of the demo,
// else the folders in which agents keep them. It only looks whether they exist.
func (r *run) foundSessions(demoFolder string) []string {
	if demoFolder != "" {
		return existing(filepath.Join(demoFolder, demo.SessionsFolder))
	}
	home := func(variable, folder string) string {
		if set, ok := r.env.Lookup(variable); ok && set != "" {
			return set
		}
		if r.env.Home == "" {
			return ""
		}
		return filepath.Join(r.env.Home, folder)
	}
	var places []string
	if claude := home("CLAUDE_CONFIG_DIR", ".claude"); claude != "" {
		places = append(places, filepath.Join(claude, "projects"))
	}
	if codex := home("CODEX_HOME", ".codex"); codex != "" {
		places = append(places, filepath.Join(codex, "sessions"))
	}
	if hermes := home("HERMES_HOME", ".hermes"); hermes != "" {
		places = append(places, hermes)
	}
	return existing(places...)
}

// existing returns those of some paths that exist.
func existing(paths ...string) (there []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			there = append(there, path)
		}
	}
	return there
}
