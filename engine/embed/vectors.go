package embed

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"caliper/model"
)

// Vectors is a dense index: a vector for each tool, and the embedder that makes the
// vectors of messages. It implements Similarity by the cosine. It never changes and
// is safe for concurrent use.
type Vectors struct {
	embedder Embedder
	path     string
	table    *table
	rebuilt  error
	unsaved  error

	tools   []*model.Tool
	rows    []int32               // of each of tools in table, -1 without a vector
	pointer map[*model.Tool]int32 // the same by tool
	content map[digest]int32      // the same by content
	missing int
}

// DimensionError is the error of comparing vectors of different lengths.
type DimensionError struct {
	Index  int // numbers in a vector of the index
	Vector int // numbers in the one that was made
}

// Error returns both lengths.
func (e *DimensionError) Error() string {
	return fmt.Sprintf("a vector of %d numbers, the index has %d", e.Vector, e.Index)
}

// place sets which row of the table belongs to which tool.
func (v *Vectors) place(tools []*model.Tool, digests []digest) {
	v.content = make(map[digest]int32, len(v.table.digests))
	for i, d := range v.table.digests {
		v.content[d] = int32(i)
	}
	v.tools = slices.Clone(tools)
	v.rows = make([]int32, len(tools))
	v.pointer = make(map[*model.Tool]int32, len(tools))
	for i, t := range tools {
		row, ok := v.content[digests[i]]
		if !ok {
			row = -1
			v.missing++
		}
		v.rows[i], v.pointer[t] = row, row
	}
}

// Identity returns the embedder's identity, with the dimension of the index.
func (v *Vectors) Identity() Identity {
	i := v.embedder.Identity()
	if v.table.dimension != 0 {
		i.Dimension = v.table.dimension
	}
	return i
}

// Missing returns how many tools have no vector, because the embedder returned
// numbers that are not finite. Their score is 0.
func (v *Vectors) Missing() int { return v.missing }

// Rebuilt returns why the existing index file could not be used; nil when it was
// used, or when there was none.
func (v *Vectors) Rebuilt() error { return v.rebuilt }

// Unsaved returns why the index file could not be written; nil when it was written,
// or when nothing was to be written.
func (v *Vectors) Unsaved() error { return v.unsaved }

// Scores returns the cosine of message and each tool, -1 to 1, in the order of
// tools. A tool that was not passed to Open is looked up by its content, which
// costs reading it. A tool of unknown content has the score 0. When the message is
// blank, every score is 0 and the embedder is not called.
//
// The error is the embedder's, or a *DimensionError when the message's vector
// has another length than the index. This happens when the model of a name was
// replaced; the index file is then removed, and the next Open makes all vectors.
func (v *Vectors) Scores(ctx context.Context, message string, tools []*model.Tool) ([]float64, error) {
	scores := make([]float64, len(tools))
	message = bounded(strings.TrimSpace(message))
	if message == "" || len(tools) == 0 || len(v.table.digests) == 0 {
		return scores, ctx.Err()
	}
	query, err := v.query(ctx, message)
	if err != nil {
		return nil, err
	}
	for i, t := range tools {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if row := v.row(i, t); row >= 0 {
			scores[i] = float64(min(1, max(-1, dot(query, v.table.row(int(row))))))
		}
	}
	return scores, nil
}

// query returns the unit vector of a message.
func (v *Vectors) query(ctx context.Context, message string) ([]float32, error) {
	x, err := v.embedder.Query(ctx, message)
	if err != nil {
		return nil, fmt.Errorf("embedding the message with %s: %w", v.embedder.Identity(), err)
	}
	if len(x) != v.table.dimension {
		if v.path != "" {
			os.Remove(v.path) // what fails here fails again at the next save, which says so
		}
		return nil, fmt.Errorf("%s: %w", v.embedder.Identity(), &DimensionError{Index: v.table.dimension, Vector: len(x)})
	}
	u := unit(x)
	if u == nil {
		return nil, fmt.Errorf("%s: the message's vector is not of finite numbers", v.embedder.Identity())
	}
	return u, nil
}

// row returns the row of tools[i], which is t, and -1 when it has none.
func (v *Vectors) row(i int, t *model.Tool) int32 {
	if i < len(v.tools) && v.tools[i] == t {
		return v.rows[i]
	}
	row, ok := v.pointer[t]
	if !ok {
		row, ok = v.content[digestOf(t)]
	}
	if !ok {
		return -1
	}
	return row
}

// dot returns the scalar product of two vectors of one length. Eight sums are
// kept, which the processor adds at the same time. The conversions forbid fusing a
// multiplication with an addition, so that every machine rounds in the same way.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	for len(a) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
		a, b = a[8:], b[8:]
	}
	sum := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	for i, x := range a {
		sum += float32(x * b[i])
	}
	return sum
}
