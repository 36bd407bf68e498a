package peers

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// few is a catalog whose hits can be told by reading it.
var few = []*model.Tool{
	tool("get_forecast", "Weather of the coming days.", "city", "days"),
	tool("get_alerts", "Warnings of severe weather and floods.", "region", "since"),
	tool("send_message", "Posts a text in a channel: not for files.", "channel", "reply_to"),
	tool("and_or_not", "Combines near filters, or negates one.", "operator"),
	tool("weathering", "Ageing of stone, metal and wood under the sky, year after year after year.", "near"),
}

func tool(name, description string, parameters ...string) *model.Tool {
	properties := make([]string, len(parameters))
	for i, p := range parameters {
		properties[i] = fmt.Sprintf("%q:{}", p)
	}
	schema := `{"properties":{` + strings.Join(properties, ",") + `}}`
	t := &model.Tool{Name: name, Description: description, Parameters: []byte(schema), Toolset: model.NoToolset}
	copy(t.Hash[:], name) // names differ within the first 16 bytes
	return t
}

// mustIndex returns an index that the test closes.
func mustIndex(t testing.TB, r ranker, tools []*model.Tool) searcher {
	t.Helper()
	x, err := r.index(tools)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// mustSearch returns what a query finds.
func mustSearch(t testing.TB, x searcher, query string, k int) []int {
	t.Helper()
	docs, err := x.Search(query, k)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// TestSearch: what every peer finds, best first.
func TestSearch(t *testing.T) {
	for _, r := range peers() {
		x := mustIndex(t, r, few)
		for _, c := range []struct {
			name, query string
			k           int
			want        []int
		}{
			{"a name", "get_alerts", 20, []int{1}},
			{"a word of a description", "floods", 20, []int{1}},
			{"a parameter", "region", 20, []int{1}},
			{"a parameter of two words", "reply_to", 20, []int{2}},
			{"any case", "FLOODS", 20, []int{1}},
			{"the shorter of two first", "weather", 20, []int{0, 1}},
			{"any word, both before one", "weather severe", 20, []int{1, 0}},
			{"words of different tools", "floods stone", 20, []int{1, 4}},
			{"no more than asked for", "weather severe", 1, []int{1}},
			{"none asked for", "weather", 0, []int{}},
			{"fewer than none", "weather", -1, []int{}},
			{"no such word", "zebra", 20, []int{}},
			{"not a part of a word", "weathe", 20, []int{}},
			{"no word", "", 20, []int{}},
			{"spaces", " \t\n", 20, []int{}},
			{"no letter", "--- \" *", 20, []int{}},
		} {
			t.Run(r.name+"/"+c.name, func(t *testing.T) {
				got := mustSearch(t, x, c.query, c.k)
				if c.name == "words of different tools" {
					slices.Sort(got)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%q finds %v, want %v", c.query, got, c.want)
				}
			})
		}
	}
}

// TestOperators: what FTS5 would read as an operator is a word of the query,
// or nothing.
func TestOperators(t *testing.T) {
	x := mustIndex(t, peers()[1], few)
	for _, c := range []struct {
		name, query string
		want        []int // in order of documents
	}{
		{"and", "floods AND stone", []int{1, 3, 4}},
		{"not", "weather NOT floods", []int{0, 1, 2, 3}},
		{"or at the end", "floods OR", []int{1, 3}},
		{"near", "NEAR ( city region )", []int{0, 1, 3, 4}},
		{"near, as a phrase", "NEAR(city days)", []int{0}},
		{"a column", "description : floods", []int{1}},
		{"a column that is none", "stone:floods", nil},
		{"a prefix", "weath*", nil},
		{"the first word", "^weather", []int{0, 1}},
		{"a phrase", "city + region", []int{0, 1}},
		{"less", "-floods", []int{1}},
		{"one quote", `"floods`, []int{1}},
		{"quotes within", `""floods""`, []int{1}},
		{"brackets", "(floods", []int{1}},
		{"a zero byte", "floods\x00stone", []int{1, 4}},
		{"not UTF-8", "\xff floods", []int{1}},
		{"a statement", "floods'; drop table tools; --", []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mustSearch(t, x, c.query, 20)
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q finds %v, want %v", c.query, got, c.want)
			}
		})
	}
}

