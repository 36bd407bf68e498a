package workbench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/retrieval/meaning"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/newfile"
	"caliper/model/safetext"
)

// Embedding holds the settings of embedders that are not in the configuration.
type Embedding struct {
	Cache string       // folder of the vector indexes, and of what else is kept; empty to keep none
	Build string       // tells one build of the program from another; empty if unknown
	Key   string       // key for OpenAI's interface; never shown
	HTTP  *http.Client // nil: one without a proxy

	// Message, unless empty, is embedded before any tool is, and within
	// selection.TimeoutOf the configuration. The user waits for its selection, so an embedder
	// that does not answer in time for the message is not asked for the tools,
	// which may take much longer. The message is not embedded when the index is
	// complete.
	Message string

	// Asked, unless nil, is given the embedder of a server, which may then go on to
	// wake its model after OpenSimilarity has returned.
	Asked func(*embed.Waking)
}

// Computed returns the folder for values computed of logs, which keeps nothing
// when there is no cache folder or the build of the program is unknown.
func (e Embedding) Computed() newfile.CacheFolder {
	if e.Cache == "" || e.Build == "" {
		return newfile.CacheFolder{}
	}
	return newfile.CacheFolder{Path: filepath.Join(e.Cache, "computed"), Build: e.Build}
}

// OpenSimilarity returns the semantic ranking of a configuration for the tools.
// It embeds the tools that the index lacks and reports to progress how many of
// all are done. The error is the context's, or describes the problem with
// the model in one line that is safe for a terminal.
func OpenSimilarity(ctx context.Context, c config.PreSelection, tools []*model.Tool, e Embedding, progress func(done, total int)) (embed.Similarity, error) {
	switch c.EmbedModel {
	case config.EmbedBuiltin:
		return meaning.NewSimilarity(ctx, tools)
	case config.EmbedFuzzy:
		return embed.NewFuzzy(ctx, tools)
	}
	var embedder embed.Embedder
	var err error
	o := embed.RemoteOptions{HTTP: e.HTTP}
	switch provider, name, _ := strings.Cut(c.EmbedModel, ":"); provider {
	case "model2vec":
		embedder, err = embed.LoadModel2Vec(name)
	case "ollama":
		embedder = embed.NewWaking(embed.NewOllama(c.EmbedURL, name, o))
	case "openai":
		embedder = embed.NewWaking(embed.NewOpenAI(c.EmbedURL, name, e.Key, o))
	default:
		err = fmt.Errorf("no embedder is called %s", provider)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", safetext.Line(c.EmbedModel), safetext.Line(err.Error()))
	}
	path := ""
	if e.Cache != "" {
		path = filepath.Join(e.Cache, embed.FileName(embedder.Identity()))
	}
	w, served := embedder.(*embed.Waking)
	if served && e.Asked != nil {
		e.Asked(w)
	}
	if served && e.Message != "" {
		w.Try(e.Message, selection.TimeoutOf(c))
	}
	vectors, err := embed.Open(ctx, embedder, tools, path, progress)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // err names the embedder
		return nil, errors.New(safetext.Line(err.Error()))
	}
	return vectors, nil
}

// SimilarityNotes returns sentences about the index of a semantic ranking, safe
// for a terminal: that it could not be read or written, and for how many tools
// it has no vector.
func SimilarityNotes(s embed.Similarity) []string {
	v, ok := s.(*embed.Vectors)
	if !ok {
		return nil
	}
	var notes []string
	if err := v.Rebuilt; err != nil {
		notes = append(notes, "the index of vectors was made again: "+safetext.Line(err.Error()))
	}
	if err := v.Unsaved; err != nil {
		notes = append(notes, "the index of vectors is not kept: "+safetext.Line(err.Error()))
	}
	if n := v.Missing; n > 0 {
		tools := "tools have"
		if n == 1 {
			tools = "tool has"
		}
		notes = append(notes, fmt.Sprintf("%d %s no vector and can be found by keywords only: %s made none of finite numbers",
			n, tools, safetext.Line(v.Identity().String())))
	}
	return notes
}
