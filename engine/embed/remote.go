package embed

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// RemoteOptions are the limits of a RemoteClient. The zero value stands for the defaults.
type RemoteOptions struct {
	Batch      int           // texts in one request; 0 is 64
	BatchBytes int           // bytes of text in one request, unless one text alone has more; 0 is 128 KiB
	Timeout    time.Duration // for one request with documents, each try anew; 0 is 30 s. Queries have their context alone
	Retries    int           // further tries after the first; 0 is 2, below 0 none

	// HTTP sends the requests; nil is a client without a proxy. Its Timeout
	// and CheckRedirect are not used.
	HTTP *http.Client

	// Wait returns nil after d, or earlier with an error when ctx ended. It is
	// for tests; nil waits on a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// RemoteClient asks one server for the vectors of one model. It implements
// embed.Embedder.
type RemoteClient struct {
	identity  Identity // without the dimension
	dialect   dialect
	options   RemoteOptions
	http      *http.Client
	endpoint  *url.URL
	unusable  error // why no request can be sent, or nil
	dimension atomic.Int64

	// SECURITY: the key exists within these two functions only. A field that
	// held it would be printed by every %+v of the client.
	authorize func(http.Header)
	redact    func(string) string

	// jitter returns a wait from 0 to below limit, so that clients that failed together do not come back together. See
	// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
	jitter func(limit time.Duration) time.Duration
}

// dialect is the differences between the two APIs.
type dialect struct {
	path    string         // below the url of the caller
	longest int            // bytes of one text that are sent; 0 is all
	request map[string]any // its members beside model and input
	decode  func(body []byte, n int) ([]vector, error)
}

// NewOllama returns a client for POST {address}/api/embed. Longer texts than the model
// reads are cut by the server. See https://docs.ollama.com/api/embed.
//
// The address is the server's, http://127.0.0.1:11434 for instance. One that
// cannot be used is reported by Documents and Query.
func NewOllama(address, model string, o RemoteOptions) *RemoteClient {
	return openRemote("ollama", address, model, "", o, dialect{
		path:    "/api/embed",
		request: map[string]any{"truncate": true},
		decode:  decodeOllama,
	})
}

// NewOpenAI returns a client for POST {address}/embeddings, where the address ends in the
// version, https://api.openai.com/v1 for instance. The key is sent as a bearer
// token, and not at all when it is empty. See
// https://platform.openai.com/docs/api-reference/embeddings.
//
// The API refuses an input of more than 8,192 tokens instead of cutting it. A
// token has at least one byte, so 8,192 bytes of a text are sent at most.
func NewOpenAI(address, model, key string, o RemoteOptions) *RemoteClient {
	return openRemote("openai", address, model, key, o, dialect{
		path:    "/embeddings",
		longest: 8192,
		request: map[string]any{"encoding_format": "float"},
		decode:  decodeOpenAI,
	})
}

func openRemote(provider, address, model, key string, o RemoteOptions, d dialect) *RemoteClient {
	o.Batch = orDefault(o.Batch, 64)
	o.BatchBytes = orDefault(o.BatchBytes, 128<<10)
	o.Timeout = orDefault(o.Timeout, 30*time.Second)
	switch {
	case o.Retries == 0:
		o.Retries = 2
	case o.Retries < 0:
		o.Retries = 0
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	c := &RemoteClient{
		identity: Identity{Provider: provider, Model: model},
		dialect:  d,
		options:  o,
		http:     guarded(o.HTTP),
		jitter:   rand.N[time.Duration],
	}
	c.identity.QueryPrefix, c.identity.DocumentPrefix = Prefixes(model)
	c.endpoint, c.unusable = endpoint(address, d.path)

	key = strings.TrimSpace(key)
	if c.unusable == nil && strings.ContainsFunc(key, unicode.IsControl) {
		c.unusable = errors.New("the key has control characters, which no header can carry")
	}
	// Blacked out are the key and the secrets in the url: the password, how basic authentication spells it, and the
	// longer values of the query, where some services want their key.
	//
	// SECURITY: servers and proxies repeat in their errors what they were sent.
	secrets := []string{key}
	if password, ok := c.endpoint.User.Password(); ok {
		basic := c.endpoint.User.Username() + ":" + password
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(basic)))
	}
	for _, values := range c.endpoint.Query() {
		for _, value := range values {
			if len(value) >= 8 {
				secrets = append(secrets, value)
			}
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
	// The longest first, lest one that is part of another leaves the rest of it.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range secrets {
		pairs = append(pairs, s, "[secret]")
	}
	c.redact = strings.NewReplacer(pairs...).Replace
	c.authorize = func(h http.Header) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	}
	return c
}

func orDefault[T int | time.Duration](value, standard T) T {
	if value <= 0 {
		return standard
	}
	return value
}

// endpoint returns the address of the API. An address that already ends in
// path, as copied from a manual, is left as it is.
//
// SECURITY: the error does not quote the address, which may hold a password.
func endpoint(address, path string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &url.URL{}, errors.New("the url is not of the form http://host:port or https://host")
	}
	u.Fragment = ""
	if strings.HasSuffix(strings.TrimRight(u.Path, "/"), path) {
		return u, nil
	}
	return u.JoinPath(path), nil
}

// Identity returns where the vectors come from. Its Dimension is 0 until the first
// answer of the server, and stays the same after it.
func (c *RemoteClient) Identity() Identity {
	id := c.identity
	id.Dimension = int(c.dimension.Load())
	return id
}

// String returns the provider, model and host, without credentials.
func (c *RemoteClient) String() string {
	if c.endpoint.Host == "" {
		return c.identity.String()
	}
	return c.identity.String() + " at " + c.endpoint.Host
}

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
		// What a server says went wrong comes before how its answer differs from a good one: some report errors with
		// status 200.
		if text, ok := serverError(body); ok {
			err = errors.New("the server says: " + c.quote(text))
		} else if isMarkup(body) {
			err = errors.New("the answer is a page of HTML and not JSON: is this the url of the API?")
		} else {
			err = errors.New(c.quote(err.Error())) // it may quote a number of a million digits
		}
		return nil, c.failure(err)
	}
	// The first vectors ever decide the dimension of all.
	first := len(vectors[0])
	for i, v := range vectors {
		if len(v) != first {
			return nil, c.failure(fmt.Errorf("vector %d has %d numbers, and the first has %d", i, len(v), first))
		}
	}
	if !c.dimension.CompareAndSwap(0, int64(first)) {
		if known := c.dimension.Load(); known != int64(first) {
			return nil, c.failure(fmt.Errorf("vectors have %d numbers, and had %d before: was the model replaced?", first, known))
		}
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = unit(v)
	}
	return out, nil
}
