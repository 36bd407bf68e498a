package fielded

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/demo"
)

// readSchema returns the names and texts of a schema.
func readSchema(data string) (names, texts []string) {
	s := schema{visit: func(f Field, text []byte) {
		if f == ParameterNames {
			names = append(names, string(text))
		} else {
			texts = append(texts, string(text))
		}
	}}
	s.format = func([]byte) {}
	s.Data = []byte(data)
	s.object(0, false)
	return names, texts
}

func TestSchema(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 8) + `{"description":"deep"}` + strings.Repeat("}}", 8)
	for _, c := range []struct{ name, schema, names, texts string }{
		{"none", ``, "", ""},
		{"no object", `[{"properties":{"a":{}}}]`, "", ""},
		{"outer texts are left out", `{"description":"x","enum":["y"],"properties":{"a":{"description":"z"}}}`, "a", "z"},
		{"a parameter called description", `{"properties":{"description":{"type":"string"},"enum":{"enum":["e"]}}}`, "description|enum", "e"},
		{"values", `{"properties":{"a":{"enum":["one",2,true,null,{"x":"y"},["z"],-1.5]}}}`, "a", "one|2|true|-1.5"},
		{"items", `{"properties":{"a":{"items":{"description":"d","enum":["e"],"properties":{"b":{}}}}}}`, "a|b", "d|e"},
		{"items of the whole", `{"items":{"properties":{"b":{"description":"d"}}}}`, "b", "d"},
		{"escapes", `{"properties":{"a\u0062\"":{"description":"l\n\u6e2f"}}}`, `ab"`, "l\n港"},
		{"white space", " { \"properties\" :\n{ \"a\" : { \"description\" : \"d\" } , \"b\":1 } } ", "a|b", "d"},
		{"other keywords", `{"$defs":{"x":{"properties":{"no":{}}}},"properties":{"a":{"anyOf":[{"description":"no"}],"default":{"description":"no"}}}}`, "a", ""},
		{"a limit of depth", deep, "p|p|p|p|p|p", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			names, texts := readSchema(c.schema)
			if got := strings.Join(names, "|"); got != c.names {
				t.Errorf("names %q, want %q", got, c.names)
			}
			if got := strings.Join(texts, "|"); got != c.texts {
				t.Errorf("texts %q, want %q", got, c.texts)
			}
		})
	}
}

// FuzzSchema: no bytes are too strange; of valid schemas, names and texts are
// those that a parser finds.
func FuzzSchema(f *testing.F) {
	f.Add(`{"properties":{"a":{"description":"d","enum":["x",1]},"b":{"items":{"properties":{"c":{}}}}}}`)
	f.Add(`{"properties":{"a":{"enum":[`)
	f.Add(`{"properties":{"a":"}}}`)
	f.Add(`]]}{"`)
	f.Fuzz(func(t *testing.T, data string) {
		names, texts := readSchema(data)
		if wantNames, wantTexts := oracleParameters([]byte(data)); strictly(data) {
			slices.Sort(names)
			slices.Sort(wantNames)
			if !slices.Equal(names, wantNames) || len(texts) != len(wantTexts) {
				t.Errorf("%q and %q, want %q and %q", names, texts, wantNames, wantTexts)
			}
		}
	})
}

// strictly tells whether data is JSON without names that are repeated, whose
// texts are the same however they are read.
func strictly(data string) bool {
	d := jsontext.NewDecoder(strings.NewReader(data))
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}

