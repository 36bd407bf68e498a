package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// offices has tools of three servers and one of none.
func offices(t *testing.T, changes ...func(*config.Config)) *Snapshot {
	t.Helper()
	r := fixture.Registry(t,
		fixture.Entry("send_mail", "Send a letter by mail to somebody.", "mcp-mail"),
		fixture.Entry("list_mail", "List the letters of a mailbox.", "mcp-mail"),
		fixture.Entry("send_wire", "Send a wire to a bank.", "mcp-bank"),
		fixture.Entry("list_files", "List the files of a folder.", "mcp-files"),
		fixture.Entry("send_parcel", "Send a parcel.", ""))
	return built(t, Inputs{Registry: r, Config: fixture.Config(changes...)})
}

// demanding sets the least confidence.
func demanding(least float64) func(*config.Config) {
	return func(c *config.Config) { c.ToolSearch.MinConfidence = least }
}

// TestAbstention: below the least confidence the model gets no hit and is told the
// sources, for both generations; a search by the name of a tool is always answered.
func TestAbstention(t *testing.T) {
	later := func(c *config.Config) { c.ToolSearch.Generation = config.September2026 }
	for _, tt := range []struct {
		name, args string
		changes    []func(*config.Config)
		want       []string // what the answer has
		not        []string
	}{
		{"off", `{"query":"send a ship to the moon"}`, nil, []string{`"send_wire"`}, []string{"nearest", "hint"}},
		{"nothing fits", `{"query":"send a ship to the moon"}`, []func(*config.Config){demanding(0.8)},
			[]string{`"matches":[]`, `"nearest_sources":["mcp-`, "Nothing fits. Nearest sources: mcp-"}, []string{"send_wire", "(none)"}},
		{"nothing is found", `{"query":"zzyzx"}`, []func(*config.Config){demanding(0.1)}, []string{`"matches":[],"hint":"Nothing fits. Name`}, []string{"nearest"}},
		{"the name", `{"query":"send_wire"}`, []func(*config.Config){demanding(1)}, []string{`"name":"send_wire"`}, []string{"hint"}},
		{"later, off", `{"queries":["send ship"]}`, []func(*config.Config){later}, nil, []string{"nearest"}},
		{"later, one of two", `{"queries":["send a letter by mail to somebody","letter"]}`, []func(*config.Config){later, demanding(0.87)},
			[]string{`"matches":["send_mail"`, `"matches":[],"nearest_sources":["`, "Nothing fits."}, []string{"available_sources"}},
		{"later, nothing is found", `{"queries":["zzyzx"]}`, []func(*config.Config){later, demanding(0.6)}, []string{"available_sources", "No tool has the words"}, []string{"nearest", "Nothing fits"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer, ok := offices(t, tt.changes...).Bridge(ToolSearch, json.RawMessage(tt.args))
			if !ok {
				t.Fatalf("a fault: %s", answer)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(answer), want) {
					t.Errorf("%s lacks %s", answer, want)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(string(answer), not) {
					t.Errorf("%s has %s", answer, not)
				}
			}
		})
	}
}

// TestConfidence: every ranker has more confidence in a request that a tool answers.
func TestConfidence(t *testing.T) {
	for _, ranker := range config.Rankers {
		s := offices(t, demanding(0.5), func(c *config.Config) { c.ToolSearch.Ranker = ranker })
		fits, not := s.Confidence("send a letter by mail to somebody"), s.Confidence("letter of a submarine captain of the fleet")
		if !(fits.Value > 0.5 && fits.Value < 1 && not.Value < fits.Value-0.1) || fits.Abstains || not.Abstains != (not.Value < 0.5) {
			t.Errorf("%s: %+v and %+v", ranker, fits, not)
		}
		if s.Confidence("LIST_FILES").Value != 1 {
			t.Errorf("%s: %+v of a name", ranker, s.Confidence("LIST_FILES"))
		}
	}
	var tools []string
	for i, server := range []string{"mcp-a", "mcp-a", "mcp-b", "mcp-c", "mcp-d"} {
		tools = append(tools, fixture.Entry(fmt.Sprintf("parcel_%d", i), "Send a parcel.", server))
	}
	s := built(t, Inputs{Registry: fixture.Registry(t, tools...), Config: fixture.Config()})
	if got := s.Confidence("parcel").Nearest; !slices.Equal(got, []string{"mcp-a", "mcp-b", "mcp-c"}) {
		t.Errorf("the nearest sources are %v", got)
	}
}

