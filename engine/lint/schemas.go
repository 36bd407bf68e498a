package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// The bounds from which on the cost of schemas is reported.
const (
	leastNoise     = 20  // bytes of keywords that do not help
	leastStructure = 100 // tokens
	structureShare = 3   // times the tokens of name and descriptions
)

// schema returns the findings about the parameters of a tool.
func (c *check) schema(t *model.Tool) []draft {
	if len(t.Parameters) == 0 {
		return c.notObject(t)
	}
	out, refs, ok := c.structure(t)
	if !ok {
		return out
	}
	// Parts of the schema that arguments cannot be checked against. References that lead nowhere
	// have a finding of their own.
	var unchecked []string
	for _, p := range c.validator.Uncheckable(t.Parameters) {
		if says := p.String(); !slices.Contains(refs, p.Ref) && !slices.Contains(unchecked, says) {
			unchecked = append(unchecked, says)
		}
	}
	if len(unchecked) > 0 {
		d := found(UncheckedSchema, Info, t, "%s%s", unchecked[0], andMore(unchecked))
		d.plans = func() []Remedy {
			plans := []Remedy{c.mended(t)}
			if len(refs) > 0 {
				plans = append(plans, c.unreferenced(t, refs))
			}
			return plans
		}
		out = append(out, d)
	}
	return append(out, c.cost(t)...)
}

// structure returns the findings about invalid schemas, and the references that lead
// nowhere; not ok when the parameters are no schema.
func (c *check) structure(t *model.Tool) (out []draft, unresolved []string, ok bool) {
	root, err := model.ParseSchema(t.Parameters)
	if err != nil {
		return []draft{found(BrokenSchema, Error, t, "%s", err)}, nil, false
	}
	var dangling, external, broken, undefined []string
	note := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	var look func(*model.Schema)
	look = func(s *model.Schema) {
		for _, n := range s.Notes {
			switch n.Kind {
			case model.NoteExternalReference:
				note(&external, s.Ref)
			case model.NoteDanglingReference:
				note(&dangling, s.Ref)
			case model.NoteNotSchema, model.NoteUnknownType:
				note(&broken, cmp.Or(s.Pointer, "parameters")+": "+n.String())
			case model.NoteUndefinedRequired:
				if s.Pointer == "" {
					note(&undefined, n.Name)
				}
			}
		}
		for _, child := range s.Children {
			look(child)
		}
	}
	look(root)
	if len(dangling) > 0 {
		out = append(out, found(DanglingReference, Error, t, "%s leads to nothing%s", dangling[0], andMore(dangling)).
			with(c.unreferenced(t, dangling)))
	}
	if len(external) > 0 {
		out = append(out, found(ExternalReference, Warning, t, "%s leads out of the schema, and nobody follows it%s", external[0], andMore(external)).
			with(c.unreferenced(t, external)))
	}
	if len(broken) > 0 {
		out = append(out, found(BrokenSchema, Error, t, "%s%s", broken[0], andMore(broken)).with(c.mended(t)))
	}
	switch says, object := rootType(t.Parameters); {
	case !says:
		// OpenAI refuses: schema must be of type object, got type None.
		out = append(out, found(BrokenSchema, Error, t, "the parameters have no type, and OpenAI takes none but object").
			with(c.mended(t)))
	case !object:
		out = append(out, found(BrokenSchema, Error, t, "the parameters are of kind %s, and providers take objects only", root.Kind).with(c.mended(t)))
	}
	if len(undefined) > 0 {
		out = append(out, found(UndefinedRequired, Warning, t, "%s is required and not defined%s", jsontree.AppendQuoted(nil, undefined[0]), andMore(undefined)).
			with(c.unrequired(t, undefined)))
	}
	if clean, bare := withItems(t.Parameters); bare > 0 {
		// OpenAI: array schema missing items; VS Code: array type must have items.
		message := "an array says nothing of its items; OpenAI and VS Code refuse it"
		if bare > 1 {
			message = fmt.Sprintf("%d arrays say nothing of their items; OpenAI and VS Code refuse them", bare)
		}
		p := Remedy{Change: `add "items": {} where it is missing`, Edits: []whatif.Edit{{Tool: t, Parameters: clean}}}
		out = append(out, found(BareArray, Error, t, "%s", message).with(p))
	}
	return out, slices.Concat(dangling, external), true
}

