package model

import (
	"fmt"
	"strings"
	"testing"
)

// TestLargeListOfMCPTools is for the race detector: the functions of MCP tools
// are known only after all were read, which finishers must wait for.
func TestLargeListOfMCPTools(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	const n = 5000
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","description":"Does thing %d.","inputSchema":{"type":"object"}}`, i, i)
	}
	b.WriteString(`]}`)
	r, err := Parse(t.Context(), Source{Name: "boats.json", Data: []byte(b.String())})
	if err != nil || len(r.Tools) != n {
		t.Fatalf("%d tools, %v", len(r.Tools), err)
	}
	seen := map[Hash]bool{}
	for _, tool := range r.Tools {
		if tool.Function == nil || tool.Hash == (Hash{}) || tool.ShownDescription == "" || seen[tool.Hash] {
			t.Fatalf("%s is not finished: %+v", tool.Name, tool)
		}
		seen[tool.Hash] = true
	}
}
