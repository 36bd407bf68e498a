package shapes

import (
	"caliper/model/jsontree"
	"caliper/model/words"
)

// dockerCatalogue is a catalogue of Docker's MCP gateway (github.com/docker/mcp-gateway,
// catalog.yaml): {"registry":{server:{image,toolsUrl,tools:[{name}]}}}. It lists the names
// of the tools of a server, and defines only those that are programs in containers:
// {name,description,container,parameters}.
var dockerCatalogue = shape{
	match: func(o *object) bool {
		return everyMember(o.member("registry"), func(server jsontree.Member) bool {
			is := false
			server.Each(func(m jsontree.Member) {
				switch m.Name {
				case "image", "remote", "toolsUrl", "tools", "longLived":
					is = true
				}
			})
			return is
		})
	},
	read: func(r *reader, o *object) error {
		registry := o.member("registry")
		path := jsontree.JoinName(o.path, "registry")
		from := len(r.found)
		if servers := objectOf(registry); serverMap.match(servers) {
			servers.path = path
			if err := serverMap.read(r, servers); err != nil {
				return err
			}
		}
		bare := 0
		for _, f := range r.found[from:] {
			if f.raw != nil && f.raw.description == nil && f.raw.schema == nil {
				bare++
			}
		}
		switch {
		case len(r.found) == from:
			n := 0
			registry.Each(func(jsontree.Member) { n++ })
			f := r.finding("unknown_format", registry.At, path, "this is a catalogue of Docker that names "+words.CountOf(n, "server", "servers")+
				" and none of their tools: import the tools.json of each server from its registry, or the server with --stdio or --http")
			r.recognised, r.toolsets = &f, nil
			r.foreign++
		case bare > 0:
			r.note("names_only", registry.At, path, words.CountOf(bare, "tool is only a name", "tools are only names")+
				": descriptions and parameters are in the tools.json of each server, and where its toolsUrl leads")
		}
		return nil
	},
}
