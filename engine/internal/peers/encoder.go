package peers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"

	"caliper/model"
)

// Encoder compares the vector of a query, which a neural model computes, with those of all
// tools. The model runs in this process, by hugot's backend in plain Go. The vectors of the
// tools are random ones: a search takes as long with them, and computing those of 1,000
// tools takes minutes.
type Encoder struct {
	session *hugot.Session
	model   *pipelines.FeatureExtractionPipeline
	vectors [][]float32
}

// NewEncoder returns the encoder of a catalog. folder has the model: model.onnx,
// tokenizer.json and config.json. The caller closes it.
func NewEncoder(folder string, tools []*model.Tool) (*Encoder, error) {
	session, err := hugot.NewGoSession()
	if err != nil {
		return nil, fmt.Errorf("open encoder: %w", err)
	}
	e := &Encoder{session: session}
	e.model, err = hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: folder, Name: "encoder", OnnxFilename: "model.onnx"})
	if err != nil {
		return nil, fmt.Errorf("open encoder: %w", errors.Join(err, e.Close()))
	}
	one, err := e.encode("one")
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range tools {
		v := make([]float32, len(one))
		for i := range v {
			v[i] = random.Float32() - 0.5
		}
		e.vectors = append(e.vectors, v)
	}
	return e, nil
}

// encode returns the vector of a text.
func (e *Encoder) encode(text string) ([]float32, error) {
	out, err := e.model.RunPipeline([]string{text})
	if err != nil {
		return nil, fmt.Errorf("encode %q: %w", text, err)
	}
	return out.Embeddings[0], nil
}

// Search returns the k documents whose vectors are nearest to that of a query.
func (e *Encoder) Search(query string, k int) ([]int, error) {
	v, err := e.encode(query)
	if err != nil {
		return nil, err
	}
	type hit struct {
		doc   int
		score float32
	}
	hits := make([]hit, len(e.vectors))
	for doc, of := range e.vectors {
		sum := float32(0)
		for i, x := range of[:len(v)] {
			sum += x * v[i]
		}
		hits[doc] = hit{doc, sum}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return a.doc - b.doc
	})
	docs := make([]int, max(0, min(k, len(hits))))
	for i := range docs {
		docs[i] = hits[i].doc
	}
	return docs, nil
}

// Close frees the model.
func (e *Encoder) Close() error { return e.session.Destroy() }
