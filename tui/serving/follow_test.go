package serving

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestFollow follows a record that grows, has lines that are none, is torn, and is
// renamed when it is full: every event arrives once, in order.
func TestFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, follow) // on a clock that skips the waiting
}

func follow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.jsonl")
	line := func(seq int) string {
		data, err := transcript.AppendEvent(nil, transcript.Event{V: transcript.EventVersion, Seq: seq, Kind: transcript.EventList})
		require.NoError(t, err)
		return string(data)
	}
	write := func(text string) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			_ = f.Close()
		}
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := Follow(ctx, path, nil, nil); err == nil {
		t.Error("a record that is not there is followed")
	}
	write(line(1) + "no event\n\n" + line(2)[:20])
	events, skipped, ended := make(chan transcript.Event, 100), make(chan struct{}, 100), make(chan error, 1)
	go func() {
		ended <- Follow(ctx, path, func(e transcript.Event) { events <- e }, func() { skipped <- struct{}{} })
	}()
	want := func(seq int) {
		t.Helper()
		if e := <-events; e.Seq != seq {
			t.Fatalf("event %d, want %d", e.Seq, seq)
		}
	}
	want(1)
	<-skipped
	write(line(2)[20:])
	want(2)
	write(line(3))
	require.NoError(t, os.Rename(path, path+".1"))
	write(line(4))
	want(3)
	want(4)
	require.NoError(t, os.Remove(path))
	write(line(5) + line(6))
	want(5)
	want(6)
	if err := os.WriteFile(path, nil, 0o600); err != nil { // shorter than what was read
		t.Fatal(err)
	}
	write(line(7))
	want(7)
	stop()
	if err := <-ended; err != nil || len(skipped) > 0 {
		t.Errorf("%v, %d skipped more", err, len(skipped))
	}
}

// TestLongLine: a line without an end takes no more memory than the longest event.
func TestLongLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 2*longestLine)), 0o600))
	var f follower
	require.NoError(t, f.open(path))
	defer f.close()
	f.read(t.Context())
	if len(f.line) > longestLine || f.at != 2*longestLine {
		t.Errorf("%d bytes are kept of %d", len(f.line), f.at)
	}
}
