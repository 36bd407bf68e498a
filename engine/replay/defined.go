package replay

import (
	"bytes"
	"strings"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// Defined are the tools that logs define, which can stand for the registry of the sessions.
type Defined struct {
	// Registry is a JSON array of definitions as the logs have them, each name once as it was
	// sent last, in the order in which the logs name them; nil where they define no tool.
	Registry []byte
	// Names is of how many tools the logs have the name alone: they were deferred, and no
	// search found them.
	Names int
}

// DefinedBy returns the tools that the logs of sessions define. Claude Code's own
// tools, which it sends in full, are left out, since no registry has them, and so are bridge tools.
func DefinedBy(sessions []transcript.Session) (d Defined) {
	at := map[string]int{}
	var names []string
	var definitions [][]byte
	add := func(name string, definition []byte) {
		if name == "" || engine.IsBridge(name) {
			return
		}
		i, known := at[name]
		if !known {
			i = len(names)
			at[name] = i
			names, definitions = append(names, name), append(definitions, nil)
		}
		if definition != nil {
			definitions[i] = definition
		}
	}
	for _, s := range sessions {
		for _, l := range s.Listed {
			add(l.Name, l.Definition)
		}
		for _, a := range s.Arrays {
			for _, definition := range a.Definitions {
				name, defines := "", false // a tool that its provider runs has a name at most
				jsontree.Value{Raw: definition}.Visit(func(member []byte, v jsontree.Value) {
					switch string(member) {
					case "name":
						name = v.Text()
					case "function", "custom":
						name, defines = v.Member("name").Text(), true
					case "mcp_server_name": // of its tools
						name = v.Text()
					case "input_schema", "inputSchema", "parameters", "tools":
						defines = true
					case "type":
						defines = defines || v.Shared() == "function" || v.Shared() == "custom"
					}
				})
				if _, listed := at[name]; defines && (listed || s.Agent != transcript.Claude || strings.HasPrefix(name, "mcp__")) {
					add(name, definition)
				}
			}
		}
	}
	for i, definition := range definitions {
		if definition == nil {
			d.Names++
			definitions[i] = append(quote([]byte(`{"name":`), names[i]), `,"input_schema":{"type":"object"},"defer_loading":true}`...)
		}
	}
	if d.Names == len(names) {
		return Defined{}
	}
	d.Registry = append(append([]byte{'['}, bytes.Join(definitions, []byte(",\n"))...), ']')
	return d
}
