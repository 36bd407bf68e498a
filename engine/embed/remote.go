package embed

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
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

	jitter func(limit time.Duration) time.Duration // from 0 to below limit
}

// dialect is the differences between the two APIs.
type dialect struct {
	path    string // below the url of the caller
	longest int    // bytes of one text that are sent; 0 is all
	request func(model string, input []string) any
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
		request: ollamaRequest,
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
		request: openaiRequest,
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
		jitter:   fullJitter,
	}
	c.identity.QueryPrefix, c.identity.DocumentPrefix = Prefixes(model)
	c.endpoint, c.unusable = endpoint(address, d.path)

	key = strings.TrimSpace(key)
	if c.unusable == nil && strings.ContainsFunc(key, unicode.IsControl) {
		c.unusable = errors.New("the key has control characters, which no header can carry")
	}
	c.redact = redactor(key, c.endpoint)
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
