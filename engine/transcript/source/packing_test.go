package source

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"caliper/engine/diskcache"
	"caliper/engine/transcript"
)

// TestPack: sessions that are packed are those that are not, with and without an index,
// when it is used, and where one log repeats sessions of another.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	for name, log := range map[string]string{
		"a.jsonl": of(claudeLine+claudeReply, "a"), "b.jsonl": of(codexLines, "b"),
		"c.jsonl": of(hermesExport, "c") + of(hermesExport, "d"), "d.jsonl": of(hermesExport, "c"), "e.jsonl": hermesLines,
		"f.jsonl": requestLine + chatLog + chatLog, "g.jsonl": requestLine + strings.Replace(requestLine, "r1", "r2", 1),
		"h.jsonl": conversations(600),
	} {
		put(t, filepath.Join(dir, name), log, 0)
	}
	want, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, diskcache.Folder{})
	if err != nil {
		t.Fatal(err)
	}
	packed := 0
	cache := later(t.TempDir())
	for _, folder := range []diskcache.Folder{{}, cache, cache} {
		got, err := Read(t.Context(), []string{dir}, "", transcript.Options{Pack: true}, folder)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Sessions {
			if got.Sessions[i].Packed != nil {
				packed++
			}
			if got.Sessions[i], err = got.Sessions[i].Opened(); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the packed sessions are others:\n%+v\n%+v", got.Skipped, want.Skipped)
		}
	}
	if packed < 3*100 {
		t.Errorf("%d sessions are packed", packed)
	}
}

// conversations returns a log of requests, three to a conversation; the last request of
// every hundredth goes on with the first conversation.
func conversations(requests int) string {
	var b strings.Builder
	line := func(id int, history string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-09-01T10:00:00.%06dZ","request":{"model":"m","messages":[%s]},"response":{"id":"r%d","choices":[{"message":{"role":"assistant","content":"a%d"}}],"usage":{"prompt_tokens":%d,"completion_tokens":3}}}`+"\n", id%1_000_000, history, id, id, 100+id)
	}
	first := ""
	for i := 0; i < requests; {
		history := fmt.Sprintf(`{"role":"user","content":"what is there to do on day %d"}`, i)
		for range 3 {
			line(i, history)
			history += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"and then %d"}`, i, i)
			i++
		}
		if first == "" {
			first = history
		} else if i%100 == 0 {
			line(i, first)
			first += fmt.Sprintf(`,{"role":"assistant","content":"a%d"},{"role":"user","content":"still %d"}`, i, i)
			i++
		}
	}
	return b.String()
}

// TestMemoryOfRequests: what stays in memory of a log of many requests is little for each,
// though conversations go on after they were packed.
func TestMemoryOfRequests(t *testing.T) {
	dir := t.TempDir()
	live := func(o transcript.Options, requests int) (bytes int, log transcript.Log) {
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", requests))
		put(t, path, conversations(requests), 0)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		log, err := Read(t.Context(), []string{path}, "", o, diskcache.Folder{})
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		return int(after.HeapAlloc) - int(before.HeapAlloc), log
	}
	_, want := live(transcript.Options{}, 3_000)
	_, got := live(transcript.Options{Pack: true}, 3_000)
	for i := range got.Sessions {
		got.Sessions[i], _ = got.Sessions[i].Opened()
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("conversations that went on are others when they were packed")
	}
	small, _ := live(transcript.Options{Pack: true}, 4_000)
	large, log := live(transcript.Options{Pack: true}, 12_000)
	t.Logf("%d and %d bytes in %d sessions", small, large, len(log.Sessions))
	if each := (large - small) / 8_000; each > 200 {
		t.Errorf("%d bytes stay of each request", each)
	}
	runtime.KeepAlive(log)
}
