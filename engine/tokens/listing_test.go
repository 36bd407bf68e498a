package tokens

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// listVectors are lists as the reference makes them, with its own wording.
type listVectors struct {
	Measure struct {
		Header    int `json:"header_chars"`
		Head      int `json:"group_head_fixed_chars"`
		Summary   int `json:"summary_fixed_chars"`
		Separator int `json:"separator_between_names"`
		Line      int `json:"full_line_fixed_chars_without_description"`
		LineSay   int `json:"full_line_fixed_chars_with_description"`
	}
	Pools map[string][][3]*string
	Cases []struct {
		Pool   string
		Take   [2]int
		Budget int
		Want   struct {
			Form   ListForm
			Chars  int
			Tokens int
			Groups []struct {
				Label string
				Tools int
				Form  ListForm
				Chars int
			}
		}
	}
	ShortDescriptions []struct {
		Description string
		Want        string
	} `json:"short_descriptions"`
}

func readListVectors(t testing.TB) (v listVectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/listing.json")
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil || len(v.Cases) != 318 || len(v.ShortDescriptions) != 47 {
		t.Fatal(err, len(v.Cases), len(v.ShortDescriptions))
	}
	return v
}

func TestListVectors(t *testing.T) {
	v := readListVectors(t)
	m := v.Measure
	reference := wording{header: m.Header, head: m.Head, summary: m.Summary, line: m.Line, lineWithSay: m.LineSay, separator: m.Separator}
	for i, c := range v.Cases {
		t.Run(fmt.Sprintf("%d %s %v in %d", i, c.Pool, c.Take, c.Budget), func(t *testing.T) {
			l := chooseList(listGroups(poolOf(v, c.Pool, c.Take)), c.Budget, reference)
			if l.Form != c.Want.Form || l.Chars != c.Want.Chars || l.Tokens() != c.Want.Tokens {
				t.Errorf("%s, %d characters, %d tokens; want %s, %d, %d", l.Form, l.Chars, l.Tokens(), c.Want.Form, c.Want.Chars, c.Want.Tokens)
			}
			if len(l.Groups) != len(c.Want.Groups) {
				t.Fatalf("%d groups, want %d", len(l.Groups), len(c.Want.Groups))
			}
			for i, want := range c.Want.Groups {
				if g := l.Groups[i]; g.Label != want.Label || g.Tools != want.Tools || g.Form != want.Form || g.Chars != want.Chars {
					t.Errorf("group %q, %d tools, %s, %d characters; want %+v", g.Label, g.Tools, g.Form, g.Chars, want)
				}
			}
		})
	}
}

// poolOf returns the tools of a pool from one row to another.
func poolOf(v listVectors, pool string, take [2]int) []ListTool {
	var tools []ListTool
	for _, row := range v.Pools[pool][take[0]:take[1]] {
		var texts [3]string
		for i, text := range row {
			if text != nil {
				texts[i] = *text
			}
		}
		tools = append(tools, ListTool{texts[0], texts[1], texts[2]})
	}
	return tools
}

func TestSentences(t *testing.T) {
	for _, c := range readListVectors(t).ShortDescriptions {
		if got := FirstSentence(c.Description); got != c.Want {
			t.Errorf("%q\n got %q\nwant %q", c.Description, got, c.Want)
		}
	}
}

// The example of the package comment.
func TestExampleOfTheComment(t *testing.T) {
	tools := poolOf(readListVectors(t), "few", [2]int{0, 10})
	for budget, want := range map[int]ListForm{223: ListFull, 222: ListNames, 102: ListNames, 101: ListMixed, 61: ListMixed, 60: ListGroups, 38: ListGroups, 37: ListNone} {
		if got := ChooseList(tools, budget).Form; got != want {
			t.Errorf("a budget of %d gives %s, want %s", budget, got, want)
		}
	}
}