// TestAuditIgnoresConfidence: a least confidence changes no right.
func TestAuditIgnoresConfidence(t *testing.T) {
	audit := func(changes ...func(*config.Config)) string {
		a, err := NewBuilder().Audit(t.Context(), offices(t, changes...).Inputs(), Auditing{})
		require.NoError(t, err)
		return fmt.Sprint(a)
	}
	if a, b := audit(), audit(demanding(1)); a != b {
		t.Errorf("the audit is %s, and was %s", b, a)
	}
}

// TestLacking: a catalog without some tools answers as one that never had them.
func TestLacking(t *testing.T) {
	for _, ranker := range config.Rankers {
		t.Run(ranker, func(t *testing.T) {
			s := offices(t, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
			gone := s.Catalog()[slices.IndexFunc(s.Catalog(), func(t *model.Tool) bool { return t.Name == "send_mail" })]
			got := s.Lacking([]*model.Tool{gone})
			rest := slices.DeleteFunc(slices.Clone(s.Catalog()), func(t *model.Tool) bool { return t == gone })
			index, err := s.IndexOver(t.Context(), rest)
			require.NoError(t, err)
			for _, query := range []string{"send a letter by mail", "send_mail", "list", "parcel"} {
				hits, want := got.Search(query, 0, 0).Hits, index.Search(query, 10).Hits
				if len(hits) != min(5, len(want)) {
					t.Fatalf("%q finds %d, want %d", query, len(hits), len(want))
				}
				for i, h := range hits {
					if h.Tool != rest[want[i].Doc] || math.Abs(h.Score-want[i].Score) > 1e-12 {
						t.Errorf("%q: hit %d is %s with %v", query, i, h.Tool.Name, h.Score)
					}
				}
			}
			if _, found := got.Document(gone); found || len(s.Catalog()) != 5 {
				t.Error("the tool is still there, or gone from the first snapshot")
			}
		})
	}
}

// TestLearnOver: labelled queries are added to the scores of fielded, or of hybrid
// with its weight, also where a Builder has an index of the other.
func TestLearnOver(t *testing.T) {
	b := NewBuilder()
	found := func(b *Builder, change func(*config.Config), lessons int) string {
		r, c := fixture.Fleet(t, 40)
		change(&c)
		in := Inputs{Registry: r, Config: c, Lessons: &Lessons{}}
		for i := range lessons {
			in.Lessons.List = append(in.Lessons.List, learned.Lesson{ID: fmt.Sprint(i), Text: fmt.Sprintf("zzyzx%d please", i%4), Tools: []string{r.Tools[10+i%4].Name}})
		}
		s, err := b.Build(t.Context(), in)
		require.NoError(t, err)
		text := ""
		for _, query := range []string{"zzyzx1", "boat lantern", "beam zzyzx2"} {
			for _, h := range s.Search(query, 0, 0).Hits {
				text += fmt.Sprintln(h.Tool.Qualified, h.Score)
			}
			text += fmt.Sprintln(query, len(s.NearWords(query)))
		}
		return text
	}
	learn := func(over string, weight float64) func(*config.Config) {
		return func(c *config.Config) {
			c.ToolSearch.Ranker, c.ToolSearch.LearnOver, c.ToolSearch.Meaning = config.RankerLearned, over, weight
		}
	}
	alone := func(ranker string) func(*config.Config) {
		return func(c *config.Config) { c.ToolSearch.Ranker = ranker }
	}
	if found(b, learn(config.RankerFielded, 0.4), 0) != found(b, alone(config.RankerFielded), 0) {
		t.Error("without labels it is not fielded")
	}
	if found(b, learn(config.RankerHybrid, 0.4), 0) != found(b, alone(config.RankerHybrid), 0) {
		t.Error("without labels it is not hybrid")
	}
	for _, c := range []func(*config.Config){learn(config.RankerHybrid, 0.4), learn(config.RankerHybrid, 2), learn(config.RankerFielded, 2)} {
		if got, want := found(b, c, 40), found(NewBuilder(), c, 40); got != want {
			t.Errorf("it finds\n%s, anew\n%s", got, want)
		}
	}
	if found(b, learn(config.RankerFielded, 0.4), 40) == found(b, learn(config.RankerHybrid, 0.4), 40) {
		t.Error("hybrid adds nothing")
	}
}

// TestAnswerSize: the sizes of an answer without hits and of its three hits add up to the
// answer but for the commas between them.
func TestAnswerSize(t *testing.T) {
	for _, c := range []struct {
		generation config.Generation
		arguments  string
		commas     int
	}{{config.June2026, `{"query":"send"}`, 2}, {config.September2026, `{"queries":["send"]}`, 4}} {
		s := offices(t, func(o *config.Config) { o.ToolSearch.Generation = c.generation })
		answer, _ := s.Bridge(ToolSearch, json.RawMessage(c.arguments))
		sum := s.AnswerUnits("send") + c.commas
		for _, h := range s.Search("send", 0, 0).Hits {
			sum += s.HitUnits(h.Tool)
		}
		if got := s.Tokenizer.Units(answer); got != sum {
			t.Errorf("%s: an answer of %d units, its parts have %d", c.generation, got, sum)
		}
	}
}

// TestFoundToolBounds: of a tool that is found the answer has the first 500 characters of
// the description, 400 in june-2026, and 32 required names of 64 characters.
func TestFoundToolBounds(t *testing.T) {
	s := toolSnapshot(t, reef, false, false)
	for g, most := range map[config.Generation]int{config.June2026: 400, config.September2026: 500} {
		s.Config.ToolSearch.Generation = g
		for n := range 2 {
			tool := *s.Registry.Tools[0]
			tool.Description = strings.Repeat("ä", most+n)
			tool.Parameters = []byte(`{"required":[` + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("ö", 65)+`",`, 33), ",") + `]}`)
			got := string(jsontree.Encode(s.found(&tool)))
			if strings.Count(got, "ä") != most || strings.Contains(got, "…") != (n > 0 && g == config.September2026) {
				t.Errorf("%s has %q of %d characters", g, got, most+n)
			}
			if names := strings.Count(got, `"`+strings.Repeat("ö", 64)+`"`); g == config.September2026 && names != 32 {
				t.Errorf("%d required names: %s", names, got)
			}
		}
	}
}

