package runner

import (
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
)

// TestWritesToStreams: what is written to a standard stream follows what was printed there,
// also where the stream goes into a file.
func TestWritesToStreams(t *testing.T) {
	for name, stream := range map[string]**os.File{"/dev/stdout": &os.Stdout, "/dev/fd/2": &os.Stderr, "/proc/self/fd/1": &os.Stdout} {
		for what, write := range map[string]func(string, []byte) error{"file": WriteFile, "own file": WriteOwnFile} {
			file, err := os.Create(filepath.Join(t.TempDir(), "out"))
			require.NoError(t, err)
			kept := *stream
			*stream = file
			_, err = file.WriteString("printed, ")
			if err == nil {
				err = write(name, []byte("written, "))
			}
			if err == nil {
				_, err = file.WriteString("printed")
			}
			*stream = kept
			if got, _ := os.ReadFile(file.Name()); err != nil || string(got) != "printed, written, printed" {
				t.Errorf("%s, %s: %q, %v", what, name, got, err)
			}
			_ = file.Close()
		}
	}
}
