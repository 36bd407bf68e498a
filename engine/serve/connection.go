package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"caliper/engine/transcript"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connection is one client of a session, to which approvals and rescued results belong.
//
// A client of the older revisions, and any over standard input, has one for as long as it
// is connected. Revision 2026-07-28 has no connections over HTTP: each request stands
// alone. There a client is who sends the session's token and calls itself by one name and
// version.
//
// SECURITY: the token tells a client from others, and opens one session's path.
// The name, which anybody who has the token may send, parts only what those who share
// the token see of each other.
type connection struct {
	session *session
	id      string
	info    *transcript.EventClient // the client by its own words; nil for nothing

	noting sync.Mutex // numbers are in the order of the events
	seq    int

	mu     sync.Mutex
	always map[string]bool // qualified names of tools that a person lets this client run
	parked map[string]*parkedCall
	last   time.Time // of a client without a connection: its latest request
}

// peer is the client of one request.
type peer struct {
	client       *mcp.ServerSession
	info         *mcp.Implementation            // its name and version; nil for none
	modern       bool                           // it speaks 2026-07-28, in which a server sends no requests
	capabilities func() *mcp.ClientCapabilities // nil for none; each call decodes them
}

// namedIn returns the name and version that a request of 2026-07-28 has; nil for none. The SDK
// would take 30 kB to decode them.
func namedIn(req mcp.Request) *mcp.Implementation {
	params := req.GetParams()
	if v := reflect.ValueOf(params); !v.IsValid() || v.IsNil() {
		return nil
	}
	said, _ := params.GetMeta()[mcp.MetaKeyClientInfo].(map[string]any)
	name, ok := said["name"].(string)
	version, also := said["version"].(string)
	if !ok || !also {
		return nil
	}
	return &mcp.Implementation{Name: name, Version: version}
}

// unconnected tells the clients of a session without connections apart: name and version.
type unconnected [2]string

// mostUnconnected is how many of them a session knows; the one that was silent the
// longest is forgotten for another.
const mostUnconnected = 64

// aloneKey is in the context of a request that has no connection.
type aloneKey struct{}

// connection returns the connection of a request's client. At the first one it notes that the
// client came, and has its end noted.
func (x *session) connection(ctx context.Context, p *peer) *connection {
	var key any = p.client
	alone := ctx.Value(aloneKey{}) != nil
	said := unconnected{}
	if p.info != nil {
		said = unconnected{p.info.Name, p.info.Version}
	}
	if alone {
		key = said
	}
	now := x.server.o.Now()
	x.mu.Lock()
	c := x.known[key]
	var gone []*connection
	fresh := c == nil
	if fresh {
		c = &connection{session: x, id: newID(), always: map[string]bool{}, parked: map[string]*parkedCall{}}
		if p.info != nil {
			c.info = &transcript.EventClient{Name: said[0], Version: said[1]}
		}
		if alone {
			gone = x.forget(now)
		}
		x.known[key] = c
		c.noting.Lock() // nothing is noted before that it came
	}
	c.mu.Lock()
	c.last = now
	c.mu.Unlock()
	x.mu.Unlock()
	if !fresh {
		return c
	}
	if !alone {
		// Before the event: whoever reads it and closes the server waits for this client.
		x.server.leaving.Go(func() {
			_ = p.client.Wait() // however it ended, it ended
			x.mu.Lock()
			delete(x.known, key)
			x.mu.Unlock()
			c.leave()
		})
	}
	c.add(transcript.Event{Kind: transcript.EventConnect})
	c.noting.Unlock()
	for _, one := range gone {
		one.leave()
	}
	return c
}

// forget removes the clients without connections that were silent for idleConnection,
// and one more if there are too many. x.mu is held.
func (x *session) forget(now time.Time) (gone []*connection) {
	var oldest any
	var since time.Time
	count := 0
	for key, c := range x.known {
		if _, alone := key.(unconnected); !alone {
			continue
		}
		c.mu.Lock()
		last := c.last
		c.mu.Unlock()
		if now.Sub(last) > idleConnection {
			gone = append(gone, c)
			delete(x.known, key)
			continue
		}
		if count++; oldest == nil || last.Before(since) {
			oldest, since = key, last
		}
	}
	if count >= mostUnconnected {
		gone = append(gone, x.known[oldest])
		delete(x.known, oldest)
	}
	return gone
}

// leave withdraws what the client has not come back for, and notes that it is gone.
func (c *connection) leave() {
	c.mu.Lock()
	parked := slices.Collect(maps.Values(c.parked))
	c.mu.Unlock()
	for _, p := range parked {
		p.cancel(context.Canceled)
		<-p.done
	}
	c.note(transcript.Event{Kind: transcript.EventDisconnect})
}

// newID returns the id of a connection.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// note completes an event of the connection, and hands it on.
func (c *connection) note(e transcript.Event) {
	c.noting.Lock()
	defer c.noting.Unlock()
	c.add(e)
}

// add is note while noting is held.
func (c *connection) add(e transcript.Event) {
	s := c.session.server
	e.V, e.Session, e.Connection, e.Client = transcript.EventVersion, c.session.name, c.id, c.info
	c.seq++
	e.Seq, e.Time = c.seq, s.o.Now().UTC()
	s.o.Note(e)
}
