package lint

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"caliper/engine"
	"caliper/engine/arguments"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// draft is a finding whose remedy is still to be computed.
type draft struct {
	Finding
	attempts
}

// attempts is how the remedy of a finding is looked for.
type attempts struct {
	plans func() []Remedy // changes to try, the least first; nil: no remedy is known
	seek  string          // the remedy must raise the tool's rank for this query, so it counts only after it was tried; empty: it need not
	other bool            // another finding about the tool has a remedy that makes this fault smaller
}

// check is a snapshot with the statistics that the checks of all tools share.
type check struct {
	s         *engine.Snapshot
	validator *arguments.Validator
	inCatalog map[*model.Tool]bool
	sameText  map[string][]*model.Tool // by description
	near      *neighbours
	before    [][]fault // by Tool.Index: findings before any change, the worst of each code
	limit     int       // the cut line

	reading sync.Mutex
	reader  *engine.Snapshot // with the ranker of plans that change it; nil until one is tried
}

// newCheck returns a check of a snapshot. Run adds what compares tools.
func newCheck(s *engine.Snapshot) *check {
	c := &check{
		s: s, validator: arguments.NewValidator(),
		limit:     engine.ClampLimit(s.Config.ToolSearch, s.Config.ToolSearch.DefaultLimit),
		inCatalog: make(map[*model.Tool]bool, len(s.Catalog())), sameText: map[string][]*model.Tool{},
	}
	for _, t := range s.Catalog() {
		c.inCatalog[t] = true
	}
	return c
}

// found returns a finding without a remedy.
func found(code Code, severity Severity, t *model.Tool, format string, args ...any) draft {
	return draft{Finding: Finding{Code: code, Severity: severity, Tool: t, Message: words.Message(safetext.Line(fmt.Sprintf(format, args...)))}}
}

// with returns the draft with one change to try.
func (d draft) with(p Remedy) draft {
	p.Change = safetext.Line(p.Change)
	d.plans = func() []Remedy { return []Remedy{p} }
	return d
}

// about makes a remedy report the rank of a tool for a query, if search can find
// the tool.
func (c *check) about(p Remedy, t *model.Tool, query string) Remedy {
	if c.inCatalog[t] && query != "" {
		p.Subject, p.Query = t, query
	}
	return p
}

// mentioning returns the remedy to add words to the description of a tool, as why-not does.
func mentioning(t *model.Tool, list []string) Remedy {
	return Remedy{
		Change: safetext.Line("mention " + words.And(list) + " in the description"),
		Edits:  description(t, whatif.Mention(t.Description, strings.Join(list, " "))),
	}
}

// description returns an edit of a tool's description.
func description(t *model.Tool, text string) []whatif.Edit {
	return []whatif.Edit{{Tool: t, Description: &text}}
}

// parallel calls f with every number below n, on all processors. The error is
// ctx's, and then some were not called.
func parallel(ctx context.Context, n int, f func(i int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// counter reports how much is done.
type counter struct {
	mu          sync.Mutex
	done, total int
	report      func(done, total int)
}

// step counts one more that is done.
func (p *counter) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done++; p.report != nil {
		p.report(p.done, p.total)
	}
}
