// Package offer is the screen before the explorer: what was found of the user's
// own, server by server, and the demo.
//
// Goals: nothing is started before the user has checked it and pressed enter; the
// whole command of a server can be read before; asking the servers can be watched
// and stopped, and one that fails does not spoil the others.
//
// Non-goals: finding the configurations (live.FindClients), asking the servers
// and writing what they list, which Options.Ask does, and opening the explorer,
// which the caller does with what Update returns.
//
// Invariants:
//   - Update reads and writes nothing, and waits for nothing;
//   - Options.Ask is called by enter alone, with the checked servers and no other;
//   - no value of an environment variable or header is drawn: live.Server has none
//     in its exported fields;
//   - the picture has exactly the size of the terminal.
package offer

import (
	"context"

	"caliper/engine/live"
)

// Server is a server of one of the files.
type Server struct {
	live.Server
	File string // path of the configuration, on which its variables depend
	Also []int  // indexes of the other files that have it; it is offered once
}

// State is how far a server has come that was asked for its tools.
type State struct {
	Stage live.Stage // "" before it was its turn
	Tools int        // so far
	Err   string     // why it could not be listed; "" when it could, or may yet
	Ended bool       // it was listed, or failed
}

// Answer is the lists of the servers.
type Answer struct {
	Registry string // path of the dump; "" when no server could be listed
	Config   string // path of the agent's configuration beside it; "" for none
	Tools    int
	Servers  int // that were listed
}

// Files are what a run was opened on.
type Files struct {
	Registry []string // absolute paths of files and folders
	Config   string   // absolute path of the agent's configuration; "" for none
}

// Options are the servers and logs that are offered.
type Options struct {
	Files []live.ClientFile
	Last  []Files  // what earlier runs were opened on, newest first; empty for none
	Gone  string   // path of a file of the last run that is missing, which is said at first; "" for none
	Logs  []string // paths of agents' logs, which can be replayed; empty for none
	Home  string   // the user's home folder, written as ~; "" for none
	Work  string   // the folder that the program was started in, written as .

	// Ask asks servers for their tools and writes a registry. It calls report with
	// the index of a server whenever its state changes, from any goroutine. When
	// enough is closed, it goes on with what was listed until then. No server runs
	// any more when it returns.
	Ask func(ctx context.Context, servers []Server, enough <-chan struct{}, report func(n int, s State)) (Answer, error)
}

// Decision is the user's decision.
type Decision int

// The decisions.
const (
	None      Decision = iota
	Demo               // open the demo
	Open               // open the answer of the servers
	Replay             // open a replay of the logs, on the tools that they define or the demo's
	Again              // open the files of an earlier run
	Leave              // end the program
	Interrupt          // end it at once
)
