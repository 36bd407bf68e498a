package export

import (
	"fmt"
	"strings"
	"testing"

	"caliper/model/require"
)

// Of two equal names the last value stays in the place of the first, however many
// members there are.
func TestReadMembersRepeated(t *testing.T) {
	for _, n := range []int{1, 80} {
		var text strings.Builder
		text.WriteByte('{')
		for i := range n {
			fmt.Fprintf(&text, `"m%d":%d,`, i, i)
		}
		for i := range n {
			fmt.Fprintf(&text, `"m%d":%d,`, i, 1000+i)
		}
		members, ok := readMembers([]byte(strings.TrimSuffix(text.String(), ",") + "}"))
		if !ok || len(members) != n {
			t.Fatalf("%d members, %v; want %d", len(members), ok, n)
		}
		for i, m := range members {
			if name, value := fmt.Sprintf("m%d", i), fmt.Sprint(1000+i); m.Name != name || string(m.Value) != value {
				t.Errorf("of %d, number %d is %s: %s; want %s: %s", n, i, m.Name, m.Value, name, value)
			}
		}
	}
}

// A type that is written with an escape is still an array without items.
func TestBareArrayBehindEscape(t *testing.T) {
	for _, name := range []string{`array`, `arr\u0061y`, `\u0061rray`} {
		r := parse(t, `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"list":{"type":"`+name+`"}}}}]}`)
		_, lost, err := Write(AsMCP, r, Options{})
		require.NoError(t, err)
		found := false
		for _, l := range lost {
			found = found || strings.Contains(l.What, "an array without items at /properties/list")
		}
		if !found {
			t.Errorf("%s: %+v", name, lost)
		}
	}
}
