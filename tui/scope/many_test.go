package scope

import (
	"fmt"
	"strings"
	"testing"

	"caliper/tui/internal/stage"
)

// Of very many tools the first are listed, and the filter finds the others.
func TestManyToolsAreListedInPart(t *testing.T) {
	t.Parallel()
	var tools []string
	for i := range 2*mostListed + 1 {
		tools = append(tools, fmt.Sprintf(`{"type":"function","toolset":"mcp-a","function":{"name":"mcp_a_t%04d","description":"It does."}}`, i))
	}
	in := stage.Demo([]byte("sessions: {default: {}, none: {enabled_toolsets: [mcp-b]}}\n"))
	in.Registry[0].Data = []byte(`{"tools":[` + strings.Join(tools, ",") + `]}`)
	d := stage.Open(t, 118, 29, in, New).Reload().Settle()
	d.View("two sessions").Press("down").Wants("2,001 only in default", "mcp_a_t0000")
	if n := d.S.pane.Len(); n < mostListed || n > mostListed+9 {
		t.Errorf("%d lines", n)
	}
	d.Press("tab", "/").Type("t2000").Press("enter").Wants("mcp_a_t2000", "2,000 more: / finds").Lacks("mcp_a_t0000")
}
