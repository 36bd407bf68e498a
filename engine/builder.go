package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/model"
)

// Inputs are everything a Snapshot is a function of.
type Inputs struct {
	Registry  *model.Registry
	Config    config.Config
	Session   string            // empty: the configuration's first choice
	Tokenizer tokens.Method     // empty: chars4
	Ranking   *retrieval.Params // nil: those of the reference
	Strict    bool              // arguments that do not fit a tool's parameters are refused
}

// UnknownSessionError says that the configuration has no session of a name.
type UnknownSessionError struct {
	Name  string
	Known []string
}

// Error names the session and the ones that exist.
func (e *UnknownSessionError) Error() string {
	return fmt.Sprintf("session %q: not in the configuration, which has %s",
		model.Sanitize(e.Name), model.Sanitize(strings.Join(e.Known, ", ")))
}

// Builder builds snapshots. It remembers work that does not depend on the
// session (term statistics, token counts, indexes of the registry), keyed by
// content, so that a rebuild costs what changed. What it remembers is never
// read by a Snapshot but through what that Snapshot was built with. A Builder
// is safe for concurrent use.
type Builder struct {
	corpora   corpora
	validator *arguments.Validator

	mu     sync.Mutex
	counts map[tokens.Method]*tokens.Cache
	facts  *facts
	laid   []laid // newest first
}

// NewBuilder returns a Builder that remembers nothing yet.
func NewBuilder() *Builder {
	return &Builder{
		corpora:   newCorpora(),
		validator: arguments.NewValidator(),
		counts:    map[tokens.Method]*tokens.Cache{},
	}
}

// Build makes a Snapshot with nothing remembered. Programs that build more
// than once keep a Builder.
func Build(ctx context.Context, in Inputs) (*Snapshot, error) {
	return NewBuilder().Build(ctx, in)
}

// countsBy returns the token counts of a method.
func (b *Builder) countsBy(m tokens.Method) *tokens.Cache {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.counts[m]
	if c == nil {
		c = tokens.NewCache(m)
		b.counts[m] = c
	}
	return c
}

// ChooseSession returns the session of a name; with an empty name the one
// called default, else the first. The error is an *UnknownSessionError.
func ChooseSession(c config.Config, name string) (config.Session, error) {
	known := make([]string, len(c.Sessions))
	for i, s := range c.Sessions {
		if s.Name == name || name == "" && s.Name == "default" {
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
// The error is ctx's, or an *UnknownSessionError.
func (b *Builder) Build(ctx context.Context, in Inputs) (*Snapshot, error) {
	session, err := ChooseSession(in.Config, in.Session)
	if err != nil {
		return nil, err
	}
	if in.Tokenizer == "" {
		in.Tokenizer = tokens.Chars4
	}
	s := &Snapshot{
		Registry:  in.Registry,
		Config:    in.Config,
		Session:   session,
		Tokenizer: in.Tokenizer,
		Ranking:   retrieval.Reference,
		Strict:    in.Strict,
		core:      coreSet(in.Config.Core),
		validator: b.validator,
		corpora:   b.corpora,
	}
	if in.Ranking != nil {
		s.Ranking = *in.Ranking
	}
	if err := b.study(ctx, s); err != nil {
		return nil, err
	}
	s.class = classes(in.Registry, s.core)
	s.granted = s.facts.scopes.grant(session)
	for _, t := range s.facts.byName {
		if s.cataloged(t, s.granted) {
			s.catalog = append(s.catalog, t)
		}
	}
	s.inCatalog = make(map[*model.Tool]int, len(s.catalog))
	for i, t := range s.catalog {
		s.inCatalog[t] = i
	}
	if s.index, err = b.indexOf(ctx, s.catalog, s.ranking()); err != nil {
		return nil, err
	}
	s.decide()
	return s, nil
}
