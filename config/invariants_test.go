package config

import (
	"bytes"
	"errors"
	"fmt"
	goparser "go/parser"
	"go/token"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/yamltext"
)

// checkFile checks what holds of every result of Parse.
func checkFile(t testing.TB, f File, err error) {
	t.Helper()
	checkConfig(t, f.Config)
	checkSettings(t, f)
	for _, d := range f.Warnings {
		checkDiagnostic(t, d)
	}
	if err == nil {
		return
	}
	var d model.Diagnostic
	if !errors.As(err, &d) {
		t.Fatalf("error %T, want model.Diagnostic", err)
	}
	checkDiagnostic(t, d)
	if !reflect.DeepEqual(f.Config, DefaultOf(f.ToolSearch.Generation)) {
		t.Errorf("with the error %v the configuration is %+v, want the defaults", err, f.Config)
	}
	for _, s := range f.Settings {
		if s.Origin == OriginFile || s.Line != 0 || s.Given != "" {
			t.Errorf("with the error %v there is the setting %+v", err, s)
		}
	}
}

func checkConfig(t testing.TB, c Config) {
	t.Helper()
	s := c.ToolSearch
	if s.Enabled != Auto && s.Enabled != On && s.Enabled != Off {
		t.Errorf("enabled %q", s.Enabled)
	}
	if !(s.ThresholdPct >= 0 && s.ThresholdPct <= 100) {
		t.Errorf("threshold %v", s.ThresholdPct)
	}
	if s.MaxLimit < 1 || s.MaxLimit > 50 || s.DefaultLimit < 1 || s.DefaultLimit > s.MaxLimit {
		t.Errorf("limits %d and %d", s.DefaultLimit, s.MaxLimit)
	}
	if !slices.Contains(Rankers, s.Ranker) {
		t.Errorf("ranker %q", s.Ranker)
	}
	if !slices.Contains(Strategies, c.Selection) {
		t.Errorf("selection %q", c.Selection)
	}
	if g := string(s.Generation); !slices.Contains(Generations, g) {
		t.Errorf("generation %q", g)
	}
	if s.Listing != Auto && s.Listing != On && s.Listing != Off || s.ListingMost < 200 || s.ListingMost > 60_000 {
		t.Errorf("listing %q of %d tokens", s.Listing, s.ListingMost)
	}
	if c.Core == nil || c.Defer == nil || !slices.IsSorted(c.Defer) {
		t.Errorf("core %q, defer %q", c.Core, c.Defer)
	}
	seen := map[string]bool{}
	for _, s := range c.Sessions {
		if seen[s.Name] {
			t.Errorf("two sessions %q", s.Name)
		}
		seen[s.Name] = true
	}
	if len(c.Sessions) == 0 {
		t.Error("no session")
	}
	for _, r := range c.Policy {
		if strings.TrimSpace(r.Match) == "" || !slices.Contains([]Action{Deny, Approve, Observe}, r.Action) ||
			r.Stage != "" && !slices.Contains(Stages, r.Stage) || r.Stage == StagePost && r.Action != Observe {
			t.Errorf("rule %+v", r)
		}
	}
}