// TestWhyNone: a query that finds nothing is told why by the ranker that was asked, and a
// query that finds a tool is told nothing.
func TestWhyNone(t *testing.T) {
	t.Parallel()
	for _, ranker := range append(slices.Clone(config.Rankers), "codex") {
		s := offices(t, func(c *config.Config) { *c = Under(*c, ranker) })
		for query, want := range map[string]map[string]string{
			"letter": {},
			"zzyzx": {config.RankerBM25: "no tool has a word of the query, and no name contains the query", config.RankerGated: "its rarest word must match, and zzyzx is in no tool",
				config.RankerFielded: "no tool has zzyzx or another word of the query, or a similar one", config.RankerHybrid: "no tool has zzyzx or another word of the query, or a similar one, and none is near to it in meaning",
				config.RankerSemantic: "no tool is near in meaning to the query, by the words that the table of meanings knows; the ranker hybrid compares words too",
				config.RankerLearned:  "no tool has zzyzx or another word of the query, or a similar one", "codex": "Codex 0.171.0 finds no tool of the registry"},
			"":        {config.RankerBM25: "the query has no word: only ASCII letters and digits are read", config.RankerGated: "the query has no word: only ASCII letters and digits are read", config.RankerFielded: "the query has no word"},
			"of the":  {config.RankerFielded: "the query has only words that say nothing about a tool"},
			"潜水艇":     {config.RankerBM25: "the query has no word: only ASCII letters and digits are read; the ranker fielded reads letters of every script"},
			"潜":       {config.RankerBM25: "the query has no word: only ASCII letters and digits are read; the ranker fielded reads letters of every script"},
			"zzyzx q": {config.RankerGated: "its rarest word must match, and"},
			"letters": {config.RankerBM25: ""},
		} {
			why, known := want[ranker]
			got := s.WhyNone(query)
			if len(s.Search(query, 0, 0).Hits) > 0 != (got == "") || known && !strings.HasPrefix(got, why) || known && why == "" && got != "" {
				t.Errorf("%s, %q: %q, want %q", ranker, query, got, why)
			}
		}
		empty := s.Lacking(slices.Clone(s.Catalog()))
		if got := empty.WhyNone("letter"); got != "the catalog is empty" {
			t.Errorf("%s, without tools: %q", ranker, got)
		}
		var best []retrieval.Hit
		best = s.AppendBest(best, "send a letter", 2)
		for i, h := range s.Search("send a letter", 0, 2).Hits[:2] {
			if s.Catalog()[best[i].Doc] != h.Tool || best[i].Score != h.Score {
				t.Errorf("%s: the best are %v, and hit %d is %s", ranker, best, i, h.Tool.Name)
			}
		}
		tool := s.Catalog()[slices.IndexFunc(s.Catalog(), func(t *model.Tool) bool { return t.Name == "list_mail" })]
		if a, ok := s.Admission("letters of a mailbox", tool); ok != (ranker == config.RankerGated) || ok && (a.Matched < a.Required || a.DF == 0) {
			t.Errorf("%s: %+v, %v", ranker, a, ok)
		}
		for _, other := range []*model.Tool{nil, {Name: "list_mail"}} {
			_, _, ranked := s.Rank("letter", other)
			_, explained := s.Explain("letter", other)
			if _, admitted := s.Admission("letter", other); ranked || explained || admitted {
				t.Errorf("%s: a tool that is not in the catalog is ranked", ranker)
			}
		}
		if _, ok := s.Edited(retrieval.Change{}); ok != slices.Contains([]string{config.RankerBM25, config.RankerGated}, ranker) {
			t.Errorf("%s is edited without an index: %v", ranker, ok)
		}
		words, meanings := s.Compares()
		if ranker != "codex" && (words != (ranker != config.RankerSemantic) || meanings != slices.Contains([]string{config.RankerSemantic, config.RankerHybrid, config.RankerLearned}, ranker)) {
			t.Errorf("%s compares words %v, meanings %v", ranker, words, meanings)
		}
		if got := s.Carriers("post a message", tool); !meanings && got != nil {
			t.Errorf("%s: %q carry a meaning", ranker, got)
		}
	}
}

