package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/arguments"
	"caliper/model"
)

// draft is a finding whose remedy is still to be computed.
type draft struct {
	Finding
	plans func() []plan // changes to try, the least first; nil: no remedy is known
	seek  bool          // the remedy is about a rank, and worth nothing untried
}

// plan is a change that may be a remedy.
type plan struct {
	change  string // safe for a terminal
	edits   []engine.Edit
	query   string
	subject *model.Tool // whose rank for query is told; nil: none
	settles func() bool // of a finding about the catalog: whether it is gone behind the change; nil: it is
}

// check is a snapshot with what is counted once for all of its tools.
type check struct {
	s         *engine.Snapshot
	validator *arguments.Validator
	words     [][]string // by Tool.Index: distinct words of name, description and parameter names
	df        map[string]int
	inCatalog map[*model.Tool]bool
	sameText  map[string][]*model.Tool // by description
	attacks   map[*model.Tool]string   // what talks to the model
	near      *neighbours
	before    map[*model.Tool]map[Code]Severity // what is found, the worst of each code
	limit     int                               // the cut line
}

func newCheck(ctx context.Context, s *engine.Snapshot) (*check, error) {
	c := &check{
		s: s, validator: arguments.NewValidator(),
		words: make([][]string, len(s.Registry.Tools)), df: map[string]int{},
		limit:     s.Search("", 0, 0).Limit,
		inCatalog: make(map[*model.Tool]bool, len(s.Catalog())), sameText: map[string][]*model.Tool{},
	}
	tools := s.Registry.Tools
	err := parallel(ctx, len(tools), func(i int) { c.words[i] = toolWords(tools[i]) })
	if err != nil {
		return nil, err
	}
	for _, t := range s.Catalog() {
		c.inCatalog[t] = true
		for _, w := range c.words[t.Index] {
			c.df[w]++
		}
	}
	for _, t := range tools {
		if text := strings.TrimSpace(t.Description); text != "" {
			c.sameText[text] = append(c.sameText[text], t)
		}
	}
	c.attacks, err = attacks(ctx, tools)
	return c, err
}

// toolWords returns the distinct words by which tools are told apart: those of
// the name, the description and the parameter names.
func toolWords(t *model.Tool) []string {
	words := textWords(t.Name)
	words = append(words, textWords(t.Description)...)
	for _, name := range t.PropertyNames() {
		words = append(words, textWords(name)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// look looks at one tool by itself, which may be one that an edit has made of
// a tool of the registry. attack is what of its texts talks to the model.
func (c *check) look(t *model.Tool, attack string) []draft {
	var out []draft
	out = append(out, c.name(t)...)
	out = append(out, c.description(t)...)
	out = append(out, c.text(t, attack)...)
	out = append(out, c.commands(t)...)
	return append(out, c.schema(t)...)
}

// found returns a finding without a remedy.
func found(code Code, severity Severity, t *model.Tool, format string, args ...any) draft {
	return draft{Finding: Finding{Code: code, Severity: severity, Tool: t, Message: model.Sanitize(fmt.Sprintf(format, args...))}}
}

// with returns the draft with one change to try.
func (d draft) with(p plan) draft {
	p.change = model.Sanitize(p.change)
	d.plans = func() []plan { return []plan{p} }
	return d
}

// about makes a plan tell the rank of a tool for a query, if search can find
// the tool.
func (c *check) about(p plan, t *model.Tool, query string) plan {
	if c.inCatalog[t] && query != "" {
		p.subject, p.query = t, query
	}
	return p
}

// description returns an edit of a tool's description.
func description(t *model.Tool, text string) []engine.Edit {
	return []engine.Edit{{Tool: t, Description: &text}}
}

// names returns the names of tools as a list, safe for a terminal.
func names(tools []*model.Tool) string {
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = t.ShownName
	}
	return strings.Join(list, ", ")
}
