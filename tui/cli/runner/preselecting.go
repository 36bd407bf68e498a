package runner

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// Preselecting is shared by select and compare: a loaded state, and
// the settings of its configuration with the flags on top.
type Preselecting struct {
	Run           *Run
	k             int    // 0: the config's
	Strategy      string // empty: the config's
	report.Chosen        // for a report
	Selector      *selection.Selector
	Embedder      string // identity of the embedder; empty: there is none, or none is asked
}

// KFlag adds --k. It takes what tools.rag_top_k takes.
func (s *Preselecting) KFlag(f FlagSet) {
	k, _ := config.SpecOf("tools.rag_top_k")
	f.Value("k", "N", "choose the N best, instead of the config's; always-sent tools are not counted", func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || float64(n) != k.Clamp(float64(n)) {
			return fmt.Errorf("want %s", k.Takes())
		}
		s.k = n
		return nil
	})
}

// Open loads the data and makes the selector. With an embedder, where the
// strategy or every strategy has one, it embeds what its index lacks, once it
// has embedded the first message in time; without one that is missing, broken or
// slow the selector goes by keywords.
func (s *Preselecting) Open(ctx context.Context, first string, everyStrategy, ignoreNames bool) error {
	st, err := s.Run.LoadGood(ctx)
	if err != nil {
		return err
	}
	s.Chosen = report.Chosen{State: st, Settings: selection.SettingsOf(st.Snapshot.Config), Flagged: s.Strategy != ""}
	s.Settings.IgnoreNames = ignoreNames
	if s.k > 0 {
		s.Settings.K = s.k
	}
	if s.Strategy != "" {
		s.Settings.Strategy = selection.Strategy(s.Strategy)
	}
	asks := everyStrategy || s.Settings.Strategy == selection.Semantic ||
		s.Settings.Strategy == selection.Hybrid && s.Settings.Semantic > 0
	s.Selector, err = selection.New(ctx, st.Snapshot, s.Settings, nil, nil)
	if err != nil || !asks {
		return err
	}
	if strings.TrimSpace(first) == "" {
		first = "tool" // a blank text is embedded by nobody
	}
	similarity, absent := s.Run.SimilarityTo(ctx, first, st.Snapshot.Config.PreSelection, s.Selector.Candidates())
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case absent != nil:
		similarity = nil
	default:
		s.Embedder = similarity.Identity().String()
		for _, note := range workbench.SimilarityNotes(similarity) {
			s.Run.Complain("caliper: " + note)
		}
	}
	s.Selector = s.Selector.WithSimilarity(similarity, absent)
	return nil
}

// MaySend reports whether a session may be sent a tool.
func (s *Preselecting) MaySend(t *model.Tool) bool {
	return s.State.Snapshot.Granted(t) && !engine.IsBridge(t.Name)
}

// Blame writes in one line what an embedder failed at first, by its notes. Of a missing one Open
// has complained.
func (s *Preselecting) Blame(notes []selection.Note) {
	for _, n := range notes {
		switch n.Code {
		case selection.NoteEmbedderFailed, selection.NoteEmbedderSlow, selection.NoteEmbedderWaking, selection.NoteEmbedderStuck:
			s.Run.Complain("caliper: " + n.Text)
			return
		}
	}
}

// Texts returns the sentences of notes for JSON.
func Texts(notes []selection.Note) []string {
	return Array(notes, func(n selection.Note) string { return n.Text })
}
