package shapes

import (
	"cmp"
	"path/filepath"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// mcpParts keeps the raw pieces of an MCP tool until its model-facing name is known.
type mcpParts struct {
	description, schema []byte
	host                string // the server, in a map of servers
	naming              model.Naming
	meta                jsontree.Value // its _meta, which may say where it comes from
}

// mcpEntry is a tool of an MCP tools/list result: {"name","inputSchema"} and other members.
var mcpEntry = &form{
	name: "mcp",
	match: func(e *entry) bool {
		if e.member("inputSchema").First() != 0 {
			return true
		}
		named := false
		for _, m := range e.object.members {
			switch m.Name {
			case "name":
				named = true
			case "title", "description", "outputSchema", "annotations", "icons", "execution", "_meta":
			default:
				return false
			}
		}
		return named
	},
	read: func(r *reader, f *form, e *entry) error {
		if d := r.addMCP(f, e, e.parts("inputSchema")); d != nil {
			d.raw.meta = e.member("_meta")
		}
		return nil
	},
}

// addMCP makes a tool of an MCP server, whose name is not known yet; nil without a usable name.
func (r *reader) addMCP(f *form, e *entry, p parts) *found {
	d := r.add(f, e, p)
	if d != nil {
		r.describe(d.tool, e)
		d.raw = &mcpParts{schema: p.parameters.Raw, host: r.host, naming: cmp.Or(r.source.Naming, model.HermesNaming)}
		if r.cache {
			d.raw.naming = model.LaterNaming
		}
		if p.description.IsString() {
			d.raw.description = p.description.Raw
		}
	}
	return d
}

// nameMCP gives the MCP tools of a source their names and functions. A tool of a bare tools/list
// result belongs to the server that the file is named after, unless its names are final (see
// MetaNames).
func (r *reader) nameMCP() {
	server := cmp.Or(r.bundle, ToolsetName(r.source.Name), r.serverName)
	for i := range r.found {
		f := &r.found[i]
		if f.raw == nil {
			continue
		}
		t := f.tool
		server := cmp.Or(f.raw.host, server)
		if r.final {
			says := func(name string) string { return f.raw.meta.Member(name).Text() }
			toolset, source, server, original := says(MetaToolset), says(MetaSource), says(MetaServer), strings.TrimSpace(says(MetaOriginal))
			if toolset+source+server+original != "" {
				t.Toolset, t.Server, t.OriginalName, f.source = toolset, server, original, source
			}
		} else if t.Toolset == "" && !r.isDump && server != "" {
			t.Toolset, t.Server, t.OriginalName = "mcp-"+server, server, t.Name
			t.Name = f.raw.naming.ToolName(server, t.Name)
			f.source = "mcp"
		}
		t.Function, t.Parameters = mcpFunction(t.Name, *f.raw)
	}
	if !r.isDump && !r.final && server != "" && r.instructions != "" {
		set := model.Toolset{Name: "mcp-" + server, Source: "mcp", Server: server, Instructions: r.instructions}
		r.toolsets = append(r.toolsets, foundToolset{Toolset: set})
	}
}

// ToolsetName returns the toolset of what a file of a folder defines without one: its BaseName, or
// the name of the folder for a file that is called tools, as catalogues keep SERVER/tools.json.
func ToolsetName(file string) string {
	base := BaseName(file)
	if folder := filepath.Base(filepath.Dir(file)); base == "tools" && folder != "." && folder != ".." && folder != string(filepath.Separator) {
		return folder
	}
	return base
}

// endings are the endings of files that hold tool definitions.
var endings = []string{".wire.jsonl", ".json", ".jsonl", ".ndjson", ".jsonc", ".txt", ".sse", ".log", ".yaml", ".yml"}

// BaseName returns the name of a source's file without folder and ending, and "" for standard
// input ("" or "-"). A bare tools/list result is of a server of this name.
func BaseName(file string) string {
	base := filepath.Base(file)
	if file == "" || base == "-" || base == "." {
		return ""
	}
	for _, ending := range endings {
		if rest, ok := strings.CutSuffix(base, ending); ok && rest != "" {
			return rest
		}
	}
	return base
}

// mcpFunction builds the function object of an MCP tool, with description and schema as the server
// wrote them, and returns the schema in it, nil if that is no object.
func mcpFunction(name string, p mcpParts) (function, parameters []byte) {
	b := make([]byte, 0, len(name)+len(p.description)+len(p.schema)+48)
	b = append(b, `{"name":`...)
	b = jsontree.AppendQuoted(b, name)
	b = append(b, `,"description":`...)
	if p.description == nil {
		b = append(b, `""`...)
	}
	b = append(b, p.description...)
	start := len(b)
	if len(p.schema) > 0 {
		b = append(b, `,"parameters":`...)
		start = len(b)
		b = append(b, p.schema...)
	}
	end := len(b)
	b = append(b, '}')
	if b[start] != '{' {
		return b, nil
	}
	return b, b[start:end:end]
}

// What an export of a registry as a tools/list result says in _meta, which MCP
// leaves to those who write one (2025-11-25, basic, _meta): of the result that
// its names are those that a model sees, and of a tool where it comes from. A
// server's own result says neither, and its tools get the server's name.
//
// SECURITY: the mark counts only in a result that is a source by itself, as an
// export is, and never in a server's answer, whose tools could else take the
// names of the agent's own.
const (
	MetaPrefix   = "caliper/" // of all that follow
	MetaNames    = MetaPrefix + "names"
	MetaFinal    = "final" // value of MetaNames
	MetaToolset  = MetaPrefix + "toolset"
	MetaSource   = MetaPrefix + "source"
	MetaServer   = MetaPrefix + "server"
	MetaOriginal = MetaPrefix + "original_name"
)
