package retrieval_test

import (
	"cmp"
	"context"
	"flag"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/learned"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
	"caliper/model/require"
)

// sample is the evidence of a query, and whether its tools were in the catalog.
type sample struct {
	set      string
	evidence retrieval.Evidence
	fits     bool
}

// asked is how many queries of a set are asked.
const asked = 500

// indexer returns an index of some tools of a set.
type indexer func(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error)

// indexers returns the indexers of a set by ranker.
func indexers(s *fixture.Set) map[string]indexer {
	plain, fields := retrieval.NewCorpus(), fielded.NewCorpus()
	words := func(ctx context.Context, tools []*model.Tool) (*fielded.Index, error) {
		return fields.Index(ctx, tools, s.Toolset, fielded.Default)
	}
	meant := func(weight float64) indexer {
		return func(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error) {
			base, err := words(ctx, tools)
			if err != nil {
				return nil, err
			}
			return meaning.New(base, weight)
		}
	}
	return map[string]indexer{
		config.RankerBM25: func(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error) {
			return plain.Index(ctx, tools, retrieval.Reference)
		},
		config.RankerFielded:  func(ctx context.Context, tools []*model.Tool) (retrieval.Ranker, error) { return words(ctx, tools) },
		config.RankerHybrid:   meant(config.Default().ToolSearch.Meaning),
		config.RankerSemantic: meant(meaning.Alone),
	}
}

// some returns queries of a set, evenly drawn.
func some(s *fixture.Set) []fixture.Query {
	n := min(asked, len(s.Queries))
	queries := make([]fixture.Query, n)
	for i := range queries {
		queries[i] = s.Queries[i*len(s.Queries)/n]
	}
	return queries
}

// samples asks queries of a set twice: of all its tools, and without those that answer
// the query. Searches without a hit are left out: their confidence is not estimated.
func samples(t *testing.T, s *fixture.Set, index indexer) []sample {
	t.Helper()
	whole, err := index(t.Context(), s.Registry.Tools)
	require.NoError(t, err)
	queries := some(s)
	pairs := make([][2]sample, len(queries))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for i := core; i < len(queries); i += cores {
				q := queries[i]
				less := slices.DeleteFunc(slices.Clone(s.Registry.Tools), func(t *model.Tool) bool {
					return slices.Contains(q.Relevant, t.Name) || slices.Contains(q.Relevant, t.Qualified)
				})
				without, err := index(t.Context(), less)
				if err != nil {
					t.Error(err)
					return
				}
				pairs[i] = [2]sample{
					{s.Name, evidenceOf(q.Query, whole, s.Registry.Tools), true},
					{s.Name, evidenceOf(q.Query, without, less), false},
				}
			}
		})
	}
	wg.Wait()
	var out []sample
	for _, pair := range pairs {
		for _, one := range pair {
			if one.evidence.Hits > 0 && !one.evidence.Named {
				out = append(out, one)
			}
		}
	}
	return out
}

// taughtSamples is samples for a ranker that learned from the queries of four fifths of
// the tasks and is asked some of the last fifth.
func taughtSamples(t *testing.T, s *fixture.Set) []sample {
	t.Helper()
	const folds, some = 5, 30
	tools, corpus := s.Registry.Tools, fielded.NewCorpus()
	base, err := corpus.Index(t.Context(), tools, s.Toolset, fielded.Default)
	require.NoError(t, err)
	meant, err := meaning.New(base, config.Default().ToolSearch.Meaning)
	require.NoError(t, err)
	foldOf := func(q fixture.Query) uint32 {
		return crc32.ChecksumIEEE([]byte(cmp.Or(q.Group, q.Query))) % folds
	}
	var out []sample
	for fold := range uint32(folds) {
		var lessons []learned.Lesson
		var queries []fixture.Query
		for _, q := range s.Queries {
			if foldOf(q) != fold {
				lessons = append(lessons, learned.Lesson{ID: q.ID, Text: q.Query, Group: q.Group, Tools: q.Relevant})
			} else if len(queries) < some {
				queries = append(queries, q)
			}
		}
		x, err := learned.New(t.Context(), base, meant, tools, lessons)
		require.NoError(t, err)
		for _, q := range queries {
			less := slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool {
				return slices.Contains(q.Relevant, t.Name) || slices.Contains(q.Relevant, t.Qualified)
			})
			without, err := corpus.Index(t.Context(), less, s.Toolset, fielded.Default)
			require.NoError(t, err)
			y, err := x.Over(t.Context(), without, less)
			require.NoError(t, err)
			out = append(out, sample{s.Name, evidenceOf(q.Query, x, tools), true}, sample{s.Name, evidenceOf(q.Query, y, less), false})
		}
	}
	return slices.DeleteFunc(out, func(s sample) bool { return s.evidence.Hits == 0 || s.evidence.Named })
}

// TestConfidenceLearned: the coefficients of hybrid serve the ranker learned, which adds to the same
// scores.
func TestConfidenceLearned(t *testing.T) {
	if flag.Lookup("slow").Value.String() != "true" {
		t.Skip("takes a minute: -slow")
	}
	var mean quality
	for _, name := range fixture.Sets {
		q := measure(retrieval.ConfidenceModelOf(config.RankerLearned), taughtSamples(t, fixture.ReadSet(t, name)))
		t.Logf("%-22s AUC %.3f Brier %.4f ECE %.3f", name, q.auc, q.brier, q.ece)
		n := float64(len(fixture.Sets))
		mean.auc, mean.brier, mean.ece = mean.auc+q.auc/n, mean.brier+q.brier/n, mean.ece+q.ece/n
	}
	t.Logf("%-22s AUC %.3f Brier %.4f ECE %.3f", "mean", mean.auc, mean.brier, mean.ece)
	if mean.auc < 0.65 || mean.brier > 0.24 {
		t.Errorf("it is worth %+v", mean)
	}
}