// TestTaught: what labelled queries taught of a tool is told with those that taught it, and
// left out where one of them is asked.
func TestTaught(t *testing.T) {
	t.Parallel()
	r, c := fixture.Fleet(t, 40)
	c.ToolSearch.Ranker = config.RankerLearned
	in := Inputs{Registry: r, Config: c, Lessons: &Lessons{}}
	names := r.Tools[10:]
	for i := range 40 {
		in.Lessons.List = append(in.Lessons.List, learned.Lesson{ID: fmt.Sprint(i), Text: fmt.Sprintf("zzyzx%d please", i%4), Tools: []string{names[i%4].Name}})
	}
	s := built(t, in)
	taught, ok := s.Taught(names[1])
	if !ok || len(taught.Lessons) != 10 || len(taught.Words) == 0 {
		t.Fatalf("%+v, %v", taught, ok)
	}
	for _, l := range taught.Lessons {
		if !slices.Contains(l.Tools, names[1].Name) {
			t.Errorf("%s taught %s", l.Text, names[1].Name)
		}
	}
	sum := 0.0
	for _, w := range taught.Words {
		sum += w.Weight * w.Weight
		for _, at := range w.Lessons {
			if !strings.Contains(taught.Lessons[at].Text, w.Stem[:min(len(w.Stem), 5)]) {
				t.Errorf("%q has not %s", taught.Lessons[at].Text, w.Stem)
			}
		}
		if !slices.IsSorted(w.Lessons) || len(w.Lessons) == 0 {
			t.Errorf("%s of %v", w.Stem, w.Lessons)
		}
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("the squares of the weights add up to %v", sum)
	}
	if _, ok := s.Taught(nil); ok {
		t.Error("no tool was taught")
	}
	support, ok := s.Support()
	if !ok || support.Lessons != 40 {
		t.Errorf("%+v, %v", support, ok)
	}
	untaught, left := s.Untaught(in.Lessons.List[1])
	if len(left) != 10 || slices.ContainsFunc(left, func(i int) bool { return i%4 != 1 }) || !slices.IsSorted(left) {
		t.Errorf("left out are %v", left)
	}
	if again, ok := untaught.Taught(names[1]); !ok || len(again.Lessons) != 0 {
		t.Errorf("%+v is still taught", again)
	}
	if same, left := s.Untaught(learned.Lesson{Text: "another"}); same != s || left != nil {
		t.Errorf("another query leaves out %v", left)
	}
	other := s.Teaching(&Lessons{List: in.Lessons.List[:4]})
	if support, ok := other.Support(); !ok || support.Lessons != 4 {
		t.Errorf("of others: %+v, %v", support, ok)
	}
	plain := offices(t)
	if same, left := plain.Untaught(in.Lessons.List[1]); same != plain || left != nil || plain.Teaching(in.Lessons) != plain {
		t.Error("a ranker that does not learn is another")
	}
	if _, ok := plain.Support(); ok {
		t.Error("a ranker that does not learn has support")
	}
	if _, ok := plain.Taught(plain.Catalog()[0]); ok {
		t.Error("a ranker that does not learn was taught")
	}
}

