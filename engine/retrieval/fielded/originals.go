package fielded

import (
	"strings"

	"caliper/engine/words"
	"caliper/model"
)

// ownName returns the name that a tool has on its server, in lower case: as its
// source says, else what stands in its name behind mcp_ and the server that
// toolset or source say. It is empty when there is none or it is the name.
func ownName(t *model.Tool) string {
	name := t.OriginalName
	if name == "" {
		name = behindServer(t)
	}
	if name == "" || strings.EqualFold(name, t.Name) {
		return ""
	}
	return name
}

// behindServer cuts mcp_<server>_ or mcp__<server>__ from a name. What a name
// cannot hold stands in it as an underscore.
func behindServer(t *model.Tool) string {
	server := t.Server
	if server == "" {
		server, _ = strings.CutPrefix(t.Toolset, "mcp-")
	}
	rest, found := strings.CutPrefix(t.Name, "mcp_")
	if !found || server == t.Toolset {
		return ""
	}
	rest, _ = strings.CutPrefix(rest, "_")
	if len(rest) <= len(server) || rest[len(server)] != '_' {
		return ""
	}
	for i := range len(server) {
		if b := server[i]; b != rest[i] && !(rest[i] == '_' && (b >= 0x80 || ascii[b] == words.Other)) {
			return ""
		}
	}
	return strings.TrimLeft(rest[len(server):], "_")
}
