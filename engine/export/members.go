package export

import (
	"bytes"
	"encoding/json"
	"slices"

	"caliper/model"
)

// member is a member of an object, its value unread.
type member struct {
	name  string
	value json.RawMessage
}

// readMembers returns the members of the object that text begins with, in
// their order; of those with one name the last value stays in the place of the
// first. It returns false if text does not begin with an object.
func readMembers(text []byte) ([]member, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var list []member
	at := map[string]int{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		var m member
		m.name, _ = key.(string)
		if d.Decode(&m.value) != nil {
			return nil, false
		}
		if i, ok := at[m.name]; ok {
			list[i] = m
			continue
		}
		at[m.name] = len(list)
		list = append(list, m)
	}
	_, err := d.Token()
	return list, err == nil
}

// understood are the members of an entry, of whatever form, that model.Tool
// holds.
var understood = []string{
	"type", "function", "name", "description", "parameters", "inputSchema", "input_schema", "parametersJsonSchema",
	"parameters_json_schema", "toolset", "source", "server", "original_name", "available", "defer_loading", "tools",
}

// wraps are the members of an entry that hold the definition: of Bedrock's
// tools, and of those that an agent makes for every server.
var wraps = []string{"toolSpec", "schema"}

// besides returns what the source says of a tool besides what model.Tool
// holds, such as an MCP tool's annotations. It returns false if the entry
// cannot be read again, as one that an event stream has on several lines.
func (w *writer) besides(t *model.Tool) (list []member, ok bool) {
	r := w.registry
	if t.Index >= len(r.Tools) || r.Tools[t.Index] != t {
		return nil, true // of another registry
	}
	text := r.Sources[t.At.Source].Data[t.At.Byte:]
	if t.Index+1 < len(r.Tools) {
		if next := r.Tools[t.Index+1].At; next.Source == t.At.Source && next.Byte > t.At.Byte {
			text = text[:next.Byte-t.At.Byte]
		}
	}
	if len(text) == 0 || text[0] != '{' {
		return nil, true // a name without a definition
	}
	all, ok := readMembers(model.Strict(text))
	if !ok {
		return nil, false
	}
	for _, m := range all {
		if inner, ok := readMembers(m.value); ok && slices.Contains(wraps, m.name) {
			list = append(list, inner...)
		} else {
			list = append(list, m)
		}
	}
	list = slices.DeleteFunc(list, func(m member) bool { return slices.Contains(understood, m.name) })
	for i := range list {
		list[i].value = readNode(list[i].value).write(nil) // without repeated names
	}
	return list, true
}

// strict returns what a tool says of strictness, in its function or beside it:
// true, false, or nil for nothing of the two.
func (d *definition) strict() json.RawMessage {
	for _, m := range slices.Concat(d.members, d.beside) {
		if text := string(m.value); m.name == "strict" && (text == "true" || text == "false") {
			return m.value
		}
	}
	return nil
}
