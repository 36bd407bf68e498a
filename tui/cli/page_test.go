package cli

import (
	"bufio"
	"bytes"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"caliper/model"
	"caliper/tui/cells"

	"pgregory.net/rapid"
)

// printed returns what f writes on a plain page of a width.
func printed(width int, f func(*page)) string {
	var b bytes.Buffer
	r := &run{out: bufio.NewWriter(&b), env: Env{Lookup: func(string) (string, bool) { return "", false }}}
	f(&page{run: r, width: width})
	_ = r.out.Flush()
	return b.String()
}

func TestTable(t *testing.T) {
	t.Parallel()
	long := "some words that are longer than what is left of the page"
	tests := []struct {
		name  string
		width int
		table table
		want  string
	}{
		{"nothing", 40, table{}, ""},
		{"no titles", 40, table{columns: []column{{}, {align: right}}, rows: []row{{cells: []string{"a", "1"}}, {cells: []string{"bcd", "10"}}}},
			"  a     1\n  bcd  10\n"},
		{"titles", 40, table{columns: []column{{title: "name"}, {title: "n", align: right}}, rows: []row{{cells: []string{"a", "1,000"}}}},
			"  name      n\n  a     1,000\n"},
		{"wide characters", 40, table{columns: []column{{}, {}}, rows: []row{{cells: []string{"課題", "x"}}, {cells: []string{"abc", "y"}}}},
			"  課題  x\n  abc   y\n"},
		{"cut", 32, table{columns: []column{{}, {grow: true}}, rows: []row{{cells: []string{"name", long}}}},
			"  name  some words that are lon…\n"},
		{"wrapped", 32, table{columns: []column{{}, {grow: true, wrap: true}}, rows: []row{{cells: []string{"name", long}}}},
			"  name  some words that are\n        longer than what is left\n        of the page\n"},
		{"no room, left out", 20, table{columns: []column{{}, {grow: true}}, rows: []row{{cells: []string{"a-name", long}}}},
			"  a-name\n"},
		{"no room, wrapped", 20, table{columns: []column{{}, {grow: true, wrap: true}}, rows: []row{{cells: []string{"a-name", "words and words and words"}}}},
			"  a-name  words and words\n          and words\n"},
		{"empty cells", 40, table{columns: []column{{}, {}, {}}, rows: []row{{cells: []string{"", "b", ""}}, {cells: []string{"aa", "", ""}}}},
			"      b\n  aa\n"},
		{"ruler", 40, table{columns: []column{{}, {}}, rows: []row{{cells: []string{"abcdef", "ghijkl"}}, {ruler: "cut"}}},
			"  abcdef  ghijkl\n  ──── cut ─────\n"},
		{"hostile", 40, table{columns: []column{{}, {}}, rows: []row{{cells: []string{"a\x1b[2J", "b\u202e"}}}},
			"  a?[2J  b?\n"},
	}
	for _, tt := range tests {
		if got := printed(tt.width, tt.table.print); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// Whatever stands in a table, columns stand under each other and nothing can
// act on the terminal.
func TestTableAligns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab 課é\u0301\u200d\U0001f600\x1b\n\t\u202e")))
		tb := table{columns: []column{{title: "one"}, {align: right}, {title: "mark"}}}
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			tb.add(text.Draw(t, "left"), text.Draw(t, "right"), "|")
		}
		at := -1
		for i, line := range strings.Split(strings.TrimSuffix(printed(80, tb.print), "\n"), "\n") {
			for _, r := range line {
				if hostile(r) {
					t.Fatalf("line %d holds %U: %q", i, r, line)
				}
			}
			if i == 0 {
				continue
			}
			before, ok := strings.CutSuffix(line, "|")
			if w := cells.Width(before); !ok || at >= 0 && w != at {
				t.Fatalf("line %d has its mark at %d, others at %d: %q", i, w, at, line)
			} else {
				at = w
			}
		}
	})
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 7: "7", -7: "-7", 999: "999", 1000: "1,000", -123456: "-123,456", math.MaxInt32: "2,147,483,647"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for pct, want := range map[float64]string{0: "0%", 10: "10%", 12.34: "12.3%", -5.06: "-5.1%", 99.96: "100%"} {
		if got := percent(pct); got != want {
			t.Errorf("%v: %s, want %s", pct, got, want)
		}
	}
	if got := counted(1, "tool") + ", " + counted(1200, "tool"); got != "1 tool, 1,200 tools" {
		t.Error(got)
	}
}

func TestBars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		part, whole float64
		want        string
	}{
		{0, 10, "░░░░"}, {-1, 10, "░░░░"}, {1, 0, "░░░░"}, {0.001, 10, "█░░░"}, {5, 10, "██░░"}, {10, 10, "████"}, {90, 10, "████"},
	}
	for _, tt := range tests {
		if got := gauge(tt.part, tt.whole, 4); got != tt.want {
			t.Errorf("%v of %v: %s, want %s", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestSchemaTree(t *testing.T) {
	t.Parallel()
	schema, err := model.ParseSchema([]byte(`{"type":"object","required":["a"],"properties":{
		"a":{"type":"string","description":"One line that will not fit into what is left of this page.\nAnother.","enum":["x","y"]},
		"a-name-that-is-far-longer-than-any-column":{"type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `parameters                        object
  a *                             string   One line that will not
                                           fit into what is left of
                                           this page.
                                           Another.
                                           one of "x", "y"
  a-name-that-is-far-longer-than-any-column  integer
`
	if got := printed(68, func(p *page) { schemaTree(p, schema) }); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFirstLine(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{"": "", "one": "one", "one⏎two": "one", "⏎⏎ one ⏎two": "one"} {
		if got := firstLine(shown); got != want {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-21T08:00:00Z"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"},
	}}
	want := versionJSON{Version: "v1.2.3", Go: "go1.26", Revision: "abc", Time: "2026-11-21T08:00:00Z", Modified: true}
	if got := versionOf(info); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}).Version; got != "(devel)" {
		t.Errorf("version %q", got)
	}
}

func TestRegistryFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.json": true, "a.JSON": true, "a.jsonl": true, "a.txt": true, "a.json.bak": false, "a.yaml": false,
		".a.json": false, "json": false, ".json": false, "..data": false,
	} {
		if got := RegistryFile(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
