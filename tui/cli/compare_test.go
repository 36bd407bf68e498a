package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"caliper/engine"
	"caliper/engine/embed"
	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
)

const (
	hallTools = `{"tools": [
{"type": "function", "toolset": "mcp-hall", "function": {"name": "lamp_on", "description": "Make light.", "parameters": {"type": "object", "properties": {}}}},
{"type": "function", "toolset": "mcp-hall", "function": {"name": "door_open", "description": "Open a door.", "parameters": {"type": "object", "properties": {}}}},
{"type": "function", "toolset": "mcp-hall", "function": {"name": "door_shut", "description": "Shut a door.", "parameters": {"type": "object", "properties": {}}}}
]}`
	hallQueries = `{"query": "shut the door", "relevant": ["door_shut"]}
{"query": "make it open", "relevant": ["door_open"]}
`
)

// timeOf is the only figure in which two comparisons differ.
var timeOf = regexp.MustCompile(`"select_ms": [0-9.e+-]+`)

// The keys of compare, in their order, and bytes that stay but for the time.
func TestCompareJSON(t *testing.T) {
	t.Parallel()
	args := []string{"compare", "--queries", write(t, "q.jsonl", hallQueries), "--k", "1", "--registry", write(t, "r.json", hallTools),
		"--config", write(t, "c.yaml", "tools: {tool_search: {enabled: on}, rag_core: [lamp_on]}\n"), "--json"}
	code, out, complaints := command(t, args...)
	if code != 0 || complaints != "" {
		t.Fatalf("exit code %d, %s", code, complaints)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "compare.json"))
	require.NoError(t, err)
	got := timeOf.ReplaceAllString(out, `"select_ms": 0`)
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join("testdata", "compare.json"), []byte(got), 0o644))
	} else if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// comparedJSON is the output of compare.
type comparedJSON struct {
	Strategies []struct {
		Strategy     string
		SchemaTokens float64 `json:"schema_tokens"`
		Recall       *float64
	}
}

// row returns the row of a strategy.
func (c comparedJSON) row(tb testing.TB, strategy string) (tokens, recall float64) {
	tb.Helper()
	for _, s := range c.Strategies {
		if s.Strategy == strategy {
			return s.SchemaTokens, *s.Recall
		}
	}
	tb.Fatalf("no row of %s", strategy)
	return
}

// The row of eager is the budget's, keyword's is eval's, and hybrid is
// not below it on the mean of some thirty queries of each set.
func TestCompareOnEvaluationSets(t *testing.T) {
	t.Parallel()
	sets := []string{"livemcpbench", "mcpproxy_golden", "metatool", "sealtools", "bfcl"}
	keyword, hybrid := 0.0, 0.0
	for _, set := range sets {
		folder := filepath.Join("..", "..", "..", "shared", "eval", set)
		if _, err := os.Stat(folder); err != nil {
			t.Skip("the shared evaluation sets are not here")
		}
		all, err := os.ReadFile(filepath.Join(folder, "queries.jsonl"))
		require.NoError(t, err)
		lines := strings.SplitAfter(string(all), "\n")
		some := ""
		for i := 0; i < len(lines); i += max(1, len(lines)/30) {
			some += lines[i]
		}
		queries := write(t, "queries.jsonl", some)
		data := []string{"--registry", filepath.Join(folder, "tools.json"),
			"--config", write(t, "c.yaml", "tools: {core: [], rag_core: [], tool_search: {enabled: on}}\n")}
		c := answer[comparedJSON](t, append([]string{"compare", "--queries", queries, "--k", "8", "--ignore-names"}, data...)...)
		b := answer[engine.Budget](t, append([]string{"budget"}, data...)...)
		e := answer[struct{ Metrics map[string]float64 }](t, append([]string{"eval", queries}, data...)...)
		if tokens, _ := c.row(t, "eager"); tokens != float64(b.EagerTokens) {
			t.Errorf("%s: eager is %v, the budget %d", set, tokens, b.EagerTokens)
		}
		_, byKeyword := c.row(t, "keyword")
		if want := e.Metrics["recall@8"]; byKeyword != want {
			t.Errorf("%s: recall by keyword is %v, eval's %v", set, byKeyword, want)
		}
		_, byBoth := c.row(t, "hybrid")
		keyword, hybrid = keyword+byKeyword, hybrid+byBoth
	}
	if hybrid < keyword {
		t.Errorf("hybrid finds %v, keyword %v on the mean", hybrid/float64(len(sets)), keyword/float64(len(sets)))
	}
}

