package export

import (
	"encoding/json"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// Member is a member of a tool's listing, its value JSON.
type Member struct {
	Name  string
	Value json.RawMessage
}

// besideMembers are a tool's members besides its name, description and schema of the input, in
// the order in which they are listed (MCP 2025-11-25, schema, Tool; 2026-07-28 has no
// execution, and clients of it read over one).
var besideMembers = []string{"title", "icons", "outputSchema", "annotations", "execution", "_meta"}

// ListedBesides returns what the server of a tool says of it besides its definition, as clients
// take it, and the changes and omissions. It is nothing for a tool that no
// source describes in the form of MCP: a dump has these members where it was made by an
// import.
func ListedBesides(r *model.Registry, t *model.Tool) (said []Member, changes []Change) {
	values := map[string]json.RawMessage{}
	jsontree.Members(jsontree.Mend(r.Entry(t)), func(name string, value []byte) {
		if name == "output_schema" { // as dumps spell it
			if name = outputSchema; values[name] != nil {
				return
			}
		}
		if slices.Contains(besideMembers, name) {
			values[name] = value
		}
	})
	for _, name := range besideMembers {
		value := values[name]
		if value == nil {
			continue
		}
		value, changed := listedBeside(name, value)
		if changes = append(changes, changed...); value != nil {
			said = append(said, Member{name, value})
		}
	}
	return said, changes
}

// listedBeside returns the listed form of a member of a tool besides its name, description and
// schema of the input, nil for nothing, and the changes in it. A member that MCP does
// not know is nothing, and no change.
func listedBeside(name string, value json.RawMessage) (json.RawMessage, []Change) {
	switch {
	case !slices.Contains(besideMembers, name):
		return nil, nil
	case name == outputSchema:
		return listedOutput(value)
	}
	n, err := jsontree.Parse(value, jsontree.Strict)
	if err != nil {
		return nil, []Change{{changeBadMember, name, ""}}
	}
	changes := bad(name, n)
	if n.Kind == jsontree.Null || slices.Contains(changes, Change{changeBadMember, name, ""}) {
		return nil, changes
	}
	if value = n.AppendTo(nil); string(value) == "{}" && name != "annotations" {
		return nil, changes
	}
	return value, changes
}

// bad takes out of a member the values of another type than MCP has, and returns what it
// took out; a Change without a name is the whole member.
func bad(member string, n *jsontree.Node) (changes []Change) {
	whole := []Change{{changeBadMember, member, ""}}
	is := func(n *jsontree.Node, kind jsontree.Kind, of ...string) bool {
		return n == nil || n.Kind == kind && (len(of) == 0 || slices.Contains(of, n.Text))
	}
	drop := func(name string) {
		remove(n, name)
		changes = append(changes, Change{changeBadMember, member, name})
	}
	switch member {
	case "title":
		if !is(n, jsontree.String) {
			return whole
		}
	case "_meta":
		if !is(n, jsontree.Object) {
			return whole
		}
		n.Children = slices.DeleteFunc(n.Children, func(c jsontree.Child) bool { return strings.HasPrefix(c.Name, shapes.MetaPrefix) })
	case "annotations":
		if !is(n, jsontree.Object) {
			return whole
		}
		for _, name := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if !is(n.Member(name), jsontree.Boolean) {
				drop(name)
			}
		}
		if !is(n.Member("title"), jsontree.String) {
			drop("title")
		}
	case "execution":
		if !is(n, jsontree.Object) || !is(n.Member("taskSupport"), jsontree.String, "required", "optional", "forbidden") {
			return whole
		}
	case "icons":
		if !is(n, jsontree.Array) {
			return whole
		}
		good := func(c jsontree.Child) bool {
			sizes := c.Member("sizes")
			return c.Member("src").Is(jsontree.String) && is(c.Member("mimeType"), jsontree.String) && (sizes == nil || isTexts(sizes)) &&
				is(c.Member("theme"), jsontree.String, "light", "dark")
		}
		before := len(n.Children)
		if n.Children = slices.DeleteFunc(n.Children, func(c jsontree.Child) bool { return !good(c) }); len(n.Children) < before {
			changes = append(changes, Change{changeBadMember, member, "icon"})
		}
	}
	return changes
}

// Changes returns what clients of MCP are not told of a tool as its server says it.
func Changes(r *model.Registry, t *model.Tool) []Change {
	_, changes := ListedInput(jsontree.Value{Raw: t.Function}.Member("parameters").Raw)
	_, more := ListedBesides(r, t)
	return append(changes, more...)
}
