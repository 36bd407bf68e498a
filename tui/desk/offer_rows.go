package desk

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"caliper/engine/live"
	"caliper/model/safetext"
	"caliper/tui/report"
)

// row is a line of the list: the heading of a file, one of its servers, or the demo.
type row struct {
	kind   rowKind
	file   int // index of the file
	server int // index among all servers
	last   int // index of the files of an earlier run
}

// decides returns what enter decides on the row while no server is checked.
func (r row) decides() OfferDecision {
	return map[rowKind]OfferDecision{lastRow: OfferAgain, logsRow: OfferReplay, demoRow: OfferDemo}[r.kind]
}

type rowKind byte

const (
	fileRow rowKind = iota
	serverRow
	logsRow
	demoRow
	lastRow
)

// shortened returns a path with the working folder and the home folder in short.
func (o OfferOptions) shortened(path string) string {
	for _, of := range []struct{ folder, sign string }{{o.Work, "."}, {o.Home, "~"}} {
		if of.folder == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(of.folder, string(filepath.Separator))+string(filepath.Separator)); ok {
			path = of.sign + string(filepath.Separator) + rest
			break
		}
	}
	return safetext.Line(path)
}

// files returns the paths of what a run was opened on in one line.
func (o OfferOptions) files(f LastFiles) string {
	var all []string
	for _, path := range f.Registry {
		all = append(all, o.shortened(path))
	}
	if f.Config != "" {
		all = append(all, o.shortened(f.Config))
	}
	return strings.Join(all, ", ")
}

// logs returns the paths of the logs in one line.
func (o OfferOptions) logs() string {
	var all []string
	for _, path := range o.Logs {
		all = append(all, o.shortened(path))
	}
	return strings.Join(all, ", ")
}

// command returns what would be started or connected to, with what looks like a
// secret withheld (see live.Server).
func command(s live.Server) string {
	if s.Transport == live.StdioTransport {
		return safetext.Line(report.CommandLine(append([]string{s.Command}, s.Args...)...))
	}
	return safetext.Line(s.URL)
}

// of returns the name of the client of a file.
func of(client string) string {
	if client == "" {
		return "MCP client"
	}
	return client
}

// usable reports whether a server can be asked.
func usable(s live.Server) bool { return s.Problem == "" }

// about returns everything that is known of a server before it is started, in lines.
func about(s OfferServer) []string {
	name := "server " + safetext.Line(s.Name)
	if !usable(s.Server) {
		return []string{name + " cannot be asked: " + safetext.Line(s.Problem)}
	}
	verb := "connects to: "
	if s.Transport == live.StdioTransport {
		verb = "starts: "
	}
	lines := []string{verb + command(s.Server)}
	list := func(what string, names []string) {
		if len(names) > 0 {
			lines = append(lines, what+": "+safetext.Line(strings.Join(names, ", ")))
		}
	}
	list("variables", s.Env)
	list("headers", s.Headers)
	list("not used here", s.Unread)
	list("not read by its client", s.Foreign)
	if f := s.EnvFile(); f != "" {
		lines = append(lines, "variables of the file "+safetext.Line(f))
	}
	if !s.Enabled {
		lines = append(lines, cmp.Or(safetext.Line(s.Off), "switched off in its configuration"))
	}
	return lines
}

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
