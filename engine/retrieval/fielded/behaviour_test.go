package fielded

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval"
	"caliper/model"
)

// harbour is a catalog of our own.
func harbour() []*model.Tool {
	tool := func(name, toolset, description, parameter string) *model.Tool {
		return newTool(name, toolset, description, []byte(`{"properties":{"`+parameter+`":{"type":"string"}}}`))
	}
	return []*model.Tool{
		tool("create_branch", "mcp-github", "Create a new branch in a repository.", "branch"),
		tool("list_branches", "mcp-github", "List the branches of a repository.", "page"),
		tool("delete_file", "mcp-github", "Delete a file from a repository.", "path"),
		tool("getPullRequest", "mcp-github", "Get one pull request with its reviews.", "number"),
		tool("calendar.events.insert", "calendar", "Add an event to a calendar.", "start"),
		tool("calendar.events.list", "calendar", "List the events of a calendar.", "from"),
		tool("send-message", "mail", "Send an e-mail message to somebody.", "recipient"),
		tool("get_tides", "harbour", "Get the tides of a harbour for a day.", "day"),
		tool("list_berths", "harbour", "List the free berths of a harbour.", "length"),
		tool("create_berth_booking", "harbour", "Book a berth for a ship.", "ship"),
		tool("kensaku", "jp", "港の天気予報を検索します。", "basho"),
		tool("poisk", "ru", "Находит суда в порту по названию.", "imya"),
		tool("khonha", "th", "ค้นหาเรือในท่าเรือ", "ruea"),
		tool("get_forecast", "weather", "Get the weather forecast for a place.", "place"),
		tool("list_items", "store", "List items.", "query"),
		tool("get_item", "store", "Get an item.", "id"),
		tool("create_item", "store", "Create an item.", "title"),
	}
}

// TestBehaviour: what people ask for, and which tool is to be first.
func TestBehaviour(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	for _, c := range []struct{ kind, query, first string }{
		{"name", "please use create_berth_booking to do this for me", "create_berth_booking"},
		{"name", "what about calendar.events.list?", "calendar.events.list"},
		{"name", "getPullRequest", "getPullRequest"},
		{"name in another form", "get_pull_request", "getPullRequest"},
		{"name in another form", "CalendarEventsInsert", "calendar.events.insert"},
		{"name in another form", "send message", "send-message"},
		{"typo", "creat_branch", "create_branch"},
		{"typo", "please use create_brth_booking now", "create_berth_booking"},
		{"typo", "tides in the harbuor", "get_tides"},
		{"plural", "pull requests", "getPullRequest"},
		{"tense", "branch creating", "create_branch"},
		{"tense", "booked a berth", "create_berth_booking"},
		{"camelCase", "branchCreate", "create_branch"},
		{"snake_case", "berths_free", "list_berths"},
		{"dotted", "events.calendar.insert", "calendar.events.insert"},
		{"compound", "pullrequest", "getPullRequest"},
		{"synonym", "make a booking for my boat's berth", "create_berth_booking"},
		{"domain", "do I need an umbrella", "get_forecast"},
		{"Japanese", "港の天気を検索", "kensaku"},
		{"Russian", "найди суда в порту", "poisk"},
		{"Thai", "ค้นหาเรือ", "khonha"},
		{"noun before verb", "list the tides", "get_tides"},
		{"noun before verb", "get list create delete forecast", "get_forecast"},
		{"noun before verb", "list reviews", "getPullRequest"},
		{"noun before verb", "please list forceast", "get_forecast"},
		{"request words", "could you please help me, I want to know about tides", "get_tides"},
	} {
		t.Run(c.kind+"/"+c.query, func(t *testing.T) {
			hits := x.Search(c.query, 5).Hits
			if len(hits) == 0 {
				t.Fatal("nothing")
			}
			if got := tools[hits[0].Doc].Name; got != c.first {
				t.Errorf("%s is first, want %s\n%s", got, c.first, draw(x.Explain(c.query, hits[0].Doc)))
			}
		})
	}
}

// TestNothing: queries that find nothing, and the first word that says something.
func TestNothing(t *testing.T) {
	x := index(t, NewCorpus(), harbour(), toolsets, Default)
	for _, c := range []struct {
		query, word string
		some        bool
	}{{"", "", false}, {" ?! ", "", false}, {"the of and", "", true}, {"zzzqx", "zzzqx", true}, {"what is Zzzqx 12345", "zzzqx", true}} {
		if word, some := x.FirstWord(c.query); word != c.word || some != c.some || len(x.Search(c.query, 1).Hits) > 0 {
			t.Errorf("%q: %q, %t, want %q, %t", c.query, word, some, c.word, c.some)
		}
	}
}

