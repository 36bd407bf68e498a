package embed

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/model/require"
)

// recorded is the form of testdata/tokens.json: texts, and the numbers that the
// tokenizers library 0.23.2 gave each of them with each tokenizer, without
// special tokens and without the unknown one.
type recorded struct {
	Texts []string `json:"texts"`
	Cases []struct {
		Name      string          `json:"name"`
		Tokenizer json.RawMessage `json:"tokenizer"`
		IDs       [][]int32       `json:"ids"`
	} `json:"cases"`
}

func readRecorded(t testing.TB) recorded {
	data, err := os.ReadFile("testdata/tokens.json")
	require.NoError(t, err)
	var r recorded
	require.NoError(t, json.Unmarshal(data, &r))
	return r
}

func TestRecordedTokens(t *testing.T) {
	r := readRecorded(t)
	for _, c := range r.Cases {
		t.Run(c.Name, func(t *testing.T) {
			tokenizer, err := parseTokenizer(c.Tokenizer)
			require.NoError(t, err)
			for i, text := range r.Texts {
				want := c.IDs[i]
				if got := tokenizer.ids(text, 512); !slices.Equal(got, want) {
					t.Errorf("%+q: %v, want %v", text, got, want)
				}
				for limit := range len(want) {
					if got := tokenizer.ids(text, limit); !slices.Equal(got, want[:limit]) {
						t.Errorf("%+q, at most %d: %v, want %v", text, limit, got, want[:limit])
					}
				}
			}
		})
	}
}

func TestVocabularyForms(t *testing.T) {
	text := "Reading unknown cafés [PAD] 日本!"
	want, err := parseTokenizer(tokenizerJSON(nil))
	require.NoError(t, err)
	for name, edit := range map[string]func(file, model map[string]any){
		"a list": func(_, model map[string]any) { model["vocab"] = staticWords },
		"defaults": func(file, model map[string]any) {
			delete(model, "unk_token")
			delete(model, "continuing_subword_prefix")
			delete(model, "max_input_chars_per_word")
			file["normalizer"] = map[string]any{"type": "BertNormalizer"}
		},
		"sequences of one": func(file, _ map[string]any) {
			file["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{file["normalizer"]}}
			file["pre_tokenizer"] = map[string]any{"type": "Sequence", "pretokenizers": []any{file["pre_tokenizer"]}}
		},
		"an empty entry": func(_, model map[string]any) { model["vocab"].(map[string]any)[""] = 3 },
	} {
		got, err := parseTokenizer(tokenizerJSON(edit))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a, b := got.ids(text, 512), want.ids(text, 512); !slices.Equal(a, b) || len(a) != 10 {
			t.Errorf("%s: %v, want %v", name, a, b)
		}
	}
}

func TestTokenizerFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(file, model map[string]any)
		want string
	}{
		{"Unigram", func(_, m map[string]any) { m["type"], m["vocab"] = "Unigram", []any{[]any{"a", -1.5}} }, "model.type: a Unigram tokenizer; only WordPiece"},
		{"BPE", func(_, m map[string]any) { m["type"] = "BPE" }, "model.type: a BPE tokenizer; only WordPiece"},
		{"no type", func(_, m map[string]any) { delete(m, "type") }, "model.type: missing"},
		{"no model", func(f, _ map[string]any) { delete(f, "model") }, "model: missing"},
		{"no vocabulary", func(_, m map[string]any) { delete(m, "vocab") }, "model.vocab: missing"},
		{"a vocabulary of pairs", func(_, m map[string]any) { m["vocab"] = []any{[]any{"a", 1}} }, "model.vocab: "},
		{"a vocabulary that is a number", func(_, m map[string]any) { m["vocab"] = 7 }, "model.vocab: neither an object nor a list"},
		{"a token twice", func(_, m map[string]any) { m["vocab"] = []any{"[UNK]", "a", "a"} }, `model.vocab: "a": both 1 and 2`},
		{"a negative number", func(_, m map[string]any) { m["vocab"] = map[string]any{"[UNK]": 0, "z": -1, "b": -2} }, `model.vocab: "b": impossible number -2`},
		{"a great number", func(_, m map[string]any) { m["vocab"] = map[string]any{"[UNK]": 1 << 40} }, `model.vocab: "[UNK]": impossible number`},
		{"a number with a fraction", func(_, m map[string]any) { m["vocab"] = map[string]any{"[UNK]": 1.5} }, "model.vocab: "},
		{"no unknown token", func(_, m map[string]any) { m["unk_token"] = "<unk>" }, `model.unk_token: "<unk>" is not in the vocabulary`},
		{"negative length", func(_, m map[string]any) { m["max_input_chars_per_word"] = -1 }, "model.max_input_chars_per_word: -1 is negative"},
		{"no normalizer", func(f, _ map[string]any) { f["normalizer"] = nil }, "normalizer: missing"},
		{"another normalizer", func(f, _ map[string]any) { f["normalizer"] = map[string]any{"type": "NFKC"} }, `normalizer: of type "NFKC"`},
		{"two normalizers", func(f, _ map[string]any) {
			f["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{f["normalizer"], f["normalizer"]}}
		}, "normalizer: missing, or more than one"},
		{"a null in a sequence", func(f, _ map[string]any) {
			f["normalizer"] = map[string]any{"type": "Sequence", "normalizers": []any{nil}}
		}, "normalizer: missing"},
		{"no pre-tokenizer", func(f, _ map[string]any) { delete(f, "pre_tokenizer") }, "pre_tokenizer: missing"},
		{"another pre-tokenizer", func(f, _ map[string]any) { f["pre_tokenizer"] = map[string]any{"type": "Metaspace"} }, `pre_tokenizer: of type "Metaspace"`},
		{"an added token without number", func(f, _ map[string]any) { f["added_tokens"] = []any{map[string]any{"content": "new"}} }, "added_tokens[0].id: missing"},
	} {
		if _, err := parseTokenizer(tokenizerJSON(c.edit)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, data := range []string{"", "null", "[]", "{", `{"model":{"type":"WordPiece"},"model":{}}`} {
		if _, err := parseTokenizer([]byte(data)); err == nil {
			t.Errorf("%q: no error", data)
		}
	}
}

// TestHalf checks every number of 16 bits against the formula of the format.
func TestHalf(t *testing.T) {
	for b := range 1 << 16 {
		sign, exponent, fraction := 1-2*(b>>15), b>>10&31, float64(b&1023)
		want := float64(sign) * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = math.Copysign(math.Ldexp(fraction/1024, -14), float64(sign))
		case exponent == 31 && fraction == 0:
			want = math.Inf(sign)
		case exponent == 31:
			want = math.NaN()
		}
		got := half(uint16(b))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || want == 0 && math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%#04x: %g, want %g", b, got, want)
		}
	}
}

