package logs

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// TestSessionsRest: connections that go on in the next file, and begin again, are the same
// sessions whether they are packed between or not.
func TestSessionsRest(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		connection, kind := "a", "search"
		if i/13%2 == 1 {
			connection = "b"
		}
		if i%40 == 0 {
			kind = "connect"
		}
		fmt.Fprintf(&text, `{"v":1,"time":"2026-09-20T10:00:00Z","seq":%d,"session":"work","connection":"%s","kind":"%s","request":{"query":"q%d"},"tokens":{"request":5,"response":9}}`+"\n", i+1, connection, kind, i)
	}
	read := func(pack bool) (log transcript.Log, packed int) {
		r := &RecordReader{Options: transcript.Options{Pack: pack}}
		for i, line := range strings.SplitAfter(text.String(), "\n") {
			require.NoError(t, r.Read(t.Context(), strings.NewReader(line), fmt.Sprint("log", i)))
		}
		log = r.Log()
		for i := range log.Sessions {
			if log.Sessions[i].Packed != nil {
				packed++
			}
			log.Sessions[i].Unpack()
		}
		return log, packed
	}
	want, _ := read(false)
	got, packed := read(true)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d sessions, want %d; or their entries differ", len(got.Sessions), len(want.Sessions))
	}
	if packed != 3 || len(want.Sessions) != 3 {
		t.Errorf("%d of %d sessions are packed", packed, len(want.Sessions))
	}
}
