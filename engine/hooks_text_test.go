package engine

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/model/require"
)

// A hook's texts are cut in its row.
func TestHookTextsAreCut(t *testing.T) {
	for _, test := range []struct{ length, shown int }{{119, 119}, {120, 120}, {121, 120}, {400, 120}} {
		in := gateInputs(t, "wide")
		in.Config.Hooks = []config.Hook{{Event: "pre_tool_call", Command: strings.Repeat("x", test.length)}}
		s, err := Build(t.Context(), in)
		require.NoError(t, err)
		detail := details(s.Call("mcp_harbor_book", berth))["hook pre_tool_call"]
		if got := strings.Count(detail[strings.Index(detail, ":")+1:], "x"); got != test.shown {
			t.Errorf("a command of %d is shown with %d: %q", test.length, got, detail)
		}
	}
}
