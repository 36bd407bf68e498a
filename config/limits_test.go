package config

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/yamltext"
)

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
