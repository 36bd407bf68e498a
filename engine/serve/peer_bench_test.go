package serve

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkPeer has what every request of 2026-07-28 costs before it is answered.
func BenchmarkPeer(b *testing.B) {
	r := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Meta: mcp.Meta{mcp.MetaKeyProtocolVersion: stateless, mcp.MetaKeyClientInfo: map[string]any{"name": "x", "version": "1"},
		mcp.MetaKeyClientCapabilities: map[string]any{"elicitation": map[string]any{"form": map[string]any{}}, "sampling": map[string]any{}}}}}
	b.ReportAllocs()
	for b.Loop() {
		peerOf(nil, r)
	}
}