// A list of which the model is shown nothing has the groups and no length, and the list
// that it was made of stays as it is.
func TestWithout(t *testing.T) {
	whole := ChooseList(poolOf(readListVectors(t), "few", [2]int{0, 10}), 223)
	l := whole.Without()
	if l.Form != ListNone || l.Chars != 0 || l.Tokens() != 0 || len(l.Groups) != len(whole.Groups) || whole.Form != ListFull || whole.Chars == 0 {
		t.Errorf("%+v of %+v", l, whole)
	}
	for i, g := range l.Groups {
		if g.Form != "" || g.Chars != 0 || g.Label != whole.Groups[i].Label || whole.Groups[i].Chars == 0 {
			t.Errorf("%+v of %+v", g, whole.Groups[i])
		}
	}
}

// drawn are some tools of few groups, so that groups have several.
func drawn(t *rapid.T) []ListTool {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ListTool {
		return ListTool{
			Name:        rapid.StringMatching(`[a-zé_]{1,30}`).Draw(t, "name"),
			Toolset:     rapid.SampledFrom([]string{"", "mcp-", "mcp-oven", "mcp-sky", "other", "größe"}).Draw(t, "toolset"),
			Description: rapid.StringMatching(`([a-z]{1,9}[ .!]{1,2}){0,12}`).Draw(t, "description"),
		}
	}), 0, 40).Draw(t, "tools")
}

func TestListsKeepTheirInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools, budget := drawn(t), rapid.IntRange(-5, 1500).Draw(t, "budget")
		l := ChooseList(tools, budget)
		if l.Form != ListNone && l.Tokens() > budget {
			t.Fatalf("%d tokens of %d", l.Tokens(), budget)
		}
		if n := utf8.RuneCountInString(l.Text()); n != l.Chars {
			t.Fatalf("the text has %d characters, and %d are counted:\n%s", n, l.Chars, l.Text())
		}
		counted, chars := 0, utf8.RuneCountInString(listHeader)
		for _, g := range l.Groups {
			counted += g.Tools
			chars += 1 + g.Chars
		}
		if counted != len(tools) || l.Form != ListNone && chars != l.Chars {
			t.Fatalf("the groups have %d tools of %d, and %d characters of %d", counted, len(tools), chars, l.Chars)
		}
		more := ChooseList(tools, budget+rapid.IntRange(0, 500).Draw(t, "more"))
		if slices.Index(ListForms, more.Form) > slices.Index(ListForms, l.Form) {
			t.Fatalf("%s with %d, and %s with %d", l.Form, l.Budget, more.Form, more.Budget)
		}
		shuffled := rapid.Permutation(tools).Draw(t, "shuffled")
		if again := ChooseList(shuffled, budget); again.Text() != l.Text() {
			t.Fatalf("another order gives another list:\n%s\n%s", l.Text(), again.Text())
		}
		for i, need := range l.Needs() {
			if at, under := ChooseList(tools, need.Tokens), ChooseList(tools, need.Tokens-1); at.Form != need.Form || under.Form == need.Form {
				t.Fatalf("%s needs %d, but that gives %s, and one less %s", need.Form, need.Tokens, at.Form, under.Form)
			}
			if i > 0 && slices.Index(ListForms, need.Form) <= slices.Index(ListForms, l.Needs()[i-1].Form) {
				t.Fatalf("needs are not in order: %v", l.Needs())
			}
		}
		if again := l.With(more.Budget); again.Text() != more.Text() {
			t.Fatalf("the list with another budget differs:\n%s\n%s", again.Text(), more.Text())
		}
	})
}

func TestTextOfEachForm(t *testing.T) {
	tools := []ListTool{{"heat", "mcp-oven", "Heats the oven. Slowly."}, {"turn", "mcp-sky-dome", ""}, {"a_very_long_name_that_takes_many_characters_of_the_budget", "mcp-sky-dome", "Closes the dome."}}
	var texts []string
	for budget := 200; ; {
		l := ChooseList(tools, budget)
		texts = append(texts, string(l.Form)+"\n"+l.Text())
		if l.Form == ListNone {
			break
		}
		budget = l.Tokens() - 1
	}
	want := `full
` + listHeader + `
oven (1):
- heat: Heats the oven.
sky-dome (2):
- a_very_long_name_that_takes_many_characters_of_the_budget: Closes the dome.
- turn
names
` + listHeader + `
oven (1): heat
sky-dome (2): a_very_long_name_that_takes_many_characters_of_the_budget, turn
mixed
` + listHeader + `
oven (1): heat
sky-dome (2 tools): search to see their names
none
`
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
