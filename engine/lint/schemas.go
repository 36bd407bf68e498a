package lint

import (
	"bytes"
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// The bounds of what is told of the cost of schemas.
const (
	leastNoise     = 20  // bytes of keywords that tell nothing
	leastStructure = 100 // tokens
	structureShare = 3   // times the tokens of name and descriptions
)

// schema looks at the parameters of a tool.
func (c *check) schema(t *model.Tool) []draft {
	if len(t.Parameters) == 0 {
		return nil
	}
	root, err := model.ParseSchema(t.Parameters)
	if err != nil {
		return []draft{found(BrokenSchema, Error, t, "%s", err)}
	}
	out := c.structure(t, root)
	out = append(out, c.uncheckable(t)...)
	return append(out, c.cost(t)...)
}

// structure tells where a schema makes no sense.
func (c *check) structure(t *model.Tool, root *model.Schema) []draft {
	var out []draft
	switch says, object := rootType(t.Parameters); {
	case !says:
		// OpenAI refuses: schema must be of type object, got type None.
		typed := append([]byte(`{"type":"object"`), afterBrace(t.Parameters)...)
		out = append(out, found(BrokenSchema, Warning, t, "the parameters have no type, and OpenAI takes none but object").
			with(plan{change: `add "type": "object" to the parameters`, edits: []engine.Edit{{Tool: t, Parameters: typed}}}))
	case !object:
		out = append(out, found(BrokenSchema, Error, t, "the parameters are of kind %s, and providers take objects only", root.Kind))
	}
	var dangling, external, broken, undefined []string
	walk(root, func(s *model.Schema) {
		for _, n := range s.Notes {
			switch {
			case strings.HasPrefix(n, "unresolved: external"):
				external = append(external, s.Ref)
			case strings.HasPrefix(n, "unresolved: "):
				dangling = append(dangling, s.Ref)
			case strings.HasPrefix(n, "not a schema: "), strings.HasPrefix(n, "unknown type: "):
				broken = append(broken, at(s)+": "+n)
			case strings.HasPrefix(n, "required: ") && strings.HasSuffix(n, " is not among the properties") && s.Pointer == "":
				undefined = append(undefined, strings.TrimSuffix(strings.TrimPrefix(n, "required: "), " is not among the properties"))
			}
		}
	})
	if len(dangling) > 0 {
		out = append(out, found(DanglingReference, Error, t, "%s leads to nothing%s", dangling[0], andMore(dangling)).
			with(c.unreferenced(t, dangling)))
	}
	if len(external) > 0 {
		out = append(out, found(ExternalReference, Warning, t, "%s leads out of the schema, and nobody follows it%s", external[0], andMore(external)).
			with(c.unreferenced(t, external)))
	}
	if len(broken) > 0 {
		out = append(out, found(BrokenSchema, Error, t, "%s%s", broken[0], andMore(broken)))
	}
	if len(undefined) > 0 {
		out = append(out, found(UndefinedRequired, Warning, t, "%s is required and not defined%s", undefined[0], andMore(undefined)))
	}
	return out
}

// unreferenced plans to take references out of a schema: without them any
// value is taken, as it is by those who do not follow them.
func (c *check) unreferenced(t *model.Tool, refs []string) plan {
	gone := set(refs...)
	clean := rewriteSchema(t.Parameters, func(keyword string, value []byte) ([]byte, bool) {
		return nil, keyword != "$ref" || !gone[unquote(value)]
	})
	return plan{change: "delete the $ref of " + refs[0] + andMore(refs), edits: []engine.Edit{{Tool: t, Parameters: clean}}}
}

// walk calls f with every node of a schema.
func walk(s *model.Schema, f func(*model.Schema)) {
	f(s)
	for _, child := range s.Children {
		walk(child, f)
	}
}

// at returns the place of a node.
func at(s *model.Schema) string {
	if s.Pointer == "" {
		return "parameters"
	}
	return s.Pointer
}

// andMore counts what is not told.
func andMore(list []string) string {
	if len(list) < 2 {
		return ""
	}
	return fmt.Sprintf(", and %d more", len(list)-1)
}

// rootType reports whether a schema says of what type it is, in some way, and
// whether objects are among what it says. A reference or a choice of schemas
// may lead anywhere, and is taken at its word.
func rootType(raw []byte) (says, object bool) {
	rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		switch keyword {
		case "type":
			says = true
			object = object || bytes.Contains(value, []byte(`"object"`))
		case "$ref", "anyOf", "oneOf", "allOf":
			says, object = true, true
		}
		return value, true // what is below is not looked at
	})
	return says, object
}

// afterBrace returns what stands behind the brace that opens an object, with a
// comma before members.
func afterBrace(raw []byte) []byte {
	rest := raw[bytes.IndexByte(raw, '{')+1:]
	if bytes.TrimSpace(rest)[0] == '}' {
		return rest
	}
	return append([]byte{','}, rest...)
}

// uncheckable tells what of a schema no arguments can be checked against.
func (c *check) uncheckable(t *model.Tool) []draft {
	var told []string
	for _, p := range c.validator.Validate(t.Parameters, []byte("{}")) {
		if p.Uncheckable {
			told = append(told, p.String())
		}
	}
	if len(told) == 0 {
		return nil
	}
	return []draft{found(UncheckedSchema, Info, t, "%s%s", told[0], andMore(told))}
}

// cost tells where a schema costs more than it says.
func (c *check) cost(t *model.Tool) []draft {
	clean, keywords := withoutNoise(t.Parameters)
	saved := len(t.Parameters) - len(clean)
	p := plan{change: "delete from the parameters: " + strings.Join(keywords, ", "), edits: []engine.Edit{{Tool: t, Parameters: clean}}}
	parts := c.s.Parts(t)
	says := parts.Name + parts.Description + parts.Descriptions
	switch {
	case parts.Structure >= leastStructure && parts.Structure > structureShare*says:
		d := found(SchemaStructure, Info, t, "structure takes %d of %d tokens, name and descriptions %d", parts.Structure, c.s.ToolTokens(t), says)
		if len(keywords) > 0 {
			d = d.with(p)
		}
		return []draft{d}
	case saved >= leastNoise:
		return []draft{found(SchemaNoise, Info, t, "%s: nothing that a model acts on", strings.Join(keywords, ", ")).with(p)}
	}
	return nil
}