// A comparison that is interrupted while an embedder makes it wait ends with
// 130, at once and without a word.
func TestCompareIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args     []string
		requests int32
	}{
		{[]string{"compare", "shut the door"}, 2},                               // the message, the tools
		{[]string{"compare", "--queries", write(t, "q.jsonl", hallQueries)}, 3}, // a query, the tools, the other queries
		{[]string{"select", "shut the door", "--strategy", "hybrid"}, 2},
		{[]string{"select", "--turns", write(t, "turns.txt", "shut the door\n")}, 2},
	} {
		args := c.args
		for at := int32(1); at <= c.requests; at++ {
			ctx, interrupt := context.WithCancel(context.Background())
			var asked atomic.Int32
			url := embedding(t, func(r *http.Request, _ []string) bool {
				if asked.Add(1) < at {
					return true
				}
				interrupt()
				<-r.Context().Done()
				return false
			})
			config := write(t, "c.yaml", "tools: {rag_core: [], rag_top_k: 1, rag_embed_model: 'openai:small', rag_embed_timeout_ms: 60000, rag_embed_url: "+url+"}\n")
			var out, complaints bytes.Buffer
			code := Main(ctx, append(args, "--registry", write(t, "r.json", hallTools), "--config", config),
				strings.NewReader(""), &out, &complaints, runner.Env{})
			interrupt()
			if code != runner.ExitInterrupted || out.Len() > 0 || complaints.Len() > 0 {
				t.Errorf("%q, request %d: exit code %d, %q, %q", args[:2], at, code, &out, &complaints)
			}
		}
	}
}

