//go:build unix

package live

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe is never opened: nobody may ever write to it.
func TestPipe(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(home, ".mcp.json"), 0o600); err != nil {
		t.Skip(err)
	}
	put(t, home, ".cursor/mcp.json", one)
	want := ".mcp.json : not a regular file\n.cursor/mcp.json cursor one\n"
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // for a Find that opens it
	defer cancel()
	if got := described(home, FindClients(ctx, ClientPlaces{Home: home})); got != want {
		t.Errorf("found\n%swant\n%s", got, want)
	}
}
