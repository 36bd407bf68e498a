package hosts

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
	_ "caliper/model/require"

	"pgregory.net/rapid"
)

// port are tools of two servers; the last has a schema that is no object.
var port = []*model.Tool{
	{Name: "a", Qualified: "a", Server: "Port", OriginalName: "Moor_Ship", Description: "Moors a ship.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "b", Qualified: "b", Server: "Port", OriginalName: "list_ships", Description: "Lists the ships at a berth.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "c", Qualified: "c", Server: "yard", OriginalName: "paint", Description: "Paints a hull.", Parameters: []byte(`{"type":"object"}`), Available: true},
	{Name: "d", Qualified: "d", Server: "dock", OriginalName: "sink", Description: "Sinks it.", Parameters: []byte(`{}`), Available: true},
}

// TestQueriesThatNameTools: Claude Code answers a selection, a name and a beginning of names
// with those tools alone, whatever else has the words.
func TestQueriesThatNameTools(t *testing.T) {
	t.Parallel()
	x := New(Named("claude-code"), port)
	for query, want := range map[string]string{
		"select:mcp__Port__list_ships":           "mcp__Port__list_ships",
		" SELECT:mcp__port__LIST_SHIPS , paint ": "mcp__Port__list_ships mcp__yard__paint",
		"select:moor_ship,nothing,moor_ship":     "mcp__Port__Moor_Ship mcp__Port__Moor_Ship",
		"select:":                                "",
		"mcp__yard__paint":                       "mcp__yard__paint",
		"mcp__port":                              "mcp__Port__list_ships mcp__Port__Moor_Ship",
		"mcp__port__m":                           "mcp__Port__Moor_Ship",
		"bash":                                   "Bash",
		"select:" + strings.Repeat("x,", 63) + "paint": "mcp__yard__paint",
		"select:" + strings.Repeat("x,", 64) + "paint": "",
	} {
		var names []string
		for _, h := range x.Search(query, 0) {
			if names = append(names, h.Name); h.Score != 0 || h.Best != h.Worst {
				t.Errorf("%q: %s has the score %v and the ranks %d to %d", query, h.Name, h.Score, h.Best, h.Worst)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"mcp__", "mcp__nothing", "moor a ship"} {
		for _, h := range x.Search(query, 0) {
			if h.Score <= 0 {
				t.Errorf("%q names %s", query, h.Name)
			}
		}
	}
	if got := x.Refused(); len(got) != 1 || got[0] != "dock" || x.Holds(port[3]) || !x.Holds(port[0]) {
		t.Errorf("refuses %q", got)
	}
}

// TestExplain: what the words of a query give a tool is its score, in hosts that add nothing
// for all of them together.
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, h := range All {
		if h.Generation != "" || h.rules.whole != nil || h.rules.rescored > 0 {
			continue
		}
		x := New(h, port)
		if x.Host() != h || x.Limit() != h.Limit || x.Active() != h.Searches(len(x.entries)) || h.Searches(h.above) || !h.Searches(h.above+1) {
			t.Errorf("%s: limit %d, active %v", h.Name, x.Limit(), x.Active())
		}
		const query = "moor the ships at a berth"
		for _, hit := range x.Search(query, -1) {
			if hit.Tool == nil {
				continue
			}
			sum := 0.0
			x.Explain(query, hit.Tool, func(word string, given float64) {
				if sum += given; word == "" || given < 0 {
					t.Errorf("%s: %s gives %v", h.Name, word, given)
				}
			})
			if math.Abs(sum-hit.Score) > 1e-5*hit.Score && !h.rules.tiers {
				t.Errorf("%s: words of %q give %s %v, its score is %v", h.Name, query, hit.Name, sum, hit.Score)
			}
		}
		x.Explain("zebra", port[0], func(_ string, given float64) {
			t.Errorf("%s: a word that no tool has gives %v", h.Name, given)
		})
	}
}

// TestConfigured: a configuration names an agent, or the generation that it has.
func TestConfigured(t *testing.T) {
	t.Parallel()
	for _, name := range Foreign() {
		c := config.Default()
		if c.Host = name; Configured(&c).Name != name || Configured(&c).Generation != "" {
			t.Errorf("%s is %s", name, Configured(&c).Name)
		}
	}
	for generation, want := range map[config.Generation]string{config.June2026: "hermes-2026-06", config.September2026: "hermes-2026-09"} {
		for _, name := range []string{"", "nobody", "hermes-2026-06"} {
			c := config.Default()
			if c.Host, c.ToolSearch.Generation = name, generation; Configured(&c).Name != want {
				t.Errorf("%q of %s is %s", name, generation, Configured(&c).Name)
			}
		}
	}
	if copilotCLI.Searches(13) || !copilotCLI.Searches(14) { // 17 are its own
		t.Error("Copilot CLI searches over 30 tools")
	}
	if len(Foreign()) != len(All)-2 {
		t.Errorf("%q", Foreign())
	}
}

// TestCodexNames: names alike, names that run together alike, and long ones have a digest, and
// each is found by the text of its own (measured on Codex 0.171.0).
func TestCodexNames(t *testing.T) {
	t.Parallel()
	var tools []*model.Tool
	want := []string{
		"a-b ping mcp__a_b_e0598e406614__ping", "a_b ping mcp__a_b_909e3df97957__ping", "a_b only mcp__a_b_909e3df97957__only",
		"c x.y mcp__c__x_y_a08ee9931784", "c x_y mcp__c__x_y_6472e54033d5", "c z mcp__c__z", "de f mcp__de__f_efdd5ad582c4", "d ef mcp__d__ef",
		strings.Repeat("s", 110) + " tool mcp__" + strings.Repeat("s", 110) + "__tool", strings.Repeat("t", 119) + " tool mcp__" + strings.Repeat("t", 108) + "___e65a84b6824a",
	}
	for i, w := range want {
		f := strings.Fields(w)
		tools, want[i] = append(tools, &model.Tool{Name: w, Qualified: w, Server: f[0], OriginalName: f[1], Index: i}), f[2]
	}
	x := New(codex, tools)
	for i, name := range codex.Names(tools) {
		if name != want[i] {
			t.Errorf("%s, want %s", name, want[i])
		}
		space, local, _ := strings.Cut(name[5:], "__")
		for _, query := range []string{local, "mcp__" + space + local} {
			if !codexStopWords()[query] && !x.Finds(query, tools[i]) {
				t.Errorf("%q does not find %s", query, name)
			}
		}
	}
}

// TestHint: words that a tool has for the search alone are worth 4 to Claude Code, and nothing to
// any other agent.
func TestHint(t *testing.T) {
	t.Parallel()
	quiet := []*model.Tool{{Name: "a", Qualified: "a", Server: "port", OriginalName: "moor", Description: "Moors a ship.", Parameters: []byte(`{"type":"object"}`), Available: true, Hint: "Zebra stripes"}}
	for _, h := range All {
		if h.Generation != "" {
			continue
		}
		found := New(h, quiet).Search("zebra", 0)
		if h.Name == "claude-code" && (len(found) != 1 || found[0].Score != 4) || h.Name != "claude-code" && len(found) != 0 {
			t.Errorf("%s finds %v", h.Name, found)
		}
	}
}

// TestNamed: every host is found by its name, and no other name finds one.
func TestNamed(t *testing.T) {
	for _, h := range All {
		if Named(h.Name) != h || h.Called() == h.Title != (h.Generation != "") {
			t.Errorf("%s is %v, called %s", h.Name, Named(h.Name), h.Called())
		}
	}
	if Named("") != nil || Named("hermes") != nil {
		t.Error("a name of no host finds one")
	}
}

// TestWords: what hosts make of texts and names, at the edges of ASCII and of UTF-16.
func TestWords(t *testing.T) {
	for in, want := range map[string]string{"getX9Y_é2-Ü": "get x9 y é2 ü", "": "", "ABc": "abc", "½a": "½a", "ΣΑΣ": "σας", "İ": "i"} {
		if got := strings.Join(camelWords(in), " "); got != want {
			t.Errorf("words of %q: %q", in, got)
		}
	}
	for in, want := range map[string]string{"a_Z09": "a_Z09", "a.b": "a-b", "é\u0171\u017f": "---", "\x7f@[`{/:": "-------"} {
		if got := hyphened(in); got != want {
			t.Errorf("%q with hyphens: %q", in, got)
		}
		if got := masked(in, "."); got != strings.ReplaceAll(strings.ReplaceAll(want, "a-b", "a.b"), "-", "_") {
			t.Errorf("%q masked: %q", in, got)
		}
	}
	for _, c := range []struct {
		text, word string
		want       bool
	}{{"a ship", "ship", true}, {"ships", "ship", false}, {"aship", "ship", false}, {"ships ship", "ship", true}, {"a", "", false}, {"", "a", false}, {"c++ -x", "-x", false}, {"a-x", "-x", true}, {"_a", "a", false}, {"éa", "a", true}} {
		if got := hasWord(c.text, c.word); got != c.want {
			t.Errorf("%q has %q: %v", c.text, c.word, got)
		}
	}
	if got := numbered(&Host{}, []*model.Tool{{Name: "a"}, {Name: "abcde"}, {Name: "abcdf"}, {Name: "abcdg"}}, 4); strings.Join(got, " ") != "a abcd abc2 abc3" {
		t.Errorf("names %q", got)
	}
}

// TestScriptPattern: what an expression of JavaScript finds, and which are none.
func TestScriptPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		found         bool
	}{
		{`a.c`, "a\rc", false}, {`a[^]c`, "a\nc", true}, {`a[]`, "a[]", false}, {`[a[]x`, "[x", true}, {`[.]`, "a", false},
		{`\u0041b`, "xAB", true}, {`\u0041b`, "xB", false}, {`\x41`, "a", true}, {`\x41`, "b", false}, {`\p{L}`, "p{L}", true}, {`\p{L}`, "p{l", false}, {`\z`, "zero", true}, {`\_`, "_", true},
		{`a\sb`, "a\u00a0b", true}, {`[\s]`, "\u2003", true}, {`[\b]`, "\b", true}, {`\cJ`, "\n", true}, {`\0`, "\x00", true}, {`\.`, "a", false},
		{`(?:a|b)c`, "bc", true}, {`(?<n>a)`, "a", true}, {`[[:alpha:]]`, "a", false}, {`a\|b|c`, "a|B", true}, {`a\|b|c`, "ab", false}, {`|x`, "y", true},
		{`(?i)a`, "a", false}, {`(?m)a`, "a", false}, {`(?P<n>a)`, "a", false}, {`(?=a)a`, "a", false}, {`(?<!b)a`, "a", false}, {`(a)\1`, "aa", false}, {`a\`, `a\`, false}, {`[`, "[", false},
		{strings.Repeat("x", 200), strings.Repeat("x", 200), true}, {strings.Repeat("x", 201), strings.Repeat("x", 201), false},
	} {
		if p := patternOf(c.pattern); (p != nil && p.in(c.text)) != c.found {
			t.Errorf("%q in %q: %v", c.pattern, c.text, !c.found)
		}
	}
	for _, words := range []string{"a-b c.d", "x|y", "", `\ (`} {
		alternatives := copilotCLI.Asked(words)
		p := patternOf(alternatives)
		for _, text := range []string{"A-B", "c.d", "cxd", "x|y", "y", "none", `\`} {
			if want := regexp.MustCompile("(?i)" + alternatives).MatchString(text); p.literals == nil || p.in(text) != want {
				t.Errorf("%q in %q: %v, want %v of %q", alternatives, text, p.in(text), want, p.literals)
			}
		}
	}
}

// TestPunycode: examples of RFC 3492, and names as the agent wrote them.
func TestPunycode(t *testing.T) {
	for name, want := range map[string]string{
		"café_search": "xn--caf_search-d7a", "检索": "xn--s1vu84b", "weather_天気": "xn--weather_-v00om82m", "grüße": "xn--gre-6ka8l", "поиск": "xn--h1aekdm",
		"他们为什么不说中文": "xn--ihqwcrb4cv8a8dqg056pqjye", "a.é": "a.xn--9ca", "plain": "plain", "3年B組金八先生": "xn--3B-ww4c5e180e575a65lsy2b",
	} {
		if got := inPunycode(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// word draws a word of names, descriptions and queries.
var word = rapid.SampledFrom([]string{"ship", "list", "sink", "harbour", "moor", "a"})

// drawTool draws the description of the tool of an index.
func drawTool(t *rapid.T, i int, name string) *model.Tool {
	return &model.Tool{Name: "mcp_port_" + name, Qualified: fmt.Sprint("q", i), Server: "port", OriginalName: name, Toolset: "mcp-port", Description: word.Draw(t, "first") + " the " + word.Draw(t, "second"), Available: true, Index: i}
}

// TestFinds: a query finds a tool where the tool is among the hits without a limit, and
// Explain gives points for words to those alone.
func TestFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tools []*model.Tool
		for i := range rapid.IntRange(1, 14).Draw(t, "tools") {
			tools = append(tools, drawTool(t, i, fmt.Sprint(word.Draw(t, "name"), "_", i)))
		}
		query := word.Draw(t, "asked") + " " + word.Draw(t, "also")
		for _, h := range All {
			if h.Generation != "" {
				continue
			}
			x := New(h, tools)
			hits := x.Search(query, -1)
			for _, tool := range tools {
				hit := slices.ContainsFunc(hits, func(h Hit) bool { return h.Tool == tool })
				if got := x.Finds(query, tool); got != hit {
					t.Fatalf("%s: %q finds %s: %v, it is a hit: %v", h.Name, query, tool.Name, got, hit)
				}
			}
		}
	})
}

// TestReworded: an index in which a tool is reworded finds what a new one does, and is alike only
// where the order stays.
func TestReworded(t *testing.T) {
	alike := 0
	rapid.Check(t, func(t *rapid.T) {
		var tools []*model.Tool
		for i := range rapid.IntRange(1, 9).Draw(t, "tools") {
			tools = append(tools, drawTool(t, i, fmt.Sprint(word.Draw(t, "name"), "_", i)))
		}
		at := rapid.IntRange(0, len(tools)-1).Draw(t, "reworded")
		name := tools[at].OriginalName
		if rapid.Bool().Draw(t, "renamed") {
			name = fmt.Sprint(word.Draw(t, "other"), "_", at)
		}
		as := drawTool(t, at, name)
		now := slices.Clone(tools)
		now[at] = as
		query := word.Draw(t, "asked") + " " + word.Draw(t, "also")
		for _, h := range All {
			if h.Generation != "" {
				continue
			}
			x := New(h, tools)
			y := x.Reworded(tools[at], as)
			got, want, before := y.Search(query, -1), New(h, now).Search(query, -1), x.Search(query, -1)
			for i := range want {
				if want[i].Tool == as {
					want[i].Tool = tools[at]
				}
			}
			same := func(a, b Hit) bool { return a.Tool == b.Tool && a.Name == b.Name && a.Score == b.Score }
			if !slices.EqualFunc(got, want, same) {
				t.Fatalf("%s: %q finds %v, want %v", h.Name, query, got, want)
			}
			if y.Alike(query) {
				alike++
				if !slices.EqualFunc(got, before, func(a, b Hit) bool { return a.Tool == b.Tool }) {
					t.Fatalf("%s: %q is alike and finds %v, before %v", h.Name, query, got, before)
				}
			}
			if !x.Alike(query) || x.Reworded(&model.Tool{Qualified: "none"}, as) != x {
				t.Fatalf("%s: an index that is not reworded", h.Name)
			}
			if wire := h.FullName(tools[at]); !x.Called("none", wire) || x.Called("none") {
				t.Fatalf("%s: %s is called: %v", h.Name, wire, x.Called(wire))
			}
		}
	})
	if alike == 0 {
		t.Error("no query is alike")
	}
}

// TestItself: the query by which a tool's own name finds it.
func TestItself(t *testing.T) {
	tool := &model.Tool{Name: "mcp__port__list", Qualified: "mcp-port/list", Server: "port", OriginalName: "list"}
	for _, h := range All {
		want := h.FullName(tool)
		switch {
		case h.Generation != "":
			want = "mcp-port/list"
		case h.Grouped:
			want = "list"
		}
		if got := h.Itself(tool); got != want {
			t.Errorf("%s: %s, want %s", h.Name, got, want)
		}
	}
}
