//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package serve

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"caliper/engine/live"
	"caliper/model"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAsked: what a server asks in a call reaches the client that calls, under the
// server's name, in memory and over HTTP without a stream of its own; and a client
// without an answer is known to have none.
func TestAsked(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		s := harbor(t, Options{Execute: func(ctx context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
			c, ok := live.CallerOf(ctx)
			if !ok {
				t.Error("nobody calls")
			}
			var asked struct{ Berth int }
			_ = json.Unmarshal(arguments, &asked)
			request := []mcp.Params{&mcp.ElicitParams{Message: "which?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
				&mcp.CreateMessageWithToolsParams{MaxTokens: 3}, &mcp.ListRootsParams{}}[asked.Berth]
			if method := []string{live.Elicitation, live.Sampling, live.Roots}[asked.Berth]; !c.Offers(method) {
				return json.RawMessage(`{"content":[{"type":"text","text":"not offered"}]}`), nil
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // as of the server's request, which knows no call
			defer cancel()
			result, err := c.Ask(ctx, "forge", request)
			if err != nil {
				t.Error(err)
			}
			data, _ := json.Marshal(result)
			text, _ := json.Marshal(string(data))
			return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`), nil
		}})
		o := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}},
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"heard": r.Params.Message}}, nil
			},
			CreateMessageWithToolsHandler: func(_ context.Context, r *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
				return &mcp.CreateMessageWithToolsResult{Model: "mine", Role: "assistant", Content: []mcp.Content{&mcp.TextContent{Text: "three"}}}, nil
			}}
		for name, c := range map[string]struct {
			client *mcp.ClientSession
			want   [3]string
		}{
			"memory":         {clientIn(t, revision, s, "harbor", o), [3]string{"Server forge asks: which?", "three", `"roots":[]`}},
			"http":           {overHTTPIn(t, revision, s, o)("harbor"), [3]string{"Server forge asks: which?", "three", `"roots":[]`}},
			"offers nothing": {clientIn(t, revision, s, "harbor", &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}), [3]string{"not offered", "not offered", "not offered"}},
		} {
			for berth, want := range c.want {
				arguments, _ := json.Marshal(map[string]any{"name": "mcp_harbor_book", "arguments": map[string]int{"berth": berth}})
				if got, isError := says(t, c.client, "tool_call", string(arguments)); isError || !strings.Contains(got, want) {
					t.Errorf("%s, %d: %s, want %s", name, berth, got, want)
				}
			}
		}
	})
}
