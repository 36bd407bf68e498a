package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// A message may hold anything: nothing of it acts on the terminal, and what is
// no UTF-8 is taken as text.
func TestSelectTakesAnyMessage(t *testing.T) {
	t.Parallel()
	hostileText := "shut \x1b[2Jthe\u202e \x9b\xff door\u2028"
	turns := write(t, "turns.txt", "\uFEFF"+hostileText+"\r\nmake light\n")
	data := []string{"--registry", write(t, "r.json", hallTools), "--strategy", "hybrid", "--k", "1"}
	for _, args := range [][]string{
		{"select", hostileText}, {"select", hostileText, "--json"}, {"select", hostileText, "--bytes"},
		{"select", "--turns", turns}, {"select", "--turns", turns, "--json"},
	} {
		code, out, complaints := command(t, append(args, data...)...)
		if code != 0 || complaints != "" || out == "" || strings.ContainsFunc(out, hostile) {
			t.Errorf("%q: exit code %d, %q, %q", args, code, complaints, out)
		}
	}
}

// The bytes are those of the selection that the JSON tells of: its tools in
// their order, then the bridge.
func TestSelectBytes(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"eager", "tool_search", "keyword", "semantic", "hybrid"} {
		args := []string{"select", "refund the charge for booking 7", "--strategy", strategy}
		selected := answer[struct{ Selected []struct{ Name string } }](t, args...)
		_, out, _ := command(t, append(args, "--bytes")...)
		if strings.Count(out, "\n") != 1 {
			t.Errorf("%s: want one line", strategy)
		}
		var definitions []struct{ Function struct{ Name string } }
		if err := json.Unmarshal([]byte(out), &definitions); err != nil {
			t.Errorf("%s: %v", strategy, err)
			continue
		}
		var names []string
		for _, d := range definitions {
			names = append(names, d.Function.Name)
		}
		var want []string
		for _, s := range selected.Selected {
			_, name, qualified := strings.Cut(s.Name, "/")
			if !qualified {
				name = s.Name
			}
			want = append(want, name)
		}
		if strategy != "eager" {
			want = append(want, "tool_search", "tool_describe", "tool_call")
		}
		if len(names) != len(want) || strategy != "eager" && strings.Join(names, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %q, want %q", strategy, names, want)
		}
	}
}
