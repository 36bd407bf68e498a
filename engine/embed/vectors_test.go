package embed

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/words"
)

var _ Similarity = (*Vectors)(nil)

func TestScoresByPlace(t *testing.T) {
	f, tools := newFake(11), some(30)
	v := mustOpen(t, f, tools, "")
	verify(t, v, f, tools)
	verify(t, v, f, tools[7:19])
	reversed := slices.Clone(tools)
	slices.Reverse(reversed)
	verify(t, v, f, reversed)
	verify(t, v, f, some(30)) // equal, and others
	stranger := tool("stranger", "")
	if got := mustScore(t, v, "x", []*model.Tool{stranger, tools[3], stranger}); got[0] != 0 || got[1] == 0 || got[2] != 0 {
		t.Errorf("scores %v", got)
	}
}

func TestScoresOfItself(t *testing.T) {
	f, tools := newFake(16), some(10)
	v := mustOpen(t, f, tools, "")
	for i, x := range tools {
		scores := mustScore(t, v, Template(x), tools)
		if s := scores[i]; s > 1 || s < 1-1e-6 {
			t.Errorf("a tool's own text has score %v", s)
		}
	}
}

func TestScoresOfABlankMessage(t *testing.T) {
	f, tools := newFake(4), some(3)
	v := mustOpen(t, f, tools, "")
	for _, message := range []string{"", " \n\t"} {
		if got := mustScore(t, v, message, tools); !slices.Equal(got, make([]float64, 3)) {
			t.Errorf("scores %v", got)
		}
	}
	if got := mustScore(t, v, "x", nil); len(got) != 0 || f.queries != 0 {
		t.Errorf("%v after %d queries", got, f.queries)
	}
	f.ask = func([]float32) ([]float32, error) { return make([]float32, 4), nil }
	if got := mustScore(t, v, "x", tools); !slices.Equal(got, make([]float64, 3)) {
		t.Errorf("scores %v of a vector of zeros", got)
	}
}

func TestScoresErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name string
		ask  func([]float32) ([]float32, error)
		want func(error) bool
	}{
		{"error", func([]float32) ([]float32, error) { return nil, broken }, func(err error) bool { return errors.Is(err, broken) }},
		{"no number", func(x []float32) ([]float32, error) { x[0] = float32(math.NaN()); return x, nil }, func(err error) bool { return err != nil }},
		{"infinite", func(x []float32) ([]float32, error) { x[3] = float32(math.Inf(-1)); return x, nil }, func(err error) bool { return err != nil }},
	} {
		f, tools, path := newFake(4), some(3), indexPath(t)
		f.ask = c.ask
		v := mustOpen(t, f, tools, path)
		if scores, err := v.Scores(t.Context(), "x", tools); scores != nil || !c.want(err) {
			t.Errorf("%s: %v, %v", c.name, scores, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestScoresAfterTheModelChanged is of an embedder that did not know, when the
// index was opened, that its model has another dimension by now.
func TestScoresAfterTheModelChanged(t *testing.T) {
	f, tools, path := newFake(0), some(3), indexPath(t)
	f.size = 4
	mustOpen(t, f, tools, path)
	f.size = 6
	v := mustOpen(t, f, tools, path)
	_, err := v.Scores(t.Context(), "x", tools)
	var mismatch *DimensionError
	if !errors.As(err, &mismatch) || *mismatch != (DimensionError{Index: 4, Vector: 6}) {
		t.Fatal(err)
	}
	v = mustOpen(t, f, tools, path)
	verify(t, v, f, tools)
}

func TestScoresCancelled(t *testing.T) {
	f, tools := newFake(4), some(3)
	v := mustOpen(t, f, tools, "")
	ctx, cancel := context.WithCancel(t.Context())
	f.ask = func(x []float32) ([]float32, error) { cancel(); return x, nil }
	if _, err := v.Scores(ctx, "x", tools); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := v.Scores(ctx, "", tools); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFloor(t *testing.T) {
	scores := []float64{.12, .30, .10, .13, .11}
	for _, c := range []struct {
		in   Identity
		want float64
	}{
		{Identity{Provider: "model2vec", Model: "/models/e5"}, FloorStatic},
		{Identity{Provider: "ollama", Model: "e5-small"}, relative(scores, 2)},
		{Identity{Provider: "openai", Model: "text-embedding-3-small"}, relative(scores, 2)},
	} {
		if got := mustOpen(t, &fake{identity: c.in, size: 2}, some(1), "").Floor(scores, 2); got != c.want {
			t.Errorf("%s has floor %v, not %v", c.in, got, c.want)
		}
	}
}

func TestScoresAtOnce(t *testing.T) {
	f, tools, path := newFake(16), some(40), indexPath(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			v, err := Open(t.Context(), f, tools, path, nil)
			if err != nil || v.Unsaved != nil {
				t.Error(err, v.Unsaved)
				return
			}
			for range 20 {
				if _, err := v.Scores(t.Context(), "x", tools); err != nil {
					t.Error(err)
				}
			}
		})
	}
	v := mustOpen(t, f, tools, "")
	for range 8 {
		wg.Go(func() {
			scores, err := v.Scores(t.Context(), "x", some(50))
			if err != nil || scores[0] == 0 || scores[45] != 0 {
				t.Error(scores, err)
			}
		})
	}
	wg.Wait()
}

func TestRelative(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores []float64
		want   float64
	}{
		{"none", nil, 0},
		{"one", []float64{.4}, .4},
		{"two", []float64{.4, .1}, .4},
		{"all equal", []float64{.4, .4, .4, .4}, .4},
		{"the example", []float64{.12, .30, .10, .13, .11}, .12 + 1.2*math.Sqrt(2*math.Log(5))*1.4826*.01},
		{"those without a vector are left out", []float64{0, .12, .30, 0, .10, .13, .11, 0, 0, 0, 0, 0, 0}, .12 + 1.2*math.Sqrt(2*math.Log(5))*1.4826*.01},
	} {
		if got := relative(c.scores, 1.2); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Which tools are above the floor does not depend on where a model puts its cosines, nor
// on how far apart.
func TestRelativeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(.1, 1), 3, 40).Draw(t, "scores")
		a, b := rapid.Float64Range(.5, 2).Draw(t, "factor"), rapid.Float64Range(.1, 3).Draw(t, "shift")
		moved := make([]float64, len(scores))
		for i, s := range scores {
			moved[i] = a*s + b
		}
		floor := relative(scores, 1.2)
		if got, want := relative(moved, 1.2), a*floor+b; math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// fake is an embedder whose vectors are drawn at random from a seed that is
// the text. It counts what it was asked.
type fake struct {
	identity Identity
	size     int                                       // of its vectors; the identity's dimension when 0
	answer   func([][]float32) ([][]float32, error)    // may spoil an answer
	ask      func(vector []float32) ([]float32, error) // the same for a message

	mu      sync.Mutex
	texts   []string // of documents, as they came
	queries int
}

func newFake(dimension int) *fake {
	return &fake{identity: Identity{Provider: "fake", Model: "m", Dimension: dimension}}
}

func (f *fake) Identity() Identity { return f.identity }

func (f *fake) dimension() int {
	if f.size != 0 {
		return f.size
	}
	return f.identity.Dimension
}

func (f *fake) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.texts = append(f.texts, texts...)
	f.mu.Unlock()
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = randomUnit(text, f.dimension())
	}
	if f.answer != nil {
		return f.answer(vectors)
	}
	return vectors, nil
}

