package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/retrieval"
	"caliper/engine/scope"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
)

// Inputs are everything that a Snapshot depends on.
type Inputs struct {
	Registry  *model.Registry
	Config    config.Config
	Session   string            // empty: the configuration's first choice
	Tokenizer tokens.Method     // empty: chars4
	Ranking   *retrieval.Params // nil: the reference's
	Lessons   *Lessons          // what the ranker learned learns from; nil for nothing
	Strict    bool              // arguments that do not fit a tool's parameters are refused

	// WithoutGates names scope gates that are left out, to show what each of
	// them stops: GateScopeCatalog, with which search and describe read the
	// whole registry too, and GateScopeExecutor. It is for dry runs alone.
	WithoutGates []string

	// Message is the user's message that the assembly is for; empty: one that
	// selects nothing. Select returns what it selects under the strategy of the
	// configuration, the always-sent tools first, in the order in which they
	// are sent. It is given the snapshot without a message, and is not asked
	// for an empty one nor for a strategy that looks at no message. Nil selects
	// nothing.
	Message string
	Select  func(ctx context.Context, s *Snapshot, message string) ([]*model.Tool, error)

	// OnDemand puts off what Build would do beforehand, for those who ask little of
	// a snapshot: the tokens of the definitions are counted and the catalog is
	// indexed when that is first needed. It changes no answer.
	OnDemand bool

	passing bool // the index is not kept for later builds

	// Began is called with each step of a build as it begins, by the goroutine
	// that builds; it may be nil. A snapshot does not depend on it.
	Began func(Work)
}

// Work is a step of a build that takes long for a large registry.
type Work int

// The steps of a build, in their order.
const (
	WorkCounting Work = iota // the tokens of every definition are counted
	WorkIndexing             // the searchable tools are indexed
)

// UnknownSessionError is the error that the configuration has no session of a name.
type UnknownSessionError struct {
	Name  string
	Known []string
}

// Error names the session and the ones that exist.
func (e *UnknownSessionError) Error() string {
	return fmt.Sprintf("session %q: not in the configuration, which has %s",
		safetext.Line(e.Name), safetext.Line(strings.Join(e.Known, ", ")))
}

// Builder builds snapshots. It remembers work that does not depend on the
// session (term statistics, token counts, indexes of the registry), keyed by
// content, so that a rebuild costs only what changed. What it remembers is never
// read by a Snapshot but through what that Snapshot was built with. A Builder
// is safe for concurrent use.
type Builder struct {
	// Counting is the Progress of the token counts; nil for none. It is set before the
	// first build.
	Counting func(done, total int)

	corpora   corpora
	validator *arguments.Validator

	mu      sync.Mutex
	counts  map[tokens.Method]*tokens.Cache
	facts   *facts
	indexes []keptIndex // newest first
	recent  recent
}

// NewBuilder returns a Builder that remembers nothing yet.
func NewBuilder() *Builder {
	c := corpora{}
	for name, kind := range rankers {
		if kind.indexer != nil {
			c[name] = sync.OnceValue(kind.indexer)
		}
	}
	return &Builder{
		corpora:   c,
		validator: arguments.NewValidator(),
		counts:    map[tokens.Method]*tokens.Cache{},
	}
}

// Build makes a Snapshot with nothing remembered. Programs that build more
// than once keep a Builder.
func Build(ctx context.Context, in Inputs) (*Snapshot, error) {
	return NewBuilder().Build(ctx, in)
}

// ChooseSession returns the session of a name; with an empty name the one
// called default, else the first. The error is an *UnknownSessionError.
func ChooseSession(c config.Config, name string) (config.Session, error) {
	choosable := c.Choosable()
	known := make([]string, len(choosable))
	for i, s := range choosable {
		// SECURITY: the default session that a file does not name is not the one taken for none.
		if s.Name == name || name == "" && s.Name == config.DefaultSession && i < len(c.Sessions) {
			return s, nil
		}
		known[i] = s.Name
	}
	if name == "" && len(c.Sessions) > 0 {
		return c.Sessions[0], nil
	}
	return config.Session{}, &UnknownSessionError{Name: name, Known: known}
}

// Build makes a Snapshot of one session. Equal inputs give equal snapshots.
// The error is ctx's, Inputs.Select's, or an *UnknownSessionError.
func (b *Builder) Build(ctx context.Context, in Inputs) (*Snapshot, error) {
	session, err := ChooseSession(in.Config, in.Session)
	if err != nil {
		return nil, err
	}
	if in.Tokenizer == "" {
		in.Tokenizer = tokens.Chars4
	}
	message, selecting, began := in.Message, in.Select, in.Began
	in.Message, in.Began = "", nil
	b.mu.Lock()
	s := b.recent.of(in)
	b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s == nil {
		if s, err = b.build(ctx, in, session, began); err != nil {
			return nil, err
		}
	}
	if message == "" {
		return s, nil
	}
	return b.Answer(ctx, s, message, selecting)
}

