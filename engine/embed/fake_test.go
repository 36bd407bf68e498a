package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

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
	properties := map[string]any{}
	for _, p := range parameters {
		properties[p] = map[string]any{"type": "string"}
	}
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	for i, p := range slices.Sorted(maps.Keys(properties)) {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(p)
		b.Write(quoted)
		b.WriteString(`:{"type":"string"}`)
	}
	b.WriteString(`}}`)
	return &model.Tool{Name: name, Qualified: name, Description: description, Parameters: b.Bytes()}
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
