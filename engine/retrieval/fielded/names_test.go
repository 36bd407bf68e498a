package fielded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/tui/demo"
)

// TestNamesOfRegistry: of every tool of a real registry, the name finds it
// first, alone and in a sentence, in capitals and in words; with a letter
// missing, among the first three.
func TestNamesOfRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	r := fixture.Parse(t, fixture.SharedFile(t, "registries/registry.json"))
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
	for i := range 16 {
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

func TestOwnName(t *testing.T) {
	for _, c := range []struct{ name, original, server, toolset, want string }{
		{"mcp_git_hub_list_issues", "list-issues", "git.hub", "mcp-git.hub", "list-issues"},
		{"mcp_git_hub_list_issues", "", "git.hub", "x", "list_issues"},
		{"mcp_git_hub_list_issues", "", "", "mcp-git.hub", "list_issues"},
		{"mcp__forge__list", "", "", "mcp-forge", "list"},
		{"mcp_forge_list", "", "", "forge", ""},
		{"mcp_other_list", "", "", "mcp-forge", ""},
		{"mcp_forge", "", "", "mcp-forge", ""},
		{"mcp_forgery_list", "", "", "mcp-forge", ""},
		{"list", "", "", "mcp-forge", ""},
		{"list_issues_for_forge_hub", "", "", "Forge Hub", "list_issues"},
		{"pay_for_a_for_forge", "", "", "forge", "pay_for_a"},
		{"list_for_other", "", "", "forge", ""},
		{"_for_forge", "", "", "forge", ""},
		{"list_for_none", "", "", "(none)", ""},
		{"list", "List", "forge", "mcp-forge", ""},
	} {
		tool := &model.Tool{Name: c.name, OriginalName: c.original, Server: c.server, Toolset: c.toolset}
		if got := OriginalName(tool); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestOwnNames: names that tools have on their servers pin them.
func TestOwnNames(t *testing.T) {
	tool := func(name, original, toolset string) *model.Tool {
		tool := newTool(name, toolset, "Does something with a branch or an issue, and lists.", nil)
		tool.OriginalName = original
		return tool
	}
	tools := []*model.Tool{
		tool("mcp_forge_list_issues", "list_issues", "mcp-forge"),
		tool("mcp_harbour_list_issues", "list_issues", "mcp-harbour"),
		tool("mcp_harbour_branch", "", "mcp-harbour"),
		tool("list_berths", "", "berths"),
		tool("mcp_forge_list_berths", "list_berths", "mcp-forge"),
		tool("show_tides_for_sea_charts", "", "Sea charts"),
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for _, c := range []struct {
		query string
		first []int
	}{
		{"list_issues", []int{0, 1}},
		{"list_issues of harbour", []int{1, 0}},
		{"list issues of harbour", []int{1, 0}},
		{"please use list_issues of forge to do this for me", []int{0, 1}},
		{"lst_issues", []int{0, 1}},
		{"list_berths", []int{3, 4}},
		{"show_tides", []int{5}},
		{"show tides", []int{5}},
		{"please use list_berths to do this for me", []int{3, 4}},
		{"please use list_berths of forge to do this for me", []int{4, 3}},
		{"I was wondering whether you could kindly call the mcp harbour branch tool on the ship we discussed yesterday, thanks", []int{2}},
	} {
		hits := x.Search(c.query, 5).Hits
		for i, doc := range c.first {
			if i >= len(hits) || hits[i].Doc != doc {
				t.Errorf("%q: %v, want %v first\n%s", c.query, hits, c.first, draw(x.Explain(c.query, doc)))
				break
			}
		}
		for doc := range tools {
			if _, score, ok := x.Rank(c.query, doc); ok {
				checkExplanation(t, x, c.query, doc, score)
			}
		}
	}
	if text := draw(x.Explain("list_issues of harbour", 1)); !strings.Contains(text, "pin: the query has the name that the tool has on its server, and a word of the toolset") {
		t.Error(text)
	}
	corpus := NewCorpus()
	index(t, corpus, tools, nil, Default)
	renamed := *tools[0] // the same content, and so the same hash
	renamed.OriginalName = "show_all"
	y := index(t, corpus, []*model.Tool{&renamed, tools[1]}, nil, Default)
	if hits := y.Search("show_all", 5).Hits; len(hits) == 0 || hits[0].Doc != 0 || hits[0].Score < Default.OriginalName {
		t.Errorf("another name on the server: %v", hits)
	}
}

// TestOwnNamesOfRegistry: of every tool of a real registry whose name on its
// server no other has, that name finds it first, alone, in a sentence, and with
// the server; and the whole name does in words, in a long sentence.
func TestOwnNamesOfRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	r := fixture.Parse(t, fixture.SharedFile(t, "registries/registry.json"))
	x := index(t, NewCorpus(), r.Tools, r.Toolset, Default)
	bearers := map[string]int{}
	for _, tool := range r.Tools {
		bearers[tool.OriginalName]++
		if OriginalName(tool) != "" {
			bearers[tool.Name]++ // which the name of a tool goes before
		}
	}
	for _, tool := range r.Tools {
		if tool.OriginalName == "" {
			bearers[tool.Name]++
		}
	}
	own := func(tool *model.Tool) bool { return tool.OriginalName != "" && bearers[tool.OriginalName] == 1 }
	words := strings.NewReplacer("_", " ", "-", " ")
	for _, c := range []struct {
		name  string
		of    func(*model.Tool) bool
		query func(*model.Tool) string
		share float64 // of the tools
	}{
		{"alone", own, func(tool *model.Tool) string { return tool.OriginalName }, 1},
		{"in a sentence", own, func(tool *model.Tool) string {
			return "please use " + tool.OriginalName + " to do this for me"
		}, 0.99},
		{"of a server", own, func(tool *model.Tool) string {
			return fmt.Sprintf("please use %s of %s to do this for me", tool.OriginalName, tool.Server)
		}, 0.99},
		{"in words", func(*model.Tool) bool { return true }, func(tool *model.Tool) string {
			return "Hi there, I was wondering whether you could kindly call the " + words.Replace(tool.Name) +
				" tool on the project we discussed yesterday, thanks"
		}, 0.99},
	} {
		t.Run(c.name, func(t *testing.T) {
			good, all := 0, 0
			var bad []string
			for i, tool := range r.Tools {
				if !c.of(tool) {
					continue
				}
				all++
				if hits := x.Search(c.query(tool), 1).Hits; len(hits) > 0 && hits[0].Doc == i {
					good++
				} else {
					bad = append(bad, tool.Name)
				}
			}
			t.Logf("%d of %d", good, all)
			if float64(good) < c.share*float64(all) {
				t.Errorf("%d of %d, want %.0f %%; not %q", good, all, 100*c.share, bad[:min(len(bad), 10)])
			}
		})
	}
}

// TestEveryWordFinds: each word of a name or description finds a tool alone,
// also one that is written as a part of another: mac, os and macos of macOS.
func TestEveryWordFinds(t *testing.T) {
	for _, c := range []struct {
		name string
		data func(t *testing.T) []byte
	}{
		{"demo", func(*testing.T) []byte { return demo.Registry() }},
		{"real", func(t *testing.T) []byte { return fixture.SharedFile(t, "registries/registry.json") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.Parse(t, c.data(t))
			x := index(t, NewCorpus(), r.Tools, r.Toolset, Default)
			letters := regexp.MustCompile(`[\p{L}\p{M}]{3,}`)
			seen := map[string]bool{}
			for _, tool := range r.Tools {
				for _, w := range letters.FindAllString(strings.ToLower(tool.Name+" "+tool.Description), -1) {
					if seen[w] {
						continue
					}
					seen[w] = true
					if retrieval.EnglishLexicon().Kind([]byte(w)) != retrieval.StopWord && len(x.Search(w, 1).Hits) == 0 {
						t.Errorf("%s: %q finds nothing", tool.Name, w)
					}
				}
			}
		})
	}
}

// TestOtherForms: words that are cut meet those that are not.
func TestOtherForms(t *testing.T) {
	tools := []*model.Tool{
		newTool("one", "x", "Exports PDFs", nil),
		newTool("two", "x", "Lists APIs", nil),
		newTool("three", "x", "Runs on macOS and iOS", nil),
		newTool("four", "x", "Shortens URLs by oauth2", nil),
		newTool("five", "x", "Talks to YouTube, with mTLS", nil),
		newTool("six", "x", "Plays a sound on a mac", []byte(`{"properties":{"orgId":{"type":"string"}}}`)),
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for query, want := range map[string]int{
		"pdfs": 0, "PDF": 0, "apis": 1, "api": 1, "macos": 2, "macOS": 2, "MacOS": 2, "MACOS": 2, "mac os": 2, "ios": 2, "iOS": 2,
		"url": 3, "urls": 3, "oauth": 3, "OAuth": 3, "OAuth2": 3, "youtube": 4, "YouTube": 4, "mtls": 4, "orgid": 5, "org": 5,
	} {
		if hits := x.Search(query, 6).Hits; len(hits) == 0 || hits[0].Doc != want {
			t.Errorf("%q finds %v, want %d first", query, hits, want)
		}
	}
	if a, b := x.documents[2].record, x.documents[0].record; a.length(&Default.Fields) != b.length(&Default.Fields)+2 {
		t.Errorf("other forms add to the length: %v", a)
	}
}

// TestServerSupport: of tools that are alike, the first is that whose server has another
// tool for the query.
func TestServerSupport(t *testing.T) {
	tools := []*model.Tool{
		newTool("remove_note", "alpha", "Removes a note.", nil),
		newTool("remove_note", "gamma", "Removes a note.", nil),
		newTool("anchor", "gamma", "Anchors a ship in a harbour.", nil),
		newTool("remove_note", model.NoToolset, "Removes a note.", nil),
		newTool("list_wrecks", "alpha", "List the wrecks.", nil),
	}
	const query = "remove the note, and anchor my ship in the harbour"
	alike := func(r Recipe) (docs []int) { // the first of the tools that are alike
		for _, h := range index(t, NewCorpus(), tools, nil, r).Search(query, 5).Hits {
			if h.Doc <= 1 {
				docs = append(docs, h.Doc)
			}
		}
		return docs
	}
	without := Default
	without.ServerSupport = 0
	if got := alike(without); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v without support, want the order of the catalog", got)
	}
	if got := alike(Default); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v, want that of gamma first", got)
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for _, c := range []struct {
		query string
		doc   int
		want  string // in the explanation; empty: no component
	}{
		{query, 1, "server: the best of its toolset has "},
		{query, 2, "server: it is the best of its toolset: "},
		{query, 3, "server: a tool without a toolset supports itself: "},
		{"list a note", 4, ""}, // it has the verb alone
		{"list", 4, "server: it is the best of its toolset: "},
	} {
		text := draw(x.Explain(c.query, c.doc))
		if has := strings.Contains(text, "server: "); has != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s of %s: want %q in\n%s", c.query, tools[c.doc].Name, c.want, text)
		}
	}
}

// TestServerOfName: a tool gains nothing for the name of another tool of its toolset.
func TestServerOfName(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	hits := x.Search("list_branches", 5).Hits
	if hits[0].Doc != 1 || hits[0].Score < Default.ExactName {
		t.Fatalf("%v, want list_branches first for its name", hits)
	}
	for _, h := range hits[1:] {
		if h.Score > 3 {
			t.Errorf("%s gains for the name of another\n%s", tools[h.Doc].Name, draw(x.Explain("list_branches", h.Doc)))
		}
	}
}
