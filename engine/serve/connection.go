package serve

import (
	"crypto/rand"
	"encoding/hex"
	"sync"

	"caliper/engine/event"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connection is one client of a session.
type connection struct {
	session *session
	id      string
	client  *mcp.ServerSession

	noting sync.Mutex // numbers are in the order of the events
	seq    int

	mu     sync.Mutex
	always map[string]bool // qualified names of tools that a person lets this client run
}

// connection returns what belongs to a client, which it makes at its first request.
func (x *session) connection(client *mcp.ServerSession) *connection {
	x.mu.Lock()
	c := x.known[client]
	if c != nil {
		x.mu.Unlock()
		return c
	}
	c = &connection{session: x, id: newID(), client: client, always: map[string]bool{}}
	x.known[client] = c
	x.mu.Unlock()
	c.note(event.Event{Kind: event.Connect})
	x.server.leaving.Go(func() {
		_ = client.Wait() // however it ended, it ended
		x.mu.Lock()
		delete(x.known, client)
		x.mu.Unlock()
		c.note(event.Event{Kind: event.Disconnect})
	})
	return c
}

// newID returns the id of a connection.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// note completes an event of the connection, and hands it on.
func (c *connection) note(e event.Event) {
	s := c.session.server
	e.V, e.Session, e.Connection = event.Version, c.session.name, c.id
	if p := c.client.InitializeParams(); p != nil && p.ClientInfo != nil {
		e.Client = &event.Client{Name: p.ClientInfo.Name, Version: p.ClientInfo.Version}
	}
	c.noting.Lock()
	defer c.noting.Unlock()
	c.seq++
	e.Seq, e.Time = c.seq, s.o.Now().UTC()
	s.o.Note(e)
}

// approved reports whether a person has said that this client may always run a tool.
func (c *connection) approved(tool string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.always[tool]
}

// approve remembers that this client may always run a tool.
func (c *connection) approve(tool string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.always[tool] = true
}
