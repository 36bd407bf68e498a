package live

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestParamHeaders: a call repeats in headers the arguments for which the tool's schema
// says so, as a header can hold them.
func TestParamHeaders(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"in":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}},` +
		`"c":{"type":"boolean","x-mcp-header":"C"},"d":{"type":"string","x-mcp-header":"D: e\r\nAuthorization"},"e":{"x-mcp-header":7},"f":{"x-mcp-header":""},"g":{"type":"string"},"h":{"x-mcp-header":"Ü"}}}`
	of := paramHeadersOf([]json.RawMessage{json.RawMessage(`{"name":"moor","inputSchema":` + schema + `}`), json.RawMessage(`{"name":"wait","inputSchema":{"type":"object"}}`), json.RawMessage(`7`), json.RawMessage(`{`)})
	if len(of) != 1 || len(of["moor"]) != 3 {
		t.Fatalf("the headers are %v", of)
	}
	for arguments, want := range map[string]string{
		`{"a":"us west"}`:                          "A=us west",
		`{"a":"é","in":{"b":42},"c":true}`:         "A==?base64?w6k=?= B=42 C=true",
		`{"a":" x","in":{"b":-7.0},"c":false}`:     "A==?base64?IHg=?= B=-7 C=false",
		`{"a":"x\r\nAuthorization: y"}`:            "A==?base64?eA0KQXV0aG9yaXphdGlvbjogeQ==?=",
		`{"a":"=?base64?eA==?="}`:                  "A==?base64?PT9iYXNlNjQ/ZUE9PT89?=",
		`{"in":{"b":1.5},"c":null}`:                "",
		`{"in":{"b":9007199254740991}}`:            "B=9007199254740991",
		`{"in":{"b":9007199254740992},"a":["x"]}`:  "",
		`{"in":7,"d":"x","e":"x","f":"x","g":"x"}`: "",
		`{}`: "",
	} {
		h := http.Header{}
		setParamHeaders(h, of["moor"], []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"moor","arguments":`+arguments+`}}`))
		var got []string
		for name, values := range h {
			got = append(got, strings.TrimPrefix(name, "Mcp-Param-")+"="+strings.Join(values, ","))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

// TestParamHeadersAreSent: a server of the SDK, which refuses a call of MCP 2026-07-28 without
// the headers of its arguments, answers.
func TestParamHeadersAreSent(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "harbor", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{statelessProtocol}})
	server.AddTool(&mcp.Tool{Name: "moor", InputSchema: json.RawMessage(`{"type":"object","properties":{"boat":{"type":"string","x-mcp-header":"Boat"},"berth":{"type":"integer","x-mcp-header":"Berth"}}}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "moored " + string(r.Params.Arguments)}}}, nil
		})
	// It answers initialize, by an earlier revision, and refuses what follows of that.
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close)
	states := make(chan State, 16)
	u := Keep(t.Context(), remote(t, HTTPTransport, web.URL), Options{}, func(s State) { states <- s })
	defer u.Close()
	up(t, states)
	if result, err := u.Call(t.Context(), "moor", json.RawMessage(`{"boat":"Añ","berth":7}`), nil); err != nil || !strings.Contains(string(result), "moored") {
		t.Errorf("the call returns %s, %v", result, err)
	}
}
