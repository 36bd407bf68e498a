package live

import (
	"bytes"
	"encoding/json"
	"slices"

	"caliper/engine/export"
	"caliper/model"
	"caliper/model/jsontree"
)

// Dump returns one registry dump of several listings, and the names that clash among them (see
// Clashes). The same listings give the same bytes.
//
// The dump is the reference agent's form: "toolsets" by name, with the facts of each server, and
// "tools", whose "function" is what a model sees. Descriptions and schemas are copied as the server
// wrote them, and what else it says of a tool stands beside, under its own key. Both bearers of a
// clashing name are in the dump, and an entry without a usable name is there as it came.
func Dump(listings []Listing, n model.Naming) ([]byte, []Clash) {
	var b bytes.Buffer
	b.WriteString("{\n \"generator\": \"caliper import\",\n \"naming\": ")
	b.Write(jsontree.Encode(n.Pattern()))
	b.WriteString(",\n \"toolsets\": {")
	// One listing per server, with the tools of all of its: keys of an object must differ.
	var out []Listing
	for _, l := range listings {
		i := slices.IndexFunc(out, func(o Listing) bool { return o.Server == l.Server })
		if i < 0 {
			out = append(out, l)
			continue
		}
		out[i].Tools = slices.Concat(out[i].Tools, l.Tools)
	}
	for i, l := range out {
		separate(&b, i)
		b.Write(jsontree.Encode(Toolset(l.Server)))
		b.WriteString(`:{"source":"mcp"`)
		for _, m := range [][2]string{
			{"server", l.Server}, {"title", l.Title}, {"server_name", l.Name}, {"server_version", l.Version},
			{"protocol_version", l.ProtocolVersion}, {"instructions", l.Instructions},
		} {
			if m[1] != "" {
				writeMember(&b, m[0], jsontree.Encode(m[1]))
			}
		}
		if len(l.Capabilities) > 0 {
			writeMember(&b, "client_capabilities", jsontree.Encode(l.Capabilities))
		}
		names := l.Names()
		for i, name := range names {
			names[i] = n.ToolName(l.Server, name)
		}
		writeMember(&b, "tools", jsontree.Encode(append([]string{}, names...)))
		b.WriteByte('}')
	}
	b.WriteString("\n },\n \"tools\": [")
	count := 0
	for _, l := range listings {
		for _, raw := range l.Tools {
			separate(&b, count)
			count++
			if t, ok := readTool(raw); ok {
				writeTool(&b, l.Server, t, n, l.Always)
			} else {
				writeCompact(&b, raw)
			}
		}
	}
	b.WriteString("\n ]\n}\n")
	return b.Bytes(), Clashes(listings, n, nil)
}

// separate begins a new line for the i-th element of a list.
func separate(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
	b.WriteString("\n  ")
}

// Toolset returns the name of a server's toolset.
func Toolset(server string) string { return "mcp-" + server }

// listed is a tool as a server lists it.
type listed struct {
	name                string
	description, schema json.RawMessage // nil for none
	rest                []export.Member // in the order of the server
}

// readTool reads an element of a tools/list result; false for one without a usable name.
func readTool(raw json.RawMessage) (listed, bool) {
	var t listed
	if !json.Valid(raw) {
		return t, false
	}
	named := true
	isObject := jsontree.Members(raw, func(name string, value []byte) {
		switch name {
		case "name":
			named = named && json.Unmarshal(value, &t.name) == nil
		case "description":
			t.description = value
		case "inputSchema":
			t.schema = value
		default:
			t.rest = slices.DeleteFunc(t.rest, func(m export.Member) bool { return m.Name == name })
			t.rest = append(t.rest, export.Member{Name: name, Value: value})
		}
	})
	return t, isObject && named && t.name != ""
}

// ours are the keys of a dump's entry, which a server's cannot take.
var ours = []string{"type", "function", "toolset", "source", "server", "original_name", "available", "defer_loading", "always_load"}

// writeTool writes the entry of a tool.
func writeTool(b *bytes.Buffer, server string, t listed, n model.Naming, always bool) {
	b.WriteString(`{"type":"function","function":{"name":`)
	b.Write(jsontree.Encode(n.ToolName(server, t.name)))
	description := t.description
	if len(description) == 0 || description[0] != '"' {
		description = json.RawMessage(`""`)
	}
	writeMember(b, "description", description)
	if t.schema != nil {
		writeMember(b, "parameters", t.schema)
	}
	b.WriteByte('}')
	writeMember(b, "toolset", jsontree.Encode(Toolset(server)))
	writeMember(b, "source", jsontree.Encode("mcp"))
	writeMember(b, "server", jsontree.Encode(server))
	writeMember(b, "original_name", jsontree.Encode(t.name))
	if always {
		writeMember(b, "always_load", json.RawMessage("true"))
	}
	for _, m := range t.rest {
		if !slices.Contains(ours, m.Name) {
			writeMember(b, m.Name, m.Value)
		}
	}
	b.WriteByte('}')
}

// writeMember writes a member that is not the first of its object.
func writeMember(b *bytes.Buffer, key string, value json.RawMessage) {
	b.WriteByte(',')
	b.Write(jsontree.Encode(key))
	b.WriteByte(':')
	writeCompact(b, value)
}

// writeCompact writes a value in one line. Strings, numbers and the order of keys stay.
func writeCompact(b *bytes.Buffer, value json.RawMessage) {
	before := b.Len()
	if json.Compact(b, value) != nil { // only for a listing that no server sent
		b.Truncate(before)
		b.WriteString("null")
	}
}
