package logs

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// pack returns a text as zstd packs it.
func pack(t testing.TB, text string, options ...zstd.EOption) string {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, options...)
	require.NoError(t, err)
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		if _, err := w.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil { // so that the frame does not say how long it is
			t.Fatal(err)
		}
	}
	require.NoError(t, w.Close())
	return out.String()
}

const rolloutName = "rollout-2026-09-15T11-57-45-0199a2c4-7c1e-7d10-9b2a-000000000002.jsonl"

// TestPacked: a packed log is read as the plain one, which does not count again beside
// it; and a file is packed if it begins so, whatever it is called.
func TestPacked(t *testing.T) {
	t.Parallel()
	plain := of(codexLines, "0199a2c4-7c1e-7d10-9b2a-000000000002")
	packed := pack(t, plain)
	sessions := func(dir string) (out []transcript.Session) {
		for _, cache := range []newfile.CacheFolder{{}, later(t.TempDir())} {
			log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, cache)
			if err != nil || len(log.Skipped) > 0 {
				t.Errorf("%v, left out %v", err, log.Skipped)
			}
			for i := range log.Sessions {
				log.Sessions[i].File = ""
			}
			out = log.Sessions
		}
		return out
	}
	want := sessions(folder(t, map[string]string{rolloutName: plain}))
	for name, files := range map[string]map[string]string{
		"packed":          {rolloutName + ".zst": packed, "other.zst": packed},
		"both":            {rolloutName: plain, rolloutName + ".zst": packed},
		"without the end": {rolloutName: packed},
		"two frames":      {rolloutName + ".zst": pack(t, plain[:300]) + pack(t, plain[300:])},
	} {
		if got := sessions(folder(t, files)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestPackedOtherFormats: whatever is packed is told by what it holds.
func TestPackedOtherFormats(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"a.jsonl.zst": pack(t, of(claudeHello+claudeReply, "s1")), "b.json.zst": pack(t, of(hermesExport, "s2")), "c.log.zst": pack(t, chatLog),
		"d.db.zst": pack(t, "SQLite format 3\x00 and more"), "e.json.zst": pack(t, `{"x":1}`), "f.jsonl.zst": pack(t, pack(t, of(claudeHello, "s3"))),
	})
	log, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	if want := []string{"claude s1", "hermes s2", "openai c.log.zst"}; err != nil || !reflect.DeepEqual(ids(log), want) {
		t.Errorf("%q, want %q, %v", ids(log), want, err)
	}
	if got, want := skipped(log), map[string]string{"d.db.zst": noLog, "e.json.zst": noLog, "f.jsonl.zst": noLog}; !reflect.DeepEqual(got, want) {
		t.Errorf("left out %q, want %q", got, want)
	}
}

// TestHostilePacks: a pack that is damaged, cut, or would take much memory or time, is
// counted, and the logs behind it are read.
func TestHostilePacks(t *testing.T) {
	t.Parallel()
	log := of(codexLines, "0199a2c4-7c1e-7d10-9b2a-000000000002")
	long := log + strings.Repeat(strings.SplitAfter(codexLines, "\n")[3], 3000)
	whole := pack(t, long)
	dir := folder(t, map[string]string{
		"bomb.jsonl.zst":    pack(t, log+strings.Repeat(" ", freeSize+freeSize/2)),
		"cut.jsonl.zst":     whole[:len(whole)-20],
		"damaged.jsonl.zst": whole[:len(whole)/2] + "xxxx" + whole[len(whole)/2+4:],
		"magic.jsonl.zst":   whole[:4],
		"window.jsonl.zst":  pack(t, long, zstd.WithWindowSize(2*maxWindow)),
		"z.jsonl":           of(claudeHello+claudeReply, "s1"),
	})
	want := map[string]string{"magic.jsonl.zst": noLog}
	for _, name := range []string{"bomb", "cut", "damaged", "window"} {
		want[name+".jsonl.zst"] = unreadable
	}
	got, err := Read(t.Context(), []string{dir}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || !reflect.DeepEqual(ids(got), []string{"claude s1"}) || !reflect.DeepEqual(skipped(got), want) {
		t.Errorf("%q, left out %q, %v", ids(got), skipped(got), err)
	}
}

// FuzzPacked: whatever is packed, or looks so, reading it ends.
func FuzzPacked(f *testing.F) {
	f.Add([]byte(pack(f, of(codexLines, "s"))))
	f.Add([]byte(pack(f, of(claudeHello, "s"), zstd.WithWindowSize(2*maxWindow))))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00\x00"))
	path := filepath.Join(f.TempDir(), "a.jsonl.zst")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		if _, err := Read(t.Context(), []string{path}, "", transcript.Options{}, newfile.CacheFolder{}); err != nil {
			t.Error(err)
		}
	})
}
