package scope

import (
	"fmt"
	"strings"
	"testing"

	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// Of very many tools the first are listed, and the filter finds the others.
func TestManyToolsAreListedInPart(t *testing.T) {
	t.Parallel()
	var tools []string
	for i := range 2*mostListed + 1 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"mcp-a","function":{"name":"mcp_a_t%04d","description":"It does."}}`, i))
	}
	d := &driver{t: t, bench: workbench.New(), w: 118, h: 29}
	d.input = workbench.Input{Registry: []watch.File{{Name: "registry.json", Data: []byte(`{"tools":[` + strings.Join(tools, ",") + `]}`)}}}
	d.s = New(desk.Desk{Host: d, Bench: d.bench, Header: &d.header}, ui.Glyphs{})
	d.load("sessions: {default: {}, none: {enabled_toolsets: [mcp-b]}}\n").audit().in(viewCompare).move(1).wants("2,001 only in default", "mcp_a_t0000")
	if n := d.s.pane.Len(); n < mostListed || n > mostListed+9 {
		t.Errorf("%d lines", n)
	}
	d.next().typed("t2000").left().wants("mcp_a_t2000", "2,000 more: / finds").lacks("mcp_a_t0000")
}
