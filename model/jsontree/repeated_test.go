package jsontree

import (
	"fmt"
	"strings"
	"testing"
)

// TestRepeated: the last member of a name stays, and each one before it is named at the
// one that follows it.
func TestRepeated(t *testing.T) {
	t.Parallel()
	many := func(n int) (all string) {
		for i := range n {
			all += fmt.Sprintf(`"k%d":%d,`, i, i)
		}
		return all
	}
	for _, c := range []struct{ text, want, faults string }{
		{`{"a":1,"b":2}`, `{"a":1,"b":2}`, ``},
		{`{"a":1,"a":2}`, `{"a":2}`, `7 a`},
		{`{"a":1, "b":2, "\u0061":3}`, `{"b":2, "\u0061":3}`, `15 a`},
		{`{"a":1,"a":2,"a":3}`, `{"a":3}`, `7 a; 13 a`},
		{`{"b":0,"a":{"c":1,"c":2},"a":[{},{"d":1,"d":{}}]}`, `{"b":0,"a":[{},{"d":{}}]}`, `18 a.c; 25 a; 40 a[1].d`},
		{`[[0,{"x":[],"y":{},"x":1}]]`, `[[0,{"y":{},"x":1}]]`, `19 [0][1].x`},
		{`{"a":1,"b":1,"a":2,"b":2}`, `{"a":2,"b":2}`, `13 a; 19 b`},
		{`{` + many(16) + `"k0":1}`, `{` + many(16)[len(`"k0":0,`):] + `"k0":1}`, `125 k0`},
		{`{` + many(17) + `"k16":1}`, `{` + many(16) + `"k16":1}`, `134 k16`},
		{`{` + many(40) + `"k0":1,"k39":2,"k40":3,"k40":4}`, `{` + strings.TrimSuffix(many(39)[len(`"k0":0,`):], ",") + `,"k0":1,"k39":2,"k40":4}`, `341 k0; 348 k39; 364 k40`},
		{`{"a":1,"a":`, `{"a":`, `7 a`},
		{`{"a":1 "a":2}`, `{"a":1 "a":2}`, ``},
		{`{"a":1}{"a":2}`, `{"a":1}{"a":2}`, ``},
		{`{"a":1,"a":2} {"b":1,"b":2}`, `{"a":2} {"b":2}`, `7 a; 21 b`},
	} {
		text, list := NewText([]byte(c.text)).Repair()
		var faults []string
		for _, f := range list {
			faults = append(faults, fmt.Sprint(f.At, " ", f.Path))
			if f.Code != "duplicate_key" {
				t.Errorf("%s: %+v", c.text, f)
			}
		}
		if got := strings.Join(faults, "; "); string(text.Data) != c.want || got != c.faults {
			t.Errorf("%s becomes\n%s, faults %s; want\n%s, %s", c.text, text.Data, got, c.want, c.faults)
		}
		if rest := strings.LastIndex(c.text, `"`); len(list) > 0 && strings.HasSuffix(c.text, "}") && text.Origin(strings.LastIndex(string(text.Data), `"`)) != rest {
			t.Errorf("%s: the last quote comes from %d, want %d", c.text, text.Origin(strings.LastIndex(string(text.Data), `"`)), rest)
		}
	}
	text := `{` + strings.Repeat(`"a":1,`, MaxFaults+3) + `"b":2}`
	_, list := NewText([]byte(text)).Repair()
	if last := list[len(list)-1]; len(list) != MaxFaults+1 || last.Message != MorePlaces(2) || last.At != len(text) {
		t.Errorf("%d faults, the last is %+v", len(list), last)
	}
	deep := strings.Repeat(`{"a":`, 105) + `{"b":1,"b":2}` + strings.Repeat(`}`, 105)
	if _, list := NewText([]byte(deep)).Repair(); len(list) != 1 || list[0].Path != strings.Repeat(".a", 100)[1:]+"..." {
		t.Errorf("a deep one: %+v", list)
	}
}
