package embed

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
