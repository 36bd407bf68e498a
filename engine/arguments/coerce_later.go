package arguments

import (
	"slices"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// CoerceLater returns the arguments as the September 2026 agent hands them to a tool.
// It converts what Coerce converts, and then goes down into the values: a text where
// an object or a list is declared becomes the one that it is the JSON of, at any depth.
// Blank text becomes {} where an object is declared that requires nothing. Numbers,
// booleans and null are converted at the top level alone, as before. Results and
// faults are Coerce's.
//
// For {"properties":{"at":{"type":"object","properties":{"days":{"type":"array"}}}}}
// the arguments {"at":{"days":"[1]"}} become {"at":{"days":[1]}}.
//
// Source: Hermes Agent by Nous Research (MIT), arg_coercion.py of August 2026 with
// the later rules for blank objects.
func CoerceLater(schema, args []byte) ([]byte, []Coerced, *Fault) {
	converted, changed, f := Coerce(schema, args)
	if f != nil {
		return nil, nil, f
	}
	given, err := jsontree.Parse(converted, jsontree.Python)
	if err != nil || given.Kind != jsontree.Object {
		return converted, changed, nil
	}
	properties, f := propertiesOf(schema)
	if f != nil || properties == nil {
		return converted, changed, f
	}
	before, _ := jsontree.Parse(args, jsontree.Python)
	for i := range given.Children {
		m := &given.Children[i]
		v := coerceContainers(properties.Member(m.Name), m.Node)
		if v == m.Node {
			continue
		}
		path := into("", m.Name)
		at := slices.IndexFunc(changed, func(c Coerced) bool { return c.Path == path })
		if at < 0 {
			at = len(changed)
			changed = append(changed, Coerced{Path: path, Given: echo(before.Member(m.Name))})
		}
		changed[at].Coerced = echo(v)
		m.Node = v
	}
	return appendValue(nil, given), changed, nil
}

// coerceContainers returns a value with the texts in it that stand for objects and
// lists converted, by a schema; the very value when there is none.
func coerceContainers(schema, v *jsontree.Node) *jsontree.Node {
	if !schema.Is(jsontree.Object) || v == nil {
		return v
	}
	want := schema.Member("type")
	if v.Kind == jsontree.String {
		switch {
		case is(want, "object") && words.Strip(v.Text) == "" && len(schema.Member("required").Elements()) == 0:
			return &jsontree.Node{Kind: jsontree.Object}
		case is(want, "object"):
			v = coerceJSON(v, jsontree.Object)
		case is(want, "array"):
			v = coerceJSON(v, jsontree.Array)
		}
	}
	inner := func(jsontree.Child) *jsontree.Node { return nil }
	switch v.Kind {
	case jsontree.Object:
		properties := schema.Member("properties")
		inner = func(c jsontree.Child) *jsontree.Node { return properties.Member(c.Name) }
	case jsontree.Array:
		items := schema.Member("items")
		inner = func(jsontree.Child) *jsontree.Node { return items }
	}
	out := v
	for i, c := range v.Children {
		changed := coerceContainers(inner(c), c.Node)
		if changed == c.Node {
			continue
		}
		if out == v {
			out = &jsontree.Node{Kind: v.Kind, Children: slices.Clone(v.Children)}
		}
		out.Children[i].Node = changed
	}
	return out
}
