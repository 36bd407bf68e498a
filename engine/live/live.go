// Package live asks running MCP servers for their tools: it reads the configuration files of MCP
// clients, starts or connects to the servers that its caller names, lists their tools byte for byte
// as they were sent, and writes a registry dump of them. An Upstream keeps a server running for an
// agent that calls its tools.
//
// Invariants:
//   - nothing but initialize and tools/list is ever sent (to a server without sessions
//     server/discover in its place), and by an Upstream the calls that its caller let through
//   - a child and its process group are ended on every path, on Linux also what left that group
//   - the values of environment variables and headers, and the user information of addresses, reach
//     the server and nothing else
//   - every wait and every size has a bound
//
// Non-goals: deciding what may be called, reading resources or prompts, signing in (package
// signin). The environment and files are handed in.
//
// # Clients' files
//
// FindClients finds the configurations of MCP clients and agents on a machine, by a fixed list of
// paths, and the servers that they name. No folder is listed and no server is started. A file of
// any content and kind costs a bounded time and makes no more than its own row unusable.
//
// Invariants:
//   - a file is listed once, whatever paths lead to it;
//   - a file without a section of servers is not listed;
//   - a file that exists and cannot be used is listed with a Problem, which repeats no value of it.
package live

import (
	"errors"
	"fmt"
)

// What a server can do wrong, for errors.Is. A server that does not answer in
// time is context.DeadlineExceeded.
var (
	ErrNotMessage = errors.New("not a JSON-RPC message")
	ErrNotAnswer  = errors.New("not as MCP has it")
	ErrTooLarge   = errors.New("too large")
	ErrTooDeep    = errors.New("too deep")
	ErrTooMany    = errors.New("too many")
	ErrCursorLoop = errors.New("the pages of tools/list go round in a circle")
	ErrEnded      = errors.New("the server ended")
	ErrProtocol   = errors.New("protocol version")
	ErrOtherHost  = errors.New("the server points to another host")
	ErrNoAccess   = errors.New("no access") // 401 or 403
)

// Stage is how far a listing has come.
type Stage string

// The stages of a listing, in order.
const (
	Starting     Stage = "start" // or connect
	Initializing Stage = "initialize"
	ListingTools Stage = "tools/list"
)

// SigningIn is the stage of an Error of SignIn.
const SigningIn Stage = "sign-in"

// Error is the reason why a server could not be listed.
//
// SECURITY: its text and fields hold no value of an environment variable or
// header, and nothing that a terminal would obey but the line breaks of Stderr.
type Error struct {
	Server string
	Stage  Stage
	Err    error
	Stderr string // the end of what the server wrote there, at most 4 KB; "" for a remote one
}

// Error returns one line: server, stage, reason, and the last words on standard error that say
// why.
func (e *Error) Error() string {
	text := fmt.Sprintf("server %q: %s: %v", plain(e.Server), e.Stage, e.Err)
	if last := lastWords(e.Stderr); last != "" {
		text += "; its last words: " + last
	}
	return text
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
