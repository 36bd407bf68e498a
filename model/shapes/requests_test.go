package shapes

import (
	"slices"
	"strings"
	"testing"

	"caliper/model"
)

// A log of requests has a tool that each of them sends once, and every definition of a
// name that changed. Tools of one request are left as they are.
func TestRequestsOfALog(t *testing.T) {
	t.Parallel()
	tool := func(name, description string) string {
		return `{"type":"function","function":{"name":"` + name + `","description":"` + description + `","parameters":{"type":"object"}}}`
	}
	request := func(tools ...string) string {
		return `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[` + strings.Join(tools, ",") + "]}\n"
	}
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"again", request(tool("a", "x"), tool("b", "y")) + request(tool("a", "x"), tool("b", "y"), tool("c", "z")), []string{"a", "b", "c"}},
		{"changed", request(tool("a", "x")) + request(tool("a", "y")) + request(tool("a", "x")), []string{"a", "a"}},
		{"one request", request(tool("a", "x"), tool("a", "x")), []string{"a", "a"}},
		{"no requests", strings.Repeat(`{"tools":[`+tool("a", "x")+"]}\n", 2), []string{"a", "a"}},
	} {
		source := model.Source{Name: "log.jsonl", Data: []byte(c.in)}
		r, err := Parse(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		names := func(r *model.Registry) (names []string) {
			for _, t := range r.Tools {
				names = append(names, t.Name)
			}
			return names
		}
		if got := names(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		source.Data = append(source.Data, request(tool("a", "x"), tool("d", ""))...)
		again, err := Reparse(t.Context(), r, source)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := Parse(t.Context(), source)
		if err != nil || !slices.Equal(names(again), names(fresh)) {
			t.Errorf("%s: read again, %q, %v", c.name, names(again), err)
		}
	}
}
