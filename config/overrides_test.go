package config

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, data, want, problem string }{
		{"empty", "", "", ""},
		{"comments", "# none\n", "", ""},
		{"two", "a: One.\nb/c: |\n  Two\n  lines.\n", "1:1 a=One. 2:1 b/c=Two\nlines.\n ", ""},
		{"quoted", `"a": "x: y"`, "1:1 a=x: y ", ""},
		{"empty text", `a: ""`, "1:1 a= ", ""},
		{"twice", "a: x\nb: y\na: z\n", "3:1 a=z 2:1 b=y ", "f:3:1: given before, in line 1; the last one counts"},
		{"a list", "- a\n", "", "f:1:1: want a mapping of tools to their descriptions"},
		{"a number", "a: x\nb: 12\n", "", `f:2:4: want the description of "b", a text`},
		{"nothing", "a:\n", "", `f:1:3: want the description of "a", a text`},
		{"a mapping", "a: {b: c}\n", "", `f:1:4: want the description of "a", a text`},
		{"no YAML", "a: [\n", "", "f:1:1: did not find expected node content"},
		{"a name that is none", "12: x\n", "", "f:1:1: want the name of a tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, warnings, err := ParseOverrides("f", []byte(tt.data))
			var got strings.Builder
			for _, d := range list {
				got.WriteString(strings.Join([]string{at(d), " ", d.Tool, "=", d.Text, " "}, ""))
			}
			problem := ""
			for _, w := range warnings {
				problem += w.Error()
			}
			if err != nil {
				problem = err.Error()
			}
			if got.String() != tt.want || problem != tt.problem {
				t.Errorf("%q with %q, want %q with %q", got.String(), problem, tt.want, tt.problem)
			}
		})
	}
}

func at(d Override) string { return string(rune('0'+d.Line)) + ":" + string(rune('0'+d.Col)) }

func TestSet(t *testing.T) {
	for _, tt := range []struct{ name, data, tool, text, want string }{
		{"new", "", "a", "One.", "a: One.\n"},
		{"behind others", "b: Two. # why", "a", "One.", "b: Two. # why\na: One.\n"},
		{"replaced", "# top\na: |\n  old\n\n  text\n# of b\nb: x\n", "a", "One: 1", "# top\na: 'One: 1'\n# of b\nb: x\n"},
		{"no text in YAML 1.1", "", "a", "=", "a: \"=\"\n"},
		{"the same", "a: x\n", "a", "x", "a: x\n"},
		{"the last of two", "a: x\na: y\n", "a", "z", "a: x\na: z\n"},
	} {
		got, err := SetOverride("f", []byte(tt.data), tt.tool, tt.text)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	if _, err := SetOverride("f", []byte("{a: x, b: y}\n"), "a", "z"); err == nil || !strings.Contains(err.Error(), "f:1:1: cannot be changed") {
		t.Error("a flow mapping is changed:", err)
	}
	if _, err := SetOverride("f", []byte("a: ["), "a", "z"); err == nil {
		t.Error("a broken file is changed")
	}
}

// A description that is set is read again, and the rest stays.
func TestSetIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z_/]{1,8}`)
		text := rapid.OneOf(rapid.StringMatching(`[ -~\n]{0,40}`), rapid.SampledFrom([]string{"yes", "12", "null", "a: b", "- x", "# no", "=", "<<", "y", "é\ttab", "2026-01-01", "1:30", "0x1f"}))
		var data []byte
		want := map[string]string{}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			n, x := name.Draw(t, "name"), text.Draw(t, "text")
			next, err := SetOverride("f", data, n, x)
			if err != nil {
				t.Fatalf("%q: %q in %q: %v", n, x, data, err)
			}
			want[n] = x
			data = next
		}
		list, warnings, err := ParseOverrides("f", data)
		if err != nil || len(warnings) > 0 || len(list) != len(want) {
			t.Fatalf("%q: %v, %v, %v", data, list, warnings, err)
		}
		for _, d := range list {
			if want[d.Tool] != d.Text {
				t.Fatalf("%s: %q, want %q", d.Tool, d.Text, want[d.Tool])
			}
		}
	})
}
