package embed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Documents returns one vector of unit length for each text, in their order; a
// vector that the server answers as all zeros stays that. Batches go one after
// the other, and the first that fails ends it. An error names the provider, the
// model and the host; it wraps the error of ctx when that ended, which is
// noticed at once.
func (c *RemoteClient) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		batch := c.batch(texts)
		some, err := c.embed(ctx, c.identity.DocumentPrefix, batch, true)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, some...)
		texts = texts[len(batch):]
	}
	return vectors, nil
}

// Query returns the vector of a message, under the same rules. It lasts as long
// as ctx allows; Options.Timeout is not for it. A retry that ctx has no time
// for is not waited for: the error comes at once.
func (c *RemoteClient) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := c.embed(ctx, c.identity.QueryPrefix, []string{text}, false)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// batch returns the first texts that fit one request: at least one.
func (c *RemoteClient) batch(texts []string) []string {
	size := 0
	for i, text := range texts {
		size += len(c.cut(text))
		if i > 0 && (i == c.options.Batch || size > c.options.BatchBytes) {
			return texts[:i]
		}
	}
	return texts
}

// cut returns the start of a text that the API takes, without half a character.
func (c *RemoteClient) cut(text string) string {
	n := c.dialect.longest
	if n == 0 || len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// embed returns the vectors of one request, or of its retries.
func (c *RemoteClient) embed(ctx context.Context, prefix string, texts []string, limited bool) ([][]float32, error) {
	if c.unusable != nil {
		return nil, c.failure(c.unusable)
	}
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = c.cut(strings.ToValidUTF8(prefix+text, "\uFFFD"))
	}
	body, err := c.ask(ctx, input, limited)
	if err != nil {
		return nil, c.failure(err)
	}
	vectors, err := c.dialect.decode(body, len(input))
	if err != nil {
		return nil, c.failure(c.explain(body, err))
	}
	if err := c.agree(vectors); err != nil {
		return nil, c.failure(err)
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = unit(v)
	}
	return out, nil
}

// explain prefers what a server says went wrong to how its answer differs from
// a good one. Some report errors with status 200.
func (c *RemoteClient) explain(body []byte, err error) error {
	if text, ok := serverError(body); ok {
		return errors.New("the server says: " + c.quote(text))
	}
	if isMarkup(body) {
		return errors.New("the answer is a page of HTML and not JSON: is this the url of the API?")
	}
	return errors.New(c.quote(err.Error())) // it may quote a number of a million digits
}

// agree reports vectors whose dimension differs from all others' so far. The
// first vectors ever decide it.
func (c *RemoteClient) agree(vectors []vector) error {
	first := len(vectors[0])
	for i, v := range vectors {
		if len(v) != first {
			return fmt.Errorf("vector %d has %d numbers, and the first has %d", i, len(v), first)
		}
	}
	if c.dimension.CompareAndSwap(0, int64(first)) {
		return nil
	}
	if known := c.dimension.Load(); known != int64(first) {
		return fmt.Errorf("vectors have %d numbers, and had %d before: was the model replaced?", first, known)
	}
	return nil
}
