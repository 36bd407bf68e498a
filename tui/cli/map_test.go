package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"caliper/engine/lint"
	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// Only the map of a large catalog has bounds, and only one with more equal tools than are
// compared says so, as a value and as a note, which the text has too.
func TestMapSaysItIsCrowded(t *testing.T) {
	for _, c := range []struct {
		name string
		m    lint.ConfusionMap
		want string // its note has; empty: there is none
	}{
		{"none", lint.ConfusionMap{Bounds: lint.ConfusionBounds{Depth: 100}}, ""},
		{"small", lint.ConfusionMap{Bounds: lint.ConfusionBounds{Depth: 100}, Crowded: 1}, "A query of 1 tool finds more than 100 others that come near, 0.8 or more: the first 100 hits are compared, equal ones in the order of names"},
		{"large", lint.ConfusionMap{Bounds: lint.ConfusionBounds{Depth: 50, Words: 12, Tied: 10}, Crowded: 2000}, "the first 50 hits are compared, equal ones in the order of names, and of equal ones that go on after these 10"},
	} {
		data, err := json.Marshal(mapJSON(&c.m))
		require.NoError(t, err)
		text, _ := report.Confusion(&c.m).Markdown()
		for form, out := range map[string]string{"JSON": string(data), "text": text} {
			if says := strings.Contains(out, "come near"); says != (c.want != "") || !strings.Contains(out, c.want) {
				t.Errorf("%s, %s: %s", c.name, form, out)
			}
		}
		if want := fmt.Sprintf(`"crowded":{"tools":%d,"hits":%d,`, c.m.Crowded, c.m.Bounds.Depth); strings.Contains(string(data), want) != (c.want != "") {
			t.Errorf("%s: %s", c.name, data)
		}
		if large := c.m.Bounds.Words > 0; strings.Contains(string(data), "bounds") != large || strings.Contains(string(data), `"bounds":{"hits":50,"sentence_words":12}`) != large {
			t.Errorf("%s: %s", c.name, data)
		}
	}
}

// --code is offered in the words of the screen, and takes them and the codes of JSON.
func TestLintCodeWords(t *testing.T) {
	t.Parallel()
	code := func(text string) error {
		row, set := (&run{}).lintRow(), pflag.NewFlagSet("", pflag.ContinueOnError)
		row.Flags(runner.FlagSet{Set: set, Cmd: new(cobra.Command)})
		return set.Set("code", text)
	}
	for _, text := range []string{"unfindable_tool", "unfindable tool", "dark_tool"} {
		if err := code(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	offered, _ := completeCodes(nil, nil, "")
	err := code("nothing")
	if all := strings.Join(offered, "\n") + err.Error(); strings.Contains(all, "dark_tool") || !strings.Contains(all, "unfindable_tool") {
		t.Error(all)
	}
}
