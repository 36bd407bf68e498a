// Package listing chooses how much of the deferred catalog the model is shown
// before it searches. The agent of september-2026 puts a list of the deferred
// tools into the description of tool_search, in the richest form that fits a
// budget of tokens.
//
// Forms, the richest first:
//
//	full    every tool with its name and the first sentence of its description
//	names   every tool with its name
//	mixed   names, but for the largest groups, which are one line each
//	groups  one line for each group: its label and how many tools it has
//	none    nothing
//
// A group is the tools of a server or a plugin: the toolset of a tool without its
// "mcp-", or "other" for a tool without a toolset. Groups stand in the order of
// their labels, tools in the order of their names, both by code points.
//
// The size of a list, in code points, is that of its header and, for each group,
// of a line break and the group:
//
//	chars(full group)    = head + Σ (1 + len("- " + name) + len(": " + sentence))
//	chars(names group)   = head + 1 + Σ len(name) + 2·(tools - 1)
//	chars(summary group) = len of its one line
//	tokens(list)         = ⌈chars(list) / 4⌉
//
// Fits are tried in the order of the forms. Between names and groups, group after
// group becomes a summary, that with the most characters of names first, and of
// two alike the one with the smaller label; the first list that fits is taken.
// When no group keeps its names the form is groups. When not even that fits, the
// form is none.
//
// Example: "oven" has four tools and "sky-dome" six. With names the list has 406
// characters, which are 102 tokens. A budget of 102 gives names; with 101 the names
// of sky-dome, which are longer, become a line, and 61 tokens are enough; with 60 the
// form is groups, which needs 38; with 37 there is no list.
//
// Source: Hermes Agent by Nous Research (MIT), tool_search_catalog.py of September
// 2026, by the cases of testdata/listing.json. The wording is ours; the reference's
// fixed texts are a little longer, which moves the budgets at which a form changes.
//
// Invariants:
//   - a list takes at most its budget, and a larger budget never gives a poorer form
//   - the tokens of a list are those of its text
//   - the groups count every tool once
//   - the same tools and budget give the same bytes, in whatever order they come
//
// Cost: linear in the characters of the tools, and n log n in their number.
package listing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Form is how much of the catalog a list shows.
type Form string

// The forms of a list, the richest first.
const (
	Full   Form = "full"
	Names  Form = "names"
	Mixed  Form = "mixed"
	Groups Form = "groups"
	None   Form = "none"
)

// Forms are all forms, the richest first. It must not be changed.
var Forms = []Form{Full, Names, Mixed, Groups, None}

// Summary is the form of a group that is one line in a list. The other forms of a
// group are Full and Names.
const Summary Form = "summary"

// Tool is a deferred tool.
type Tool struct {
	Name, Toolset, Description string
}

// Group is one group of a list.
type Group struct {
	Label string
	Tools int
	Form  Form // Full, Names or Summary; empty when there is no list
	Chars int  // of the group in this form, in code points; 0 when there is no list

	names, sentences []string
}

// List is the part of the catalog that the model is shown.
type List struct {
	Form   Form
	Budget int // in tokens, by chars4
	Chars  int // of the text in code points; 0 for None
	Groups []Group
}

// Tokens returns what the list takes, by chars4.
func (l List) Tokens() int { return tokens(l.Chars) }

// Need is the least budget, in tokens, that gives a list a form.
type Need struct {
	Form   Form
	Tokens int
}

// Needs returns what each form needs that some budget gives, the richest first. It
// returns nothing when there is nothing to list.
func (l List) Needs() []Need {
	needs := needed(l.Groups, ours)
	var list []Need
	for _, f := range Forms {
		if n, ok := needs[f]; ok && choose(l.Groups, n, ours).Form == f {
			list = append(list, Need{f, n})
		}
	}
	return list
}

// Next returns the form that the list would have with the least budget that gives
// a richer one, and how many tokens more that is. It returns an empty form when the
// list is full or there is nothing to list.
func (l List) Next() (form Form, more int) {
	var next Need
	for _, n := range l.Needs() {
		if slices.Index(Forms, n.Form) < slices.Index(Forms, l.Form) && (next.Form == "" || n.Tokens < next.Tokens) {
			next = n
		}
	}
	if next.Form == "" {
		return "", 0
	}
	return next.Form, next.Tokens - l.Budget
}

// With returns the richest list of the same tools that fits another budget of tokens.
func (l List) With(budget int) List { return choose(l.Groups, budget, ours) }

// Without returns the list with the same groups of which the model is shown nothing.
func (l List) Without() List {
	l.Form, l.Chars, l.Groups = None, 0, slices.Clone(l.Groups)
	for i := range l.Groups {
		l.Groups[i].Form, l.Groups[i].Chars = "", 0
	}
	return l
}

