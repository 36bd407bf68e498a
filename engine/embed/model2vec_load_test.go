package embed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// TestLayouts: where the parts may be, and which files mark vectors as
// normalized.
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
		name      string
		files     folder
		normalize bool
	}{
		{"flat", base, true},
		{"flat, not normalized", at("", folder{"config.json": []byte(`{"normalize":false}`)}), false},
		{"flat, nothing said", at("", folder{"config.json": []byte(`{}`)}), false},
		{"flat, null said", at("", folder{"config.json": []byte(`{"normalize":null}`)}), false},
		{"flat with modules", at("", folder{"config.json": []byte(`{}`), "modules.json": modules(".", normal)}), true},
		{"flat with modules alone", at("", folder{"modules.json": modules("", "")}), false},
		{"config before modules", at("", folder{"config.json": []byte(`{"normalize":false}`), "modules.json": modules(".", normal)}), false},
		{"flat with the other config", at("", folder{"config_sentence_transformers.json": []byte(`{}`)}), false},
		{"nested with modules", at("0_StaticEmbedding/", folder{"modules.json": modules("0_StaticEmbedding", normal)}), true},
		{"nested elsewhere", at("some/where/", folder{"modules.json": modules("some/where", "")}), false},
		{"nested without modules", at("0_StaticEmbedding/", folder{"config.json": []byte(`{"normalize":true}`)}), true},
		{"newer type of module", at("", folder{"modules.json": []byte(`[{"path":"","type":"sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"}]`)}), false},
	} {
		m, err := LoadModel2Vec(c.files.write(t))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := m.Encode("read file")
		if want := plainVector([]string{"read", "file"}, sameToken, noWeight, c.normalize); err != nil || !close32(got, want) {
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
		{"config of another type", folder{"config.json": []byte(`{"normalize":"yes"}`)}, "config.json: "},
		{"config too large", folder{"config.json": make([]byte, maxConfig+1)}, "config.json: 1048577 bytes; at most 1048576 are read"},
		{"modules not JSON", folder{"modules.json": []byte("{")}, "modules.json: "},
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
		{"no columns", tensors(entry{"embeddings", "F32", []int{len(staticWords), 0}, nil}), `tensor "embeddings": shape [26 0]`},
		{"no rows, many columns", tensors(entry{"embeddings", "F32", []int{0, 1 << 50}, nil}), `tensor "embeddings": shape [0 1125899906842624]`},
		{"a row too few", tensors(matrix("embeddings", "F32", len(staticWords)-1)), "25 tokens have a row, and the tokenizer numbers them up to 25"},
		{"a mapping too short", tensors(good, list("mapping", "I32", zeros[1:]...)), "25 tokens have a row"},
		{"a mapping too far", tensors(good, list("mapping", "I64", far...)), `tensor "mapping": token 3 has row 26 of 26`},
		{"a mapping before the first", tensors(good, list("mapping", "I32", before...)), `tensor "mapping": token 4 has row -1`},
		{"a mapping of fractions", tensors(good, list("mapping", "F32", zeros...)), `tensor "mapping": type F32`},
		{"a mapping of two dimensions", tensors(good, entry{"mapping", "I32", []int{len(staticWords), 1}, pack("I32", zeros...)}), `tensor "mapping": shape [26 1]`},
		{"too few weights", tensors(good, list("weights", "F32", zeros[1:]...)), `tensor "weights": 25 weights`},
		{"weights of two columns", tensors(good, square), `tensor "weights": shape [13 2]`},
		{"weights of whole numbers", tensors(good, list("weights", "I8", zeros...)), `tensor "weights": type I8`},
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
