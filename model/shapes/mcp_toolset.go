package shapes

import (
	"fmt"

	"caliper/model/jsontree"
)

// pinnedToolset is the group of an MCP server's tools in a request of Anthropic's messages,
// where it has the server's listing, so that the server is not asked for it:
//
//	{"type":"mcp_toolset","mcp_server_name":"graph","tools":[{"name","description","input_schema"}],
//	 "default_config":{"enabled","defer_loading"},"configs":{NAME:{"enabled","defer_loading"}}}
//
// Source: @anthropic-ai/sdk 1.14.0, BetaMCPToolset. It is a toolset of the
// server; a tool that is not enabled is left out.
var pinnedToolset = &form{
	name: "anthropic",
	match: func(e *entry) bool {
		return e.member("type").Text() == "mcp_toolset" && e.member("mcp_server_name").IsString() && e.member("tools").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		server, configs, every := e.member("mcp_server_name").Text(), e.member("configs"), e.member("default_config")
		pinned := &form{name: f.name, read: func(r *reader, f *form, e *entry) error {
			setting := func(name string) byte {
				if own := configs.Member(e.member("name").Text(), name).First(); own != 0 {
					return own
				}
				return every.Member(name).First()
			}
			if setting("enabled") == 'f' {
				r.note("disabled_tool", e.At, f.path(*e.prefix, e.index, "name"), fmt.Sprintf("%q is not enabled in the toolset of %q, and is left out", e.member("name").Text(), server))
				r.skipped++
				return nil
			}
			d := r.addBuilt(f, e, e.parts("input_schema"))
			if d != nil {
				t := d.tool
				t.Deferred = setting("defer_loading") == 't'
				t.Toolset, t.Server, t.OriginalName = mcpMark+server, server, t.Name
			}
			return nil
		}}
		return r.readList(e.member("tools"), f.path(*e.prefix, e.index, "tools"), pinned)
	},
}

// mcpMark begins the name of a toolset that has the tools of a server in a request.
const mcpMark = "mcp__"

// freeText is a tool that takes a free text in place of arguments: a custom tool of OpenAI,
// {"type":"custom","name","description","format"} in its responses, and in its chat
// completions with these under "custom".
var freeText, freeTextChat = freeTextForm(""), freeTextForm("custom")

// freeTextForm returns the form whose parts stand under a member.
func freeTextForm(under string) *form {
	of := func(e *entry) jsontree.Value {
		if under == "" {
			return e.Value
		}
		return e.member(under)
	}
	return &form{
		name:  "openai",
		under: under,
		match: func(e *entry) bool {
			return e.member("type").Text() == "custom" && of(e).Member("name").IsString()
		},
		read: func(r *reader, f *form, e *entry) error {
			d := r.addBuilt(f, e, parts{name: of(e).Member("name"), description: of(e).Member("description")})
			if d != nil {
				r.note("free_text", e.At, f.path(*e.prefix, e.index, "format"), "the tool takes a free text, so that it has no parameters")
			}
			return nil
		},
	}
}
