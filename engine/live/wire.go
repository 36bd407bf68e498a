package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model/words"
)

// The SDK decodes the schemas of a tools/list answer to Go values, which loses
// the order of keys and large numbers. So the list is asked for as a method of
// our own, whose result keeps each tool as it stands, and the name is put right
// where messages leave the process.
//
// A call is sent in the same way: what the server returns is handed on as it stands.
const (
	listMethod    = "tools/list"
	ownMethod     = "caliper/tools.list"
	callMethod    = "tools/call"
	ownCallMethod = "caliper/tools.call"
)

// listParams are the parameters of tools/list (MCP 2025-11-25, server/tools).
type listParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

// rawResult is the result of a request, unread.
type rawResult struct {
	mcp.ResultBase
	raw json.RawMessage
}

// UnmarshalJSON keeps data, with U+FFFD for bytes that are not UTF-8: a dump with one is
// no JSON, and a client that is sent one may end the connection to all servers.
func (r *rawResult) UnmarshalJSON(data []byte) error {
	r.raw = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	return nil
}

// read returns the tools of a page of tools/list, each as it stands, and the next one's cursor. No
// tools and null are none. The error, ErrNotAnswer, says what the server sent.
func (r *rawResult) read() (tools []json.RawMessage, cursor string, err error) {
	var members map[string]json.RawMessage
	if k := kindOf(r.raw); k != jsonObject || json.Unmarshal(r.raw, &members) != nil {
		return nil, "", fmt.Errorf("the result is %w: it is %s, want an object with an array of tools", ErrNotAnswer, k)
	}
	switch k := kindOf(members["tools"]); k {
	case "nothing", "null":
	case jsonArray:
		err = json.Unmarshal(members["tools"], &tools)
	default:
		return nil, "", fmt.Errorf("the result is %w: its tools are %s, want an array", ErrNotAnswer, k)
	}
	switch k := kindOf(members["nextCursor"]); k {
	case "nothing", "null":
	case "a string":
		if len(members["nextCursor"]) > longestCursor+len(`""`) {
			return nil, "", errLongCursor
		}
		err = errors.Join(err, json.Unmarshal(members["nextCursor"], &cursor))
	default:
		return nil, "", fmt.Errorf("the result is %w: its nextCursor is %s, want a string", ErrNotAnswer, k)
	}
	return tools, cursor, err
}

// Two of the kinds of kindOf.
const jsonObject, jsonArray = "an object", "an array"

// kindOf returns the kind of a JSON value with its article, for messages.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return jsonObject
	case '[':
		return jsonArray
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// handshakeField is the member that an error of the SDK's decoder names.
var handshakeField = words.LazyRegexp(`Go struct field \S*?(\w+) of type`)

// errUnsent is returned for a message that must not leave.
var errUnsent = errors.New("not sent")

// outgoing returns the message that may be sent for data, and nil for one that is dropped as if it
// had been sent.
//
// SECURITY: a server is asked for nothing but initialize and tools/list, and for tools/call where
// calls are let through; one without sessions (MCP 2026-07-28) also for server/discover in place of
// initialize, and to say when its list changes (subscriptions/listen). The only notifications are
// the end of initialization and, with calls, that a call is cancelled. The SDK answers a server's
// requests: a ping as it must be, the rest with an error or an empty list.
func outgoing(data []byte, calls bool) ([]byte, error) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, errUnsent
	}
	switch {
	case m.Method == nil: // an answer
		return data, nil
	case *m.Method == "initialize", *m.Method == "notifications/initialized", *m.Method == "server/discover", *m.Method == "subscriptions/listen":
		return data, nil
	case *m.Method == ownMethod:
		return rename(data, ownMethod, listMethod), nil
	case calls && *m.Method == ownCallMethod:
		return rename(data, ownCallMethod, callMethod), nil
	case calls && *m.Method == "notifications/cancelled":
		return data, nil
	case len(m.ID) == 0:
		return nil, nil
	}
	return nil, fmt.Errorf("%w: %s", errUnsent, *m.Method)
}

// The headers that repeat the method and the tool of a message (MCP 2026-07-28, transports).
const (
	methodHeader = "Mcp-Method"
	nameHeader   = "Mcp-Name"
)

// rename returns a message with another method.
func rename(data []byte, from, to string) []byte {
	return bytes.Replace(data, []byte(`"method":"`+from+`"`), []byte(`"method":"`+to+`"`), 1)
}