// TestValues: which words of a query are values, and of which kind.
func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"see https://example.org/a?b=c, please": "a URL https://example.org/a?b=c",
		"open (www.example.org).":               "a URL www.example.org",
		"write to ann@example.org!":             "an e-mail address ann@example.org",
		"read /var/log/mail.log.":               "a path /var/log/mail.log",
		"read `~/notes` and ./x/y":              "a path ~/notes|a path ./x/y",
		`C:\data\a.csv`:                         `a path C:\data\a.csv`,
		"merge a.pdf with src/main.go":          "a path a.pdf|a path src/main.go",
		"读取/etc/hosts文件":                        "a path /etc/hosts",
		"on 2026-11-25, or 25.11.2026":          "a date 2026-11-25|a date 25.11.2026",
		"from 2026-11-25T10:00:00Z":             "a date 2026-11-25T10:00:00Z",
		"save ,;!notes.html and x.jpeg2":        "a path notes.html",
		"on 1-2-6 or 1/12/26 or 1-2-":           "a date 1/12/26",
		"on 12345-1-2 or 2026-1/2 or 1-2-3-4":   "",
		"/x a:b ~x .x www. ftp://x 1://x":       "a URL ftp://x",
		"?? , :!":                               "",
		"/search and/or 1/2 e.g. Next.js":       "",
		"a@b v1.2.3.4 tcp/ip ... -- @ ://":      "",
	} {
		var got []string
		for _, v := range appendValues(nil, []byte(text)) {
			got = append(got, v.kind.String()+" "+text[v.from:v.to])
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("values of %q: %q, want %q", text, got, want)
		}
	}
}

// TestArguments: of tools that are alike, the first is the one that takes what the query
// gives.
func TestArguments(t *testing.T) {
	properties := func(text string) []byte { return []byte(`{"properties":{` + text + `}}`) }
	tools := []*model.Tool{
		newTool("kla_report", model.NoToolset, "Makes a report.", properties(`"topic":{}`)),
		newTool("klb_report", model.NoToolset, "Makes a report.", properties(`"url":{}`)),
		newTool("klc_report", model.NoToolset, "Makes a report.", properties(`"file":{}`)),
		newTool("kld_report", model.NoToolset, "Makes a report.", properties(`"mailTo":{}`)),
		newTool("kle_report", model.NoToolset, "Makes a report.", properties(`"when":{"format":"date-time"}`)),
	}
	without := Default
	without.Arguments = 0
	const url = "make a report of https://zzqx.zzqx"
	if first := index(t, NewCorpus(), tools, nil, without).Search(url, 1).Hits[0]; first.Doc == 1 {
		t.Error("it is first without the component: the test shows nothing")
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for query, want := range map[string]string{
		url:                                      "klb_report",
		"make a report of /zzqx/zzqx.zzq":        "klc_report",
		"make a report for zzqx@zzqx.zzqx":       "kld_report",
		"make a report of 2026-11-25":            "kle_report",
		"make a report of what is tomorrow":      "kle_report",
		"make a report of https://z.z/ by z@z.z": "klb_report",
	} {
		hits := x.Search(query, 1).Hits
		if got := tools[hits[0].Doc].Name; got != want {
			t.Errorf("%q: %s is first, want %s\n%s", query, got, want, draw(x.Explain(query, hits[0].Doc)))
		}
	}
	const want = "+0.0500 arguments: the query gives a URL and an e-mail address; a parameter takes a URL"
	if text := draw(x.Explain("make a report of https://z.z/ by z@z.z", 1)); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// cutWords returns the words of a text.
func cutWords(text string) []string {
	all := []string{}
	var c words.Cutter
	c.Cut([]byte(text))
	for w := c.Next(); w != nil; w = c.Next() {
		all = append(all, string(w))
		if len(c.Run()) > 0 && c.Last() {
			all = append(all, "="+string(c.Run())) // the whole of what was cut
		}
	}
	return all
}

// TestWordsEqualOracle: bytes and runes give the same words.
func TestWordsEqualOracle(t *testing.T) {
	letters := []rune("aabBC12 _-.éÉжЖßǅℂ\u0301ー港口ไ์한\xff")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom(letters)).Draw(t, "text")
		if rapid.Bool().Draw(t, "any") {
			text = rapid.String().Draw(t, "text")
		}
		if got, want := cutWords(text), oracleCutWords(text); !slices.Equal(got, want) {
			t.Fatalf("words of %q: %q, want %q", text, got, want)
		}
	})
}

