package connect

import (
	"caliper/tui/offer"
	"path/filepath"
	"strings"
	"testing"
)

// A registry is named after the files that it comes of, is the same for the same
// choice, and stays in its folder whatever these are called.
func TestRegistryName(t *testing.T) {
	t.Parallel()
	server := func(file, name string) offer.Server {
		s := offer.Server{File: file}
		s.Name = name
		return s
	}
	claude, codex := server("/home/me/.claude.json", "a"), server("/home/me/.codex/config.toml", "b")
	for _, tt := range []struct {
		servers []offer.Server
		begins  string
	}{
		{[]offer.Server{claude}, "claude-"},
		{[]offer.Server{claude, codex}, "claude+codex-"},
		{[]offer.Server{server("/x/../..\x1b/mcp.json", "a")}, "__-"},
		{[]offer.Server{server("/"+strings.Repeat("l", 300)+".json", "a")}, strings.Repeat("l", 60) + "-"},
	} {
		name := registryName(tt.servers)
		rest, ok := strings.CutPrefix(name, tt.begins)
		if !ok || len(rest) != len("12345678.json") || filepath.Base(name) != name || name != registryName(tt.servers) {
			t.Errorf("%q, want %s and a hash", name, tt.begins)
		}
	}
	if registryName([]offer.Server{claude}) == registryName([]offer.Server{server("/home/me/.claude.json", "other")}) {
		t.Error("two choices have one registry")
	}
}
