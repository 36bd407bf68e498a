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
	id := n.Member("call_id").AsText()
	if id == "" && n.Member("type").AsText() != "tool_search_call" { // a hosted one has none, and its output neither
		id = n.Member("id").AsText()
	}
	f := n
	for _, kind := range []string{"function", "custom"} {
		if g := n.Member(kind); g.Is(jsontree.Object) {
			f = g
		}
	}
	name, args := f.Member("name").AsText(), f.Member("arguments")
	if args == nil {
		args = f.Member("input")
	}
	if space := n.Member("namespace").AsText(); space != "" {
		name = strings.TrimSuffix(space, "__") + "__" + name
	}
	for _, server := range []string{"server_label", "server_name"} { // of a remote server: OpenAI's, Anthropic's
		if s := n.Member(server).AsText(); s != "" {
			name = "mcp__" + s + "__" + name
		}
	}
	if name == "" {
		// Tools of the provider have no name but that of their items.
		name = strings.TrimSuffix(n.Member("type").AsText(), "_call")
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
		query := strings.Clone(cmp.Or(args.Member("query").AsText(), args.Member("pattern").AsText())) // Anthropic's search by regular expression
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
		if name := args.Member("name").AsText(); name != "" {
			asked.Names = []string{strings.Clone(name)}
		}
		for _, n := range args.Member("names").Elements() {
			if n.Is(jsontree.String) {
				asked.Names = append(asked.Names, strings.Clone(n.Text))
			}
		}
	case "tool_call":
		if name := args.Member("name").AsText(); name != "" {
			c.Tool = strings.Clone(name)
		}
	}
}
