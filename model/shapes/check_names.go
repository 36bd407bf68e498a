package shapes

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// longestShown is how much of a name that is too long a warning shows, in characters.
const longestShown = 200

// nameFault returns the rules of OpenAI and Anthropic, which most agents ask, that a
// name breaks, and "" for none.
func nameFault(name string) string {
	openAI, anthropic := model.NameRules[0], model.NameRules[1]
	if _, odd := openAI.Odd(name); odd {
		return "OpenAI and Anthropic take only letters, digits, _ and - in names"
	}
	if len(name) <= openAI.Longest {
		return ""
	}
	longer := ""
	if len(name) > anthropic.Longest {
		longer = fmt.Sprintf(", and Anthropic %d", anthropic.Longest)
	}
	return fmt.Sprintf("a name of %d characters, %s; OpenAI and %s take %d%s", len(name), words.Clip(name, longestShown), model.ToolSearch, openAI.Longest, longer)
}

// codeNameRule is the code of a warning of what nameFault says.
const codeNameRule = "name_rule"

// NameWarnings returns the warning of a name that a tool of a registry is given, none
// where providers take it.
func NameWarnings(r *model.Registry, t *model.Tool, name string) []model.Diagnostic {
	fault := nameFault(name)
	if fault == "" {
		return nil
	}
	s := r.Sources[t.At.Source]
	return []model.Diagnostic{model.DiagnosticAt(s, jsontree.NewLines(s.Data), jsontree.Fault{At: int(t.At.Byte), Code: codeNameRule, Message: fault})}
}

// checkNames warns of names that a provider refuses, and of different names
// that look alike: those that Unicode holds equal, canonically (NFC) or by
// compatibility (NFKC).
func (b *builder) checkNames() {
	folded := map[string]int{} // folded name: first tool that has it
	for i, t := range b.r.Tools {
		if fault := nameFault(t.Name); fault != "" {
			b.note(i, codeNameRule, func() string { return fault })
		}
		if strings.IndexFunc(t.Name, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
			continue
		}
		fold := norm.NFKC.String(t.Name)
		first, ok := folded[fold]
		if same := b.r.Lookup(fold); !ok && same != nil && same[0].Name == fold {
			first, ok = same[0].Index, true
		}
		if !ok {
			folded[fold] = i
			continue
		}
		if b.r.Tools[first].Name != t.Name {
			b.note(i, "lookalike_name", func() string {
				return "looks like the name at " + b.whereIs(first) + " but is spelled with other characters"
			})
		}
	}
}

// firstFew returns the first names of a list, and how many more there are.
func firstFew(names []string) string {
	const shown = 5
	list := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// checkLists warns of toolsets that list names which nobody defines.
func (b *builder) checkLists() {
	for _, t := range b.r.Toolsets {
		var unknown []string
		seen := map[string]bool{}
		for _, name := range t.Tools {
			if b.r.Lookup(name) == nil && !seen[name] {
				seen[name] = true
				unknown = append(unknown, name)
			}
		}
		if len(unknown) == 0 {
			continue
		}
		message := "lists " + words.CountOf(len(unknown), "name that no source defines: ", "names that no source defines: ") + firstFew(unknown)
		p := b.lists[t.Name]
		if !b.tells(p.source, "unlisted_tool") {
			continue
		}
		b.notes = append(b.notes, note{p.source, jsontree.Fault{At: p.at, Code: "unlisted_tool", Path: jsontree.JoinName("toolsets", t.Name), Message: message}})
	}
}