// build makes a Snapshot without a message of a session.
func (b *Builder) build(ctx context.Context, in Inputs, session config.Session, began func(Work)) (*Snapshot, error) {
	if began == nil {
		began = func(Work) {}
	}
	given := in.Config
	in.Config = as(given)
	s := &Snapshot{
		Registry:   in.Registry,
		Config:     in.Config,
		Session:    session,
		Tokenizer:  in.Tokenizer,
		Ranking:    retrieval.Reference,
		Strict:     in.Strict,
		inputs:     in,
		classifier: NewClassifier(in.Config),
		validator:  b.validator,
		corpora:    b.corpora,
		findings:   new(sync.Map),
	}
	s.inputs.Config = given
	if in.Ranking != nil {
		s.Ranking = *in.Ranking
	}
	s.facts, s.sizes = b.factsOf(s.Registry, s.Tokenizer)
	if !in.OnDemand {
		began(WorkCounting)
		go s.facts.byName()   // the catalog needs it next
		go s.facts.executor() // and the first call
		if err := s.sizes.Count(ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.classByName = make([]Class, len(in.Registry.Tools))
	for i, t := range in.Registry.Tools {
		c := s.classifier.Class(t.Name, t.Toolset, true)
		if c == Deferrable && t.Always && !s.classifier.deferred[t.Name] { // its source has it always sent
			c = Visible
		}
		s.classByName[i] = c
	}
	s.executor = sync.OnceValue(func() *scope.Session { return s.facts.executor().Serving(session, in.Config) })
	s.granted = s.facts.scopes.Grant(session, in.Config)
	s.division = s.divide(s.granted)
	s.activation = s.activate(s.granted)
	s.activation.Active = s.activation.Active && !session.InFull
	s.send(s.Assemble(in.Config.Selection, s.unselected(s.granted)))
	s.catalog = newCatalog(b.indexerOf(in), s)
	if !in.OnDemand {
		began(WorkIndexing)
		if err := s.Prepare(ctx, WorkIndexing); err != nil {
			return nil, err
		}
		s.executor() // a screen tries the call of the selected tool at once
	}
	if !in.passing {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.recent.add(s)
	}
	return s, nil
}

// Answer returns the snapshot that Build would return for the inputs of s with
// another message. It costs the selection and an index of the tools left out. The
// error is ctx's or selecting's.
func (b *Builder) Answer(ctx context.Context, s *Snapshot, message string, selecting func(ctx context.Context, s *Snapshot, message string) ([]*model.Tool, error)) (*Snapshot, error) {
	out := *s
	out.findings = new(sync.Map)
	out.inputs.Message, out.inputs.Select = message, selecting
	if out.unasked = nil; message != "" {
		out.unasked = s.Unasked()
	}
	selected := s.unselected(s.granted)
	if message != "" && selecting != nil && (PreSelects(s.Config.Selection) && s.Config.Selection != config.SelectLazy) {
		var err error
		if selected, err = selecting(ctx, s, message); err != nil {
			return nil, err
		}
	}
	out.send(s.Assemble(s.Config.Selection, selected))
	out.catalog = newCatalog(b.indexerOf(s.inputs), &out)
	if out.inputs.OnDemand {
		return &out, ctx.Err()
	}
	return &out, out.Prepare(ctx, WorkIndexing)
}

// facts is computed from a registry alone, without a session; each of them when
// it is first asked for.
type facts struct {
	registry  *model.Registry
	scopes    *scope.Resolver
	executor  func() *scope.Executor
	byName    func() []*model.Tool // sorted by name, then qualified name: catalog order
	qualified func() []*model.Tool // sorted by qualified name

	sizes map[tokens.Method]*tokens.Sizes // the Builder's mutex guards the map
}

// factsOf returns the facts of a registry, and the sizes of its definitions by a
// method. Both are the last build's if that was of the same registry.
func (b *Builder) factsOf(r *model.Registry, m tokens.Method) (*facts, *tokens.Sizes) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counts[m] == nil {
		b.counts[m] = tokens.NewCache(m)
		b.counts[m].Progress = b.Counting
	}
	if b.facts == nil || b.facts.registry != r {
		f := &facts{
			registry: r, scopes: scope.NewResolver(r), sizes: map[tokens.Method]*tokens.Sizes{},
			executor: sync.OnceValue(func() *scope.Executor { return scope.NewExecutor(r) }),
			byName:   sync.OnceValue(func() []*model.Tool { return sortedByName(r.Tools) }),
		}
		f.qualified = sync.OnceValue(func() []*model.Tool {
			return slices.SortedStableFunc(slices.Values(f.byName()), func(a, b *model.Tool) int { return strings.Compare(a.Qualified, b.Qualified) })
		})
		b.facts, b.indexes = f, nil
	}
	z := b.facts.sizes[m]
	if z == nil {
		z = &tokens.Sizes{Cache: b.counts[m], Registry: r}
		b.facts.sizes[m] = z
	}
	return b.facts, z
}