func checkSettings(t testing.TB, f File) {
	t.Helper()
	byKey := map[string]Setting{}
	for _, s := range f.Settings {
		if _, ok := byKey[s.Key]; ok {
			t.Errorf("two settings %s", s.Key)
		}
		byKey[s.Key] = s
		if (s.Line == 0) != (s.Col == 0) || s.Origin == OriginFile && s.Line == 0 {
			t.Errorf("setting without a place: %+v", s)
		}
		if !printsPlainly(s.Key) || !printsPlainly(s.Given) || !printsPlainly(s.Note) {
			t.Errorf("setting that does not print: %+v", s)
		}
	}
	for _, r := range table {
		if r.Kind == Text && f.given[r.Key].value.written != "" {
			continue // shown as written
		}
		if !r.Reads(f.ToolSearch.Generation) {
			if _, ok := byKey[r.Key]; ok {
				t.Errorf("%s is a setting of another generation", r.Key)
			}
			continue
		}
		if s, ok := byKey[r.Key]; r.at != nil && (!ok || !reflect.DeepEqual(s.Value, r.read(&f.Config))) {
			t.Errorf("%s: setting %v, configuration %v", r.Key, s.Value, r.read(&f.Config))
		}
	}
	for _, s := range f.Sessions {
		if s.Platform {
			if got := byKey[yamltext.Join(platformsKey, s.Name)]; !reflect.DeepEqual(got.Value, namesOrNil(s.Enabled)) {
				t.Errorf("platform %s: setting %v, configuration %v", s.Name, got.Value, s.Enabled)
			}
			continue
		}
		path := yamltext.Join("sessions", s.Name)
		for member, names := range map[string][]string{".enabled_toolsets": s.Enabled, ".disabled_toolsets": s.Disabled} {
			got, ok := byKey[path+member]
			if !ok || !reflect.DeepEqual(got.Value, namesOrNil(names)) {
				t.Errorf("%s%s: setting %v, configuration %v", path, member, got.Value, names)
			}
		}
	}
	if got := byKey["policy"].Value; !slices.Equal(got.([]Rule), f.Policy) {
		t.Errorf("policy: setting %v, configuration %v", got, f.Policy)
	}
}

func checkDiagnostic(t testing.TB, d model.Diagnostic) {
	t.Helper()
	if d.Code == "" || d.Message == "" || d.Line < 1 || d.Col < 1 {
		t.Errorf("incomplete: %+v", d)
	}
	if !slices.Contains(documentedCodes(), d.Code) {
		t.Errorf("the package comment does not know the code %q", d.Code)
	}
	if !printsPlainly(d.Message) || !printsPlainly(d.Path) {
		t.Errorf("does not print: %+v", d)
	}
}

