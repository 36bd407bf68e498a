package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/export"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/jsontree"
)

// refusals are the codes of rules of package export.
var refusals = map[export.Rule]Code{
	export.RuleRoot:     RootKeyword,
	export.RuleRootType: BrokenSchema,
	export.RuleMembers:  ClientSchema,
	export.RuleBeside:   ClientSchema,
	export.RuleKeys:     ParameterName,
	export.RuleEnum:     LargeEnum,
	export.RuleOutput:   OutputSchema,
	export.RuleCache:    Deferral,
	export.RuleDeferral: Deferral,
	export.RuleTools:    TooManyTools,
	export.RuleTogether: NameRule,
}

// refusalAdvice is how a rule is mended where no edit of the definition does it.
var refusalAdvice = map[export.Rule]string{
	export.RuleBeside:   "write it as MCP has it, or leave it out",
	export.RuleEnum:     "name fewer values, or delete strict",
	export.RuleOutput:   "give the output schema the type object, define what it refers to, and write it so that draft 7 reads it alike, or leave it out",
	export.RuleCache:    "set cache_control on a tool that is not deferred",
	export.RuleDeferral: "delete defer_loading of one tool, or send the provider's search tool too",
	export.RuleTools:    "switch tool search on, or grant the session fewer toolsets",
	export.RuleTogether: "give the server a shorter name in the client's configuration",
}

// refused returns what the table of limits says of a tool, but for what other
// rules of lint report: names, descriptions, arrays without items.
func (c *check) refused(t *model.Tool) []draft {
	return c.drafts(t, export.Breaches(export.Defined(c.s.Registry, t)))
}

// drafts returns breaches as findings, one for all who say the same.
func (c *check) drafts(t *model.Tool, breaches []export.Breach) (out []draft) {
	for _, b := range export.Joined(breaches) {
		code, known := refusals[b.Rule]
		broken := b.Rule == export.RuleMembers && len(t.Parameters) > 0 && t.Parameters[0] != '{'
		if b.Rule == export.RuleRootType {
			_, object := rootType(t.Parameters)
			broken = !object
		}
		if !known || broken { // another finding says it
			continue
		}
		severity := Error
		if b.Effect == export.LeftOut {
			severity = Warning
		}
		if b.Rule == export.RuleOutput && b.Names != nil {
			code = DanglingReference
		}
		p := Remedy{Change: refusalAdvice[b.Rule]}
		if p.Change == "" {
			p = c.mendedFor(t, b)
		}
		out = append(out, found(code, severity, t, "%s", b).with(p))
	}
	return out
}

// mendedFor plans to give a tool parameters that keep the rule of a breach.
func (c *check) mendedFor(t *model.Tool, b export.Breach) Remedy {
	if b.Rule == export.RuleMembers {
		schema, _ := export.ListedInput(t.Parameters)
		return Remedy{Change: "write the parameters as serve lists them", Edits: []whatif.Edit{{Tool: t, Parameters: schema}}}
	}
	root, err := jsontree.Parse(t.Parameters, jsontree.Strict)
	if err != nil {
		return Remedy{}
	}
	change := "write the parameters as one object, and say in the description which of them go together"
	switch b.Rule {
	case export.RuleKeys:
		change = "rename " + renameKeys(root)
	case export.RuleRootType:
		change = `make the parameters of type object alone`
		root.Set("type", textNode("object"))
	default:
		flatten(root)
	}
	return Remedy{Change: change, Edits: []whatif.Edit{{Tool: t, Parameters: root.AppendTo(nil)}}}
}

func textNode(text string) *jsontree.Node { return &jsontree.Node{Kind: jsontree.String, Text: text} }

// flatten makes a schema one object: the properties of what it chooses from or refers to
// stand beside its own, and what they all require is required. Who calls the tool is told
// less, and no call that was right becomes wrong.
func flatten(root *jsontree.Node) {
	all := root.Member("properties")
	if !all.Is(jsontree.Object) {
		all = &jsontree.Node{Kind: jsontree.Object}
	}
	for _, keyword := range []string{"$ref", "allOf", "anyOf", "oneOf"} {
		held := root.Member(keyword)
		list := held.Elements()
		if held != nil && list == nil {
			list = []jsontree.Child{{Node: root}}
		}
		for _, part := range list {
			part := part.Node
			if ref := part.Member("$ref"); ref.Is(jsontree.String) { // one local reference is followed
				if pointer, local := strings.CutPrefix(ref.Text, "#/"); local {
					var tokens []string
					for token := range strings.SplitSeq(pointer, "/") {
						tokens = append(tokens, jsontree.UnescapeToken(token))
					}
					part = cmp.Or(root.Find(tokens), part)
				}
			}
			for _, p := range part.Member("properties").Members() {
				if all.Member(p.Name) == nil {
					all.Set(p.Name, p.Node)
				}
			}
			if required := part.Member("required"); part != root && (keyword == "$ref" || keyword == "allOf") {
				own := &jsontree.Node{Kind: jsontree.Array}
				own.Children = slices.Concat(root.Member("required").Elements(), required.Elements())
				if len(own.Children) > 0 {
					root.Set("required", own)
				}
			}
		}
	}
	root.Children = slices.DeleteFunc(root.Children, func(m jsontree.Child) bool {
		return slices.Contains([]string{"$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"}, m.Name)
	})
	root.Set("type", textNode("object"))
	root.Set("properties", all)
}

// renameKeys gives the parameters names that every provider takes, and returns what the
// first becomes.
func renameKeys(root *jsontree.Node) (first string) {
	properties := root.Member("properties")
	renamed := map[string]string{}
	for i, p := range properties.Members() {
		if export.IsParameter(p.Name) {
			continue
		}
		to := cleanName(p.Name)
		for n := 2; properties.Member(to) != nil; n++ {
			end := fmt.Sprintf("_%d", n)
			to = cleanName(p.Name)
			to = to[:min(len(to), longestName-len(end))] + end
		}
		properties.Children[i].Name = to
		if renamed[p.Name] = to; first == "" {
			first = fmt.Sprintf("%q to %s", p.Name, to)
		}
	}
	for _, name := range root.Member("required").Elements() {
		if to := renamed[name.Text]; to != "" {
			name.Text = to
		}
	}
	return first + andMore(make([]string, len(renamed)))
}

// requests returns the faults of the tools of one request, as the session sends
// them, and with the instructions that come along.
func (c *check) requests() []draft {
	deferred, search := 0, false
	for _, t := range c.s.Registry.Tools {
		if t.Deferred {
			deferred++
		}
	}
	for _, kind := range c.s.Registry.Hosted {
		search = search || strings.HasPrefix(kind, "tool_search_tool")
	}
	sent := len(c.s.Assembly().Tools)
	if c.s.Assembly().Bridge {
		sent += 3 // the bridge
	}
	out := c.drafts(nil, append(export.RequestBreaches(sent, 0, search), export.RequestBreaches(len(c.s.Registry.Tools), deferred, search, export.Anthropic)...))
	for _, set := range c.s.Registry.Toolsets {
		for _, b := range export.InstructionBreaches(set.Instructions) {
			out = append(out, found(LongInstructions, Warning, nil, "%s: %s", set.ShownName, b).with(Remedy{Change: "say first what a model must know"}))
		}
	}
	return out
}