func (f *fake) Query(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.queries++
	f.mu.Unlock()
	x := randomUnit(text, f.dimension())
	if f.ask != nil {
		return f.ask(x)
	}
	return x, nil
}

// taken returns the texts that were embedded since it was last called.
func (f *fake) taken() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	texts := f.texts
	f.texts = nil
	return texts
}

func randomUnit(text string, dimension int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	x := make([]float64, dimension)
	sum := 0.0
	for i := range x {
		x[i] = r.NormFloat64()
		sum += x[i] * x[i]
	}
	u := make([]float32, dimension)
	for i := range x {
		u[i] = float32(x[i] / math.Sqrt(sum))
	}
	return u
}

// tool returns a tool of parameters that are strings.
func tool(name, description string, parameters ...string) *model.Tool {
	slices.Sort(parameters)
	for i, p := range parameters {
		parameters[i] = fmt.Sprintf(`%q:{"type":"string"}`, p)
	}
	schema := `{"type":"object","properties":{` + strings.Join(parameters, ",") + `}}`
	return &model.Tool{Name: name, Qualified: name, Description: description, Parameters: []byte(schema)}
}

// some returns n tools that differ in all they have.
func some(n int) []*model.Tool {
	tools := make([]*model.Tool, n)
	for i := range tools {
		id := strings.Repeat(string(rune('a'+i%26)), 1+i/26)
		tools[i] = tool("do_"+id, "Does "+id+".", "p_"+id)
	}
	return tools
}

func mustOpen(t testing.TB, e Embedder, tools []*model.Tool, path string) *Vectors {
	t.Helper()
	v, err := Open(t.Context(), e, tools, path, nil)
	require.NoError(t, err)
	require.NoError(t, v.Unsaved)
	return v
}

func indexPath(t testing.TB) string {
	return filepath.Join(t.TempDir(), "cache", "index.vectors")
}

func mustScore(t testing.TB, v *Vectors, message string, tools []*model.Tool) []float64 {
	t.Helper()
	scores, err := v.Scores(t.Context(), message, tools)
	require.NoError(t, err)
	return scores
}

// verify checks all scores of v against cosines that are computed plainly.
func verify(t testing.TB, v *Vectors, f *fake, tools []*model.Tool) {
	t.Helper()
	const message = "what is to be done"
	q := randomUnit(message, f.dimension())
	for i, s := range mustScore(t, v, message, tools) {
		want := 0.0
		for j, x := range randomUnit(Template(tools[i]), f.dimension()) {
			want += float64(x) * float64(q[j])
		}
		if math.Abs(s-want) > 1e-5 {
			t.Fatalf("score of %s is %v, not %v", tools[i].Name, s, want)
		}
	}
}

// Words returns the words of a text.
func Words(text string) []string {
	var all []string
	eachWord(&words.Cutter{CutPlurals: true}, text, func(word []byte) bool {
		all = append(all, string(word))
		return true
	})
	return all
}

// Alike returns how alike a word is to another, among words of tools.
func Alike(word, other string, among []string) float64 {
	d := retrieval.NewDictionary()
	for _, w := range append([]string{other}, among...) {
		d.Intern([]byte(w))
	}
	if found := newVocabulary(d).similar(make([]float32, d.Len()), []byte(word)); len(found) > 0 && found[0].word == 0 {
		return found[0].alike
	}
	return 0
}

// Grams returns the grams of a word.
func Grams(word string) []string {
	var all []string
	eachGram([]byte(word), func(gram []byte) { all = append(all, string(gram)) })
	return all
}
