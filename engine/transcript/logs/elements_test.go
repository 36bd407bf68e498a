package logs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// TestArray: a stream of Claude Code that is kept as one array is read as its lines are,
// with a cache and without; what is behind a tear is a torn line.
func TestArray(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"type":"system","subtype":"init","session_id":"s","tools":["ToolSearch","mcp__a__b"],"uuid":"1"}`,
		`{"type":"stream_event","event":{"type":"content_block_delta"},"session_id":"s","uuid":"9"}`,
		`{"type":"assistant","message":{"id":"m1","model":"x","content":[{"type":"tool_use","id":"t","name":"ToolSearch","input":{"query":"boats [1]\u00e9"}}],"usage":{"input_tokens":3,"output_tokens":1}},"session_id":"s","uuid":"2"}`,
		`{"type":"assistant","message":{"id":"m2","model":"x","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":4,"output_tokens":1}},"session_id":"s","uuid":"5"}`,
	}
	indented := "[\n  " + strings.ReplaceAll(strings.Join(lines, ",\n  "), `,"`, ",\n   \"") + "\n]\n"
	read := func(text string, cache newfile.CacheFolder) transcript.Log {
		path := filepath.Join(t.TempDir(), "run.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		log, err := Read(t.Context(), []string{path}, "", transcript.Options{}, cache)
		require.NoError(t, err)
		for i := range log.Skipped {
			log.Skipped[i].File, log.Skipped[i].Line = "", 0
		}
		for i := range log.Sessions {
			log.Sessions[i].File = ""
		}
		return log
	}
	want := read(strings.Join(lines, "\n"), newfile.CacheFolder{})
	if len(want.Sessions) != 1 || len(requests(want.Sessions[0])) != 2 {
		t.Fatalf("the lines are %+v", want)
	}
	for _, s := range want.Skipped {
		if !s.Known {
			t.Errorf("%q is an unknown kind", s.What)
		}
	}
	for name, text := range map[string]string{
		"on one line":              "[" + strings.Join(lines, ",") + "]",
		"indented":                 indented,
		"behind a byte order mark": "\ufeff" + indented,
		"torn":                     indented[:len(indented)-8],
	} {
		for _, cache := range []newfile.CacheFolder{{}, {Path: t.TempDir()}} {
			got := read(text, cache)
			if name == "torn" {
				if n := len(requests(got.Sessions[0])); n != 1 || len(got.Skipped) != len(want.Skipped)+1 {
					t.Errorf("torn: %d requests, left out %v", n, got.Skipped)
				}
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
			}
		}
	}
}