// documentedCodes returns the words of the package comment.
var documentedCodes = sync.OnceValue(func() []string {
	f, err := goparser.ParseFile(token.NewFileSet(), "config.go", nil, goparser.PackageClauseOnly|goparser.ParseComments)
	if err != nil {
		panic(err)
	}
	return strings.FieldsFunc(f.Doc.Text(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
})

func printsPlainly(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// FuzzParse checks what holds of every input: no panic, every value in range,
// the defaults with every error, nothing that a terminal should not see, and
// the same result for the same bytes.
func FuzzParse(f *testing.F) {
	for _, c := range vectorCases(f, "testdata") {
		f.Add([]byte(c.YAML))
	}
	agent, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(f, err)
	f.Add(agent)
	for _, s := range []string{
		"sessions: {a: {enabled_toolsets: x}, 1: , b: [y]}\npolicy: [{match: a}, b, {action: !!str deny}]\n",
		"a: &a [*a]\ntools: &t {<<: [*t, {core: *a}], tool_search: !!binary aGk=}\n",
		"tools: {tool_search: {enabled: |2\n    off\n, max_search_limit: >-\n 5\n}}\n",
		"\ufefftools:\r\n  core: [\"\\e[2J\", 'é\u2028', 1:30]\r\n",
		"model: {context_length: \"\\u0661_\\u0662\"}\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("config.yaml", data)
		checkFile(t, file, err)
		lines := bytes.Count(data, []byte("\n")) + 1
		for _, d := range file.Warnings {
			if d.Line > lines || d.File != "config.yaml" {
				t.Errorf("%v is outside the file", d)
			}
		}
		again, errAgain := Parse("config.yaml", bytes.Clone(data))
		if !reflect.DeepEqual(file.Config, again.Config) || !reflect.DeepEqual(file.Settings, again.Settings) ||
			!reflect.DeepEqual(file.Warnings, again.Warnings) || !reflect.DeepEqual(err, errAgain) {
			t.Error("two runs differ")
		}
	})
}

// FuzzSet checks what holds of every file and every value: no panic, an error
// that prints or the value with every other setting as it was, nothing else
// gone, and the same bytes when it is set again.
func FuzzSet(f *testing.F) {
	for _, c := range vectorCases(f, "testdata") {
		f.Add([]byte(c.YAML), uint8(2), "12")
	}
	agent, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(f, err)
	f.Add(agent, uint8(0), "null")
	for _, s := range []string{
		"tools: &t\n  tool_search: &s !!map\n    <<: *s\n    # threshold_pct: 5 # x\n    ? enabled\n    : >1+ # y\n      auto\n\n",
		"{\"tools\": {\"tool_search\": {\n\"enabled\": \"auto\", # x\n}, x: [a: 1, {b}, ]}}",
		"\ufeff%YAML 1.1\r\n--- # x\r\ntools: !!null\r\n...\r\n",
		"a: &a {tool_search: &b {}, core: [*a]}\rtools: *a\u2028",
	} {
		f.Add([]byte(s), uint8(1), "off")
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8, word string) {
		keys := Settable()
		key := keys[int(which)%len(keys)]
		var val any = word
		if word == "null" {
			val = nil
		}
		kept := bytes.Clone(data)
		out, err := Set("c.yaml", data, []Change{{key, val}})
		if !bytes.Equal(data, kept) {
			t.Fatal("the input was changed")
		}
		var d model.Diagnostic
		if err != nil {
			if !errors.As(err, &d) || out != nil || strings.ContainsFunc(d.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%v, %q", err, out)
			}
			return
		}
		before, _ := Parse("c.yaml", data)
		after, err := Parse("c.yaml", out)
		if err != nil {
			t.Fatalf("%v\n%q", err, out)
		}
		given := ""
		if d, err := yamltext.Load("", data); err == nil && d.Root != nil {
			for _, path := range [][]string{pathOf(Want{Key: key}, d.Root), strings.Split(KeyMode, ".")} {
				if n := valueAt(d.Root, path); n != nil {
					given += yamltext.Follow(n).Value
				}
			}
		}
		mended := before.Override(key, val) != nil || len(before.Warnings) > 0
		for i, s := range before.Settings {
			now := after.Settings[i]
			switch {
			case s.Key == key && !reflect.DeepEqual(s.Value, now.Value):
				t.Errorf("%s is %v, not %v", key, now.Value, s.Value)
			case s.Key != key && !mended && !sameValue(s.Value, now.Value):
				t.Errorf("%s was %v and is %v", s.Key, s.Value, now.Value)
			}
		}
		// What follows # is a comment or part of a value.
		gone := bytes.Count(data, []byte("#")) - bytes.Count(out, []byte("#"))
		if gone > strings.Count(given, "#") {
			t.Errorf("a comment is gone\n%q\n%q", data, out)
		}
		again, err := Set("c.yaml", out, []Change{{key, val}})
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("again: %v\n%q\n%q", err, out, again)
		}
	})
}

func TestLines(t *testing.T) {
	numbered := strings.Join(strings.Split("1 2 3 4 5 6 7 8 9", " "), "\n") + "\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"empty", "", "", ""},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"one line changed", numbered, strings.Replace(numbered, "5", "five", 1),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"one line added at the end", numbered, numbered + "10\n", "@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+10\n"},
		{"two far apart", numbered, strings.NewReplacer("1", "one", "9", "nine").Replace(numbered),
			"@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+nine\n"},
		{"no line feed at the end", "a\nb", "a\nb\nc", "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n"},
		{"lines like heads", "--- x\n", "@@ y\n", "@@ -1,1 +1,1 @@\n---- x\n+@@ y\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"blank lines", "\n\n", "\nx\n\n", "@@ -1,2 +1,3 @@\n \n+x\n \n"},
	} {
		want := c.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if got := Unified("old", "new", Diff([]byte(c.old), []byte(c.new))); got != want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, want)
		}
	}
}

