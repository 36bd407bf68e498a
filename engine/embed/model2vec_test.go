package embed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
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

// This file is a second implementation, as plain as can be: whole strings,
// regular expressions, a list for a vocabulary. It knows the models made here,
// and tells what their vectors must be.

var (
	plainControls  = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\x{fffd}]|\p{Cf}|\p{Co}`)
	plainIdeograph = regexp.MustCompile(`[\x{4e00}-\x{9fff}\x{3400}-\x{4dbf}\x{f900}-\x{faff}\x{20000}-\x{2a6df}\x{2a700}-\x{2b81f}\x{2b920}-\x{2ceaf}\x{2f800}-\x{2fa1f}]`)
	plainWord      = regexp.MustCompile(`[\p{P}$+<=>^` + "`" + `|~]|[^\p{P}$+<=>^` + "`" + `|~\s\p{Z}]+`)
	plainSpecial   = regexp.MustCompile(`\[PAD\]|\[UNK\]`)
)

// plainTokens returns the known tokens of a text.
func plainTokens(text string) []string {
	var tokens []string
	text = strings.ToValidUTF8(text, "\ufffd")
	at := 0
	for _, place := range append(plainSpecial.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		piece := plainControls.ReplaceAllString(text[at:place[0]], "")
		piece = plainIdeograph.ReplaceAllString(piece, " $0 ")
		piece, _, _ = transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), piece)
		for _, word := range plainWord.FindAllString(strings.ToLower(piece), -1) {
			tokens = append(tokens, plainPieces([]rune(word), "")...)
		}
		if text[place[0]:place[1]] == "[PAD]" {
			tokens = append(tokens, "[PAD]")
		}
		at = place[1]
	}
	return tokens
}

// plainPieces returns the pieces of a word, none if it is unknown.
func plainPieces(word []rune, prefix string) []string {
	if prefix == "" && len(word) > 100 {
		return nil
	}
	for end := len(word); end > 0; end-- {
		piece := prefix + string(word[:end])
		if !slices.Contains(staticWords, piece) {
			continue
		}
		if end == len(word) {
			return []string{piece}
		}
		if rest := plainPieces(word[end:], "##"); rest != nil {
			return append([]string{piece}, rest...)
		}
		return nil
	}
	return nil
}

// plainVector returns the vector of a text of such tokens, given the row and
// the weight of each.
func plainVector(tokens []string, row func(token int) int, weight func(token int) float64, unit bool) []float64 {
	tokens = tokens[:min(512, len(tokens))]
	vector := make([]float64, columns)
	for _, token := range tokens {
		n := slices.Index(staticWords, token)
		for c := range vector {
			vector[c] += weight(n) * staticTable(row(n), c) / float64(len(tokens))
		}
	}
	squares := 0.0
	for _, x := range vector {
		squares += x * x
	}
	if unit && squares > 0 {
		for c := range vector {
			vector[c] /= math.Sqrt(squares)
		}
	}
	return vector
}

// TestLayouts: where the parts may be. Whether the model's own vectors have unit length
// changes none.
func TestLayouts(t *testing.T) {
	base := flat(matrix("embeddings", "F32", len(staticWords)))
	weights, tokenizer := base["model.safetensors"], base["tokenizer.json"]
	static := `{"idx":0,"name":"0","path":%q,"type":"sentence_transformers.models.StaticEmbedding"}`
	normal := `,{"idx":1,"name":"1","path":"1_Normalize","type":"sentence_transformers.models.Normalize"}`
	modules := func(path, more string) []byte { return []byte("[" + fmt.Sprintf(static, path) + more + "]") }
	at := func(dir string, more folder) folder {
		return folder{dir + "model.safetensors": weights, dir + "tokenizer.json": tokenizer}.with(more)
	}
	for _, c := range []struct {
		name  string
		files folder
	}{
		{"flat", base},
		{"flat, not normalized", at("", folder{"config.json": []byte(`{"normalize":false}`)})},
		{"flat, nothing said", at("", folder{"config.json": []byte(`{}`)})},
		{"flat with modules", at("", folder{"config.json": []byte(`{}`), "modules.json": modules(".", normal)})},
		{"flat with the other config", at("", folder{"config_sentence_transformers.json": []byte(`{}`)})},
		{"nested with modules", at("0_StaticEmbedding/", folder{"modules.json": modules("0_StaticEmbedding", normal)})},
		{"nested elsewhere", at("some/where/", folder{"modules.json": modules("some/where", "")})},
		{"nested without modules", at("0_StaticEmbedding/", folder{"config.json": []byte(`{"normalize":true}`)})},
		{"newer type of module", at("", folder{"modules.json": []byte(`[{"path":"","type":"sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"}]`)})},
	} {
		m, err := LoadModel2Vec(c.files.write(t))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := m.Query(t.Context(), "read file")
		if want := plainVector([]string{"read", "file"}, sameToken, noWeight, true); err != nil || !close32(got, want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, want)
		}
	}
}

func TestBrokenModels(t *testing.T) {
	good := matrix("embeddings", "F32", len(staticWords))
	base := flat(good)
	list := func(name, dtype string, numbers ...float64) entry {
		return entry{name, dtype, []int{len(numbers)}, pack(dtype, numbers...)}
	}
	zeros := make([]float64, len(staticWords))
	far, before := slices.Clone(zeros), slices.Clone(zeros)
	far[3], before[4] = float64(len(staticWords)), -1
	tensors := func(entries ...entry) folder { return folder{"model.safetensors": safetensors(entries...)} }
	square := entry{"weights", "F32", []int{len(staticWords) / 2, 2}, pack("F32", zeros...)}
	for _, c := range []struct {
		name    string
		changes folder
		want    string // the file and what
	}{
		{"no tensors file", folder{"model.safetensors": nil}, "model.safetensors: missing"},
		{"no tokenizer", folder{"tokenizer.json": nil}, "tokenizer.json: missing"},
		{"no config", folder{"config.json": nil}, "config.json: missing, and so is modules.json"},
		{"config not JSON", folder{"config.json": []byte("normalize")}, "config.json: "},
		{"config too large", folder{"config.json": make([]byte, maxConfig+1)}, "config.json: 1048577 bytes; at most 1048576 are read"},
		{"no modules", folder{"modules.json": []byte("[]")}, "modules.json: no modules"},
		{"a neural model", folder{"modules.json": []byte(`[{"path":"","type":"sentence_transformers.models.Transformer"}]`)}, "modules.json: module 0 is a Transformer"},
		{"a module more", folder{"modules.json": []byte(`[{"path":"","type":"StaticEmbedding"},{"type":"x.Dense"}]`)}, "modules.json: module 1 is a Dense"},
		{"a way out", folder{"modules.json": []byte(`[{"path":"../other","type":"StaticEmbedding"}]`)}, `modules.json: path "../other" leaves the folder`},
		{"an absolute path", folder{"modules.json": []byte(`[{"path":"/etc","type":"StaticEmbedding"}]`)}, "leaves the folder"},
		{"modules without their folder", folder{"modules.json": []byte(`[{"path":"gone","type":"StaticEmbedding"}]`)}, filepath.Join("gone", "tokenizer.json") + ": missing"},
		{"a folder for a file", folder{"tokenizer.json": nil, "tokenizer.json/x": {}}, "tokenizer.json: not a file"},
		{"a Unigram tokenizer", folder{"tokenizer.json": []byte(`{"model":{"type":"Unigram","unk_id":1,"vocab":[["[PAD]",0],["a",-2.5]]}}`)}, "tokenizer.json: model.type: a Unigram tokenizer; only WordPiece"},
		{"empty", folder{"model.safetensors": {}}, "model.safetensors: 0 bytes are too few"},
		{"a pointer of git", folder{"model.safetensors": []byte("version https://git-lfs.github.com/spec/v1\n")}, "model.safetensors: header of"},
		{"cut by a byte", folder{"model.safetensors": base["model.safetensors"][:len(base["model.safetensors"])-1]}, "model.safetensors: header: tensor \"embeddings\": ends at"},
		{"no embeddings", tensors(list("other", "F32", 1)), "model.safetensors: no tensor embeddings or embedding.weight"},
		{"whole numbers of 32 bits", tensors(entry{"embeddings", "I32", []int{len(staticWords), 1}, pack("I32", zeros...)}), `tensor "embeddings": type I32`},
		{"a list for a matrix", tensors(list("embeddings", "F32", zeros...)), `tensor "embeddings": shape [26]`},
		{"no rows, many columns", tensors(entry{"embeddings", "F32", []int{0, 1 << 50}, nil}), `tensor "embeddings": shape [0 1125899906842624]`},
		{"a row too few", tensors(matrix("embeddings", "F32", len(staticWords)-1)), "25 tokens have a row, and the tokenizer numbers them up to 25"},
		{"a mapping too short", tensors(good, list("mapping", "I32", zeros[1:]...)), "25 tokens have a row"},
		{"a mapping too far", tensors(good, list("mapping", "I64", far...)), `tensor "mapping": token 3 has row 26 of 26`},
		{"a mapping before the first", tensors(good, list("mapping", "I32", before...)), `tensor "mapping": token 4 has row -1`},
		{"a mapping of fractions", tensors(good, list("mapping", "F32", zeros...)), `tensor "mapping": type F32`},
		{"too few weights", tensors(good, list("weights", "F32", zeros[1:]...)), `tensor "weights": 25 weights`},
		{"weights of two columns", tensors(good, square), `tensor "weights": shape [13 2]`},
		{"a weight that is not finite", tensors(good, list("weights", "F64", append(slices.Clone(zeros[1:]), 1e300)...)), `tensor "weights": the weight of token 25`},
	} {
		dir := base.with(c.changes).write(t)
		_, err := LoadModel2Vec(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := LoadModel2Vec(filepath.Join(t.TempDir(), "gone")); !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "gone: missing") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := LoadModel2Vec(filepath.Join(base.write(t), "config.json")); err == nil || !strings.HasSuffix(err.Error(), "config.json: not a folder") {
		t.Errorf("a file for a folder: %v", err)
	}
}

// TestCutAnywhere: a file of tensors that ends early is an error wherever it
// ends, and one with a byte changed is an error or a model that answers.
func TestCutAnywhere(t *testing.T) {
	base := flat(entry{"mapping", "I32", []int{len(staticWords)}, pack("I32", make([]float64, len(staticWords))...)}, matrix("embeddings", "F16", 2))
	dir, whole := base.write(t), base["model.safetensors"]
	path := filepath.Join(dir, "model.safetensors")
	for n := range whole {
		require.NoError(t, os.WriteFile(path, whole[:n], 0o644))
		if _, err := LoadModel2Vec(dir); err == nil || !strings.HasPrefix(err.Error(), path) {
			t.Fatalf("cut to %d of %d: %v", n, len(whole), err)
		}
		changed := slices.Clone(whole)
		changed[n] ^= 0x81
		require.NoError(t, os.WriteFile(path, changed, 0o644))
		if m, err := LoadModel2Vec(dir); err == nil {
			m.Query(t.Context(), "read file")
		}
	}
}
