package shapes

import (
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// liveMCPEntry is an entry of the catalogue of LiveMCPBench (github.com/icip-cas/
// LiveMCPBench, tools.json): {"name","description","category","tools":{SERVER:
// {server_name,tools:[...]}}}, with tools/list results by server. Tools keep the names
// that their servers give them; tools of one name get SERVER__ before it.
var liveMCPEntry = &form{
	name: "livemcpbench",
	match: func(e *entry) bool {
		is := false
		e.member("tools").Each(func(m jsontree.Member) { is = is || m.HoldsArray("tools") })
		return is
	},
	read: func(r *reader, f *form, e *entry) error {
		path := f.path(*e.prefix, e.index, "tools")
		e.member("tools").Each(func(server jsontree.Member) {
			set := model.Toolset{Name: server.Name, Title: e.member("name").Text(), Description: e.member("description").Text(), Source: "mcp"}
			r.toolsets = append(r.toolsets, foundToolset{set, r.text.Origin(server.At)})
			list := jsontree.JoinName(jsontree.JoinName(path, server.Name), "tools")
			for i, v := range server.Member("tools").Elements() {
				schema := v.Member("inputSchema")
				d := r.addRestated(f, restated{name: v.Member("name").Text(), description: v.Member("description").Text(), parameters: schema.Raw,
					path: jsontree.JoinIndex(list, i), at: v.At, nameAt: v.At})
				if d != nil {
					d.tool.Toolset, d.source = server.Name, "mcp"
				}
			}
		})
		return nil
	},
}

// liveMCPTask is a task of LiveMCPBench: {"task_id","Question","category","Annotator
// Metadata":{"Tools":"1. NAME\n2. NAME"}}.
var liveMCPTask = &form{
	name:  "livemcpbench",
	match: func(e *entry) bool { return e.member("task_id").IsString() && e.member("Question").IsString() },
	read: func(r *reader, f *form, e *entry) error {
		q := model.LabelledQuery{ID: idOf(e), Text: e.member("Question").Text(), Category: e.member("category").Text()}
		for line := range strings.Lines(e.member("Annotator Metadata").Member("Tools").Text()) {
			if _, name, ok := strings.Cut(line, "."); ok {
				q.Relevant = append(q.Relevant, strings.TrimSpace(name))
			}
		}
		r.label(e, q)
		return nil
	},
}

// nameByServer gives LiveMCPBench's tools their functions, and those that share a name their
// server's before it.
func (r *reader) nameByServer() {
	count := map[string]int{}
	for i := range r.found {
		if r.found[i].form == liveMCPEntry {
			count[r.found[i].tool.Name]++
		}
	}
	for i := range r.found {
		if f := &r.found[i]; f.form == liveMCPEntry {
			t := f.tool
			if count[t.Name] > 1 {
				t.OriginalName, t.Name = t.Name, t.Toolset+"__"+t.Name
			}
			t.Function, t.Parameters = mcpFunction(t.Name, mcpParts{description: jsontree.AppendQuoted(nil, t.Description), schema: t.Parameters})
		}
	}
}