// FuzzTokenize: any text under any recorded tokenizer gives known numbers, no
// more than the limit, the same each time; cutting comes last.
func FuzzTokenize(f *testing.F) {
	r := readRecorded(f)
	var tokenizers []*tokenizer
	for _, c := range r.Cases {
		tokenizer, err := parseTokenizer(c.Tokenizer)
		require.NoError(f, err)
		tokenizers = append(tokenizers, tokenizer)
	}
	for _, text := range r.Texts {
		f.Add(text, uint16(3))
	}
	f.Add("\xff\xc3(read", uint16(512))
	f.Fuzz(func(t *testing.T, text string, limit uint16) {
		for i, k := range tokenizers {
			all := k.ids(text, math.MaxInt)
			if got := k.ids(text, int(limit)); !slices.Equal(got, all[:min(len(all), int(limit))]) {
				t.Errorf("%s: %v cut to %d is %v", r.Cases[i].Name, all, limit, got)
			}
			if slices.ContainsFunc(all, func(id int32) bool { return id < 0 || id > k.top || id == k.unknown }) {
				t.Errorf("%s: impossible or unknown number in %v", r.Cases[i].Name, all)
			}
			if len(all) > 4*utf8.RuneCountInString(text) {
				t.Errorf("%s: %d tokens of %d characters", r.Cases[i].Name, len(all), utf8.RuneCountInString(text))
			}
		}
	})
}

// FuzzTokenizerFile: no tokenizer file panics, and one that is read tokenizes.
func FuzzTokenizerFile(f *testing.F) {
	f.Add(tokenizerJSON(nil))
	for _, c := range readRecorded(f).Cases {
		f.Add([]byte(c.Tokenizer))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if k, err := parseTokenizer(data); err == nil {
			for _, id := range k.ids("Reading read_file cafés 日本! xyz", 512) {
				if id < 0 || id > k.top {
					t.Errorf("number %d, above %d", id, k.top)
				}
			}
		}
	})
}
