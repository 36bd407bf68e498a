package desk

import (
	"context"

	"caliper/engine/live"
)

// An Offer is the screen before the explorer: what was found of the user's
// own, server by server, and the demo.
//
// Goals: nothing is started before the user has checked it and pressed enter; the
// whole command of a server can be read before; asking the servers can be watched
// and stopped, and one that fails does not spoil the others.
//
// Non-goals: finding the configurations (live.FindClients), asking the servers
// and writing what they list, which OfferOptions.Ask does, and opening the explorer,
// which the caller does with what Update returns.
//
// Invariants:
//   - Update reads and writes nothing, and waits for nothing;
//   - OfferOptions.Ask is called by enter alone, with the checked servers and no other;
//   - no value of an environment variable or header is drawn: live.Server has none
//     in its exported fields;
//   - the picture has exactly the size of the terminal.

// OfferServer is a server of one of the files.
type OfferServer struct {
	live.Server
	File string // path of the configuration, on which its variables depend
	Also []int  // indexes of the other files that have it; it is offered once
}

// OfferState is how far a server has come that was asked for its tools.
type OfferState struct {
	Stage live.Stage // "" before it was its turn
	Tools int        // so far
	Err   string     // why it could not be listed; "" when it could, or may yet
	Ended bool       // it was listed, or failed
}

// OfferAnswer is the lists of the servers.
type OfferAnswer struct {
	Registry string // path of the dump; "" when no server could be listed
	Config   string // path of the agent's configuration beside it; "" for none
	Tools    int
	Servers  int // that were listed
	Failed   int // that were not
}

// LastFiles are what a run was opened on.
type LastFiles struct {
	Registry []string // absolute paths of files and folders
	Config   string   // absolute path of the agent's configuration; "" for none
}

// OfferOptions are the servers and logs that are offered.
type OfferOptions struct {
	Files []live.ClientFile
	Last  []LastFiles // what earlier runs were opened on, newest first; empty for none
	Gone  string      // path of a file of the last run that is missing, which is said at first; "" for none
	Logs  []string    // paths of agents' logs, which can be replayed; empty for none
	Home  string      // the user's home folder, written as ~; "" for none
	Work  string      // the folder that the program was started in, written as .

	// Ask asks servers for their tools and writes a registry. It calls report with
	// the index of a server whenever its state changes, from any goroutine. When
	// enough is closed, it goes on with what was listed until then. No server runs
	// any more when it returns.
	Ask func(ctx context.Context, servers []OfferServer, enough <-chan struct{}, report func(n int, s OfferState)) (OfferAnswer, error)
}

// OfferDecision is the user's decision.
type OfferDecision int

// The decisions.
const (
	None           OfferDecision = iota
	OfferDemo                    // open the demo
	OfferOpen                    // open the answer of the servers
	OfferReplay                  // open a replay of the logs, on the tools that they define or the demo's
	OfferAgain                   // open the files of an earlier run
	OfferLeave                   // end the program
	OfferInterrupt               // end it at once
)
