package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// preselecting is shared by select and compare: a loaded state, and
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

// kFlag adds --k. It takes what tools.rag_top_k takes.
func (s *preselecting) kFlag(f flagSet) {
	k, _ := config.SpecOf("tools.rag_top_k")
	f.value("k", "N", "choose the N best, instead of the config's; always-sent tools are not counted", func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || float64(n) != k.Clamp(float64(n)) {
			return fmt.Errorf("want %s", k.Takes())
		}
		s.k = n
		return nil
	})
}

// open loads the data and makes the selector. With an embedder, where the
// strategy or every strategy has one, it embeds what its index lacks, once it
// has embedded the first message in time; without one that is missing, broken or
// slow the selector goes by keywords.
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
	if strings.TrimSpace(first) == "" {
		first = "tool" // a blank text is embedded by nobody
	}
	similarity, absent := s.run.similarityTo(ctx, first, st.Snapshot.Config.PreSelection, s.selector.Candidates())
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case absent != nil:
		similarity = nil
	default:
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
// for NoteNoEmbedder, which open has complained of.
var embedderNotes = []string{selection.NoteEmbedderFailed, selection.NoteEmbedderSlow, selection.NoteEmbedderWaking, selection.NoteEmbedderStuck}

// blame writes in one line what an embedder failed at first, by its notes.
func (s *preselecting) blame(notes []selection.Note) {
	for _, n := range notes {
		if slices.Contains(embedderNotes, n.Code) {
			s.run.complain("caliper: " + n.Text)
			return
		}
	}
}

// chosen returns what selects, for a report.
func (s *preselecting) chosen() report.Chosen {
	return report.Chosen{State: s.st, Settings: s.settings, Flagged: s.strategy != ""}
}

// texts returns the sentences of notes for JSON.
func texts(notes []selection.Note) []string {
	return array(notes, func(n selection.Note) string { return n.Text })
}
