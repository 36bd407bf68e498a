package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

var texts = []string{
	"", "read", "Read the file, then send mail!", "CAFÉ naïve cafe\u0301 Naïve", "日本語 searching the 日本 web",
	"xyzzy", "unknown unknowns", "read_files", "[PAD] [UNK] read", "re\u00adad\u200b file\u3000list\tweb\u0000s",
	"read" + strings.Repeat("s", 96), "read" + strings.Repeat("s", 97), strings.Repeat("mail xyzzy ", 511) + "file read",
	strings.Repeat("日", 600) + "file", "\xff\xferead\xc3",
}

func close32(got []float32, want []float64) bool {
	for i := range want {
		if len(got) != len(want) || math.Abs(float64(got[i])-want[i]) > 1e-5*max(1, math.Abs(want[i])) {
			return false
		}
	}
	return len(got) == len(want)
}

func sameToken(token int) int { return token }
func noWeight(int) float64    { return 1 }

// TestVectors compares every kind of model with the plain implementation.
func TestModel2VecVectors(t *testing.T) {
	const mapped = 9 // rows of the models with a mapping
	rowOf := func(token int) int { return token * 5 % mapped }
	weightOf := func(token int) float64 { return float64(token%7+1) / 4 }
	var mapping, weights []float64
	for i := range staticWords {
		mapping = append(mapping, float64(rowOf(i)))
		weights = append(weights, weightOf(i))
	}
	var tokens [][]string
	for _, text := range texts {
		tokens = append(tokens, plainTokens(text))
	}
	for _, dtype := range []string{"F32", "F16", "BF16", "F64", "I8"} {
		for _, kind := range []struct{ mapping, weights string }{
			{}, {"I32", ""}, {"I64", ""}, {"", "F32"}, {"", "F16"}, {"", "BF16"}, {"I64", "F64"}, {"I32", "F64 in a column"},
		} {
			for _, nested := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s mapping %q weights %q nested %v", dtype, kind.mapping, kind.weights, nested), func(t *testing.T) {
					row, weight, rows, name := sameToken, noWeight, len(staticWords), "embeddings"
					if nested {
						name = "embedding.weight"
					}
					var entries []entry
					if kind.mapping != "" {
						row, rows = rowOf, mapped
						entries = append(entries, entry{"mapping", kind.mapping, []int{len(staticWords)}, pack(kind.mapping, mapping...)})
					}
					if w, column := strings.CutSuffix(kind.weights, " in a column"); w != "" {
						weight = weightOf
						e := entry{"weights", w, []int{len(staticWords)}, pack(w, weights...)}
						if column {
							e.shape = append(e.shape, 1)
						}
						entries = append(entries, e)
					}
					f := flat(append(entries, matrix(name, dtype, rows))...)
					if nested {
						f = folder{
							"0_StaticEmbedding/model.safetensors": f["model.safetensors"],
							"0_StaticEmbedding/tokenizer.json":    f["tokenizer.json"],
							"config_sentence_transformers.json":   []byte(`{}`),
						}
					}
					m := f.load(t)
					if got := m.Identity().Dimension; got != columns {
						t.Errorf("dimension %d", got)
					}
					for i, text := range texts {
						got, err := m.Query(t.Context(), text)
						if want := plainVector(tokens[i], row, weight, true); err != nil || !close32(got, want) {
							t.Errorf("%.40q: %v, %v; want %v", text, got, err, want)
						}
						got, err = m.Encode(text)
						want := plainVector(tokens[i], row, weight, !nested)
						if dtype == "I8" && nested { // the model's numbers, without a scale
							for c := range want {
								want[c] *= 8
							}
						}
						if err != nil || !close32(got, want) {
							t.Errorf("encoding %.40q: %v, %v; want %v", text, got, err, want)
						}
					}
				})
			}
		}
	}
}

// TestPlainByHand holds the plain implementation to numbers worked out by hand.
func TestPlainByHand(t *testing.T) {
	if got := plainTokens("Reading unknown CAFÉS日!"); !slices.Equal(got, []string{"read", "##ing", "un", "##known", "cafe", "##s", "日", "!"}) {
		t.Errorf("tokens %q", got)
	}
	// Rows 4 and 5 begin with (4*53+7)%255-127 = 92 and (5*53+7)%255-127 = -110.
	if got := plainVector([]string{"read", "file"}, sameToken, noWeight, false)[0]; got != (92.0-110)/2/8 {
		t.Errorf("mean %v", got)
	}
}

