package live

import (
	"bytes"
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

// infoEnd returns where the user information ends that text may begin within,
// 0 if it does not.
func infoEnd(text []byte) int {
	if i := bytes.IndexFunc(text, endsAddress); i >= 0 {
		text = text[:i]
	}
	if mark := separator.FindIndex(text); mark != nil {
		text = text[:mark[0]]
	}
	return bytes.LastIndexByte(text, '@') + 1
}

// String returns the last lines, safe to print.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := 0
	if t.cut {
		from = t.redactor.longest()
	}
	if t.cut {
		from = max(from, infoEnd(t.kept))
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
