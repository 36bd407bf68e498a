package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"caliper/model/require"
	"caliper/tui/cli/runner"
)

// TestWritesToStreams: what is written to a standard stream follows what was printed there,
// also where the stream goes into a file.
func TestWritesToStreams(t *testing.T) {
	for name, stream := range map[string]**os.File{"/dev/stdout": &os.Stdout, "/dev/fd/2": &os.Stderr, "/proc/self/fd/1": &os.Stdout} {
		for what, write := range map[string]func(string, []byte) error{"file": new(runner.Run).WriteFile, "own file": new(runner.Run).WriteOwnFile} {
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

// slowly is an input before which something happens.
type slowly struct {
	io.Reader
	before func()
}

// Read reads after what happens.
func (s slowly) Read(p []byte) (int, error) {
	s.before()
	return s.Reader.Read(p)
}

// TestWritesWhatItHeld: what another program saves to the file of a flag while the command works stays.
// TestImportWatches writes again what it wrote.
func TestWritesWhatItHeld(t *testing.T) {
	const dump = `[{"type":"function","function":{"name":"one"}}]`
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	addTool(server, "one")
	listed := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var meanwhile atomic.Pointer[func()] // at the first request: later ones may come when the command has ended
	happens := func() {
		if does := meanwhile.Swap(nil); does != nil {
			(*does)()
		}
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		happens()
		listed.ServeHTTP(w, r)
	}))
	defer web.Close()
	for _, source := range [][]string{{"-"}, {"--http", web.URL}} { // the second writes for the user alone
		imports := func(file string) int {
			in := slowly{strings.NewReader(dump), happens}
			return Main(t.Context(), append([]string{"import", "-o", file}, source...), in, io.Discard, io.Discard, runner.Env{})
		}
		file := filepath.Join(t.TempDir(), "new.json")
		code := imports(file)
		data, err := os.ReadFile(file)
		if code != 0 || err != nil {
			t.Fatalf("%s: exit code %d, %v", source, code, err)
		}
		whole := string(data)
		for _, c := range []struct{ name, before, meanwhile, want string }{
			{"as it was", "old", "old", whole},
			{"missing", "", "", whole},
			{"saved meanwhile", "old", "edited", "edited"},
			{"made meanwhile", "", "edited", "edited"},
			{"the same is there by now", "old", whole, whole},
		} {
			name := filepath.Join(t.TempDir(), "out.json")
			put := func(text string) {
				if text != "" {
					require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
				}
			}
			put(c.before)
			does := func() { put(c.meanwhile) }
			meanwhile.Store(&does)
			code := imports(name)
			if got, _ := os.ReadFile(name); string(got) != c.want || (code != 0) != (c.want != whole) {
				t.Errorf("%s, %s: exit code %d, %q; want %q", source, c.name, code, got, c.want)
			}
		}
	}
}