// TestTranslation: English words find a tool described in Chinese, and Chinese words, also
// in traditional characters, one described in English.
func TestTranslation(t *testing.T) {
	tools := []*model.Tool{
		newTool("qq_one", "s", "查询天气预报", nil),
		newTool("qq_two", "s", "將圖片轉換為文字", nil),
		newTool("qq_three", "s", "查询余票信息", nil),
		newTool("qq_four", "s", "Book a hotel room.", nil),
		newTool("qq_five", "s", "Read a database.", []byte(`{"properties":{"q":{"description":"文件夹"}}}`)),
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for query, want := range map[string]string{
		"weather forecast": "qq_one", "convert an image": "qq_two", "ticket": "qq_three", "folder": "qq_five",
		"预订酒店": "qq_four", "預訂酒店": "qq_four", "读取数据库": "qq_five", "资料库 database": "qq_five", "天氣": "qq_one",
		"票价": "qq_three", // by one character, although no tool has both
	} {
		hits := x.Search(query, 5).Hits
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", query)
			continue
		}
		if got := tools[hits[0].Doc].Name; got != want {
			t.Errorf("%q finds %s first, want %s\n%s", query, got, want, draw(x.Explain(query, hits[0].Doc)))
		}
	}
	for query, want := range map[string]string{
		"weather": " in translations",
		"酒店":      "酒店 ~ hotel, translation 0.50",
	} {
		doc := map[string]int{"weather": 0, "酒店": 3}[query]
		if text := draw(x.Explain(query, doc)); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	before := x.documents[0].record.length(&Default.Fields)
	if english := index(t, NewCorpus(), []*model.Tool{newTool("qq_one", "s", "囗囗囗囗囗口", nil)}, nil, Default); english.documents[0].record.length(&Default.Fields) != before {
		t.Errorf("translations add to the length: %v", before)
	}
}

// TestNounBeforeVerb: for a verb that tools of any kind are named with and a
// word of a name, every tool that has the word in its name stands before all
// that hold the verb, but neither the word nor one that it brings.
func TestNounBeforeVerb(t *testing.T) {
	for _, c := range []struct {
		name string
		data func(t *testing.T) []byte
	}{
		{"demo", func(*testing.T) []byte { return demo.Registry() }},
		{"real", func(t *testing.T) []byte { return fixture.SharedFile(t, "registries/registry.json") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := fixture.Parse(t, c.data(t))
			checkNouns(t, index(t, NewCorpus(), r.Tools, r.Toolset, Default), r.Tools)
		})
	}
}

func checkNouns(t *testing.T, x *Index, tools []*model.Tool) {
	t.Helper()
	l := retrieval.EnglishLexicon()
	nouns := map[string]bool{}
	for _, tool := range tools {
		for _, w := range oracleWords(tool.Name) {
			if l.Kind([]byte(w)) == retrieval.ContentWord && !l.Generic([]byte(w)) {
				nouns[w] = true
			}
		}
	}
	queries, bad := 0, 0
	for noun := range nouns {
		id, _ := x.vocabulary.terms.Find([]byte(oracleStem(noun)))
		for _, verb := range []string{"list", "get", "search"} {
			query := verb + " " + noun
			queries++
			related := map[uint32]bool{id: true}
			s := x.acquire(query)
			for _, b := range s.expansions {
				if int32(b.word) == s.tokens[1].word {
					related[s.terms[b.term].term] = true
				}
			}
			x.release(s)
			above := -1
			for _, h := range x.Search(query, x.Len()).Hits {
				holds, named := false, false
				d := &x.documents[h.Doc]
				for _, t := range d.record.once() {
					holds = holds || related[t&termMask]
					named = named || t>>fieldShift == uint32(Name) && t&termMask == id
				}
				for i, t := range d.record.often() {
					holds = holds || related[t]
					named = named || t == id && x.presences[d.record.tallies()[i]].fields.has(Name)
				}
				if !holds && above < 0 {
					above = h.Doc
				}
				if named && above >= 0 {
					bad++
					if bad < 8 {
						t.Errorf("%q: %s stands before %s\n%s\n%s", query, tools[above].Name, tools[h.Doc].Name, draw(x.Explain(query, above)), draw(x.Explain(query, h.Doc)))
					}
					break
				}
			}
		}
	}
	t.Logf("%d queries, %d wrong", queries, bad)
}
