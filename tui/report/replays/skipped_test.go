package replays

import (
	"bufio"
	"strings"
	"testing"

	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model/require"
	"caliper/tui/report"
)

// What cannot be opened is named, and is no line of a log.
func TestSkippedIsTold(t *testing.T) {
	t.Parallel()
	closed := func(path string) transcript.Skipped {
		return transcript.Skipped{File: path, What: transcript.Unreadable, Count: 1}
	}
	for _, c := range []struct {
		name         string
		skipped      []transcript.Skipped
		wants, lacks string
	}{
		{"lines", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}}, "Not understood: 2 lines of the logs", "cannot be opened"},
		{"lines of a known kind", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}, {File: "a", Line: 4, What: "mode", Count: 9, Known: true}}, "Not understood: 2 lines of the logs", "11"},
		{"a path", []transcript.Skipped{closed("logs/\x1b[31mb")}, "1 path cannot be opened, or not while it is written", "conversation"},
		{"both", []transcript.Skipped{{File: "a", Line: 3, What: "torn", Count: 2}, closed("b"), closed("c")}, "2 paths cannot be opened, or not while it is written: b, c.", "3 lines"},
		{"no folder for a copy", []transcript.Skipped{{File: "state.db", What: transcript.NoCopy, Count: 1}}, "1 database cannot be copied to be read, since there is no folder for temporary files: state.db.", "line"},
	} {
		r := new(report.Report)
		replayRest(r, Replayed{Report: &replay.Report{Skipped: c.skipped}})
		var b strings.Builder
		out := bufio.NewWriter(&b)
		report.Page{Out: out, Width: 100}.Print(r)
		require.NoError(t, out.Flush())
		if got := b.String(); !strings.Contains(got, c.wants) || strings.Contains(got, c.lacks) || strings.Contains(got, "\x1b") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
