package logs_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model/newfile"
	"caliper/model/require"
)

// read reads the logs of a folder as replay does.
func read(t testing.TB, folder string, cache newfile.CacheFolder) transcript.Log {
	t.Helper()
	log, err := logs.Read(t.Context(), []string{folder}, "", transcript.Options{Pack: true}, cache)
	require.NoError(t, err)
	return log
}

// TestWrite: logs of every format have the size that was asked for, are read without
// leaving anything out but what no reader takes, and are the same each time.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, f := range Formats {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			folder, again := t.TempDir(), t.TempDir()
			for _, to := range []string{folder, again} {
				require.NoError(t, Write(to, f, 300_000))
			}
			files, err := os.ReadDir(folder)
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			size := 0
			for _, file := range files {
				one, _ := os.ReadFile(filepath.Join(folder, file.Name()))
				two, _ := os.ReadFile(filepath.Join(again, file.Name()))
				if size += len(one); f != Database && string(one) != string(two) {
					t.Errorf("%s is not the same again", file.Name())
				}
			}
			if size < 300_000 || size > 900_000 {
				t.Errorf("%d bytes", size)
			}
			log := read(t, folder, newfile.CacheFolder{})
			requests := 0
			for _, s := range log.Sessions {
				for _, e := range s.Opened().Contexts[0].Entries {
					if e.Request != nil {
						requests++
					}
				}
			}
			if len(log.Sessions) == 0 || requests < 5 {
				t.Errorf("%d sessions, %d requests", len(log.Sessions), requests)
			}
			for _, s := range log.Skipped {
				if s.What != "progress" {
					t.Errorf("left out: %+v", s)
				}
			}
		})
	}
	if err := Write(t.TempDir(), "none", 1); err == nil {
		t.Error("there is no such format")
	}
}

// BenchmarkRead reads 8 MB of each format: without an index, and with one that has them.
func BenchmarkRead(b *testing.B) {
	const size = 8 << 20
	for _, f := range Formats {
		folder := b.TempDir()
		require.NoError(b, Write(folder, f, size))
		kept := newfile.CacheFolder{Path: b.TempDir(), Build: "b1", Now: func() time.Time { return time.Now().Add(time.Hour) }}
		for name, cache := range map[string]newfile.CacheFolder{"anew": {}, "index": kept} {
			b.Run(string(f)+"/"+name, func(b *testing.B) {
				read(b, folder, cache)
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					read(b, folder, cache)
				}
			})
		}
	}
}
