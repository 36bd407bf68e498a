package logs_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/newfile"
	"caliper/model/require"
)

// TestWrite: logs of every format have the size that was asked for, and are read without
// leaving anything out but what no reader takes.
func TestWrite(t *testing.T) {
	t.Parallel()
	for f := range Formats {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			folder, size := t.TempDir(), int64(0)
			require.NoError(t, Write(folder, f, 300_000))
			files, err := os.ReadDir(folder)
			require.NoError(t, err)
			for _, file := range files {
				info, _ := file.Info()
				size += info.Size()
			}
			log, err := logs.Read(t.Context(), []string{folder}, "", transcript.Options{Pack: true}, newfile.CacheFolder{})
			if err != nil || size < 300_000 || size > 900_000 || len(log.Sessions) == 0 {
				t.Errorf("%d bytes, %d sessions, %v", size, len(log.Sessions), err)
			}
			for _, s := range log.Skipped {
				if s.What != "progress" {
					t.Errorf("left out: %+v", s)
				}
			}
		})
	}
}

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
	for f := range Formats {
		if *formats != "" && !slices.Contains(strings.Split(*formats, ","), string(f)) {
			continue
		}
		to := filepath.Join(*folder, string(f))
		require.NoError(t, os.MkdirAll(to, 0o755))
		require.NoError(t, Write(to, f, *size*1_000_000))
	}
	require.NoError(t, os.WriteFile(filepath.Join(*folder, "registry.json"), Registry(), 0o644))
}