func TestDocuments(t *testing.T) {
	m := flat(matrix("embeddings", "F16", len(staticWords))).load(t)
	vectors, err := m.Documents(t.Context(), texts)
	if err != nil || len(vectors) != len(texts) {
		t.Fatal(len(vectors), err)
	}
	for i, text := range texts {
		if one, _ := m.Query(t.Context(), text); !slices.Equal(one, vectors[i]) {
			t.Errorf("%.40q: %v alone, %v among others", text, one, vectors[i])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Documents(ctx, texts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := m.Query(ctx, "read"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestIdentity: the identity holds for equal content and changes with what
// the vectors depend on.
func TestIdentity(t *testing.T) {
	base := flat(matrix("embeddings", "F32", len(staticWords)))
	dir := base.write(t)
	m, err := LoadModel2Vec(dir)
	require.NoError(t, err)
	again, err := LoadModel2Vec(dir + "/")
	require.NoError(t, err)
	id := m.Identity()
	if id != again.Identity() || id.Provider != "model2vec" || !strings.HasPrefix(id.Model, dir+"@") {
		t.Errorf("%+v, %+v", id, again.Identity())
	}
	ones := pack("F32", slices.Repeat([]float64{1}, len(staticWords))...)
	changed := matrix("embeddings", "F32", len(staticWords))
	changed.data[len(changed.data)-1] ^= 1
	for name, f := range map[string]folder{
		"a number":    base.with(flat(changed)),
		"weights":     base.with(flat(matrix("embeddings", "F32", len(staticWords)), entry{"weights", "F32", []int{len(staticWords)}, ones})),
		"the type":    base.with(flat(matrix("embeddings", "BF16", len(staticWords)))),
		"a tokenizer": base.with(folder{"tokenizer.json": append(base["tokenizer.json"], '\n')}),
	} {
		if f.load(t).sum == m.sum {
			t.Errorf("another model by %s has the same sum", name)
		}
	}
}

// TestNotFinite: a damaged number is an error of the texts that need it alone.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		e := matrix("embeddings", "F32", len(staticWords))
		copy(e.data[4*columns*slices.Index(staticWords, "mail"):], pack("F32", bad))
		m := flat(e).load(t)
		if _, err := m.Query(t.Context(), "read"); err != nil {
			t.Error(err)
		}
		if v, err := m.Query(t.Context(), "read mail"); err == nil || !strings.Contains(err.Error(), "model.safetensors: a row of this text's tokens") {
			t.Errorf("%v: %v, %v", bad, v, err)
		}
	}
}

func TestExtremes(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64 / 2, math.SmallestNonzeroFloat64, 1e-200, 1e200} {
		e := entry{"embeddings", "F64", []int{len(staticWords), 2}, pack("F64", slices.Repeat([]float64{x}, 2*len(staticWords))...)}
		m := flat(e).load(t)
		v, err := m.Query(t.Context(), "read")
		want := []float64{math.Copysign(math.Sqrt2/2, x), math.Copysign(math.Sqrt2/2, x)}
		if err != nil || !close32(v, want) {
			t.Errorf("%g: %v, %v", x, v, err)
		}
	}
}

// TestProperties: any text has the same vector each time, equal to the one of the plain
// implementation, of unit length or zero.
func TestProperties(t *testing.T) {
	m := flat(matrix("embeddings", "I8", len(staticWords))).load(t)
	part := rapid.OneOf(rapid.SampledFrom(staticWords), rapid.SampledFrom([]string{" ", "É", "\u0301", "s", "İ", "ß", "\u00a0", "\x00"}), rapid.StringN(0, 4, -1))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "text"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		a, err := m.Query(context.Background(), text)
		require.NoError(t, err)
		b, _ := m.Query(context.Background(), text)
		if !slices.Equal(a, b) {
			t.Fatalf("%v, then %v", a, b)
		}
		squares := 0.0
		for _, x := range a {
			squares += float64(x) * float64(x)
		}
		if squares != 0 && math.Abs(squares-1) > 1e-6 {
			t.Fatalf("length %g", math.Sqrt(squares))
		}
		if want := plainVector(plainTokens(text), sameToken, noWeight, true); !close32(a, want) {
			t.Fatalf("%q: %v, want %v (%q)", text, a, want, plainTokens(text))
		}
	})
}
