package logs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
)

var (
	folder  = flag.String("dir", "", "absolute path of a folder that big logs are written to")
	size    = flag.Int64("mb", 500, "size of each of these logs in megabytes")
	formats = flag.String("formats", "", "formats of these logs, with commas; all by default")
)

// TestWriteLogs writes big logs into folders that are named after their formats, and the
// registry that belongs to them, for measurements of the whole command:
//
//	go test ./engine/transcript/logs -run WriteLogs -timeout 0 -dir /tmp/logs -mb 500
func TestWriteLogs(t *testing.T) {
	if *folder == "" {
		t.Skip("writes big logs: -dir")
	}
	named := Formats
	if *formats != "" {
		named = nil
		for name := range strings.SplitSeq(*formats, ",") {
			named = append(named, Format(name))
		}
	}
	for _, f := range named {
		to := filepath.Join(*folder, string(f))
		require.NoError(t, os.MkdirAll(to, 0o755))
		require.NoError(t, Write(to, f, *size*1_000_000))
	}
	require.NoError(t, os.WriteFile(filepath.Join(*folder, "registry.json"), Registry(), 0o644))
}