// Choose returns the richest list of the tools that fits a budget of tokens.
func Choose(tools []Tool, budget int) List { return choose(grouped(tools), budget, ours) }

// Label returns the label of the group that the tools of a toolset are in.
func Label(toolset string) string {
	return strings.TrimPrefix(cmp.Or(toolset, "other"), "mcp-")
}

// grouped returns the groups of tools in the order of their labels.
func grouped(tools []Tool) []Group {
	sorted := slices.Clone(tools)
	slices.SortStableFunc(sorted, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(Label(a.Toolset), Label(b.Toolset)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Description, b.Description))
	})
	var groups []Group
	for _, t := range sorted {
		label := Label(t.Toolset)
		if n := len(groups); n == 0 || groups[n-1].Label != label {
			groups = append(groups, Group{Label: label})
		}
		g := &groups[len(groups)-1]
		g.Tools++
		g.names = append(g.names, t.Name)
		g.sentences = append(g.sentences, Sentence(t.Description))
	}
	return groups
}

// choose returns the richest list of groups that fits, with the lengths of a
// wording.
func choose(groups []Group, budget int, w wording) List {
	l := List{Form: None, Budget: budget, Groups: groups}
	if len(groups) == 0 {
		return l
	}
	for _, form := range []Form{Full, Names} {
		if chars := w.list(groups, form); tokens(chars) <= budget {
			return l.as(form, chars, slices.Repeat([]Form{form}, len(groups)), w)
		}
	}
	forms := slices.Repeat([]Form{Names}, len(groups))
	chars := w.list(groups, Names)
	for i, g := range largest(groups, w) {
		forms[g] = Summary
		chars += w.group(&groups[g], Summary) - w.group(&groups[g], Names)
		if tokens(chars) > budget {
			continue
		}
		if i == len(groups)-1 {
			return l.as(Groups, chars, forms, w)
		}
		return l.as(Mixed, chars, forms, w)
	}
	return l
}

// as returns the list in a form, with the forms of its groups.
func (l List) as(form Form, chars int, forms []Form, w wording) List {
	l.Form, l.Chars, l.Groups = form, chars, slices.Clone(l.Groups)
	for i := range l.Groups {
		g := &l.Groups[i]
		g.Form, g.Chars = forms[i], w.group(g, forms[i])
	}
	return l
}

// largest returns the indexes of groups, that with the most characters of names
// first; of equal ones the earlier.
func largest(groups []Group, w wording) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(w.group(&groups[b], Names), w.group(&groups[a], Names))
	})
	return order
}

// needed returns the least budget at which a list has each form; a form that no
// budget gives is left out.
func needed(groups []Group, w wording) map[Form]int {
	if len(groups) == 0 {
		return nil
	}
	names, full := tokens(w.list(groups, Names)), tokens(w.list(groups, Full))
	needs := map[Form]int{Full: full, Names: names}
	chars := w.list(groups, Names)
	mixed := 0
	for i, g := range largest(groups, w) {
		chars += w.group(&groups[g], Summary) - w.group(&groups[g], Names)
		if i == len(groups)-1 {
			needs[Groups] = tokens(chars)
		} else if n := tokens(chars); mixed == 0 || n < mixed {
			mixed = n
		}
	}
	if mixed != 0 {
		needs[Mixed] = mixed
	}
	return needs
}

// tokens returns how many tokens a number of characters is, by chars4.
func tokens(chars int) int { return (chars + 3) / 4 }

// wording has the lengths of the fixed texts of a list, in code points.
type wording struct {
	header      int // the first line
	head        int // of a group, without its label and number
	summary     int // the line of a summary, without label and number
	line        int // of a tool in full, without its name
	lineWithSay int // the same, with what joins name and sentence, without the sentence
	separator   int // between names
}

// list returns the size of a list whose groups all have one form.
func (w wording) list(groups []Group, form Form) int {
	chars := w.header
	for i := range groups {
		chars += 1 + w.group(&groups[i], form)
	}
	return chars
}

// group returns the size of a group in a form.
func (w wording) group(g *Group, form Form) int {
	named := utf8.RuneCountInString(g.Label) + len(strconv.Itoa(g.Tools))
	switch form {
	case Summary:
		return w.summary + named
	case Names:
		chars := w.head + named + 1 + w.separator*(g.Tools-1)
		for _, name := range g.names {
			chars += utf8.RuneCountInString(name)
		}
		return chars
	}
	chars := w.head + named
	for i, name := range g.names {
		chars += 1 + utf8.RuneCountInString(name)
		if say := g.sentences[i]; say != "" {
			chars += w.lineWithSay + utf8.RuneCountInString(say)
		} else {
			chars += w.line
		}
	}
	return chars
}
