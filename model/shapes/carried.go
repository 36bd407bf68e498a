package shapes

import (
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// carriers are the items of a conversation that bring definitions besides the tools of a
// request: what a hosted search found, what a remote server lists, and what is added while
// the conversation runs. Source: the Responses API of OpenAI and the Messages API of
// Anthropic, November 2026.
//
//	{"type":"tool_search_output","tools":[...]}
//	{"type":"mcp_list_tools","server_label":"graph","tools":[{"name","input_schema"}]}
//	{"type":"additional_tools","tools":[...]}, {"type":"tool_addition","tools":[...]}
var carriers = []string{"tool_search_output", "mcp_list_tools", "additional_tools", "tool_addition"}

// maxCarried is how deep in a logged request or answer such an item may be.
const maxCarried = 6

// readCarried reads the definitions of all such items in a value with a path.
func (r *reader) readCarried(v jsontree.Value, path string, left int) (err error) {
	if left == 0 {
		return nil
	}
	var kind, server string
	var tools jsontree.Value
	look := func(inner jsontree.Value, at string) {
		if err == nil && (inner.IsObject() || inner.IsArray()) {
			err = r.readCarried(inner, at, left-1)
		}
	}
	if v.IsArray() {
		for i, e := range v.Elements() {
			look(e, jsontree.JoinIndex(path, i))
		}
		return err
	}
	v.Each(func(m jsontree.Member) {
		switch {
		case m.Name == "type":
			kind = m.Text()
		case m.Name == "server_label":
			server = m.Text()
		case m.Name == "tools" && m.IsArray():
			tools = m.Value
		default:
			look(m.Value, jsontree.JoinName(path, m.Name))
		}
	})
	if err != nil || !slices.Contains(carriers, kind) || !tools.IsArray() {
		return err
	}
	from := len(r.found)
	if err := r.readList(tools, jsontree.JoinName(path, "tools"), nil); err != nil {
		return err
	}
	if server != "" {
		r.belong("mcp__"+server, from)
	}
	return nil
}

// belong puts the tools that were read since one of them into a toolset, unless they name
// their own. One that is called mcp__SERVER has the tools of that server.
func (r *reader) belong(name string, from int) {
	server, isMCP := strings.CutPrefix(name, "mcp__")
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