// A ranker that reads ASCII alone says how much of a text it does not read, and gives way to
// one that reads all.
func TestUnread(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ranker := range config.Rankers {
		s := offices(t, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
		ascii := ranker == config.RankerBM25 || ranker == config.RankerGated
		unread, of := s.Unread("Größe 7, 文!\x7f¬")
		if of != 7 || unread != map[bool]int{true: 3}[ascii] {
			t.Errorf("%s: %d of %d", ranker, unread, of)
		}
		r, err := s.Reader(t.Context())
		if err != nil || (r == s) == ascii || ascii && r.Config.ToolSearch.Ranker != config.RankerFielded || s.Config.ToolSearch.Ranker != ranker {
			t.Errorf("%s: read by %s, %v", ranker, r.Config.ToolSearch.Ranker, err)
		}
		if got := r.Search("mailbox", 0, 0).Hits; len(got) == 0 || got[0].Tool.Name != "list_mail" {
			t.Errorf("%s: the reader finds %v", ranker, got)
		}
		if _, err := s.Reader(ctx); (err != nil) != ascii {
			t.Errorf("%s: an index is made although nobody waits: %v", ranker, err)
		}
	}
}

// An explanation writes a stem as the query has it, or else as the first text of the tool does.
func TestExplanationsAreSpelled(t *testing.T) {
	r := fixture.Parse(t, []byte(`{"toolsets": {"mcp-post": {"title": "Sending things", "description": "Parcelling of goods"}}, "tools": [
		{"type":"function","function":{"name":"post_letters","description":"Writes messages.","parameters":{"type":"object","properties":{"stamped":{"description":"franking"}}}},"toolset":"mcp-post"},
		{"type":"function","function":{"name":"other","description":"Another."},"toolset":"gone"}]}`))
	s := built(t, Inputs{Registry: r, Config: fixture.Config(func(c *config.Config) { c.ToolSearch.Ranker = config.RankerFielded })})
	spelled := s.written("a Lettered messaged", r.Tools[0])
	for word, want := range map[string]string{"letters": "lettered", "message": "messaged", "writing": "writes", "stamps": "stamped", "send": "sending", "parcels": "parcelling", "frank": "franking", "posts": "post", "nowhere": retrieval.Stem("nowhere")} {
		if got := spelled(retrieval.Stem(word)); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if got := s.written("", r.Tools[1])(retrieval.Stem("sending")); got != retrieval.Stem("sending") {
		t.Errorf("a word of another's toolset: %s", got)
	}
	for ranker, want := range map[string]string{config.RankerFielded: "lettering", config.RankerHybrid: "lettering"} {
		s := offices(t, func(c *config.Config) { c.ToolSearch.Ranker = ranker })
		e, ok := s.Explain("lettering", s.Catalog()[slices.IndexFunc(s.Catalog(), func(t *model.Tool) bool { return t.Name == "send_mail" })])
		if !ok || !strings.Contains(fmt.Sprint(e), want+":") {
			t.Errorf("%s: %v", ranker, e)
		}
	}
}
