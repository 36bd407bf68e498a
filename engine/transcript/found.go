package transcript

import (
	"strings"

	"caliper/model/jsontree"
)

// found returns the names of the tools that a result lists, as the answer of a search:
// references to them, their definitions, or the matches of the bridge, in both of its
// generations. ok is false for any other result.
func (p *MessagePart) found() (names []string, ok bool) {
	if len(p.Expanded) > 0 || p.Told {
		return p.Expanded, true
	}
	if p.Defines {
		list, err := jsontree.Parse(jsontree.Mend([]byte(p.Text)), jsontree.Strict)
		return defined(list, ""), err == nil
	}
	if !strings.HasPrefix(p.Text, "{") || !strings.Contains(p.Text, `"matches"`) && !strings.Contains(p.Text, `"tool_references"`) {
		return nil, false
	}
	o, err := jsontree.Parse(jsontree.Mend([]byte(p.Text)), jsontree.Strict)
	if err != nil {
		return nil, false
	}
	results := o.Member("results").Elements() // one for each query
	matches := o.Member("matches")
	for _, m := range matches.Elements() {
		names = appendName(names, "", m.Member("name"))
	}
	for _, r := range results {
		for _, m := range r.Member("matches").Elements() {
			names = appendName(names, "", m.Node)
		}
	}
	return names, matches.Is(jsontree.Array) || len(results) > 0
}

// defined returns the names of definitions, with the name of their namespace before them.
func defined(list *jsontree.Node, space string) (names []string) {
	for _, t := range list.Elements() {
		name := t.Member("name")
		if inner := t.Member("tools"); inner.Is(jsontree.Array) {
			names = append(names, defined(inner, text(name))...)
			continue
		}
		if f := t.Member("function"); f.Is(jsontree.Object) {
			name = f.Member("name")
		}
		names = appendName(names, space, name)
	}
	return names
}

// appendName appends a copy of a name, with the namespace that it is in.
func appendName(names []string, space string, n *jsontree.Node) []string {
	name := text(n)
	switch {
	case name == "":
		return names
	case space != "":
		name = space + "__" + name
	}
	return append(names, strings.Clone(name))
}
