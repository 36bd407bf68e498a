package serving

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"caliper/engine/rescue/fetch"
	"caliper/model/jsontree"
	"caliper/tui/workbench"
)

// keeper keeps results in the store of rescued results. A connection is a session of
// the store, so that none reads what another was given.
type keeper struct{ rescuer *workbench.Rescuer }

// Keep implements serve.Results.
func (k keeper) Keep(ctx context.Context, connection, tool, text string) (handle, id string, kept bool, err error) {
	if len(text) <= k.rescuer.Limits.MaxResultChars { // bytes are no fewer than characters
		return "", "", false, nil
	}
	r, err := k.rescuer.Put(ctx, connection, tool, "the result of "+tool, strings.NewReader(text))
	if err != nil || !r.Rescue {
		return "", "", false, err
	}
	return r.Preview.Text, r.Meta.ID, true, nil
}

// Fetch implements serve.Results.
func (k keeper) Fetch(ctx context.Context, connection string, arguments json.RawMessage) (answer string, ok bool) {
	fault := func(err error, code string) string {
		return fmt.Sprintf(`{"error":%s,"code":%s}`, jsontree.Encode(err.Error()), jsontree.Encode(code))
	}
	id := ""
	var q fetch.Request
	err := json.Unmarshal(arguments, &q)
	jsontree.Members(arguments, func(name string, value []byte) {
		if name == "id" {
			_ = json.Unmarshal(value, &id) // anything but a text is no id
		}
	})
	if err != nil {
		return fault(err, "bad_arguments"), false
	}
	a, _, err := k.rescuer.Fetch(ctx, connection, id, q)
	if err != nil {
		return fault(err, cmp.Or(workbench.RescueCode(err), "unreadable")), false
	}
	return a.Text, true
}

// fetchTool is the tool that reads what was kept, in the form of an assembly.
const fetchTool = `{"type":"function","function":{"name":"rescuer_fetch","description":"Read a part of a result that was too long to show whole. Its handle has the id.",` +
	`"parameters":{"type":"object","properties":{"id":{"type":"string","description":"Id as the handle gives it"},` +
	`"mode":{"type":"string","enum":["stat","range","grep","full","outline","search","pointer"],"description":"How to read: range for lines, grep for lines that match, outline and pointer for JSON, search for words"},` +
	`"start":{"type":"integer","description":"Line or character to begin with"},"count":{"type":"integer","description":"How many"},"unit":{"type":"string","enum":["lines","chars"]},` +
	`"pattern":{"type":"string","description":"RE2 expression, for grep"},"query":{"type":"string","description":"Words, for search"},"pointer":{"type":"string","description":"JSON pointer"}},"required":["id"]}}}`

// Tool implements serve.Results.
func (k keeper) Tool() (name string, definition json.RawMessage) {
	return "rescuer_fetch", json.RawMessage(fetchTool)
}
