package embed

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestDecodersProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 6).Draw(t, "dimension")
		number := rapid.Float32().Filter(func(f float32) bool { return !math.IsInf(float64(f), 0) && f == f })
		vectors := rapid.SliceOfN(rapid.SliceOfN(number, size, size), 1, 9).Draw(t, "vectors")
		order := rapid.Permutation(indices(len(vectors))).Draw(t, "order")

		plain, _ := json.MarshalIndent(map[string]any{"embeddings": vectors}, "", "\t")
		var entries []string
		for _, i := range order {
			v, _ := json.Marshal(vectors[i])
			entries = append(entries, fmt.Sprintf(`{"embedding": %s, "index": %d}`, v, i))
		}
		indexed := `{"object":"list","data":[` + strings.Join(entries, ",") + `]}`

		a, err := decodeOllama(plain, len(vectors))
		require.NoError(t, err)
		b, err := decodeOpenAI([]byte(indexed), len(vectors))
		require.NoError(t, err)
		for i, v := range vectors {
			if !slices.Equal(v, a[i]) || !slices.Equal(v, b[i]) {
				t.Fatalf("vector %d: sent %v, read %v and %v", i, v, a[i], b[i])
			}
		}
		for _, v := range a {
			zero := !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
			v = unit(v)
			if l := length(v); !zero && math.Abs(l-1) > 1e-5 || zero && l != 0 {
				t.Fatalf("length %v of %v", l, v)
			}
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestServerError(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"error":"a"}`, "a"},
		{`{"error":{"message":"b","code":1},"message":"z"}`, "b"},
		{`{"object":"error","message":"c"}`, "c"},
		{`{"detail":"d"}`, "d"},
		{`{"detail":[{"loc":1}]}`, ""},
		{`{"error":{"message":null}}`, ""},
		{`{"error":[1]}`, ""},
		{`{"error":" "}`, ""},
		{`{}`, ""},
		{`"error"`, ""},
		{`null`, ""},
		{`<error>`, ""},
	}
	for _, tt := range tests {
		if got, ok := serverError([]byte(tt.body)); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, %v", tt.body, got, ok)
		}
	}
}

// FuzzAnswers feeds both decoders: whatever they accept has one vector for each
// text, none empty, of finite numbers, and survives being made of unit length.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"embeddings":[[1,2],[3,4.5e-3]]}`, `{"embeddings":[null,[]]}`, `{"embeddings":[[1,null],[" ,1"]]}`,
		`{"data":[{"index":1,"embedding":[1]},{"index":0,"embedding":[-2]}]}`,
		`{"data":[{"index":0,"embedding":"AACAPw=="}],"data":[{},{}]}`,
		`{"error":"no"}`, `{"error":{"message":"no"}}`, `<html>`, ``, `{"embeddings":[[3.5e38],[1e-50]]}`,
	} {
		f.Add([]byte(body), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		n = 1 + max(n, -n-1)%8
		for name, decode := range map[string]func([]byte, int) ([]vector, error){"ollama": decodeOllama, "openai": decodeOpenAI} {
			vectors, err := decode(body, n)
			if err != nil {
				continue
			}
			if len(vectors) != n {
				t.Fatalf("%s: %d vectors for %d texts", name, len(vectors), n)
			}
			for _, v := range vectors {
				if len(v) == 0 {
					t.Fatalf("%s: an empty vector", name)
				}
				v = unit(v)
				if l := length(v); l != 0 && math.Abs(l-1) > 1e-3 || l != l {
					t.Fatalf("%s: length %v", name, l)
				}
			}
		}
		if text, ok := serverError(body); ok == (text == "") {
			t.Fatalf("message %q, %v", text, ok)
		}
		isMarkup(body)
	})
}