// FuzzExpand compares the expansion with a second, plain one.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"", "${A}", "a${A}b${B}", "${}", "${${A}}", "$A", "${A", "${A\n}", "$${A}", "${NONE}", "${A}${A}", "}${", "${é}"} {
		f.Add(s, "value")
	}
	f.Fuzz(func(t *testing.T, s, val string) {
		if len(s) > 4096 || len(val) > 4096 || strings.ToValidUTF8(s, "") != s || strings.ToValidUTF8(val, "") != val {
			return
		}
		env := map[string]string{"A": val, "é": "", "A\n": "x"}
		e := &environment{lookup: environmentOf(env), left: yamltext.MaxSize, done: map[string]expansion{}}
		got := e.expand(s)
		var want strings.Builder
		unset := 0
		for rest := s; rest != ""; {
			name, after, found := "", "", false
			if strings.HasPrefix(rest, "${") {
				name, after, found = strings.Cut(rest[2:], "}")
			}
			if !found || name == "" {
				want.WriteByte(rest[0])
				rest = rest[1:]
				continue
			}
			if v, ok := env[name]; ok {
				want.WriteString(v)
			} else {
				want.WriteString("${" + name + "}")
				unset++
			}
			rest = after
		}
		if len(want.String()) <= yamltext.MaxSize && (got.text != want.String() || len(got.unset) != unset) {
			t.Fatalf("%q: %q (%d unset), want %q (%d)", s, got.text, len(got.unset), want.String(), unset)
		}
		if again := e.expand(s); again.text != got.text {
			t.Fatalf("%q: %q, then %q", s, got.text, again.text)
		}
	})
}

func FuzzOverrides(f *testing.F) {
	for _, seed := range []string{"", "a: b\n", "a: |\n  x\n", "a: &x y\nb: *x\n", "{a: b}", "a: 1\n", "? a\n: b\n", "<<: {a: b}\n", "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, warnings, err := ParseOverrides("f", data)
		if err != nil && (list != nil || warnings != nil) {
			t.Fatal("both descriptions and an error")
		}
		names := map[string]bool{}
		for _, d := range list {
			if names[d.Tool] || d.Line < 1 || d.Col < 1 {
				t.Fatalf("%+v", d)
			}
			names[d.Tool] = true
		}
		changed, err := SetOverride("f", data, "tool", "A text.")
		if err != nil {
			return
		}
		if _, _, err := ParseOverrides("f", changed); err != nil {
			t.Fatal(err)
		}
	})
}

const (
	megabyte = 1 << 20
	eighth   = megabyte / 8
)

// laughs returns a document whose last anchor expands to 10 to the power of
// levels, padded to a megabyte.
func laughs(levels int, prefix string) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i < levels; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Join([]string{alias, alias, alias, alias, alias, alias, alias, alias, alias, alias}, ", "))
	}
	fmt.Fprintf(&b, prefix, levels-1)
	b.WriteString(strings.Repeat("# padding\n", (megabyte-b.Len())/10))
	return b.String()
}

// merges returns n mappings that each merge the one before so many times and add a key.
func merges(n, times int) string {
	var b strings.Builder
	b.WriteString("m0: &m0 {enabled: off}\n")
	for i := 1; i < n; i++ {
		before := strings.Repeat(fmt.Sprintf("*m%d, ", i-1), times)
		fmt.Fprintf(&b, "m%d: &m%d {<<: [%s], k%d: 0}\n", i, i, strings.TrimSuffix(before, ", "), i)
	}
	fmt.Fprintf(&b, "tools:\n  tool_search: *m%d\n", n-1)
	return b.String()
}

