package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"caliper/model/require"
)

// JSON printed in pieces equals what encoding/json indents in one.
func TestPrintJSONInPieces(t *testing.T) {
	t.Parallel()
	numbers := func(n int) Elements {
		return Each(make([]int, n), func(int) Object { return Object{{"a", []int{1, 2}}, {"b", Object{}}} })
	}
	for name, value := range map[string]any{
		"a number":       1,
		"no members":     Object{},
		"no elements":    Object{{"list", numbers(0)}},
		"elements":       Object{{"before", true}, {"list", numbers(3)}, {"after", "<x>"}},
		"nested":         Object{{"inner", Object{{"list", numbers(2)}}}, {"other", []Object{{{"c", nil}}}}},
		"bare elements":  numbers(2),
		"a list of none": []Object{},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			r := &Run{Out: bufio.NewWriter(&out)}
			require.NoError(t, r.PrintJSON(value))
			_ = r.Out.Flush()
			text, err := encoded(value)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Indent(&want, text, "", "  "))
			if out.String() != want.String()+"\n" {
				t.Errorf("%s\nwant\n%s", &out, &want)
			}
		})
	}
}
