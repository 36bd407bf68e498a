package config

// serversKey is the agent's own section of MCP servers. Of it only the names
// are read, by which the names of tools are understood that name no toolset.
const serversKey = "mcp_servers"

// readServers reads the names of the servers.
func (p *parser) readServers(e entry) {
	v, _ := resolveNode(e.val)
	if v.kind != mapping {
		return
	}
	for _, server := range entries(v.node) {
		p.servers = append(p.servers, server.name)
	}
}