func TestHostileSizes(t *testing.T) {
	for _, c := range []struct {
		name, code string
		data       string
	}{
		{"flow lists", "malformed", strings.Repeat("[", megabyte)},
		{"flow mappings", "malformed", strings.Repeat("{a: ", megabyte/4)},
		{"block lists", "malformed", strings.Repeat("- ", megabyte/2)},
		{"complex keys", "malformed", strings.Repeat("? ", megabyte/2)},
		{"billion laughs", "alias_expansion", laughs(10, "x: *a%d\n")},
		{"billion laughs in the core list", "alias_expansion", laughs(10, "tools: {core: *a%d}\n")},
		{"merged mappings", "alias_expansion", merges(30, 10)},
		{"too many bytes", "too_large", strings.Repeat("#\n", yamltext.MaxSize)},
		{"unclosed quote", "malformed", `"` + strings.Repeat("a ", eighth/2)},
		{"unclosed list", "malformed", "[" + strings.Repeat("a, ", eighth/3)},
		{"fault at the end", "malformed", strings.Repeat("a: 1\n", eighth/5) + "- b\n"},
		{"tab at the end", "malformed", strings.Repeat("a: 1\n", eighth/5) + "\tb: 1\n"},
		{"no anchor", "malformed", strings.Repeat("- a\n", eighth/4) + "- *b\n"},
		{"huge integer", "unloadable", strings.Repeat("9", megabyte)},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := measured(t, c.data)
			checkFile(t, f, err)
			if d := (model.Diagnostic{}); !errors.As(err, &d) || d.Code != c.code {
				t.Errorf("%.200v has the code %s, want %s", err, d.Code, c.code)
			}
		})
	}
}

// TestLargeFiles parses odd files of a eighth of a megabyte that are not wrong.
func TestLargeFiles(t *testing.T) {
	var sessions strings.Builder
	sessions.WriteString("sessions:\n")
	for i := range eighth / 12 {
		fmt.Fprintf(&sessions, "  s%d: {}\n", i)
	}
	for _, c := range []struct{ name, data string }{
		{"one line of names", "tools: {core: [" + strings.Repeat("é,", eighth/3) + "]}"},
		{"one line of mistakes", "tools: {core: [" + strings.Repeat("[],é,", eighth/6) + "]}"},
		{"unknown keys", "tools:\n" + strings.Repeat("  enabled: 1\n  max: 2\n", eighth/22)},
		{"sessions", sessions.String()},
		{"rules", "policy:\n" + strings.Repeat("- x\n", eighth/4)},
		{"hexadecimal", "tools: {tool_search: {enabled: on, max_search_limit: 0x" + strings.Repeat("f", eighth) + "}}"},
		{"base sixty", "tools: {tool_search: {max_search_limit: 1" + strings.Repeat(":0", eighth/2) + "}}"},
		{"zeros", "tools: {tool_search: {max_search_limit: 0" + strings.Repeat("0", eighth) + "7}}"},
		{"many merges", merges(800, 1)},
		{"one long word", "tools: {tool_search: {enabled: " + strings.Repeat("y", eighth) + "}}"},
		{"one long key", "tools: {" + strings.Repeat("y", 1000) + ": 1}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := measured(t, c.data)
			checkFile(t, f, err)
			if err != nil {
				t.Errorf("error %.200v", err)
			}
			if len(f.Warnings) > maxWarnings+1 {
				t.Errorf("%d warnings", len(f.Warnings))
			}
		})
	}
}

// measured parses data and checks that it costs memory in proportion to its
// size: the library alone takes some 200 bytes for each of the worst kind.
func measured(t *testing.T, data string) (File, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := Parse("config.yaml", []byte(data))
	runtime.ReadMemStats(&after)
	t.Logf("%d bytes for each of input", (after.TotalAlloc-before.TotalAlloc)/uint64(len(data)))
	if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(600*len(data))+megabyte {
		t.Errorf("%d bytes allocated for %d of input", spent, len(data))
	}
	return f, err
}