// TestFindsContentWords: a query is answered when a tool shares a word with it
// that is no stop word, whatever else it says.
func TestFindsContentWords(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	var content []string
	for _, tool := range tools {
		for _, w := range oracleWords(tool.Name + " " + tool.Description) {
			if retrieval.EnglishLexicon().Kind([]byte(w)) != retrieval.StopWord && slices.Equal(oracleWords(w), []string{w}) {
				content = append(content, w)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(testWords), rapid.StringMatching(`[a-z]{1,12}`)), 0, 30).Draw(t, "words")
		shared := rapid.SampledFrom(content).Draw(t, "shared")
		words = slices.Insert(words, rapid.IntRange(0, len(words)).Draw(t, "at"), shared)
		for _, h := range x.Search(strings.Join(words, " "), 100).Hits {
			if slices.Contains(oracleWords(tools[h.Doc].Name+" "+tools[h.Doc].Description), shared) {
				return
			}
		}
		t.Fatalf("%q finds no tool that holds %q", words, shared)
	})
}

// TestLongQueries: texts that somebody pasted are answered within bounds.
func TestLongQueries(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	var strange, known strings.Builder
	for i := range 3000 {
		strange.WriteString(strings.Repeat(string(rune('a'+i%26)), 3) + "zq" + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + " ")
		known.WriteString(retrieval.EnglishLexicon().Stems[i%len(retrieval.EnglishLexicon().Stems)] + ". ")
	}
	for _, query := range []string{
		"tides " + strange.String(),
		"tides " + known.String(),
		"tides " + strings.Repeat("create_branch_x get_y. ", 2000),
		"tides " + strings.Repeat("港口", 5000),
		"tides" + strings.Repeat("a", 100_000),
	} {
		checkOrder(t, x, query, 6)
	}
}

func TestEmptyCatalogs(t *testing.T) {
	for _, tools := range [][]*model.Tool{nil, {newTool("", "", "", nil)}, {newTool("the", model.NoToolset, "of the", nil), newTool("", "x", "…", nil)}} {
		x := index(t, NewCorpus(), tools, nil, Default)
		for _, query := range []string{"", " ", "the", "港口", "a b. c d.", "x"} {
			checkOrder(t, x, query, 1)
		}
	}
}

func TestRecipeCheck(t *testing.T) {
	for name, change := range map[string]func(*Recipe){
		"a negative weight":    func(r *Recipe) { r.Letters = -1 },
		"a field of no weight": func(r *Recipe) { r.Fields[Toolset] = 0 },
		"k1":                   func(r *Recipe) { r.K1 = 0 },
		"b":                    func(r *Recipe) { r.B = 1.1 },
		"request words":        func(r *Recipe) { r.RequestWord = 0 },
		"likeness":             func(r *Recipe) { r.LeastLikeness = 0 },
		"covered above":        func(r *Recipe) { r.CoveredAbove = 0.6 },
		"candidates":           func(r *Recipe) { r.Candidates = 0 },
	} {
		r := Default
		change(&r)
		if _, err := NewCorpus().Index(context.Background(), nil, nil, r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzSearch makes a catalog of the lines of a text, each a tool whose name,
// description and parameters tabs divide, and checks what must hold for any.
func FuzzSearch(f *testing.F) {
	f.Add("berth_book\tbook a berth\t{\"properties\":{\"ship\":{}}}\ntide\tof the day\n\tno name", "book the berth. When?")
	f.Add("create_issue\tx\ncreateIssue\ty\ncreate-issue", "please create_isue; now")
	f.Add("港口管理\t天気予報\nпоиск\tфайлов", "港口 файлы. ไฟล์ ไฟล์")
	f.Add("Ångström\xff\tİ K\nx\t\t]}{", "ngstr\xff. \n")
	f.Fuzz(func(t *testing.T, text, query string) {
		var tools []*model.Tool
		for line := range strings.SplitSeq(text, "\n") {
			parts := append(strings.SplitN(line, "\t", 3), "", "")
			tools = append(tools, newTool(parts[0], "mcp-github", parts[1], []byte(parts[2])))
		}
		r := Default
		r.Candidates = 1 + len(text)%5
		checkOrder(t, index(t, NewCorpus(), tools, toolsets, r), query, 1)
	})
}

// TestChinese: a single character is found within a longer word, and the two ways
// of writing meet.
func TestChinese(t *testing.T) {
	tools := []*model.Tool{
		newTool("weather", "s", "查询天气预报", nil),
		newTool("library", "s", "圖書館的書", nil),
		newTool("ferry", "s", "Crosses the bay.", nil),
		newTool("mixed_港", "s", "港口管理 API", nil),
	}
	x := index(t, NewCorpus(), tools, toolsets, Default)
	for _, c := range []struct{ query, first string }{
		{"气", "weather"}, {"查", "weather"}, {"报", "weather"}, {"報", "weather"}, {"氣", "weather"},
		{"查詢", "weather"}, {"天氣預報", "weather"}, {"图书馆", "library"}, {"圖書館", "library"}, {"書", "library"}, {"书", "library"}, {"馆", "library"},
		{"理", "mixed_港"}, {"港", "mixed_港"}, {"狗", ""}, {"ferry 狗", "ferry"},
	} {
		hits := x.Search(c.query, 5).Hits
		got := ""
		if len(hits) > 0 {
			got = tools[hits[0].Doc].Name
		}
		if got != c.first {
			t.Errorf("%s finds %q first, want %q", c.query, got, c.first)
		}
	}
}
