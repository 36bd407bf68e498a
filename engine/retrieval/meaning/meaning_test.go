package meaning

import (
	"crypto/md5"
	"flag"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// index returns hybrid over tools with the weight 1.
func index(t testing.TB, tools []*model.Tool) *Index {
	t.Helper()
	base, err := fielded.NewCorpus().Index(t.Context(), tools, nil, fielded.Default)
	require.NoError(t, err)
	x, err := New(base, 1)
	require.NoError(t, err)
	return x
}

// tool returns a tool of a name and a description.
func tool(name, description string) *model.Tool {
	return &model.Tool{Name: name, Qualified: name, Description: description, Toolset: model.NoToolset, Hash: model.Hash(md5.Sum([]byte(name)))}
}

// few is a catalog of few tools.
var few = []*model.Tool{
	tool("customer_satisfaction", "How pleased customers are with us."),
	tool("reverse_transaction", "Reverse a settled payment and send the money back."),
	tool("list_files", "List the files of a folder."),
	tool("weather_forecast", "Rain, wind and temperature of tomorrow."),
	tool("docker_ps", "Show containers that are up."),
}

// TestParaphrases: a tool is found first by words that mean what it says, and fielded does
// not find it.
func TestParaphrases(t *testing.T) {
	x := index(t, few)
	for query, want := range map[string]string{
		"happy clients": "customer_satisfaction",
		"reimbursement": "reverse_transaction",
		"rainy":         "weather_forecast",
	} {
		for _, y := range []*Index{x, x.With(Alone)} {
			hits := y.Search(query, 5).Hits
			if len(hits) == 0 || few[hits[0].Doc].Name != want {
				t.Errorf("%q finds %v, want %s", query, hits, want)
			}
		}
	}
	e := x.Explain("reimbursement", 1)
	last := e.Children[len(e.Children)-1]
	if last.Weight != 5*x.weight || last.Setting != x.weight || !strings.Contains(last.Message, "; meaning_weight 1 × 5.00, as no tool has reimbursement") ||
		!strings.HasPrefix(last.Children[0].Detail, "≈ payment 0.5") {
		t.Errorf("the component is %+v", last)
	}
}

// TestWeight: meaning weighs more, the more of a query no tool has in words, by the fourth
// power of the share; words that the table does not know have no part in it. A word that is near
// to two of them counts once.
func TestWeight(t *testing.T) {
	x := index(t, few)
	for text, want := range map[string]float64{
		"settled payment":       1,
		"zzyzxes payment":       1,
		"reimbursement":         1 + strangeTimes,
		"reimbursement payment": 0, // between
	} {
		x.words.Ask(text, func(a fielded.Asked) {
			if want == 0 {
				share := a.Words[0].IDF / (a.Words[0].IDF + a.Words[1].IDF)
				want = 1 + strangeTimes*math.Pow(share, 4)
			}
			q := &query{}
			x.read(q, a)
			if got := x.weightFor(q, a.Words); math.Abs(got-want) > 1e-9 {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
			x.findNear(q)
			terms := map[uint32]bool{}
			for _, near := range q.plan {
				terms[near.Term] = true
			}
			if len(terms) != len(q.plan) {
				t.Errorf("%q: %d near words, of them %d different", text, len(q.plan), len(terms))
			}
		})
	}
	if got := x.weightFor(&query{}, nil); got != 1 {
		t.Errorf("no word: %v", got)
	}
}

// TestWeightIn: a word counts in the parts of a query that have it, more where it stands twice.
func TestWeightIn(t *testing.T) {
	q := &query{words: []queryWord{{weight: 2}, {weight: 3}}, counts: []int32{1, 3, 0, 1}}
	for i, want := range []float64{2, 3 * (1 + math.Log(3)), 0, 3} {
		if got := q.weightIn(i/2, i%2); got != want {
			t.Errorf("part %d, word %d: %v, want %v", i/2, i%2, got, want)
		}
	}
}

// TestUnknownIsNamed: an explanation names the words that the table does not have.
func TestUnknownIsNamed(t *testing.T) {
	for _, x := range []*Index{index(t, few), index(t, few).With(Alone)} {
		for query, want := range map[string]string{"a happy zzyzxes and qwrtp": "; not in the table: zzyzxes, qwrtp", "happy": ""} {
			for _, doc := range []int{0, 3} { // the one that the message is about, and another
				e := x.Explain(query, doc)
				message := e.Message
				for _, part := range e.Children {
					if part.Component == Component {
						message = part.Message
					}
				}
				if _, named, found := strings.Cut(message, "; not in"); doc == 0 && message == "" || found != (want != "") || !strings.HasSuffix(want, named) {
					t.Errorf("%q of tool %d: %q, want %q at the end", query, doc, message, want)
				}
			}
		}
	}
}

// TestUnknown: a query without a word of the table ranks as by fielded, and semantic finds
// nothing but names.
func TestUnknown(t *testing.T) {
	tools := append(slices.Clone(few), tool("天气", "查询明天的天气"), tool("zzyzx_qwrt", "Zzyzx."))
	x := index(t, tools)
	for _, query := range []string{"", "zzyzx", "天气", "the of", "qwrt zzyzx 明天"} {
		if got, want := x.Search(query, 9), x.base.Search(query, 9); !slices.Equal(got.Hits, want.Hits) {
			t.Errorf("%q finds %v, fielded %v", query, got.Hits, want.Hits)
		}
	}
	if hits := x.With(Alone).Search("zzyzx_qwrt", 9).Hits; len(hits) != 1 || hits[0].Doc != 6 {
		t.Errorf("by name it finds %v", hits)
	}
	if hits := x.With(Alone).Search("明天 zzyzx", 9).Hits; len(hits) != 0 {
		t.Errorf("it finds %v", hits)
	}
}

// queries are asked in random order.
func queries(tools []*model.Tool) []string {
	return append(fixture.Queries(fixture.Mixed, 40, 3, tools), "", "the", "zzyzx", tools[3].Name, tools[5].Description, "are punters happy with us",
		strings.Repeat("refund booking weather customer ", 20), "undo it. Then tell everybody about the delay.")
}

// TestInvariants: every score is the sum of its explanation, the order is total, and all
// methods agree, for both rankers and any weight, in any order of the queries.
func TestInvariants(t *testing.T) {
	tools := fixture.Tools(250, 5)
	asked := queries(tools)
	first := index(t, tools)
	rapid.Check(t, func(t *rapid.T) {
		x := first.With(rapid.SampledFrom([]float64{0, 0.3, 1, 9, Alone}).Draw(t, "weight"))
		query := rapid.SampledFrom(asked).Draw(t, "query")
		k := rapid.IntRange(0, 60).Draw(t, "k")
		all := x.Search(query, x.Len()).Hits
		if got := x.Search(query, k).Hits; !slices.Equal(got, all[:min(k, len(all))]) {
			t.Fatalf("the first %d are %v, of all %v", k, got, all[:min(k, len(all))])
		}
		if n := x.Scored(query); n != len(all) {
			t.Fatalf("it finds %d, and counts %d", len(all), n)
		}
		if !slices.IsSortedFunc(all, func(a, b retrieval.Hit) int {
			if a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc {
				return -1
			}
			return 1
		}) {
			t.Fatalf("not in order: %v", all)
		}
		doc := rapid.IntRange(0, x.Len()-1).Draw(t, "document")
		if len(all) > 0 && rapid.Bool().Draw(t, "found") {
			doc = all[rapid.IntRange(0, min(len(all)-1, 150)).Draw(t, "hit")].Doc
		}
		at := slices.IndexFunc(all, func(h retrieval.Hit) bool { return h.Doc == doc })
		rank, score, ok := x.Rank(query, doc)
		if ok != (at >= 0) || ok && (rank != at+1 || score != all[at].Score) || x.Finds(query, doc) != ok {
			t.Fatalf("document %d has rank %d, %v, %v; it is at %d", doc, rank, score, ok, at)
		}
		e, sum := x.Explain(query, doc), 0.0
		e.Leaves(func(leaf *retrieval.Explanation) bool { sum += leaf.Value; return true })
		if e.Value != score || math.Abs(sum-score) > 1e-9 {
			t.Fatalf("the score is %v, explained are %v, which add up to %v", score, e.Value, sum)
		}
	})
}

// TestNames: the tool whose name a query has is first, and found once, also with a large weight.
func TestNames(t *testing.T) {
	tools := fixture.Tools(400, 5)
	x := index(t, tools)
	for _, tool := range tools[:100] {
		want := x.base.Search(tool.Name, 1).Hits[0].Doc
		for _, y := range []*Index{x, x.With(2), x.With(Alone)} {
			hits := y.Search(tool.Name, 9).Hits
			if got := hits[0].Doc; got != want || slices.ContainsFunc(hits[1:], func(h retrieval.Hit) bool { return h.Doc == want }) {
				t.Errorf("%s finds %s, and then %v", tool.Name, tools[got].Name, hits[1:])
			}
		}
	}
}

// TestConcurrent: goroutines that ask at a time get the same answers.
func TestConcurrent(t *testing.T) {
	tools := fixture.Tools(300, 5)
	x, asked := index(t, tools), queries(tools)
	want := make([]retrieval.Result, len(asked))
	for i, query := range asked {
		want[i] = index(t, tools).Search(query, 20)
		if i == 8 {
			asked = asked[:9]
			break
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, query := range asked {
				if got := x.Search(query, 20); !slices.Equal(got.Hits, want[i].Hits) {
					t.Errorf("%q finds %v, want %v", query, got.Hits, want[i].Hits)
				}
			}
		})
	}
	wg.Wait()
}
