package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK decodes the schemas of a tools/list answer to Go values, which loses
// the order of keys and large numbers. So the list is asked for as a method of
// our own, whose result keeps each tool as it stands, and the name is put right
// where messages leave the process.
const (
	listMethod = "tools/list"
	ownMethod  = "caliper/tools.list"
)

// listParams are the parameters of tools/list (MCP 2025-11-25, server/tools).
type listParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

// listResult is the result of tools/list with its tools unread.
type listResult struct {
	mcp.ResultBase
	Tools      []json.RawMessage `json:"tools"`
	NextCursor string            `json:"nextCursor,omitempty"`
}

// errUnsent is returned for a message that must not leave.
var errUnsent = errors.New("not sent")

// outgoing returns the message that may be sent for data, and nil for one that
// is dropped as if it had been sent.
//
// SECURITY: a server is asked for nothing but initialize and tools/list. The
// only notification is that of the end of initialization. Requests of a server
// are answered by the SDK: a ping as it must be, the rest with an error or with
// an empty list, as no capability is declared and nothing is registered.
func outgoing(data []byte) ([]byte, error) {
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
	case *m.Method == "initialize", *m.Method == "notifications/initialized":
		return data, nil
	case *m.Method == ownMethod:
		return bytes.Replace(data, []byte(`"method":"`+ownMethod+`"`), []byte(`"method":"`+listMethod+`"`), 1), nil
	case len(m.ID) == 0:
		return nil, nil
	}
	return nil, fmt.Errorf("%w: %s", errUnsent, *m.Method)
}
