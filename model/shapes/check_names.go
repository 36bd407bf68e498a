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

// nameFault returns what OpenAI and Anthropic, which most agents ask, refuse in a name; "" for
// nothing.
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

// NameWarnings returns the warning of a name that a tool is given, none where providers take it.
func NameWarnings(r *model.Registry, t *model.Tool, name string) []model.Diagnostic {
	fault := nameFault(name)
	if fault == "" {
		return nil
	}
	s := r.Sources[t.At.Source]
	return []model.Diagnostic{model.DiagnosticAt(s, jsontree.NewLines(s.Data), jsontree.Fault{At: int(t.At.Byte), Code: codeNameRule, Message: fault})}
}

// checkNames warns of names that a provider refuses, and of different ones that look alike: equal
// to Unicode, canonically (NFC) or by compatibility (NFKC).
func (b *builder) checkNames() {
	folded := map[string]int{} // folded name: first tool that has it
	for i, t := range b.r.Tools {
		if fault := nameFault(t.Name); fault != "" {
			b.note(i, codeNameRule, fault)
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
			b.note(i, "lookalike_name", "looks like the name at "+b.whereIs(first)+" but is spelled with other characters")
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
