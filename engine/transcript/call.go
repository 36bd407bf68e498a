package transcript

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// call adds the call that a node stands for, in any of the three shapes.
// Arguments are JSON or a text that holds JSON.
func (p *MessagePart) call(n *jsontree.Node) {
	id := text(n.Member("call_id"))
	if id == "" && text(n.Member("type")) != "tool_search_call" { // a hosted one has none, and its output neither
		id = text(n.Member("id"))
	}
	f := n
	if g := n.Member("function"); g.Is(jsontree.Object) {
		f = g
	}
	name, args := text(f.Member("name")), f.Member("arguments")
	if args == nil {
		args = f.Member("input")
	}
	if space := text(n.Member("namespace")); space != "" {
		name = space + "__" + name
	}
	for _, server := range []string{"server_label", "server_name"} { // of a remote server: OpenAI's, Anthropic's
		if s := text(n.Member(server)); s != "" {
			name = "mcp__" + s + "__" + name
		}
	}
	if name == "" {
		// Tools of the provider have no name but that of their items.
		name = strings.TrimSuffix(text(n.Member("type")), "_call")
	}
	written := "" // the arguments
	switch {
	case args.Is(jsontree.String):
		written = args.Text
		args = nil
		switch name { // the arguments name the call or the question
		case "tool_search", "ToolSearch", "tool_search_tool_regex", "tool_search_tool_bm25", "tool_describe", "tool_call":
			args, _ = jsontree.Parse(jsontree.Mend([]byte(written)), jsontree.Strict) // none where they are no JSON
		}
	case args != nil:
		written = string(jsontree.Compact(args.Raw))
	}
	c := Call{ID: strings.Clone(id), Tool: strings.Clone(name)}
	classify(&c, args)
	p.Calls, p.sent = append(p.Calls, c), append(p.sent, sent{name, written})
}

// classify returns the purpose of a call, and takes the wrapping of a bridge off. It copies the
// texts that the call keeps.
func classify(c *Call, args *jsontree.Node) {
	var asked Lookup
	defer func() { c.Ask(asked) }()
	switch c.Tool {
	case "tool_search", "ToolSearch", "tool_search_tool_regex", "tool_search_tool_bm25":
		query := strings.Clone(cmp.Or(text(args.Member("query")), text(args.Member("pattern")))) // Anthropic's search by regular expression
		if names, ok := strings.CutPrefix(query, "select:"); ok {
			c.Kind, asked.Names = Describe, strings.Split(names, ",")
			return
		}
		c.Kind = Search // without a query where it asks for all tools of some namespaces
		if query != "" {
			asked.Queries = []string{query}
		}
		for _, q := range args.Member("queries").Elements() {
			if q.Is(jsontree.String) {
				asked.Queries = append(asked.Queries, strings.Clone(q.Text))
			}
		}
		if all := args.Members(); asked.Queries == nil && c.Tool == "tool_search" {
			// A search that the client runs has parameters of its own: its one text is the query.
			all = slices.DeleteFunc(slices.Clone(all), func(m jsontree.Child) bool { return !m.Is(jsontree.String) || m.Text == "" })
			if len(all) == 1 {
				asked.Queries = []string{strings.Clone(all[0].Text)}
			}
		}
	case "tool_describe":
		c.Kind = Describe
		if name := text(args.Member("name")); name != "" {
			asked.Names = []string{strings.Clone(name)}
		}
		for _, n := range args.Member("names").Elements() {
			if n.Is(jsontree.String) {
				asked.Names = append(asked.Names, strings.Clone(n.Text))
			}
		}
	case "tool_call":
		if name := text(args.Member("name")); name != "" {
			c.Tool = strings.Clone(name)
		}
	}
}
