package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/newfile"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/demo"
	"caliper/watch"
)

// readSessions returns what reads the logs of agents. Of those that come with caliper
// nothing is kept: they are in another folder each time.
func (r *run) readSessions(ours bool) func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
	if r.Env.ReadSessions != nil {
		return r.Env.ReadSessions
	}
	cache := r.Embedding().Computed()
	if ours {
		cache = newfile.CacheFolder{}
	}
	return func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
		return logs.Read(ctx, paths, agent, o, cache)
	}
}

// logsOf returns the paths of logs. On the demo, the name of the demo's own folder means
// the sessions that come with caliper where there is no such folder; they are written to
// one that remove removes.
func (r *run) logsOf(paths []string) (there []string, remove func(), err error) {
	at := slices.Index(paths, demo.SessionsFolder)
	if at < 0 || r.Flags.OwnData() || len(existing(demo.SessionsFolder)) > 0 {
		return paths, func() {}, nil
	}
	folder, err := os.MkdirTemp("", "caliper-sessions-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) } // a rest is in the system's folder for temporary files
	for _, name := range demo.SessionFiles {
		if err := os.WriteFile(filepath.Join(folder, name), demo.Session(name), 0o600); err != nil {
			remove()
			return nil, nil, err
		}
	}
	r.Complain("caliper: there is no folder " + demo.SessionsFolder + " here; these are the sessions of the demo")
	there = slices.Clone(paths)
	there[at] = folder
	return there, remove, nil
}

// foundSessions returns where there are logs of sessions: the demo's,
// else the folders in which agents keep them. It only looks whether they exist.
func (r *run) foundSessions(demoFolder string) []string {
	if demoFolder != "" {
		return existing(filepath.Join(demoFolder, demo.SessionsFolder))
	}
	var places []string
	if claude := r.agentHome("CLAUDE_CONFIG_DIR", ".claude"); claude != "" {
		places = append(places, filepath.Join(claude, "projects"))
	}
	if codex := r.agentHome("CODEX_HOME", ".codex"); codex != "" {
		places = append(places, filepath.Join(codex, "sessions"), filepath.Join(codex, "archived_sessions"))
	}
	if copilot := r.agentHome("COPILOT_HOME", ".copilot"); copilot != "" {
		places = append(places, filepath.Join(copilot, "session-state"))
	}
	if hermes := r.hermesHome(); hermes != "" {
		places = append(places, hermes)
	}
	return existing(places...)
}

// agentHome returns the home of an agent: what its variable says, else its folder in the
// user's home; empty where there is neither.
func (r *run) agentHome(variable, folder string) string {
	if set, ok := r.Env.Lookup(variable); ok && set != "" {
		return set
	}
	if r.Env.Home == "" {
		return ""
	}
	return filepath.Join(r.Env.Home, folder)
}

// hermesHome returns the home of Hermes, which has its logs beside its configuration.
func (r *run) hermesHome() string { return r.agentHome("HERMES_HOME", ".hermes") }

// existing returns the paths that exist.
func existing(paths ...string) (there []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			there = append(there, path)
		}
	}
	return there
}

// loggedTools makes the tools that the logs of sessions define the registry, and returns what is
// to be said of it; empty where they define none.
func (r *run) loggedTools(sessions []transcript.Session) (note string) {
	d := replay.DefinedBy(sessions)
	if d.Registry == nil {
		return ""
	}
	r.Logged = &watch.File{Name: "logs", Data: d.Registry}
	note = "without --registry the tools are those that the logs define"
	if d.Names > 0 {
		note += fmt.Sprintf(", and %s of which they have the name alone, since no search found them: their definitions are in no figure", words.CountThousands(d.Names, "tool"))
	}
	return note
}

// onLogs returns what the explorer is opened on for logs that define their tools. ok is false
// where they define none or cannot be read, which the screen that replays them says.
func (r *run) onLogs(ctx context.Context, paths []string) (o tui.Options, ok bool) {
	log, err := r.readSessions(false)(ctx, paths, "", transcript.Options{Pack: true})
	if err != nil {
		return o, false
	}
	if o.Welcome = r.loggedTools(log.Sessions); o.Welcome == "" {
		return o, false
	}
	dumps := make(chan watch.Change, 1)
	dumps <- watch.Change{Files: []watch.File{*r.Logged}}
	o.Config, o.Queries, o.Results, o.Dumps, o.RegistryName = r.Flags.Config, r.Flags.Queries, r.Flags.Results, dumps, r.Logged.Name
	return o, true
}
