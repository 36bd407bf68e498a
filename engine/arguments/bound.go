package arguments

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"caliper/model/jsontree"
)

// maxWork is the most work that a check may take, in steps of some half a
// microsecond each.
const maxWork = 250_000

// bound computes an upper bound of the work that checking a value against a
// schema takes. The library cannot be interrupted, and a schema of a few lines
// can make it visit the same value 2^60 times; here every pair of a schema and
// a value is looked at once, and what it costs is remembered.
type bound struct {
	known map[[2]any]int // by a schema and a value checked against it
	depth int
	over  bool
}

// of returns a bound for one schema and one value.
func (b *bound) of(schema *jsonschema.Schema, v *jsontree.Node) int {
	if schema == nil || b.over {
		return 0
	}
	at := [2]any{schema, v}
	if work, ok := b.known[at]; ok {
		return work // 0 while it is computed: the library stops at circles
	}
	b.known[at] = 0
	b.depth++
	if len(b.known) > maxWork || b.depth > 10_000 {
		b.over = true
		return 0
	}
	work := 1 + b.own(schema, v) + b.inPlace(schema, v) + b.members(schema, v) + b.items(schema, v)
	b.depth--
	if work > maxWork {
		b.over = true
	}
	b.known[at] = work
	return work
}

// own bounds what a schema asks of a value without other schemas.
func (b *bound) own(schema *jsonschema.Schema, v *jsontree.Node) int {
	work := len(schema.Required)
	if schema.Enum != nil {
		work += len(schema.Enum.Values)
		if v.Kind == jsontree.Array || v.Kind == jsontree.Object {
			work += len(schema.Enum.Values) * v.Count() / 4
		}
	}
	if p, ok := schema.Pattern.(pattern); ok {
		work += p.size * len(v.Text) / 64
	}
	if schema.UniqueItems && v.Kind == jsontree.Array {
		work += 20 * v.Count()
	}
	if v.Kind == jsontree.Object {
		for re := range schema.PatternProperties {
			p, _ := re.(pattern)
			for _, m := range v.Children {
				work += 1 + p.size*len(m.Name)/64
			}
		}
	}
	return work
}

// inPlace bounds the schemas that are applied to the same value.
func (b *bound) inPlace(schema *jsonschema.Schema, v *jsontree.Node) int {
	work := b.of(schema.Ref, v) + b.of(schema.Not, v) + b.of(schema.If, v) + b.of(schema.Then, v) + b.of(schema.Else, v)
	for _, list := range [][]*jsonschema.Schema{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, s := range list {
			work += b.of(s, v)
		}
	}
	for _, s := range schema.DependentSchemas {
		work += b.of(s, v)
	}
	for _, dependency := range schema.Dependencies {
		s, _ := dependency.(*jsonschema.Schema)
		work += 1 + b.of(s, v)
	}
	return work
}

// members bounds the schemas that are applied to the members of an object, and
// to their names.
func (b *bound) members(schema *jsonschema.Schema, v *jsontree.Node) int {
	if v.Kind != jsontree.Object {
		return 0
	}
	work := len(v.Children)
	additional, _ := schema.AdditionalProperties.(*jsonschema.Schema)
	for _, m := range v.Children {
		work += b.of(schema.Properties[m.Name], m.Node) + b.of(additional, m.Node) + b.of(schema.UnevaluatedProperties, m.Node)
		for _, s := range schema.PatternProperties {
			work += b.of(s, m.Node)
		}
		for _, extension := range schema.Extensions {
			if n, ok := extension.(names); ok {
				work += b.of(n.schema, &jsontree.Node{Kind: jsontree.String, Text: m.Name})
			}
		}
	}
	return work
}

// items bounds the schemas that are applied to the items of an array.
func (b *bound) items(schema *jsonschema.Schema, v *jsontree.Node) int {
	if v.Kind != jsontree.Array {
		return 0
	}
	work := len(v.Children)
	additional, _ := schema.AdditionalItems.(*jsonschema.Schema)
	every, _ := schema.Items.(*jsonschema.Schema)
	first, _ := schema.Items.([]*jsonschema.Schema)
	for i, child := range v.Children {
		item := child.Node
		work += b.of(every, item) + b.of(additional, item) + b.of(schema.Items2020, item) + b.of(schema.Contains, item) + b.of(schema.UnevaluatedItems, item)
		if i < len(first) {
			work += b.of(first[i], item)
		}
		if i < len(schema.PrefixItems) {
			work += b.of(schema.PrefixItems[i], item)
		}
	}
	return work
}
