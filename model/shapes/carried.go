package shapes

import (
	"bytes"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// carriers are the items of a conversation that bring definitions besides the tools of a
// request: the tools a hosted search found, a remote server's list, and those added while
// the conversation runs. Source: openai 6.49.0 and @anthropic-ai/sdk 1.14.0 of npm.
//
//	{"type":"tool_search_output","tools":[...]}
//	{"type":"mcp_list_tools","server_label":"graph","tools":[{"name","input_schema"}]}
//	{"type":"mcp_tool_listing","mcp_server_name":"graph","tools":[{"name","input_schema"}]}
//	{"type":"additional_tools","tools":[...]}, {"type":"tool_addition","tools":[...]}
//	{"type":"tool_addition","tool":{"type":"tool_definition","definition":{...}}}
var carriers = []string{"tool_search_output", "mcp_list_tools", "mcp_tool_listing", "additional_tools", "tool_addition", toolDefinition}

// toolDefinition is the kind of an object that has one definition.
const toolDefinition = "tool_definition"

// maxCarried is how deep in a logged request or answer such an item may be.
const maxCarried = 12

// conversation is a request without tools, or an answer, that carries definitions.
var conversation = shape{
	match: func(o *object) bool {
		holds := o.member("request").IsObject() || o.member("response").IsObject()
		for _, name := range []string{"input", "messages", "output", "content"} {
			holds = holds || o.member(name).IsArray()
		}
		return holds && slices.ContainsFunc(carriers, func(kind string) bool { return bytes.Contains(o.Raw, []byte(`"`+kind+`"`)) })
	},
	read: func(r *reader, o *object) error {
		from := len(r.found) + r.skipped
		if err := r.readCarried(o.Value, o.path, maxCarried); err != nil {
			return err
		}
		if len(r.found)+r.skipped == from {
			r.foreign++
			r.recognise(o)
		}
		return nil
	},
}

// readCarried reads the definitions of all such items in a value with a path, without the ones of
// a request in it, which is read by itself.
//
// SECURITY: what a model calls and what a tool returns is any JSON, and defines nothing.
func (r *reader) readCarried(v jsontree.Value, path string, left int) (err error) {
	if left == 0 {
		return nil
	}
	look := func(inner jsontree.Value, at string) {
		if err == nil && (inner.IsObject() && !isRequest(inner) || inner.IsArray()) {
			err = r.readCarried(inner, at, left-1)
		}
	}
	if v.IsArray() {
		for i, e := range v.Elements() {
			look(e, jsontree.JoinIndex(path, i))
		}
		return err
	}
	kind := v.Member("type").Text()
	if slices.Contains(carriers, kind) {
		from := len(r.found)
		switch tools, one := v.Member("tools"), v.Member("tool"); {
		case kind == toolDefinition:
			err = r.readOne(v.Member("definition"), jsontree.JoinName(path, "definition"))
		case tools.IsArray():
			err = r.readList(tools, jsontree.JoinName(path, "tools"), nil)
		case one.IsObject() && one.Member("type").Text() == toolDefinition:
			err = r.readOne(one.Member("definition"), jsontree.JoinName(jsontree.JoinName(path, "tool"), "definition"))
		}
		if err == nil {
			r.carry(v, from)
		}
		return err
	}
	for _, end := range []string{"_call", "_use", "_output", "_result"} {
		if strings.HasSuffix(kind, end) {
			return nil
		}
	}
	v.Each(func(m jsontree.Member) {
		if m.Name != "tools" || !m.IsArray() {
			look(m.Value, jsontree.JoinName(path, m.Name))
		}
	})
	return err
}

// carry notes that the tools read since one of them belong to such an item.
func (r *reader) carry(v jsontree.Value, from int) {
	for i := range r.found[from:] {
		r.found[from+i].carried = true
	}
	for _, name := range []string{"server_label", "mcp_server_name"} {
		if server := v.Member(name).Text(); server != "" {
			r.belong(mcpMark+server, from)
		}
	}
}

// readOne reads a definition that stands alone in an item.
func (r *reader) readOne(v jsontree.Value, path string) error {
	if !v.IsObject() {
		return nil
	}
	outer, form := r.entry, r.as
	r.entry, r.as = entry{}, nil
	defer func() { r.entry, r.as = outer, form }()
	r.arrays++
	return r.readEntry(v, &path, -1)
}

// belong puts the tools read since one of them into a toolset, unless they name one; mcp__SERVER
// has that server's.
func (r *reader) belong(name string, from int) {
	server, isMCP := strings.CutPrefix(name, mcpMark)
	for i := range r.found[from:] {
		t := r.found[from+i].tool
		if t.Toolset == "" {
			t.Toolset = name
		}
		if isMCP && t.Server == "" {
			t.Server, t.OriginalName = server, t.Name
		}
	}
}
