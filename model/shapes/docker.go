package shapes

import (
	"slices"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// dockerEntry is a tool of the MCP catalogue of Docker (github.com/docker/mcp-registry,
// servers/SERVER/tools.json): {"name","description","arguments":[{name,type,desc,
// optional}]}. It is a tool of the server that its folder is named after, as one of a
// tools/list result is of the server of its file. Servers that keep their tools in a file
// of their own call the list parameters.
var dockerEntry = &form{
	name: "docker",
	match: func(e *entry) bool {
		return e.member("name").IsString() && argumentList(e) != "" && !e.has("inputSchema", "input_schema", "plugin_name", "pluginName", "type")
	},
	read: func(r *reader, f *form, e *entry) error {
		list := argumentList(e)
		p := e.parts(list)
		// Where no argument says that it is required and some of the source are optional, the others are, as
		// in Docker's own program.
		stated := slices.ContainsFunc(p.parameters.Elements(), func(c jsontree.Value) bool { return c.Member("required").First() != 0 })
		if r.optional == nil {
			marks := optionalMember().Match(r.text.Data)
			r.optional = &marks
		}
		p.parameters.Raw = propertiesOf(p.parameters, func(c jsontree.Child) bool {
			required, optional := c.Member("required"), c.Member("optional")
			switch {
			case required != nil:
				return isTrue(required)
			case optional != nil:
				return !isTrue(optional)
			}
			return !stated && *r.optional
		})
		r.addMCP(f, e, p)
		return nil
	},
}

// argumentList returns the member that lists an entry's arguments, "" for none. A list of
// parameters without names is a broken schema.
func argumentList(e *entry) string {
	switch {
	case e.has("parameters"):
		if firstElement(e.member("parameters")).Member("name").IsString() {
			return "parameters"
		}
	case e.member("arguments").IsArray():
		return "arguments"
	}
	return ""
}

// firstElement returns the first value of an array, and no value for anything else.
func firstElement(v jsontree.Value) (first jsontree.Value) {
	for first = range v.All() {
		break
	}
	return first
}

// optionalMember is a member that marks an argument as optional, or not. It is not found in
// the text of a string, where a quote has a backslash before it.
var optionalMember = words.LazyRegexp(`"optional"\s*:`)

// dockerCatalogue is a catalogue of Docker's MCP gateway (github.com/docker/mcp-gateway,
// catalog.yaml): {"registry":{server:{image,toolsUrl,tools:[{name}]}}}. Only tools that are
// programs in containers are defined: {name,description,container,parameters}.
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
