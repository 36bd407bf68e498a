package live

import (
	"strings"
	"sync"
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
		from = t.redactor.longest()
	}
	text := t.redactor.redact(string(t.kept), from)
	if len(text) > maxStderr {
		text = text[len(text)-maxStderr:]
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = plain(l)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
