package runner

import (
	"caliper/engine/live"
	"time"
)

// Places returns where configurations of clients and agents are looked for. The
// variables are those by which their users move the homes of agents.
func (r *Run) Places() live.ClientPlaces {
	moved := func(name string) string {
		folder, _ := r.Env.Lookup(name)
		return folder
	}
	return live.ClientPlaces{Home: r.Env.Home, Work: r.Env.Work, Config: r.Env.Settings,
		Claude: moved("CLAUDE_CONFIG_DIR"), Codex: moved("CODEX_HOME"), Hermes: moved("HERMES_HOME")}
}

// FindTime is the longest that a start looks for configurations: a home folder on
// a file system that does not answer must not keep the demo back.
const FindTime = time.Second
