package embed

import (
	"context"
	"fmt"
	"math"
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
	Rebuilt  error // why the existing index file could not be used; nil when it was used, or when there was none
	Unsaved  error // why the index file could not be written; nil when it was written, or when nothing was to be written
	Missing  int   // tools without a vector, because the embedder returned numbers that are not finite; their score is 0

	tools   []*model.Tool
	rows    []int32               // of each of tools in table, -1 without a vector
	pointer map[*model.Tool]int32 // the same by tool
	content map[digest]int32      // the same by content
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

// Identity returns the embedder's identity, with the dimension of the index.
func (v *Vectors) Identity() Identity {
	i := v.embedder.Identity()
	if v.table.dimension != 0 {
		i.Dimension = v.table.dimension
	}
	return i
}

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
	query := unit(x)
	if query == nil {
		return nil, fmt.Errorf("%s: the message's vector is not of finite numbers", v.embedder.Identity())
	}
	for i, t := range tools {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, ok := int32(-1), i < len(v.tools) && v.tools[i] == t
		if ok {
			row = v.rows[i]
		} else if row, ok = v.pointer[t]; !ok {
			row, ok = v.content[digestOf(t)]
		}
		if ok && row >= 0 {
			scores[i] = float64(min(1, max(-1, dot(query, v.table.row(int(row))))))
		}
	}
	return scores, nil
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

// FloorStatic is the floor of model2vec: an average of words leaves unrelated texts a
// cosine near 0.
const FloorStatic = 0.15

// Floor returns the cosine above which a tool counts as similar: FloorStatic for
// model2vec, and for a model behind a server the relative floor of scores. Where such
// a model puts unrelated texts differs between models: E5 between 0.7 and 1 (its model
// card), text-embedding-3 near 0.1. No fixed cosine is right for all of them, and how
// far a score stands out among the same message's is.
func (v *Vectors) Floor(scores []float64, height float64) float64 {
	if v.embedder.Identity().Provider == "model2vec" {
		return FloorStatic
	}
	return relative(scores, height)
}

// relative returns the score that stands out of scores: the median, and height times
// what the best of as many unrelated tools reaches above it by chance. For n values of
// a normal distribution that is the spread times the square root of 2 ln n (the
// universal threshold of Donoho and Johnstone, Ideal spatial adaptation by wavelet
// shrinkage, Biometrika 1994). The spread is the median distance from the median times
// 1.4826, which is the standard deviation of a normal distribution; the few tools that
// the message is about change neither. A score of exactly 0 belongs to a tool without
// a vector and is left out. Of fewer than three scores there is no spread, and the
// floor is the larger one: nothing stands out.
//
// Example: of (0.10, 0.11, 0.12, 0.13, 0.30) the median is 0.12 and the spread 0.0148;
// at a height of 1.2 the floor is 0.12 + 1.2 · 1.794 · 0.0148 = 0.1519.
func relative(scores []float64, height float64) float64 {
	sorted := make([]float64, 0, len(scores))
	for _, s := range scores {
		if s != 0 {
			sorted = append(sorted, s)
		}
	}
	n := len(sorted)
	if slices.Sort(sorted); n == 0 {
		return 0
	} else if n < 3 {
		return sorted[n-1]
	}
	middle := median(sorted)
	for i, s := range sorted {
		sorted[i] = math.Abs(s - middle)
	}
	slices.Sort(sorted)
	return middle + height*math.Sqrt(2*math.Log(float64(n)))*1.4826*median(sorted)
}

// median returns the middle of sorted values, the mean of both where there are two.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