// unreferenced plans to take references out of a schema: without them any
// value is taken, as it is by those who do not follow them.
func (c *check) unreferenced(t *model.Tool, refs []string) Remedy {
	gone := set(refs...)
	clean := rewriteSchema(t.Parameters, func(keyword string, value []byte) ([]byte, bool) {
		return nil, keyword != "$ref" || !gone[unquote(value)]
	})
	return Remedy{Change: "delete the $ref of " + refs[0] + andMore(refs), Edits: []whatif.Edit{{Tool: t, Parameters: clean}}}
}

// andMore returns how many there are beside the first, as the end of a message.
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
		return value, true // the parts below are not looked at
	})
	return says, object
}

// cost reports where a schema costs more than its texts. Structure is reported
// with what to delete of it if that makes the difference, noise and definitions
// that nothing refers to; else the noise is a finding by itself.
func (c *check) cost(t *model.Tool) []draft {
	clean, keywords := withoutNoise(t.Parameters)
	deletion := func(what string, parameters []byte) Remedy {
		return Remedy{Change: "delete from the parameters: " + what, Edits: []whatif.Edit{{Tool: t, Parameters: parameters}}}
	}
	noise := strings.Join(keywords, ", ")
	var plans []Remedy
	if len(keywords) > 0 {
		plans = append(plans, deletion(noise, clean))
	}
	if rest, n := withoutUnused(t.Parameters); n > 0 {
		noise = words.CountOf(n, "definition that nothing refers to", "definitions that nothing refers to")
		plans = append(plans, deletion(noise, rest))
		clean = rest
		if both, keywords := withoutNoise(rest); len(keywords) > 0 {
			noise, clean = noise+", and "+strings.Join(keywords, ", "), both
			plans = append(plans, deletion(noise, clean))
		}
	}
	var out []draft
	noisy := len(t.Parameters)-len(clean) >= leastNoise
	if parts, whole := c.parts(t); heavy(parts) {
		d := found(SchemaStructure, Info, t, "structure takes %d of %d tokens, name and descriptions %d", parts.Structure, whole, textTokens(parts))
		light := slices.DeleteFunc(slices.Clone(plans), func(p Remedy) bool {
			return heavy(c.partsOf(p.Edits[0]))
		})
		if len(light) > 0 {
			d.plans = func() []Remedy { return light }
			return []draft{d}
		}
		if noisy {
			d = found(SchemaStructure, Info, t, "%s; without the schema noise it still takes %d", d.Message, c.partsOf(plans[len(plans)-1].Edits[0]).Structure)
			d.other = true
		}
		out = append(out, d)
	}
	if noisy {
		out = append(out, found(SchemaNoise, Info, t, "%s: nothing that a model acts on", noise).with(deletion(noise, clean)))
	}
	return out
}

// textTokens returns the tokens of the texts of a definition.
func textTokens(p engine.Parts) int { return p.Name + p.Description + p.Descriptions }

// heavy reports whether the structure of a schema costs too much.
func heavy(p engine.Parts) bool {
	return p.Structure >= leastStructure && p.Structure > structureShare*textTokens(p)
}

// parts returns the parts of a tool of the registry, or of one that an edit has made
// of it, and the tokens of the whole. Of a whole that is too small to be heavy no part is
// counted.
func (c *check) parts(t *model.Tool) (parts engine.Parts, whole int) {
	edited := c.s.Registry.Tools[t.Index] != t
	if edited {
		whole = c.s.Tokenizer.Tokens(c.s.Tokenizer.Units(tokens.Definition(t)))
	} else {
		whole = c.s.ToolTokens(t)
	}
	if whole < leastStructure {
		return engine.Parts{}, whole
	}
	parts = c.s.Parts(t)
	if edited {
		parts.Structure = max(0, whole-textTokens(parts))
	}
	return parts, whole
}

// partsOf returns the parts of what an edit of parameters makes of a tool, as parts
// does.
func (c *check) partsOf(e whatif.Edit) engine.Parts {
	t := *e.Tool
	if function, err := e.Function(); err == nil {
		t.Function, t.Parameters = function, e.Parameters
		p, _ := c.parts(&t)
		return p
	}
	p, _ := c.parts(e.Tool)
	return p
}
