package fielded

import (
	"strings"
	"testing"

	"caliper/model"
)

// TestNamesOfRegistry: of every tool of a real registry, the name finds it
// first, alone and in a sentence, in capitals and in words; with a letter
// missing, among the first three.
func TestNamesOfRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	r := parse(t, sharedFile(t, "registries/registry.json"))
	x := index(t, NewCorpus(), r.Tools, r.Toolset, Default)
	rank := func(query string, tool *model.Tool) int {
		for i, h := range x.Search(query, 3).Hits {
			if strings.EqualFold(r.Tools[h.Doc].Name, tool.Name) {
				return i + 1
			}
		}
		return 0
	}
	for _, c := range []struct {
		name  string
		query func(name string) string
		rank  int     // at most
		share float64 // of the tools
	}{
		{"alone", func(n string) string { return n }, 1, 1},
		{"in a sentence", func(n string) string { return "please use " + n + " to do this for me" }, 1, 1},
		{"quoted", func(n string) string { return "Call `" + n + "`, then stop." }, 1, 0.99},
		{"capitals", strings.ToUpper, 1, 1},
		{"spaces", func(n string) string { return strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(n) }, 3, 0.99},
		{"without the first part", func(n string) string {
			_, rest, ok := strings.Cut(n, "_")
			if !ok {
				return n
			}
			return rest
		}, 3, 0.9},
		{"a letter missing", missing, 3, 0.95},
		{"a letter missing in a sentence", func(n string) string { return "please use " + missing(n) + " to do this for me" }, 3, 0.95},
		{"two letters changed places", func(n string) string {
			k := len(n) * 2 / 3
			return n[:k-1] + n[k:k+1] + n[k-1:k] + n[k+1:]
		}, 3, 0.95},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := 0
			var bad []string
			for _, tool := range r.Tools {
				if at := rank(c.query(tool.Name), tool); at > 0 && at <= c.rank {
					good++
				} else {
					bad = append(bad, c.query(tool.Name))
				}
			}
			share := float64(good) / float64(len(r.Tools))
			t.Logf("%.2f %%", 100*share)
			if share < c.share {
				t.Errorf("%.2f %% of %d, want %.0f %%; not %q", 100*share, len(r.Tools), 100*c.share, bad[:min(len(bad), 10)])
			}
		})
	}
}

// missing returns a name without the letter at two thirds of it.
func missing(n string) string { return n[:len(n)*2/3] + n[len(n)*2/3+1:] }

// TestManyOfOneName: tools that share a name are all pinned, up to a limit, and
// are in order beyond it.
func TestManyOfOneName(t *testing.T) {
	var tools []*model.Tool
	for range maxPinned + 100 {
		tools = append(tools, newTool("the", "x", "the", nil)) // of stop words alone
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	checkOrder(t, x, "the", 20)
	if n := x.Scored("the"); n != maxPinned {
		t.Errorf("%d are found by name, want %d", n, maxPinned)
	}
	for i := range tools {
		tools[i] = newTool("search", "x", "search", nil)
	}
	x = index(t, NewCorpus(), tools, nil, Default)
	checkOrder(t, x, "search", 20)
	if n := x.Scored("search"); n != len(tools) {
		t.Errorf("%d are found, want %d", n, len(tools))
	}
}

// TestNamesInPunctuation: an identifier is found by its name alone, whatever stands around
// it, up to a number of them.
func TestNamesInPunctuation(t *testing.T) {
	x := index(t, NewCorpus(), []*model.Tool{newTool("to_be", "x", "the", nil), newTool("sail", "y", "sail", nil)}, nil, Default)
	many := "a_b"
	for i := range maxIdentifiers {
		many += " a_" + strings.Repeat("b", i+2)
	}
	for query, want := range map[string]int{"to_be": 1, "`to_be`, now": 1, "(TO_BE) now": 1, "_to_be_ now": 0, "or \"to_be\"?!": 1, many + " to_be": 0, many[:40] + " to_be": 1} {
		if got := x.Scored(query); got != want {
			t.Errorf("%q finds %d, want %d", query, got, want)
		}
	}
}

// TestNameLikeness: a name is near others by the letters that differ.
func TestNameLikeness(t *testing.T) {
	for _, c := range []struct {
		name, letters string
		want          float64
	}{
		{"create_issue", "createissue", 1},
		{"create_issue", "creatissue", 1 - 1.0/11},
		{"create_issue", "craetissue", 0},
		{"create_issue", "createpssqe", 0},
		{"create_issue", "createissqe", 1 - 1.0/11},
		{"create_issues", "createpssqes", 1 - 2.0/12},
		{"create_issues", "createpsqqes", 0},
		{"create_issues", "craeteissues", 1 - 2.0/12},
		{"港口管理局", "港口管局", 1 - 1.0/5},
		{"a", "", 1 - 1.0/1},
		{"", "abcdef", 0},
		{"some_very_long_name_that_differs", "abcdef", 0},
	} {
		var names nameComparer
		if got := names.likeness(c.name, lettersOf(c.name), []rune(c.letters)); got != c.want {
			t.Errorf("likeness of %q and %q is %v, want %v", c.name, c.letters, got, c.want)
		}
	}
}

func TestLooksLikeIdentifier(t *testing.T) {
	for word, want := range map[string]bool{
		"create_issue": true, "issue.create": true, "a:b": true, "create-issue": true, "createIssue": true, "éÉ": true,
		"create": false, "Create": false, "ISSUE": false, "HTTPs": false, "": false, "港口": false, "2x": false,
	} {
		if got := looksLikeIdentifier([]byte(word)); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}
