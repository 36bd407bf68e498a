package tokens

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A List is how much of the deferred catalog the model is shown
// before it searches, and ChooseList chooses it. The agent of september-2026 puts a list of the deferred
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

// ListForm is how much of the catalog a list shows.
type ListForm string

// The forms of a list, the richest first.
const (
	ListFull   ListForm = "full"
	ListNames  ListForm = "names"
	ListMixed  ListForm = "mixed"
	ListGroups ListForm = "groups"
	ListNone   ListForm = "none"
)

// ListForms are all forms, the richest first. It must not be changed.
var ListForms = []ListForm{ListFull, ListNames, ListMixed, ListGroups, ListNone}

// ListSummary is the form of a group that is one line in a list. The other forms of a
// group are Full and Names.
const ListSummary ListForm = "summary"

// ListTool is a deferred tool.
type ListTool struct {
	Name, Toolset, Description string
}

// ListGroup is one group of a list.
type ListGroup struct {
	Label string
	Tools int
	Form  ListForm // Full, Names or Summary; empty when there is no list
	Chars int      // of the group in this form, in code points; 0 when there is no list

	names, sentences []string
}

// List is the part of the catalog that the model is shown.
type List struct {
	Form   ListForm
	Budget int // in tokens, by chars4
	Chars  int // of the text in code points; 0 for None
	Groups []ListGroup
}

// Tokens returns what the list takes, by chars4.
func (l List) Tokens() int { return chars4(l.Chars) }

// ListNeed is the least budget, in tokens, that gives a list a form.
type ListNeed struct {
	Form   ListForm
	Tokens int
}

// Needs returns what each form needs that some budget gives, the richest first. It
// returns nothing when there is nothing to list.
func (l List) Needs() []ListNeed {
	if len(l.Groups) == 0 {
		return nil
	}
	names, full := chars4(ours.list(l.Groups, ListNames)), chars4(ours.list(l.Groups, ListFull))
	needs := map[ListForm]int{ListFull: full, ListNames: names} // the least budget of each form
	chars := ours.list(l.Groups, ListNames)
	mixed := 0
	for i, g := range largest(l.Groups, ours) {
		chars += ours.group(&l.Groups[g], ListSummary) - ours.group(&l.Groups[g], ListNames)
		if i == len(l.Groups)-1 {
			needs[ListGroups] = chars4(chars)
		} else if n := chars4(chars); mixed == 0 || n < mixed {
			mixed = n
		}
	}
	if mixed != 0 {
		needs[ListMixed] = mixed
	}
	var list []ListNeed
	for _, f := range ListForms {
		if n, ok := needs[f]; ok && chooseList(l.Groups, n, ours).Form == f {
			list = append(list, ListNeed{f, n})
		}
	}
	return list
}

// With returns the richest list of the same tools that fits another budget of tokens.
func (l List) With(budget int) List { return chooseList(l.Groups, budget, ours) }

// Without returns the list with the same groups of which the model is shown nothing.
func (l List) Without() List {
	l.Form, l.Chars, l.Groups = ListNone, 0, slices.Clone(l.Groups)
	for i := range l.Groups {
		l.Groups[i].Form, l.Groups[i].Chars = "", 0
	}
	return l
}

// ChooseList returns the richest list of the tools that fits a budget of tokens.
func ChooseList(tools []ListTool, budget int) List {
	return chooseList(listGroups(tools), budget, ours)
}

// GroupLabel returns the label of the group that the tools of a toolset are in.
func GroupLabel(toolset string) string {
	return strings.TrimPrefix(cmp.Or(toolset, "other"), "mcp-")
}

// listGroups returns the groups of tools in the order of their labels.
func listGroups(tools []ListTool) []ListGroup {
	sorted := slices.Clone(tools)
	slices.SortStableFunc(sorted, func(a, b ListTool) int {
		return cmp.Or(cmp.Compare(GroupLabel(a.Toolset), GroupLabel(b.Toolset)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Description, b.Description))
	})
	var groups []ListGroup
	for _, t := range sorted {
		label := GroupLabel(t.Toolset)
		if n := len(groups); n == 0 || groups[n-1].Label != label {
			groups = append(groups, ListGroup{Label: label})
		}
		g := &groups[len(groups)-1]
		g.Tools++
		g.names = append(g.names, t.Name)
		g.sentences = append(g.sentences, FirstSentence(t.Description))
	}
	return groups
}

// chooseList returns the richest list of groups that fits, with the lengths of a
// wording.
func chooseList(groups []ListGroup, budget int, w wording) List {
	l := List{Form: ListNone, Budget: budget, Groups: groups}
	if len(groups) == 0 {
		return l
	}
	for _, form := range []ListForm{ListFull, ListNames} {
		if chars := w.list(groups, form); chars4(chars) <= budget {
			return l.as(form, chars, slices.Repeat([]ListForm{form}, len(groups)), w)
		}
	}
	forms := slices.Repeat([]ListForm{ListNames}, len(groups))
	chars := w.list(groups, ListNames)
	for i, g := range largest(groups, w) {
		forms[g] = ListSummary
		chars += w.group(&groups[g], ListSummary) - w.group(&groups[g], ListNames)
		if chars4(chars) > budget {
			continue
		}
		if i == len(groups)-1 {
			return l.as(ListGroups, chars, forms, w)
		}
		return l.as(ListMixed, chars, forms, w)
	}
	return l
}

// as returns the list in a form, with the forms of its groups.
func (l List) as(form ListForm, chars int, forms []ListForm, w wording) List {
	l.Form, l.Chars, l.Groups = form, chars, slices.Clone(l.Groups)
	for i := range l.Groups {
		g := &l.Groups[i]
		g.Form, g.Chars = forms[i], w.group(g, forms[i])
	}
	return l
}

// largest returns the indexes of groups, that with the most characters of names
// first; of equal ones the earlier.
func largest(groups []ListGroup, w wording) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(w.group(&groups[b], ListNames), w.group(&groups[a], ListNames))
	})
	return order
}

// chars4 returns how many tokens a number of characters is, by chars4.
func chars4(chars int) int { return (chars + 3) / 4 }

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
func (w wording) list(groups []ListGroup, form ListForm) int {
	chars := w.header
	for i := range groups {
		chars += 1 + w.group(&groups[i], form)
	}
	return chars
}

// group returns the size of a group in a form.
func (w wording) group(g *ListGroup, form ListForm) int {
	named := utf8.RuneCountInString(g.Label) + len(strconv.Itoa(g.Tools))
	switch form {
	case ListSummary:
		return w.summary + named
	case ListNames:
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
