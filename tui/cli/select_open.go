package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// preselecting is what select and compare have in common: a loaded state, and
// the settings of its configuration with the flags on top.
type preselecting struct {
	run      *run
	k        int    // 0: the config's
	strategy string // empty: the config's
	st       workbench.State
	settings selection.Settings
	selector *selection.Selector
	embedder string // identity of the embedder; empty: there is none, or none is asked
}

// The largest K, which is that of tools.rag_top_k.
const mostK = 1000

// kFlag adds --k to a set.
func (s *preselecting) kFlag(set *pflag.FlagSet) {
	set.Var(&checked{kind: "N", set: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostK {
			return fmt.Errorf("want a whole number from 1 to %d", mostK)
		}
		s.k = n
		return nil
	}}, "k", "choose the N best, instead of the config's; core tools are not counted")
}

// strategyFlag adds --strategy to a command.
func (s *preselecting) strategyFlag(cmd *cobra.Command) {
	names := make([]string, len(selection.Strategies))
	for i, strategy := range selection.Strategies {
		names[i] = string(strategy)
	}
	cmd.Flags().Var(&checked{kind: "S", set: func(name string) error {
		if !slices.Contains(names, name) {
			return errors.New("want " + strings.Join(names, ", "))
		}
		s.strategy = name
		return nil
	}}, "strategy", strings.Join(names, ", "))
	_ = cmd.RegisterFlagCompletionFunc("strategy", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// open loads the data and makes the selector. With an embedder, where the
// strategy or every strategy has one, it embeds what its index lacks, once it
// has embedded the first message in time; one that is missing, broken or slow
// is told in a line, and the selector goes by keywords.
func (s *preselecting) open(ctx context.Context, first string, everyStrategy, ignoreNames bool) error {
	st, err := s.run.loadGood(ctx)
	if err != nil {
		return err
	}
	s.st = st
	s.settings = selection.SettingsOf(st.Snapshot.Config)
	s.settings.IgnoreNames = ignoreNames
	if s.k > 0 {
		s.settings.K = s.k
	}
	if s.strategy != "" {
		s.settings.Strategy = selection.Strategy(s.strategy)
	}
	asks := everyStrategy || s.settings.Strategy == selection.Semantic ||
		s.settings.Strategy == selection.Hybrid && s.settings.Semantic > 0
	s.selector, err = selection.New(ctx, st.Snapshot, s.settings, nil, nil)
	if err != nil || !asks {
		return err
	}
	p := s.run.progress("tools embedded")
	defer p.clear()
	embedding := s.run.embedding()
	if embedding.Message = first; strings.TrimSpace(first) == "" {
		embedding.Message = "tool" // a blank text is embedded by nobody
	}
	similarity, absent := workbench.OpenSimilarity(ctx, st.Snapshot.Config.PreSelection, s.selector.Candidates(), embedding, p.report)
	if err := ctx.Err(); err != nil {
		return err
	}
	p.clear()
	if absent != nil {
		s.run.complain("caliper: " + absent.Error() + "; going on by keywords")
		similarity = nil
	} else {
		s.embedder = similarity.Identity().String()
		for _, note := range workbench.SimilarityNotes(similarity) {
			s.run.complain("caliper: " + note)
		}
	}
	s.selector = s.selector.WithSimilarity(similarity, absent)
	return nil
}

// sendable returns how many tools the session may be sent.
func (s *preselecting) sendable() int {
	n := 0
	for _, t := range s.st.Snapshot.Registry.Tools {
		if s.maySend(t) {
			n++
		}
	}
	return n
}

// maySend reports whether a session may be sent a tool.
func (s *preselecting) maySend(t *model.Tool) bool {
	return s.st.Snapshot.Granted(t) && !engine.IsBridge(t.Name)
}

// embedderNotes are the codes of notes that an embedder is to blame for, but
// for NoteNoEmbedder, of which open has told.
var embedderNotes = []string{selection.NoteEmbedderFailed, selection.NoteEmbedderSlow, selection.NoteEmbedderStuck}

// blame says in one line what an embedder failed at first, by its notes.
func (s *preselecting) blame(notes []selection.Note) {
	for _, n := range notes {
		if slices.Contains(embedderNotes, n.Code) {
			s.run.complain("caliper: " + n.Text)
			return
		}
	}
}

// embedderName returns the embedder that is asked, safe for a terminal, and
// "no embedder" when there should be one.
func embedderName(identity string) string {
	if identity == "" {
		return "no embedder"
	}
	return model.Sanitize(identity)
}

// providerOf returns the first part of an embedder's identity, which heads the
// column of its ranks: "fuzzy" is never called semantic.
func providerOf(identity string) string {
	provider, _, _ := strings.Cut(identity, ":")
	return model.Sanitize(provider)
}

// texts returns the sentences of notes, never nil.
func texts(notes []selection.Note) []string {
	out := make([]string, len(notes))
	for i, n := range notes {
		out[i] = n.Text
	}
	return out
}

// printNotes prints sentences as paragraphs of their own.
func printNotes(p *page, notes []string) {
	for _, n := range notes {
		p.paragraph(0, "Note: "+n+".")
	}
}
