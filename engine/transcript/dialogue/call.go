package dialogue

import (
	"strings"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// callOf returns the call that a node stands for, in any of the three shapes.
// Arguments are JSON or a text that holds JSON.
func callOf(n *jsontree.Node, count transcript.Counter) transcript.Call {
	id := text(n.Member("call_id"))
	if id == "" {
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
	if name == "" && text(n.Member("type")) == "tool_search_call" {
		name = "tool_search"
	}
	sent := ""
	switch {
	case args.Is(jsontree.String):
		sent = args.Text
		args, _ = jsontree.Parse(jsontree.Mend([]byte(sent)), jsontree.Strict)
	case args != nil:
		sent = string(jsontree.Compact(args.Raw))
	}
	c := transcript.Call{ID: id, Tool: name, Size: transcript.Measure(name+sent, transcript.Schema, count)}
	classify(&c, args)
	return c
}

// classify says what a call was for, and takes the wrapping of a bridge off.
func classify(c *transcript.Call, args *jsontree.Node) {
	switch c.Tool {
	case "tool_search", "ToolSearch":
		query := text(args.Member("query"))
		if names, ok := strings.CutPrefix(query, "select:"); ok {
			c.Kind, c.Names = transcript.Describe, strings.Split(names, ",")
			return
		}
		c.Kind = transcript.Search
		if query != "" {
			c.Queries = []string{query}
		}
		for _, q := range args.Member("queries").Elements() {
			if q.Is(jsontree.String) {
				c.Queries = append(c.Queries, q.Text)
			}
		}
	case "tool_describe":
		c.Kind = transcript.Describe
		if name := text(args.Member("name")); name != "" {
			c.Names = []string{name}
		}
		for _, n := range args.Member("names").Elements() {
			if n.Is(jsontree.String) {
				c.Names = append(c.Names, n.Text)
			}
		}
	case "tool_call":
		if name := text(args.Member("name")); name != "" {
			c.Tool = name
		}
	}
}
