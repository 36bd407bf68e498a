package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
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
			text, err := encoded(value)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Indent(&want, text, "", "  "))
			if out.String() != want.String()+"\n" {
				t.Errorf("%s\nwant\n%s", &out, &want)
			}
		})
	}
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-21T08:00:00Z"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"},
	}}
	want := version{Program: "v1.2.3", Compiler: "go1.26", Revision: "abc", Time: "2026-11-21T08:00:00Z", Modified: true}
	if got := versionOf(info); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}).Program; got != "(devel)" {
		t.Errorf("version %q", got)
	}
}
