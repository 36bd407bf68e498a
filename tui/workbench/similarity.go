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
	"caliper/engine/embed/fuzzy"
	"caliper/engine/embed/model2vec"
	"caliper/engine/embed/remote"
	"caliper/model"
)

// Embedding is what embedders need besides the configuration.
type Embedding struct {
	Cache string       // folder for the indexes of vectors; empty: none is kept
	Key   string       // for OpenAI's interface; never shown
	HTTP  *http.Client // nil: one without a proxy
}

// OpenSimilarity returns the semantic leg that a configuration names, ready
// for the tools; what their index lacks is embedded. Progress is told how many
// of all are embedded. The error is the context's, or says what is wrong with
// the model, as one line that is safe for a terminal.
func OpenSimilarity(ctx context.Context, c config.PreSelection, tools []*model.Tool, e Embedding, progress func(done, total int)) (embed.Similarity, error) {
	if c.EmbedModel == config.EmbedFuzzy {
		return fuzzy.New(ctx, tools)
	}
	embedder, err := embedderOf(c, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", model.Sanitize(c.EmbedModel), model.Sanitize(err.Error()))
	}
	path := ""
	if e.Cache != "" {
		path = filepath.Join(e.Cache, embed.FileName(embedder.Identity()))
	}
	vectors, err := embed.Open(ctx, embedder, tools, path, progress)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // it names the embedder
		return nil, errors.New(model.Sanitize(err.Error()))
	}
	return vectors, nil
}

// embedderOf returns the embedder of a model that is not built in.
func embedderOf(c config.PreSelection, e Embedding) (embed.Embedder, error) {
	provider, name, _ := strings.Cut(c.EmbedModel, ":")
	o := remote.Options{HTTP: e.HTTP}
	switch provider {
	case "model2vec":
		return model2vec.Load(name)
	case "ollama":
		return remote.Ollama(c.EmbedURL, name, o), nil
	case "openai":
		return remote.OpenAI(c.EmbedURL, name, e.Key, o), nil
	}
	return nil, fmt.Errorf("no embedder is called %s", provider)
}
