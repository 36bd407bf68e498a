package embed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"caliper/model/require"
)

// large returns a folder with a model of so many tokens and columns, whose
// numbers are zeros in a file with a hole.
func large(t testing.TB, tokens, columns int, dtype string) string {
	t.Helper()
	list := make([]string, tokens)
	copy(list, staticWords)
	for i := len(staticWords); i < tokens; i++ {
		list[i] = fmt.Sprintf("word%d", i)
	}
	dir := folder{
		"tokenizer.json": tokenizerJSON(func(_, model map[string]any) { model["vocab"] = list }),
		"config.json":    []byte(`{"normalize":true}`),
	}.write(t)
	size := tokens * columns * int(elementSize[dtype])
	header := withHeader(fmt.Sprintf(`{"embeddings":{"dtype":%q,"shape":[%d,%d],"data_offsets":[0,%d]}}`, dtype, tokens, columns, size), nil)
	path := filepath.Join(dir, "model.safetensors")
	require.NoError(t, os.WriteFile(path, header, 0o644))
	require.NoError(t, os.Truncate(path, int64(len(header)+size)))
	return dir
}

// TestHeldOnce: loading a model allocates the bytes of its matrix once, in the
// type of its file, and little besides.
func TestHeldOnce(t *testing.T) {
	const tokens, columns = 1000, 16384
	dir := large(t, tokens, columns, "F16")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := LoadModel2Vec(dir)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	if got, want := after.TotalAlloc-before.TotalAlloc, uint64(tokens*columns*2); got < want || got > want+want/10 {
		t.Errorf("%d bytes allocated for a matrix of %d", got, want)
	}
	runtime.KeepAlive(m)
}

func BenchmarkQuery(b *testing.B) {
	message := "Find the files that mention the web search and send a list by mail, please"
	for _, dtype := range []string{"F32", "F16", "I8"} {
		m, err := LoadModel2Vec(large(b, 30_000, 256, dtype))
		require.NoError(b, err)
		for name, text := range map[string]string{"message": message, "512": strings.Repeat("read file ", 256)} {
			b.Run(dtype+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.Query(context.Background(), text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLoad reads a model of 30,000 tokens, and one of 500 MB.
func BenchmarkLoad(b *testing.B) {
	for name, columns := range map[string]int{"30000x256": 256, "30000x4096": 4096} {
		b.Run(name, func(b *testing.B) {
			dir := large(b, 30_000, columns, "F32")
			b.SetBytes(int64(30_000 * columns * 4))
			for b.Loop() {
				if _, err := LoadModel2Vec(dir); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
