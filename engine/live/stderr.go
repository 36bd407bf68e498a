package live

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"caliper/model/words"
)

// maxStderr is how much of a server's standard error is kept, in bytes.
const maxStderr = 4 << 10

// tail keeps the end of what a server writes to standard error.
type tail struct {
	redactor redactor

	mu   sync.Mutex
	kept []byte
	cut  bool // something stood before kept
}

// Write keeps p. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	// SECURITY: the longest secret more than is shown, so that one that stands
	// across the cut is still recognised.
	if most := maxStderr + 2*t.redactor.longest(); len(t.kept) > most {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-most:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns the last lines, safe to print.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := 0
	if t.cut {
		// The text may begin within the user information of an address.
		text := t.kept
		if i := bytes.IndexFunc(text, endsAddress); i >= 0 {
			text = text[:i]
		}
		if mark := separator().FindIndex(text); mark != nil {
			text = text[:mark[0]]
		}
		from = max(t.redactor.longest(), bytes.LastIndexByte(text, '@')+1)
	}
	text := t.redactor.redact(string(t.kept), from)
	if len(text) > maxStderr {
		text = text[len(text)-maxStderr:]
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = t.redactor.redact(plain(l), 0)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// The bounds of the part of a server's last words that is repeated: lines about a
// fault, as many from the beginning as from the end, because some runtimes put
// the cause first (Node, npm) and some last (Python); and bytes of a line.
const (
	faultLines = 2
	wordBytes  = 240
)

var (
	// tellsFault is a line about a fault.
	tellsFault = words.LazyRegexp(`(?i)\b(\w*error|\w*exception|fatal|panic|denied|refused|unauthorized|forbidden|invalid|missing|required|cannot|can't|could not|unable|failed|failure|no such|not found|not set|usage)\b`)
	// tellsNothing is a line of a trace, a bracket, or the version of a runtime.
	tellsNothing = words.LazyRegexp(`^(at .*|[\s^~{}()\[\],;.]*|Node\.js v[0-9.]+|node:[\w/:]+|File ".*|Traceback .*|goroutine \d.*|throw .*;|(code|errno|syscall|path|requireStack): .*|note: run with .RUST_BACKTRACE.*|npm (error|ERR!) (A complete log of this run.*)?)$`)
)

// lastWords returns the lines of text about a fault and the last one, or the last lines when none
// is, with " / " between them. Text is safe to print.
func lastWords(text string) string {
	var lines, faults []string
	for line := range strings.SplitSeq(text, "\n") {
		line = clip(strings.TrimSpace(line), wordBytes)
		if line == "" || len(lines) > 0 && lines[len(lines)-1] == line {
			continue
		}
		lines = append(lines, line)
	}
	if told := slices.DeleteFunc(slices.Clone(lines), tellsNothing().MatchString); len(told) > 0 {
		lines = told
	}
	for _, line := range lines {
		if tellsFault().MatchString(line) {
			faults = append(faults, line)
		}
	}
	switch n := len(faults); {
	case n == 0:
		lines = lines[max(0, len(lines)-faultLines-1):]
	default:
		last := lines[len(lines)-1]
		if n > 2*faultLines {
			faults = slices.Concat(faults[:faultLines], []string{"…"}, faults[n-faultLines:])
		}
		if faults[len(faults)-1] != last {
			faults = append(faults, last)
		}
		lines = faults
	}
	return strings.Join(lines, " / ")
}