// TestAnyOf: each word is a string of FTS5's, in which a quote is two.
func TestAnyOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ``},
		{" \x00\u2003", ``},
		{"get_file", `"get_file"`},
		{"a  b", `"a" OR "b"`},
		{"OR NOT", `"OR" OR "NOT"`},
		{`a"b "`, `"a""b" OR """"`},
		{"a\x00b", `"a" OR "b"`},
		{"name:x*", `"name:x*"`},
	} {
		if got := anyOf(c.text); got != c.want {
			t.Errorf("anyOf(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

// TestExactNames: the exact name of a tool finds it, and first. FTS5, to which
// a name is a phrase, may put before it a tool whose name goes on after that.
// Flat bm25, to which a name is several words, promises nothing.
func TestExactNames(t *testing.T) {
	const n = 2000
	tools := fixture.Tools(n, 1)
	for _, r := range rankers {
		if r.name == "bm25" {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			x := mustIndex(t, r, tools)
			first := 0
			for doc, tool := range tools {
				found := mustSearch(t, x, tool.Name, 20)
				if !slices.Contains(found, doc) {
					t.Fatalf("%s is not found", tool.Name)
				}
				if found[0] == doc {
					first++
				}
			}
			least := n
			if r.name == "fts5" {
				least = n * 9 / 10
			}
			if first < least {
				t.Errorf("%d of %d tools are first for their name, want %d", first, n, least)
			}
		})
	}
}

// TestMatches: a word finds the tools that hold it, all and no others.
func TestMatches(t *testing.T) {
	tools := fixture.Tools(1000, 1)
	holders := map[string][]int{}
	for doc, tool := range tools {
		words := strings.Fields(strings.ToLower(strings.NewReplacer(".", " ", ",", " ").Replace(tool.Description)))
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			holders[w] = append(holders[w], doc)
		}
		// Names and parameters are several words to FTS5 and one to bleve:
		// what stands in them is not asked for.
		for _, name := range append(tool.PropertyNames(), tool.Name) {
			for _, w := range append(strings.Split(name, "_"), name) {
				holders[w] = append(holders[w], -1)
			}
		}
	}
	for _, r := range peers() {
		x := mustIndex(t, r, tools)
		asked := 0
		for w, want := range holders {
			if len(w) < 7 || slices.Contains(want, -1) { // short ones are perhaps stop words of bleve's
				continue
			}
			asked++
			got := mustSearch(t, x, w, len(tools))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q finds %v, want %v", r.name, w, got, want)
			}
		}
		if asked < 100 {
			t.Errorf("%d words asked for", asked)
		}
	}
}

// TestErrors: errors say whose they are and what was asked.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		ranker ranker
		prefix string
		closed error // nil when the engine has none of its own
	}{
		{peers()[0], `bleve, query "a \"b\""`, bleve.ErrorIndexClosed},
		{peers()[1], `FTS5, query "a \"b\""`, nil},
	} {
		t.Run(c.ranker.name, func(t *testing.T) {
			x, err := c.ranker.index(few)
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := x.Search(`a "b"`, 1); err == nil || !strings.HasPrefix(err.Error(), c.prefix) {
				t.Errorf("closed: %v", err)
			} else if c.closed != nil && !errors.Is(err, c.closed) {
				t.Errorf("closed: %v, want one that wraps %v", err, c.closed)
			}
		})
	}
}

// TestFillErrors: a table that cannot be filled is an error.
func TestFillErrors(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	if err := (&FTS5{db: db}).fill(few); err == nil {
		t.Error("a closed database was filled")
	}
	if _, err := (&FTS5{db: db}).Bytes(); err == nil || !strings.HasPrefix(err.Error(), "size of FTS5: ") {
		t.Errorf("size of a closed database: %v", err)
	}
}

// TestNoTools: an index of nothing finds nothing.
func TestNoTools(t *testing.T) {
	for _, r := range rankers {
		if got := mustSearch(t, mustIndex(t, r, nil), "a word", 20); len(got) > 0 {
			t.Errorf("%s finds %v", r.name, got)
		}
	}
}
