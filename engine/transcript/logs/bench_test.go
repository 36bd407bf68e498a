package logs

import (
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/newfile"
)

// BenchmarkRead reads 20 logs of 400 kB each: first without an index, then with one that
// has them all. Bytes are counted in the logs.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	size := 0
	for i := range 20 {
		name := string(rune('a' + i))
		said := strings.Repeat("some words of an answer ", 40)
		log := of(strings.Repeat(claudeHello+strings.Replace(claudeReply, `"hi"`, `"`+said+`"`, 1), 300), name)
		if i%2 == 1 {
			log = of(codexLines, name) + strings.Repeat(strings.Replace(strings.SplitAfter(codexLines, "\n")[3], `"hi"`, `"`+said+`"`, 1), 330)
		}
		size += len(log)
		put(b, filepath.Join(dir, name+".jsonl"), log, 0)
	}
	read := func(b *testing.B, cache newfile.CacheFolder) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			if log, err := Read(b.Context(), []string{dir}, "", transcript.Options{}, cache); err != nil || len(log.Sessions) != 20 {
				b.Fatalf("%d sessions, %v", len(log.Sessions), err)
			}
		}
	}
	b.Run("anew", func(b *testing.B) { read(b, newfile.CacheFolder{}) })
	b.Run("index", func(b *testing.B) {
		cache := later(b.TempDir())
		if _, err := Read(b.Context(), []string{dir}, "", transcript.Options{}, cache); err != nil {
			b.Fatal(err)
		}
		read(b, cache)
	})
}
