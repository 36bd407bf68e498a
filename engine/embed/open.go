package embed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"caliper/model"
	"caliper/model/newfile"
)

// batch is the number of texts in one call of an embedder. Progress is reported
// and the context checked after each batch.
const batch = 64

// mostSpare is the number of vectors up to which an index file also keeps vectors that
// no tool of this Open needs. So two registries, or one before and after an edit,
// can share the file of a model. That is 6 MB at 384 numbers a vector.
const mostSpare = 4096

// Open returns the vectors of tools. It reads vectors from the index file at path,
// makes the missing ones with the embedder, and writes the file again if it made
// any. Tools with equal name, description and parameter names share a vector. A
// file that is damaged, or of another identity, dimension or template, is not used
// and is replaced (see Rebuilt). One of another format is not used and left alone
// (see Unsaved). If tools is empty, the file is not touched. Open
// removes the unfinished files that killed processes left in the folder. With an
// empty path nothing is stored.
//
// progress may be nil. It is called with the number of vectors made and the number
// of vectors to make: first with none made, then after each batch. It is not
// called when there are none to make.
//
// The error is the embedder's or the context's. The vectors made before it are in
// the file, so that the next Open continues from there. A file that could not be
// written is not an error of Open; see Unsaved.
func Open(ctx context.Context, e Embedder, tools []*model.Tool, path string, progress func(done, total int)) (*Vectors, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := &Vectors{embedder: e, path: path}
	b := &builder{vectors: v, tools: map[digest]*model.Tool{}, known: map[digest][]float32{}}
	digests := make([]digest, len(tools))
	for i, t := range tools {
		d := digestOf(t)
		if digests[i] = d; b.tools[d] == nil {
			b.tools[d] = t
			b.order = append(b.order, d)
		}
	}
	if len(tools) == 0 {
		v.table = &table{dimension: e.Identity().Dimension}
		return v, nil
	}
	origin, later := origin(e.Identity()), false
	if path != "" {
		newfile.Sweep(path)
		old, err := load(path, origin, e.Identity().Dimension)
		switch {
		case err == nil:
			b.old = old
			for i, d := range old.digests {
				b.known[d] = old.row(i)
			}
		case errors.Is(err, errLater):
			v.Unsaved, later = err, true
		case !errors.Is(err, fs.ErrNotExist):
			v.Rebuilt = err
		}
	}
	v.table = b.old
	if b.old == nil || len(b.missing()) > 0 {
		err := b.embed(ctx, progress)
		v.table = b.assemble()
		if path != "" && b.changed && !later {
			v.Unsaved = save(path, encode(v.table, origin))
		}
		if err != nil {
			return nil, err
		}
	}
	v.content = make(map[digest]int32, len(v.table.digests))
	for i, d := range v.table.digests {
		v.content[d] = int32(i)
	}
	v.tools, v.rows, v.pointer = slices.Clone(tools), make([]int32, len(tools)), make(map[*model.Tool]int32, len(tools))
	for i, t := range tools {
		row, ok := v.content[digests[i]]
		if !ok {
			row = -1
			v.Missing++
		}
		v.rows[i], v.pointer[t] = row, row
	}
	return v, nil
}

// builder collects the vectors of an index.
type builder struct {
	vectors *Vectors
	order   []digest               // digests that are needed, each once, in the order of the tools
	tools   map[digest]*model.Tool // a tool of each digest
	old     *table                 // the content of the file; nil if it is missing or cannot be used
	known   map[digest][]float32   // vectors read or made, of unit length or zero; nil for one that cannot be made
	changed bool                   // some of known are new
}

// missing returns the digests that are needed and not known, in order.
func (b *builder) missing() []digest {
	var missing []digest
	for _, d := range b.order {
		if _, ok := b.known[d]; !ok {
			missing = append(missing, d)
		}
	}
	return missing
}

// dimension returns the dimension that the embedder or else the file has; 0 when it
// is not known.
func (b *builder) dimension() int {
	if n := b.vectors.embedder.Identity().Dimension; n != 0 || b.old == nil {
		return n
	}
	return b.old.dimension
}

// embed makes the vectors that are missing. An embedder may not know its dimension
// before the first vector. When that has another dimension than the file, embed
// makes all vectors of the file again.
func (b *builder) embed(ctx context.Context, progress func(done, total int)) error {
	dimension := b.dimension()
	missing := b.missing()
	report := func(done int) {
		if progress != nil && len(missing) > 0 {
			progress(done, len(missing))
		}
	}
	report(0)
	for done := 0; done < len(missing); report(done) {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := missing[done:min(done+batch, len(missing))]
		texts := make([]string, len(part))
		for i, d := range part {
			texts[i] = Template(b.tools[d])
		}
		vectors, err := b.vectors.embedder.Documents(ctx, texts)
		if err != nil {
			return fmt.Errorf("embedding tools with %s: %w", b.vectors.embedder.Identity(), err)
		}
		if len(vectors) != len(texts) {
			return fmt.Errorf("%s: %d vectors for %d texts", b.vectors.embedder.Identity(), len(vectors), len(texts))
		}
		if dimension == 0 {
			dimension = len(vectors[0])
		}
		claimed := b.vectors.embedder.Identity().Dimension // 0: not known yet
		if n := len(vectors[0]); n != dimension && done == 0 && b.old != nil && (claimed == 0 || claimed == n) {
			b.vectors.Rebuilt = fmt.Errorf("%s: %w", b.vectors.path, errForeign)
			b.old, dimension = nil, n
			clear(b.known)
			missing = b.missing()
			continue
		}
		for _, x := range vectors { // none is known if one has another dimension
			if len(x) != dimension {
				return fmt.Errorf("%s: %w", b.vectors.embedder.Identity(), &DimensionError{Index: dimension, Vector: len(x)})
			}
		}
		if dimension < 1 || dimension > maxDimension {
			return fmt.Errorf("%s: vectors of %d numbers, not 1 to %d", b.vectors.embedder.Identity(), dimension, maxDimension)
		}
		for i, x := range vectors {
			u := unit(x)
			b.known[part[i]] = u
			b.changed = b.changed || u != nil
		}
		done += len(part)
	}
	return nil
}

// assemble returns the known vectors as a table: first those that are needed, then
// the others of the file, in its order, up to kept vectors. A vector that cannot be
// made is left out, so that the next Open tries it again.
func (b *builder) assemble() *table {
	t := &table{dimension: b.dimension()}
	for _, d := range b.order {
		if b.known[d] != nil {
			t.digests = append(t.digests, d)
			t.dimension = len(b.known[d])
		}
	}
	if b.old != nil {
		for _, d := range b.old.digests {
			if len(t.digests) >= mostSpare {
				break
			}
			if b.tools[d] == nil {
				t.digests = append(t.digests, d)
			}
		}
	}
	t.values = make([]float32, 0, len(t.digests)*t.dimension)
	for _, d := range t.digests {
		t.values = append(t.values, b.known[d]...)
	}
	return t
}

// unit returns x divided by its length. It returns zeros when x is zero, and nil
// when a component is not finite.
func unit(x []float32) []float32 {
	sum := 0.0 // in 64 bits no square of a float32 is out of range
	for _, c := range x {
		sum += float64(c) * float64(c)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	u := slices.Clone(x)
	if sum == 0 {
		return u
	}
	length := math.Sqrt(sum)
	for i, c := range x {
		u[i] = float32(float64(c) / length)
	}
	return u
}
