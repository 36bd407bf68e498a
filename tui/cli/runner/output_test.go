package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	v2 "github.com/go-json-experiment/json"
	"github.com/spf13/pflag"

	"caliper/model/require"
)

// TestWritesToStreams: what is written to a standard stream follows what was printed there,
// also where the stream goes into a file.
func TestWritesToStreams(t *testing.T) {
	for name, stream := range map[string]**os.File{"/dev/stdout": &os.Stdout, "/dev/fd/2": &os.Stderr, "/proc/self/fd/1": &os.Stdout} {
		for what, write := range map[string]func(string, []byte) error{"file": new(Run).WriteFile, "own file": new(Run).WriteOwnFile} {
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

// TestWritesWhatItHeld: what another program saves to the file of a flag while the command works stays, and
// the command may write again what it wrote.
func TestWritesWhatItHeld(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		for _, c := range []struct{ name, before, meanwhile, want string }{
			{"as it was", "old", "old", "new"},
			{"missing", "", "", "new"},
			{"saved meanwhile", "old", "edited", "edited"},
			{"made meanwhile", "", "edited", "edited"},
			{"the same is there by now", "old", "new", "new"},
		} {
			name := filepath.Join(t.TempDir(), "out")
			put := func(text string) {
				if text != "" {
					require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
				}
			}
			put(c.before)
			var file string
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			FlagSet{Set: flags}.Out(&file)
			require.NoError(t, flags.Parse([]string{"-o", name}))
			r := &Run{}
			r.hold(flags)
			put(c.meanwhile)
			write := r.WriteFile
			if own {
				write = r.WriteOwnFile
			}
			err := write(file, []byte("new"))
			if got, _ := os.ReadFile(name); string(got) != c.want || (err != nil) != (c.want != "new") {
				t.Errorf("%s, own %v: %q, %v; want %q", c.name, own, got, err, c.want)
			}
			if err == nil {
				err = write(file, []byte("next"))
				if got, _ := os.ReadFile(name); err != nil || string(got) != "next" {
					t.Errorf("%s, own %v, once more: %q, %v", c.name, own, got, err)
				}
			}
		}
	}
}

// JSON printed in pieces equals what encoding/json indents in one.
func TestPrintJSONInPieces(t *testing.T) {
	t.Parallel()
	numbers := func(n int) Elements {
		return Each(make([]int, n), func(int) Object { return Object{{"a", []int{1, 2}}, {"b", Object{}}} })
	}
	for name, value := range map[string]any{
		"a number":       1,
		"no members":     Object{},
		"no elements":    Object{{"list", numbers(0)}},
		"elements":       Object{{"before", true}, {"list", numbers(3)}, {"after", "<x>"}},
		"nested":         Object{{"inner", Object{{"list", numbers(2)}}}, {"other", []Object{{{"c", nil}}}}},
		"bare elements":  numbers(2),
		"a list of none": []Object{},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			r := &Run{Out: bufio.NewWriter(&out)}
			require.NoError(t, r.PrintJSON(value))
			_ = r.Out.Flush()
			text, err := v2.Marshal(value, jsonOptions)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Indent(&want, text, "", "  "))
			if out.String() != want.String()+"\n" {
				t.Errorf("%s\nwant\n%s", &out, &want)
			}
		})
	}
}