// evidenceOf returns the evidence of a query to an index of some tools.
func evidenceOf(query string, x retrieval.Ranker, tools []*model.Tool) retrieval.Evidence {
	var hits []retrieval.Found
	taught, learns := x.(*learned.Index)
	for _, h := range x.Search(query, retrieval.EvidenceHits).Hits {
		hit := retrieval.Found{Tool: tools[h.Doc], Score: h.Score}
		if learns {
			hit.Taught = taught.Known(query, h.Doc)
		}
		hits = append(hits, hit)
	}
	return retrieval.ReadEvidence(query, hits)
}

// fit returns the coefficients with the largest likelihood, where all sets count alike,
// by Newton's method.
func fit(data []sample) retrieval.ConfidenceModel {
	of := map[string]float64{}
	for _, s := range data {
		of[s.set]++
	}
	var m retrieval.ConfidenceModel
	for range 20 {
		var a [4][5]float64 // the Hessian, and behind it the gradient
		for _, s := range data {
			x := [4]float64{1, s.evidence.Coverage, s.evidence.Lead, s.evidence.Name}
			p, y := m.Of(s.evidence), 0.0
			if s.fits {
				y = 1
			}
			for i := range x {
				for j := range x {
					a[i][j] += p * (1 - p) * x[i] * x[j] / of[s.set]
				}
				a[i][4] += (y - p) * x[i] / of[s.set]
			}
		}
		d := solve(a)
		m = retrieval.ConfidenceModel{m.Constant + d[0], m.Coverage + d[1], m.Lead + d[2], m.Name + d[3]}
	}
	return m
}

// solve solves linear equations by Gauss and Jordan's elimination.
func solve(a [4][5]float64) (x [4]float64) {
	for i := range a {
		p := i
		for k := i; k < len(a); k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		a[i], a[p] = a[p], a[i]
		for k := range a {
			if f := a[k][i] / a[i][i]; k != i {
				for j := range a[k] {
					a[k][j] -= f * a[i][j]
				}
			}
		}
	}
	for i := range x {
		x[i] = a[i][4] / a[i][i]
	}
	return x
}

// quality is how well confidences tell queries with tools from those without.
type quality struct {
	auc   float64 // how often a query with its tools has more confidence than one without: 0.5 is chance
	brier float64 // mean squared error: 0.25 is "always ½"
	ece   float64 // expected calibration error, in ten bins
}

// measure returns the quality of a model on samples.
func measure(m retrieval.ConfidenceModel, data []sample) quality {
	var q quality
	var bins [10]struct{ confidence, fits float64 }
	type scored struct {
		confidence float64
		fits       bool
	}
	all := make([]scored, len(data))
	for i, s := range data {
		c, y := m.Of(s.evidence), 0.0
		if s.fits {
			y = 1
		}
		all[i] = scored{c, s.fits}
		q.brier += (c - y) * (c - y) / float64(len(data))
		b := &bins[min(9, int(10*c))]
		b.confidence, b.fits = b.confidence+c, b.fits+y
	}
	for _, b := range bins {
		q.ece += math.Abs(b.confidence-b.fits) / float64(len(data))
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.confidence, b.confidence) })
	wins, with, without := 0.0, 0.0, 0.0
	for i := 0; i < len(all); {
		fits, not := 0.0, 0.0
		for value := all[i].confidence; i < len(all) && all[i].confidence == value; i++ {
			if all[i].fits {
				fits++
			} else {
				not++
			}
		}
		wins += fits * (without + not/2)
		with, without = with+fits, without+not
	}
	q.auc = wins / (with * without)
	return q
}

// TestConfidenceFit prints the coefficients, which equal those of ConfidenceModelOf, and what they are worth on
// a set that they were not fitted on.
func TestConfidenceFit(t *testing.T) {
	if flag.Lookup("slow").Value.String() != "true" {
		t.Skip("takes a minute: -slow")
	}
	for _, ranker := range []string{config.RankerBM25, config.RankerFielded, config.RankerHybrid, config.RankerSemantic} {
		t.Run(ranker, func(t *testing.T) {
			var data []sample
			for _, name := range fixture.Sets {
				s := fixture.ReadSet(t, name)
				data = append(data, samples(t, s, indexers(s)[ranker])...)
			}
			var mean quality
			for _, name := range fixture.Sets {
				var others, held []sample
				for _, s := range data {
					if s.set == name {
						held = append(held, s)
					} else {
						others = append(others, s)
					}
				}
				q := measure(fit(others), held)
				t.Logf("%-22s AUC %.3f Brier %.4f ECE %.3f", name, q.auc, q.brier, q.ece)
				n := float64(len(fixture.Sets))
				mean.auc, mean.brier, mean.ece = mean.auc+q.auc/n, mean.brier+q.brier/n, mean.ece+q.ece/n
			}
			t.Logf("%-22s AUC %.3f Brier %.4f ECE %.3f", "mean of the sets held out", mean.auc, mean.brier, mean.ece)
			got, want := fit(data), retrieval.ConfidenceModelOf(ranker)
			t.Logf("coefficients %.2f", got)
			for i, v := range [][2]float64{{got.Constant, want.Constant}, {got.Coverage, want.Coverage}, {got.Lead, want.Lead}, {got.Name, want.Name}} {
				if math.Abs(v[0]-v[1]) > 0.03 {
					t.Errorf("coefficient %d is %.2f, ConfidenceModelOf has %.2f", i, v[0], v[1])
				}
			}
			if mean.auc < 0.65 || mean.brier > 0.24 {
				t.Errorf("held out they are worth %+v", mean)
			}
		})
	}
}
