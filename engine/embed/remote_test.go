package embed

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestRequests(t *testing.T) {
	const nomic = "nomic-embed-text"
	tests := []struct {
		name string
		open func(url string) *RemoteClient
		want asked
	}{
		{"ollama", func(url string) *RemoteClient { return NewOllama(url, nomic, RemoteOptions{}) }, asked{
			Path: "/api/embed", Kind: "POST application/json",
			Body:  map[string]any{"model": nomic, "truncate": true, "input": []any{"search_document: <a> & b"}},
			Input: []string{"search_document: <a> & b"},
		}},
		{"openai", func(url string) *RemoteClient { return NewOpenAI(url+"/v1", "m", " "+secretKey+"\n", RemoteOptions{}) }, asked{
			Path: "/v1/embeddings", Kind: "POST application/json", Authorization: "Bearer " + secretKey,
			Body:  map[string]any{"model": "m", "encoding_format": "float", "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
		{"openai without a key", func(url string) *RemoteClient { return NewOpenAI(url+"/", "m", "", RemoteOptions{}) }, asked{
			Path: "/embeddings", Kind: "POST application/json",
			Body:  map[string]any{"model": "m", "encoding_format": "float", "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
		{"whole address", func(url string) *RemoteClient { return NewOllama(url+"/x/api/embed", "m", RemoteOptions{}) }, asked{
			Path: "/x/api/embed", Kind: "POST application/json",
			Body:  map[string]any{"model": "m", "truncate": true, "input": []any{"<a> & b"}},
			Input: []string{"<a> & b"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			provider, _, _ := strings.Cut(tt.name, " ")
			if provider == "whole" {
				provider = "ollama"
			}
			s := serve(t, answer(provider))
			if _, err := tt.open(s.URL).Documents(t.Context(), []string{"<a> & b"}); err != nil {
				t.Fatal(err)
			}
			if got := s.requests(); len(got) != 1 || !reflect.DeepEqual(got[0], tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestQueryPrefix(t *testing.T) {
	s := serve(t, answer("ollama"))
	c := NewOllama(s.URL, "nomic-embed-text:v1.5", RemoteOptions{})
	if _, err := c.Query(t.Context(), "open an issue"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.requests()[0].Input[0], "search_query: open an issue"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestVectors(t *testing.T) {
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			s := serve(t, answer(provider))
			c := client(provider, s.URL, RemoteOptions{Batch: 2})
			if id := c.Identity(); id != (Identity{Provider: provider, Model: "m"}) {
				t.Errorf("identity before the first answer: %+v", id)
			}
			got, err := c.Documents(t.Context(), []string{"four", "", "four", "four", "nine long"})
			require.NoError(t, err)
			long := float32(1 / math.Sqrt(90))
			want := [][]float32{{.6, .8, 0}, {1, 0, 0}, {.6, .8, 0}, {.6, .8, 0}, {3 * long, 9 * long, 0}}
			if !slices.EqualFunc(got, want, func(a, b []float32) bool { return slices.EqualFunc(a, b, near) }) {
				t.Errorf("got %v, want %v", got, want)
			}
			if n := len(s.requests()); n != 3 {
				t.Errorf("%d requests for 5 texts in batches of 2", n)
			}
			if d := c.Identity().Dimension; d != 3 {
				t.Errorf("dimension %d, want 3", d)
			}
		})
	}
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }

func TestBatchesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(0, 40, 60), 1, 40).Draw(t, "texts")
		o := RemoteOptions{Batch: rapid.IntRange(1, 9).Draw(t, "batch"), BatchBytes: rapid.IntRange(1, 100).Draw(t, "bytes")}
		c := NewOllama("http://h", "m", o)
		for rest := texts; len(rest) > 0; {
			b := c.batch(rest)
			size := len(strings.Join(b, ""))
			if len(b) == 0 || len(b) > o.Batch || len(b) > 1 && size > o.BatchBytes {
				t.Fatalf("batch of %d texts, %d bytes", len(b), size)
			}
			if len(b) < min(o.Batch, len(rest)) && size+len(rest[len(b)]) <= o.BatchBytes {
				t.Fatalf("batch of %d texts had room for the next", len(b))
			}
			rest = rest[len(b):]
		}
	})
}

func TestLongTextIsCutForOpenAI(t *testing.T) {
	for _, provider := range providers {
		s := serve(t, answer(provider))
		text := strings.Repeat("é", 5000) + "\xff"
		if _, err := client(provider, s.URL, RemoteOptions{}).Query(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		sent := s.requests()[0].Input[0]
		if want := map[string]int{"ollama": 10003, "openai": 8192}[provider]; len(sent) != want || !utf8.ValidString(sent) {
			t.Errorf("%s: sent %d bytes, want %d", provider, len(sent), want)
		}
	}
	c := NewOpenAI("http://h", "m", "", RemoteOptions{})
	if got := c.cut("a" + strings.Repeat("é", 5000)); len(got) != 8191 || !utf8.ValidString(got) {
		t.Errorf("cut to %d bytes within a character", len(got))
	}
}

func TestConcurrent(t *testing.T) {
	s := serve(t, answer("openai"))
	c := client("openai", s.URL, RemoteOptions{Batch: 3})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			v, err := c.Query(context.Background(), "four")
			if err != nil || !near(v[0], .6) {
				t.Errorf("got %v, %v", v, err)
			}
			if _, err := c.Documents(context.Background(), make([]string, 7)); err != nil {
				t.Error(err)
			}
			if d := c.Identity().Dimension; d != 3 {
				t.Errorf("dimension %d", d)
			}
		})
	}
	all.Wait()
}

func TestUnusableAddress(t *testing.T) {
	for _, address := range []string{
		"", "127.0.0.1:11434", "localhost:11434", "ftp://h/", "http://", "http://u:hunter22@h:bad", "http://u:hunter22@h\x7f/",
	} {
		_, err := NewOllama(address, "m", RemoteOptions{}).Query(t.Context(), "x")
		if err == nil || !strings.HasPrefix(err.Error(), "ollama:m: the url is not") || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
