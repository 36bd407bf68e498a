package connect

import (
	"caliper/tui/desk"
	"path/filepath"
	"strings"
	"testing"
)

// A registry is named after the files that it comes of, is the same for the same
// choice, and stays in its folder whatever these are called.
func TestRegistryName(t *testing.T) {
	t.Parallel()
	server := func(file, name string) desk.OfferServer {
		s := desk.OfferServer{File: file}
		s.Name = name
		return s
	}
	claude, codex := server("/home/me/.claude.json", "a"), server("/home/me/.codex/config.toml", "b")
	for _, tt := range []struct {
		servers []desk.OfferServer
		begins  string
	}{
		{[]desk.OfferServer{claude}, "claude-"},
		{[]desk.OfferServer{claude, codex}, "claude+codex-"},
		{[]desk.OfferServer{server("/x/../..\x1b/mcp.json", "a")}, "__-"},
		{[]desk.OfferServer{server("/"+strings.Repeat("l", 300)+".json", "a")}, strings.Repeat("l", 60) + "-"},
	} {
		name := registryName(tt.servers)
		rest, ok := strings.CutPrefix(name, tt.begins)
		if !ok || len(rest) != len("12345678.json") || filepath.Base(name) != name || name != registryName(tt.servers) {
			t.Errorf("%q, want %s and a hash", name, tt.begins)
		}
	}
	if registryName([]desk.OfferServer{claude}) == registryName([]desk.OfferServer{server("/home/me/.claude.json", "other")}) {
		t.Error("two choices have one registry")
	}
}
