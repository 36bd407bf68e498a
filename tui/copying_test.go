package tui

import (
	"encoding/base64"
	"strings"
	"testing"
)

// copying is a terminal that keeps copied texts.
type copying struct{ strings.Builder }

// text returns what was copied last.
func (c *copying) text(t *testing.T) string {
	t.Helper()
	_, sequence, _ := strings.Cut(c.String(), "]52;c;")
	out, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(sequence, "\a"))
	c.Reset()
	if err != nil || len(out) == 0 {
		t.Fatalf("nothing was copied: %q, %v", sequence, err)
	}
	return string(out)
}
