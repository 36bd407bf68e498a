package lint

import (
	"fmt"
	"slices"

	"caliper/model"
)

// leastCatalog is the number of tools from which on it means something that
// half of them have a word.
const leastCatalog = 10

// weightless returns the words of more than half of the catalog, but for
// function words, sorted: a query gains next to nothing by them. A word that half of the
// catalog needs in its prose is nothing to take out, so there is no remedy.
func (c *check) weightless() []draft {
	catalog := c.s.Catalog()
	if len(catalog) < leastCatalog {
		return nil
	}
	var out []draft
	for _, w := range c.s.Vocabulary().Frequent() {
		if functionWords[w] {
			continue
		}
		out = append(out, found(WeightlessWord, Info, nil, `"%s" is in %d of %d tools`, w, c.s.Vocabulary().Tools(w), len(catalog)))
	}
	return out
}

// policy returns the rules of the policy that cannot do what they were written
// for. No change of a tool is a remedy.
func (c *check) policy() []draft {
	var out []draft
	for _, f := range c.s.RuleFaults() {
		code, severity := IdleRule, Warning
		if f.Malformed != nil {
			code, severity = MalformedGlob, Error
		}
		where := fmt.Sprintf("policy[%d]", f.Index)
		if f.Rule.Line > 0 {
			where += fmt.Sprintf(" at %d:%d of the configuration", f.Rule.Line, f.Rule.Col)
		}
		out = append(out, found(code, severity, nil, "%s: %s", where, f.Message()))
	}
	return out
}

// skillWarnings are the codes of skills that an agent takes.
var skillWarnings = []Code{SkillName, SkillFolder, SkillDescription, SkillYAML, SkillCut}

// skills returns the findings about the faults of skills.
func skills(faults []model.Diagnostic) (out []draft) {
	for _, d := range faults {
		code, severity := Code(d.Code), Warning
		if !slices.Contains(skillWarnings, code) {
			code, severity = SkillUnread, Error
		}
		f := found(code, severity, nil, "%s", d.Error())
		f.At = &d
		out = append(out, f)
	}
	return out
}
