package strategies

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// indexed is the source of the index. The index is kept from state to state
// while that is the same. Its address tells one making of it from another.
type indexed struct {
	source indexSource
	tools  []*model.Tool // by name
}

// indexSource is the embedder that an index is made by.
type indexSource struct{ model, url string }

func sourceOf(p config.PreSelection) indexSource { return indexSource{p.EmbedModel, p.EmbedURL} }

// Why there is no index, besides faults of the model.
var (
	errIndexing       = errors.New("the index is being made")
	errIndexCancelled = errors.New("making the index was cancelled")
)

// embedTimeoutMsg tells that the embedder of an index did not answer in the time of a message.
type embedTimeoutMsg *indexed

// index is the index as it is known at one time.
type index struct {
	indexed
	similarity embed.Similarity // nil if it could not be made
	absent     error            // why it could not be made
}

// index returns the index; ok is false while it is being made.
func (s *Screen) index() (x index, ok bool) {
	if !s.indexing.Begun || s.indexing.Running {
		return index{}, false
	}
	return index{*s.indexing.Of, s.similarity, s.absent()}, true
}

// absent returns why there is no index, nil while there is one or it is not known yet.
func (s *Screen) absent() error {
	if s.indexing.Stopped {
		return errIndexCancelled
	}
	return s.indexing.Err
}

// makeIndex begins to make the index of the selector's tools, unless it is there or begun.
func (s *Screen) makeIndex() tea.Cmd {
	p := s.state.Config.PreSelection
	of := &indexed{sourceOf(p), s.selector.Candidates()}
	if now := s.indexing.Of; s.indexing.Begun && now.source == of.source && slices.Equal(now.tools, of.tools) {
		return nil
	}
	s.similarity, s.silent, s.waking = nil, false, false
	tools, embedding, open := of.tools, s.options.Embedding, s.options.Open
	if open == nil {
		open = workbench.OpenSimilarity
	}
	start := s.indexing.Start(s.host.Context(), of, func(ctx context.Context, progress ui.Progress) (embed.Similarity, error) {
		return open(ctx, p, tools, embedding, progress)
	})
	if s.options.Still {
		return start
	}
	return tea.Batch(start, tea.Tick(selection.TimeoutOf(p), func(time.Time) tea.Msg { return embedTimeoutMsg(of) }))
}

// awakeMsg tells that the model that closes the channel is loaded, or could not be.
type awakeMsg <-chan struct{}

// awaitModel waits for the model that is being loaded, unless that is being done.
func (s *Screen) awaitModel() tea.Cmd {
	v, ok := s.similarity.(*embed.Vectors)
	if !ok {
		return nil
	}
	awake := v.Awake()
	if awake == nil || awake == s.awake {
		return nil
	}
	s.awake, s.waking = awake, true
	ended := s.host.Context().Done()
	return func() tea.Msg {
		select {
		case <-awake:
		case <-ended:
		}
		return awakeMsg(awake)
	}
}

// isSilent reports whether an embedder behind an address has not answered in time.
func (s *Screen) isSilent() bool { return s.silent && s.indexing.Running }

// indexStepped takes in the progress of the index; at its end the selector is made anew.
func (s *Screen) indexStepped(similarity *embed.Similarity) {
	if s.indexing.Running {
		if s.indexing.Done > 0 && s.silent {
			s.silent = false
			s.selecting.Reset()
		}
		return
	}
	s.outdated = !config.PreSelection{EmbedModel: s.indexing.Of.source.model}.BuiltIn()
	if similarity != nil {
		s.similarity = *similarity
	}
	if err := s.absent(); err != nil {
		s.tell(ui.LevelBad, "embedder: "+safetext.Line(err.Error())+" · keywords go on")
	} else if notes := workbench.SimilarityNotes(s.similarity); len(notes) > 0 {
		s.tell(ui.LevelWarn, strings.Join(notes, " · "))
	}
	s.selecting.Reset()
}

// OpenIndex returns the function that opens the index of a load: that of this screen if it is
// made of the same tools, else the one that is built in. A load does not wait
// for a model.
func (s *Screen) OpenIndex() func(context.Context, config.PreSelection, []*model.Tool) (embed.Similarity, error) {
	x, made := s.index()
	return func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error) {
		switch {
		case made && x.source == sourceOf(c) && slices.Equal(x.tools, tools):
			return x.similarity, x.absent
		case c.BuiltIn():
			return workbench.OpenSimilarity(ctx, c, tools, workbench.Embedding{}, nil)
		}
		return nil, errIndexing
	}
}

// embedderAddress returns where the embedder is asked, empty for one that is at
// hand.
//
// SECURITY: it is the setting as it may be shown, without user and password.
func (s *Screen) embedderAddress() string {
	provider, _, _ := strings.Cut(s.state.Config.PreSelection.EmbedModel, ":")
	if !slices.Contains(config.RemoteEmbedders, provider) {
		return ""
	}
	for _, x := range s.state.Config.Settings {
		if address, ok := x.Value.(string); ok && x.Key == keyEmbedURL {
			return safetext.Line(address)
		}
	}
	return ""
}

// keyEmbedURL is the setting that names the embedder's address.
const keyEmbedURL = "tools.rag_embed_url"

// wakingText says which model is being loaded.
func (s *Screen) wakingText() string {
	_, name, _ := strings.Cut(s.indexing.Of.source.model, ":")
	return "waking " + safetext.Line(name)
}

// silence names the embedder that has not answered yet.
func (s *Screen) silence() string {
	return "the embedder at " + s.embedderAddress() + " has not answered yet"
}
