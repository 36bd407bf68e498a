package serve

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// overHTTPIn serves sessions over HTTP in a revision, and returns what connects a client that offers something.
func overHTTPIn(t testing.TB, revision string, s *Server, o *mcp.ClientOptions) func(session string) *mcp.ClientSession {
	t.Helper()
	tokens := map[string]string{}
	for _, name := range s.Sessions() {
		tokens[name] = NewToken()
	}
	web := httptest.NewServer(s.Handler(tokens, false))
	t.Cleanup(web.Close)
	return func(session string) *mcp.ClientSession {
		c, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, o).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: web.URL + PathOf(session), HTTPClient: &http.Client{Transport: bearerOf(tokens[session])}, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
}

// TestScopeOverTheWire asks, as a client of each session, for every tool of the registry
// by search, description, call and direct call: none of another session's is found,
// described or run, and each of its own is.
func TestScopeOverTheWire(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		var done ran
		s := New(Options{Execute: done.execute})
		sessions := []string{"harbor", "tide", "wide"}
		open := strings.Replace(strings.Split(settings, "policy:")[0], "sessions:", "sessions:\n  wide: {}", 1)
		for _, name := range sessions {
			s.Publish(snapshotOf(t, name, open))
		}
		connect := overHTTPIn(t, revision, s, nil)
		for _, session := range sessions {
			snapshot := s.session(session).current().snapshot
			agent := connect(session)
			for _, tool := range snapshot.Registry.Tools {
				deferred := slices.Contains(snapshot.Catalog(), tool)
				found, _ := says(t, agent, "tool_search", fmt.Sprintf(`{"query":%q,"limit":20}`, tool.Name))
				if strings.Contains(found, `"name":"`+tool.Name+`"`) != deferred {
					t.Errorf("%s: tool_search of %s answers %s", session, tool.Name, found)
				}
				if _, isError := says(t, agent, "tool_describe", fmt.Sprintf(`{"name":%q}`, tool.Name)); isError == deferred {
					t.Errorf("%s: tool_describe of %s: an error is %v", session, tool.Name, isError)
				}
				before := len(done.all())
				for _, call := range [][2]string{{"tool_call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, tool.Name)}, {tool.Name, `{}`}} {
					text, isError := says(t, agent, call[0], call[1])
					may := snapshot.Granted(tool) && (call[0] == "tool_call") == deferred
					if isError == may {
						t.Errorf("%s: %s of %s: an error is %v: %s", session, call[0], tool.Name, isError, text)
					}
				}
				if ran := len(done.all()) > before; ran != snapshot.Granted(tool) {
					t.Errorf("%s: %s ran: %v", session, tool.Name, ran)
				}
			}
		}
	})
}

// TestManyClients: of many calls of many clients, through servers that answer, fail and
// lie, each has one answer, which is its own, and one event.
func TestManyClients(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		clients, calls := 8, 100
		connections := clients
		if revision == stateless {
			connections = 1 // of one name, with one token
		}
		if *slow {
			calls = 1250
		}
		var n notes
		s := harbor(t, Options{Note: n.add, Execute: func(_ context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
			var asked struct{ Berth int }
			_ = json.Unmarshal(arguments, &asked)
			switch asked.Berth % 5 {
			case 1:
				return nil, errors.New("the server ended during the call")
			case 2:
				return json.RawMessage(`{"content":`), nil
			}
			return json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":"berth %d"}]}`, asked.Berth)), nil
		}})
		connect := overHTTPIn(t, revision, s, nil)
		var all sync.WaitGroup
		for c := range clients {
			agent := connect("harbor")
			all.Go(func() {
				for i := range calls {
					berth := c*calls + i
					text, isError := says(t, agent, "tool_call", fmt.Sprintf(`{"name":"mcp_harbor_book","arguments":{"berth":%d}}`, berth))
					fails := berth%5 == 1 || berth%5 == 2
					if isError != fails || !fails && text != fmt.Sprintf("berth %d", berth) {
						t.Errorf("berth %d: %v %s", berth, isError, text)
					}
				}
			})
		}
		all.Wait()
		s.Close()
		if got := len(n.of(transcript.EventCall)); got != clients*calls || len(n.of(transcript.EventConnect)) != connections || len(n.of(transcript.EventDisconnect)) != connections {
			t.Errorf("%d calls, %d connects, %d disconnects are noted", got, len(n.of(transcript.EventConnect)), len(n.of(transcript.EventDisconnect)))
		}
	})
}
