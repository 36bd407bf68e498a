package labels

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval/learned"
	"caliper/model"
	_ "caliper/model/require"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, query string
		needs       [][]string
		want        WordClass
	}{
		{"every word, in another form", "creates an issue for the crash", [][]string{{"create_issue"}}, AllWords},
		{"one tool of the need is enough", "creates an issue for the crash", [][]string{{"report_issue", "create_issue"}}, AllWords},
		{"the second need lacks a word", "creates an issue for the crash", [][]string{{"create_issue"}, {"label_issue"}}, SomeWords},
		{"no word", "creates an issue for the crash", [][]string{{"open_ticket"}}, NoWords},
		{"words of two tools do not add up", "list the labels", [][]string{{"list_issues", "open_labels"}}, SomeWords},
		{"one need whole, one untouched", "open a ticket", [][]string{{"open_ticket"}, {"send_mail"}}, SomeWords},
		{"camelCase", "parse http response", [][]string{{"parseHTTPResponse"}}, AllWords},
		{"a part of a word is no word", "reissue the card", [][]string{{"issue"}}, NoWords},
		{"stop words of a name do not count", "list issues", [][]string{{"list_of_the_issues"}}, AllWords},
		{"stop words of a query do not either", "the what of it", [][]string{{"list_of_the_issues"}}, NoWords},
		{"a name of stop words alone", "what is on now", [][]string{{"Now"}}, AllWords},
		{"a name of stop words alone, without them", "today's weather", [][]string{{"Now"}}, NoWords},
		{"another script", "请查询港口管理", [][]string{{"港口管理"}}, AllWords},
		{"a name without words", "open a ticket", [][]string{{"___"}}, NoWords},
		{"a tool without words beside one with", "open a ticket", [][]string{{"___", "open_ticket"}}, AllWords},
		{"an empty query", "", [][]string{{"open_ticket"}}, NoWords},
		{"no needs", "open a ticket", nil, NoWords},
		{"a need without tools", "open a ticket", [][]string{{"open_ticket"}, {}}, SomeWords},
	} {
		if got := WordClassOf(c.query, c.needs); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		name string
		tool model.Tool
		want string
	}{
		{"one underscore", model.Tool{Name: "mcp_forge_create_issue", Toolset: "mcp-forge"}, "create_issue"},
		{"two underscores", model.Tool{Name: "mcp__forge__create_issue", Toolset: "mcp-forge"}, "create_issue"},
		{"the server says more than the toolset", model.Tool{Name: "mcp_big_forge_sync", Toolset: "mcp-big", Server: "big-forge"}, "sync"},
		{"the source says it", model.Tool{Name: "forge_x1", OriginalName: "createIssue", Toolset: "mcp-forge"}, "createIssue"},
		{"a dot", model.Tool{Name: "geometry.area", Toolset: "geometry"}, "area"},
		{"a namespace", model.Tool{Name: "forge__create_issue", Toolset: "forge"}, "create_issue"},
		{"an underscore sets nothing apart", model.Tool{Name: "weather_forecast", Toolset: "mcp-weather"}, "weather_forecast"},
		{"another's dot", model.Tool{Name: "geometry.area", Toolset: "shapes"}, "geometry.area"},
		{"nothing behind it", model.Tool{Name: "forge__", Toolset: "forge"}, "forge__"},
		{"no toolset", model.Tool{Name: ".hidden"}, ".hidden"},
	} {
		if got := OwnName(&c.tool); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The invariants of the package, on words that stem alike, that are stop words and that
// are neither.
func TestInvariants(t *testing.T) {
	word := rapid.SampledFrom([]string{"create", "creating", "issue", "issues", "ticket", "the", "of", "now", "mail", "港口"})
	text := func(between string, least int) *rapid.Generator[string] {
		return rapid.Map(rapid.SliceOfN(word, least, 4), func(list []string) string { return strings.Join(list, between) })
	}
	needs := rapid.SliceOfN(rapid.SliceOfN(text("_", 1), 1, 3), 1, 3)
	rapid.Check(t, func(t *rapid.T) {
		query, of := text(" ", 0).Draw(t, "query"), needs.Draw(t, "needs")
		class := WordClassOf(query, of)

		turned := slices.Clone(of)
		slices.Reverse(turned)
		for i := range turned {
			turned[i] = slices.Clone(turned[i])
			slices.Reverse(turned[i])
		}
		said := strings.Fields(query)
		slices.Reverse(said)
		if got := WordClassOf(strings.Join(said, " "), turned); got != class {
			t.Errorf("%v, in another order %v", class, got)
		}
		if got := WordClassOf(query+" "+word.Draw(t, "one more"), of); got < class {
			t.Errorf("%v, with one more word %v", class, got)
		}
		more := slices.Clone(of)
		more[0] = append(slices.Clone(of[0]), text("_", 1).Draw(t, "one more tool"))
		if got := WordClassOf(query, more); got < class {
			t.Errorf("%v, with one more tool %v", class, got)
		}
		var names []string
		for _, need := range of {
			names = append(names, need...)
		}
		if got := WordClassOf(strings.ReplaceAll(strings.Join(names, " "), "_", " "), of); got != AllWords {
			t.Errorf("the names themselves: %v", got)
		}
		if got := WordClassOf("", of); got != NoWords {
			t.Errorf("without words: %v", got)
		}
	})
}

// TestWordSplit: a class without a query has the recall 0, the others the mean.
func TestWordSplit(t *testing.T) {
	var s WordSplit
	for _, add := range []struct {
		class  WordClass
		recall float64
	}{{SomeWords, 1}, {AllWords, 0.5}, {SomeWords, 0}, {SomeWords, 0.5}} {
		s.Add(add.class, add.recall)
	}
	if s.Means(); s != (WordSplit{{}, {3, 0.5}, {1, 0.5}}) {
		t.Errorf("%+v", s)
	}
	if got := []string{NoWords.String(), SomeWords.String(), AllWords.String()}; !slices.Equal(got, []string{"none", "some", "all"}) {
		t.Errorf("%q", got)
	}
}

// TestAsCalled: labels with the names of the agent's other generation are of the registry's tools;
// names that it has, or that several tools have, stay. The queries that were given do not change.
func TestAsCalled(t *testing.T) {
	made := func(name, server, original string) *model.Tool {
		return &model.Tool{Name: name, Server: server, OriginalName: original, Toolset: "mcp-" + server, Available: true}
	}
	r := model.NewRegistry([]*model.Tool{made("mcp_port_list-ships", "port", "list-ships"), made("plain", "", "")}, nil)
	other := r.Tools[0].Aliases()[0]
	given := Query{ID: "7", Text: "q", Group: "g", Relevant: []string{other, "plain", "none"}, Groups: [][]string{{"plain"}, {other, "none"}}, Grades: map[string]float64{other: 2, "none": 1}}
	for name, c := range map[string]struct {
		given Query
		want  Query
	}{
		"as it is": {Query{Relevant: []string{"plain", "none"}}, Query{Relevant: []string{"plain", "none"}}},
		"renamed": {given, Query{ID: "7", Text: "q", Group: "g", Relevant: []string{"mcp_port_list-ships", "plain", "none"}, Groups: [][]string{{"plain"}, {"mcp_port_list-ships", "none"}},
			Grades: map[string]float64{"mcp_port_list-ships": 2, "none": 1}}},
		"in a group alone": {Query{Relevant: []string{"plain"}, Groups: [][]string{{other}}}, Query{Relevant: []string{"plain"}, Groups: [][]string{{"mcp_port_list-ships"}}}},
	} {
		got := AsCalled(r, []Query{c.given})
		if !reflect.DeepEqual(got, []Query{c.want}) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		lesson := learned.Lesson{ID: c.want.ID, Text: c.want.Text, Group: c.want.Group, Tools: c.want.Relevant}
		if l := Lessons(r, []Query{c.given}).List; !reflect.DeepEqual(l, []learned.Lesson{lesson}) {
			t.Errorf("%s: lessons %+v", name, l)
		}
	}
	if given.Relevant[0] != other || given.Groups[1][0] != other || given.Grades[other] != 2 {
		t.Errorf("changed: %+v", given)
	}
}