// embedding returns the address of a server with OpenAI's interface that asks
// a function about every request, which says whether to answer with vectors.
func embedding(t *testing.T, ask func(r *http.Request, input []string) bool) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&body) != nil || !ask(r, body.Input) {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		var vectors []map[string]any
		for i := range body.Input {
			vectors = append(vectors, map[string]any{"index": i, "embedding": []float32{1, 0}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": vectors})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// waitingFor are the commands whose selections somebody waits for.
func waitingFor(t *testing.T) [][]string {
	return [][]string{
		{"select", "shut the door"},
		{"compare", "shut the door"},
		{"compare", "--queries", write(t, "q.jsonl", hallQueries)},
		{"select", "--turns", write(t, "turns.txt", "shut the door\nopen it\n")},
	}
}

// An embedder that fails at a message, though it had embedded the tools, is
// told in a line; the key and what it is asked with stay out of it.
func TestEmbedderThatFailsAtMessages(t *testing.T) {
	broken := false
	url := embedding(t, func(*http.Request, []string) bool { return !broken })
	env := runner.Env{Embedding: workbench.Embedding{Key: "a-secret", Cache: t.TempDir()}}
	config := write(t, "c.yaml", "tools: {selection: hybrid, rag_core: [], rag_top_k: 1, rag_embed_model: 'openai:small', rag_embed_url: "+url+"}\n")
	data := []string{"--json", "--registry", write(t, "r.json", hallTools), "--config", config}
	if code, _, complaints := commandIn(t, env, "", append([]string{"select", "shut the door"}, data...)...); code != 0 || complaints != "" {
		t.Fatalf("exit code %d, %q", code, complaints)
	}
	broken = true
	for _, args := range waitingFor(t) {
		code, out, complaints := commandIn(t, env, "", append(args, data...)...)
		if code != 0 || strings.Count(complaints, "\n") != 1 || !strings.HasPrefix(complaints, "caliper: keywords only: openai:small: ") {
			t.Errorf("%q: exit code %d, %q", args[:2], code, complaints)
		}
		if !strings.Contains(out, `"keywords only: openai:small: `) || strings.Contains(out+complaints, "a-secret") {
			t.Errorf("%q: %s", args[:2], out)
		}
	}
}

// An embedder that does not answer the message in time costs that time, whatever the
// index lacks: it is not asked for the tools, for which it would have longer. The
// message is sent again, for as long as the model takes to be loaded, and the next
// command finds it. This server gives a load up when the client leaves, as Ollama does.
func TestModelThatIsAsleep(t *testing.T) {
	t.Parallel()
	data := []string{"--json", "--registry", write(t, "r.json", hallTools), "--config"}
	for _, args := range waitingFor(t) {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			t.Parallel()
			var loaded atomic.Bool
			var asked atomic.Int32
			url := embedding(t, func(r *http.Request, input []string) bool {
				if loaded.Load() {
					return true
				}
				if len(input) != 1 || !strings.HasSuffix(input[0], "shut the door") {
					t.Errorf("asked for %q", input)
				}
				if asked.Add(1) == 1 { // the message: it leaves before the load is done
					<-r.Context().Done()
					return false
				}
				loaded.Store(true)
				return true
			})
			config := write(t, "c.yaml", "tools: {selection: hybrid, rag_core: [], rag_top_k: 1, rag_embed_model: 'openai:small', rag_embed_url: "+url+", rag_embed_timeout_ms: 1000}\n")
			code, out, complaints := command(t, append(append(args, data...), config)...)
			if want := "caliper: embedding tools with openai:small: waking the model, which did not embed the message within 1s; going on by keywords\n"; code != 0 || complaints != want {
				t.Errorf("%q: exit code %d, %q", args[:2], code, complaints)
			}
			if n := asked.Load(); n != 2 || !loaded.Load() || !strings.Contains(out, `"keywords only: embedding tools`) {
				t.Errorf("%q: %d requests, loaded %v, %s", args[:2], n, loaded.Load(), out)
			}
			awake := write(t, "c.yaml", "tools: {selection: hybrid, rag_core: [], rag_top_k: 1, rag_embed_model: 'openai:small', rag_embed_url: "+url+", rag_embed_timeout_ms: 60000}\n")
			if code, out, complaints := command(t, append(append(args, data...), awake)...); code != 0 || complaints != "" || strings.Contains(out, "waking") {
				t.Errorf("%q, awake: exit code %d, %q, %s", args[:2], code, complaints, out)
			}
		})
	}
}

// That the index cannot be kept, or could not be used, is said in a line.
func TestSelectTellsOfItsIndex(t *testing.T) {
	url := embedding(t, func(*http.Request, []string) bool { return true })
	config := write(t, "c.yaml", "tools: {selection: hybrid, rag_core: [], rag_top_k: 1, rag_embed_model: 'openai:small', rag_embed_url: "+url+"}\n")
	args := []string{"select", "shut the door", "--registry", write(t, "r.json", hallTools), "--config", config}
	noFolder := write(t, "file", "")
	if _, _, complaints := commandIn(t, runner.Env{Embedding: workbench.Embedding{Cache: noFolder}}, "", args...); !strings.HasPrefix(complaints, "caliper: the index of vectors") {
		t.Errorf("%q", complaints)
	}
	cache := t.TempDir()
	name := embed.FileName(embed.Identity{Provider: "openai", Model: "small"})
	require.NoError(t, os.WriteFile(filepath.Join(cache, name), []byte("x"), 0o600))
	for _, want := range []string{"caliper: the index of vectors was made again: ", ""} { // the second time it is used
		code, _, complaints := commandIn(t, runner.Env{Embedding: workbench.Embedding{Cache: cache}}, "", args...)
		if code != 0 || !strings.HasPrefix(complaints, want) || want == "" && complaints != "" {
			t.Errorf("exit code %d, %q, want %q", code, complaints, want)
		}
	}
}

// A message may hold anything: nothing of it acts on the terminal, and what is
// no UTF-8 is taken as text.
func TestSelectTakesAnyMessage(t *testing.T) {
	t.Parallel()
	hostileText := "shut \x1b[2Jthe\u202e \x9b\xff door\u2028"
	turns := write(t, "turns.txt", "\uFEFF"+hostileText+"\r\nmake light\n")
	data := []string{"--registry", write(t, "r.json", hallTools), "--strategy", "hybrid", "--k", "1"}
	for _, args := range [][]string{
		{"select", hostileText}, {"select", hostileText, "--json"}, {"select", hostileText, "--bytes"},
		{"select", "--turns", turns}, {"select", "--turns", turns, "--json"},
	} {
		code, out, complaints := command(t, append(args, data...)...)
		if code != 0 || complaints != "" || out == "" || strings.ContainsFunc(out, hostile) {
			t.Errorf("%q: exit code %d, %q, %q", args, code, complaints, out)
		}
	}
}

func TestParseConversation(t *testing.T) {
	for _, tc := range []struct {
		name, give string
		want       []string
	}{
		{"nothing", "", nil},
		{"blank lines", "\n \r\n\t\n", nil},
		{"one a line", "book a room\nand a table\n", []string{"book a room", "and a table"}},
		{"no last line break", "a\n\nb", []string{"a", "b"}},
		{"of another system", "\ufeffa\r\nb\r\n", []string{"a", "b"}},
		{"a mark within", "a\ufeff\n\ufeffb\n", []string{"a\ufeff", "\ufeffb"}},
		{"blanks at the ends", "  a \n", []string{"  a "}},
		{"no UTF-8", "a\xff\xfeb\n", []string{"a\ufffdb"}},
		{"a carriage return within", "a\rb\n", []string{"a\rb"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := parseConversation([]byte(tc.give)); !slices.Equal(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// FuzzConversation: a message is a line that is not blank, and a conversation is
// read again from the messages one a line.
func FuzzConversation(f *testing.F) {
	f.Add([]byte("book a room\nand a table\n"))
	f.Add([]byte("\ufeffa\r\n\r\n b \r\nc"))
	f.Add([]byte("a\xffb\n\xef\xbb\n\x85\u2028c\rd\n"))
	f.Add([]byte("\ufeff\ufeff\n\ufeff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages := parseConversation(data)
		for i, m := range messages {
			if strings.TrimSpace(m) == "" || strings.Contains(m, "\n") || !utf8.ValidString(m) {
				t.Errorf("message %d is %q", i, m)
			}
		}
		if most := bytes.Count(data, []byte("\n")) + 1; len(messages) > most {
			t.Errorf("%d messages in %d lines", len(messages), most)
		}
		again := parseConversation([]byte("\ufeff" + strings.Join(messages, "\r\n")))
		if !slices.Equal(again, messages) {
			t.Errorf("%q are read again as %q", messages, again)
		}
	})
}
