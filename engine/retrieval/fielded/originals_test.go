package fielded

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/tui/demo"
)

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
	r := parse(t, sharedFile(t, "registries/registry.json"))
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
		{"real", func(t *testing.T) []byte { return sharedFile(t, "registries/registry.json") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.data(t))
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
