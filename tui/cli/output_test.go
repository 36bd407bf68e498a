package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"caliper/model/safetext"
)

// JSON shows a terminal nothing that text would mask, and is the same value as
// elsewhere, where harmless text stays as it is.
func TestJSONOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	registry := filepath.Join(folder, "r.json")
	const hostile = "A\ue000 private\u0378 zalgo" + "\u0301\u0301\u0301\u0301\u0301\u0301 text"
	dump := `[{"type":"function","function":{"name":"hostile","description":"` + hostile + `","parameters":{"type":"object","properties":{"` + hostile + `":{"type":"string"}}}}}]`
	if err := os.WriteFile(registry, []byte(dump), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"assembly", "--json"}, {"describe", "hostile", "--json"}, {"search", "zalgo", "--json"},
		{"select", "zalgo", "--bytes"}, {"export", "--shape", "openai"}, {"lint", "--json"},
	} {
		args = append(args, "--registry", registry)
		_, plain, _ := commandIn(t, Env{}, "", args...)
		_, out, complaints := commandIn(t, Env{StdoutTerminal: true, Width: 80}, "", args...)
		if clean := safetext.Lines(out); out == "" || clean != out {
			t.Errorf("%q: %s%s", args, out, complaints)
		}
		if string(safetext.EscapeMasked([]byte(plain))) != out {
			t.Errorf("%q differs: %s, and elsewhere %s", args, out, plain)
		}
	}
	_, out, complaints := commandIn(t, Env{StdoutTerminal: true, Width: 80}, "", "import", registry)
	if clean := safetext.Lines(out); out == "" || clean != out {
		t.Errorf("import: %s%s", out, complaints)
	}
}

// JSON printed in pieces equals what encoding/json indents in one.
func TestPrintJSONInPieces(t *testing.T) {
	t.Parallel()
	numbers := func(n int) elements {
		return each(make([]int, n), func(int) object { return object{{"a", []int{1, 2}}, {"b", object{}}} })
	}
	for name, value := range map[string]any{
		"a number":       1,
		"no members":     object{},
		"no elements":    object{{"list", numbers(0)}},
		"elements":       object{{"before", true}, {"list", numbers(3)}, {"after", "<x>"}},
		"nested":         object{{"inner", object{{"list", numbers(2)}}}, {"other", []object{{{"c", nil}}}}},
		"bare elements":  numbers(2),
		"a list of none": []object{},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			r := &run{out: bufio.NewWriter(&out)}
			if err := r.printJSON(value); err != nil {
				t.Fatal(err)
			}
			_ = r.out.Flush()
			text, err := encoded(value)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := json.Indent(&want, text, "", "  "); err != nil {
				t.Fatal(err)
			}
			if out.String() != want.String()+"\n" {
				t.Errorf("%s\nwant\n%s", &out, &want)
			}
		})
	}
}
