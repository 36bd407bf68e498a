package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Bulk returns a registry dump of n tools, the same bytes for the same n.
func Bulk(n int) []byte {
	var all struct {
		Tools []struct {
			Toolset  string                     `json:"toolset"`
			Function map[string]json.RawMessage `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(Registry(), &all); err != nil {
		panic(err) // the demo is part of the program
	}
	var out bytes.Buffer
	out.WriteString(`{"tools":[`)
	for i := range n {
		tool := all.Tools[i%len(all.Tools)]
		round := i / len(all.Tools)
		var name string
		_ = json.Unmarshal(tool.Function["name"], &name)
		tool.Function["name"], _ = json.Marshal(fmt.Sprintf("%s_%d", name, round))
		function, _ := json.Marshal(tool.Function)
		tool.Function["name"], _ = json.Marshal(name)
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"toolset":%q,"type":"function","function":%s}`, fmt.Sprintf("%s-%d", tool.Toolset, round), function)
	}
	out.WriteString("]}")
	return out.Bytes()
}
