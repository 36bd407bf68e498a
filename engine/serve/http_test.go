package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestClientOfAnotherSession: the id of a client that lives is none on the path of another
// session, even for who has the token of that session.
func TestClientOfAnotherSession(t *testing.T) {
	t.Parallel()
	_, base, tokens := served(t, Options{})
	agent := clientOf(t, "2025-11-25", base, tokens, "tide")
	if agent.ID() == "" {
		t.Fatal("the client has no id")
	}
	for session, want := range map[string]int{"tide": http.StatusOK, "harbor": http.StatusNotFound} {
		for _, method := range []string{http.MethodPost, http.MethodDelete} {
			if session == "tide" && method == http.MethodDelete {
				continue // it ends the client
			}
			r, err := http.NewRequestWithContext(t.Context(), method, base+PathOf(session), strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Mcp-Session-Id", agent.ID())
			r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
			answer, err := (&http.Client{Transport: bearerOf(tokens[session])}).Do(r)
			require.NoError(t, err)
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode != want || want != http.StatusOK && strings.Contains(string(body), "tool_search") {
				t.Errorf("%s to %s: %d, want %d; %s", method, session, answer.StatusCode, want, body)
			}
		}
	}
	if _, err := agent.ListTools(t.Context(), nil); err != nil { // nobody else ended it
		t.Error(err)
	}
}

// TestWhoIsAnswered: this machine under each of its names, and pages of the server itself,
// are answered; other names and pages are refused by this package, whose check stands
// before the SDK's.
func TestWhoIsAnswered(t *testing.T) {
	t.Parallel()
	s := harbor(t, Options{})
	token := NewToken()
	handlers := map[bool]http.Handler{}
	for _, public := range []bool{false, true} {
		handlers[public] = s.Handler(map[string]string{"harbor": token}, public)
	}
	const (
		here  = "caliper serves this machine alone"
		pages = "caliper serves no web pages of others"
	)
	for _, c := range []struct {
		host, origin string
		public       bool
		refused      string // what the refusal says; empty: it is answered
	}{
		{"localhost", "", false, ""},
		{"localhost:7337", "", false, ""},
		{"127.0.0.1:7337", "", false, ""},
		{"127.9.9.9", "", false, ""},
		{"[::1]", "", false, ""},
		{"[::1]:7337", "", false, ""},
		{"localhost:7337", "http://localhost:7337", false, ""},
		{"[::1]:7337", "http://[::1]:7337", false, ""},
		{"evil.example", "", false, here},
		{"localhost.evil.example:7337", "", false, here},
		{"127.0.0.1.evil.example", "", false, here},
		{"192.0.2.7:7337", "", false, here},
		{"[2001:db8::7]:7337", "", false, here},
		{"0.0.0.0:7337", "", false, here},
		{"evil.example", "http://evil.example", false, here},
		{"localhost:7337", "http://localhost:8080", false, pages},
		{"localhost:7337", "http://127.0.0.1:7337", false, pages},
		{"localhost:7337", "http://evil.example", false, pages},
		{"localhost:7337", "null", false, pages},
		{"localhost:7337", "file://", false, pages},
		{"tools.example", "", true, ""},
		{"tools.example", "https://tools.example", true, ""},
		{"tools.example", "https://evil.example", true, pages},
		{"", "null", true, pages}, // of a client that names no host
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, PathOf("harbor"),
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		handlers[c.public].ServeHTTP(w, r)
		want := http.StatusOK
		if c.refused != "" {
			want = http.StatusForbidden
		}
		if w.Code != want || strings.TrimSpace(w.Body.String()) != c.refused && want != http.StatusOK {
			t.Errorf("host %q, origin %q, public %v: %d, %s", c.host, c.origin, c.public, w.Code, w.Body)
		}
	}
}

// TestRefusedClients: who is not let in is noted once for each reason, with a count when it
// is repeated, and never with a token, also where the client's words repeat it.
func TestRefusedClients(t *testing.T) {
	t.Parallel()
	const secret = "a-secret-that-nobody-may-read"
	for _, c := range []struct {
		name, path, host, origin, auth, agent string
		session, code, says, client           string
	}{
		{"a wrong token", PathOf("harbor"), "localhost", "", "Bearer " + secret, "boat/2", "harbor", "wrong_token", "its bearer token is not the session's", "boat/2"},
		{"a token of another kind", PathOf("harbor"), "localhost", "", "Basic " + secret, "", "harbor", "no_token", "it sent no bearer token", ""},
		{"no token", PathOf("harbor"), "localhost", "", "", "", "harbor", "no_token", "it sent no bearer token", ""},
		{"an unknown session", PathOf("lagoon"), "localhost", "", "Bearer " + secret, "", "", "unknown_session", "no session is served at the path it asked for", ""},
		{"the token in the path", "/mcp/" + secret, "localhost", "", "Bearer " + secret, "", "", "unknown_session", "no session is served at the path it asked for", ""},
		{"the token as its name", PathOf("harbor"), "localhost", "", "Bearer " + secret, "boat " + secret, "harbor", "wrong_token", "its bearer token is not the session's", ""},
		{"a foreign host", PathOf("harbor"), "evil.example:80", "", "", "", "harbor", "foreign_host", `it asked for the host "evil.example:80", and this machine alone is served`, ""},
		{"a foreign page", PathOf("lagoon"), "localhost", "https://evil.example", "Bearer " + secret, strings.Repeat("x", 500), "", "foreign_origin", `it is a web page of "https://evil.example"`, strings.Repeat("x", 100)},
	} {
		var n notes
		var passed atomic.Int64 // events are noted beside the answers
		began := time.Date(2026, 11, 2, 14, 0, 0, 0, time.UTC)
		s := harbor(t, Options{Note: n.add, Now: func() time.Time { return began.Add(time.Duration(passed.Load())) }})
		h := s.Handler(map[string]string{"harbor": NewToken()}, false)
		const flood = 1_000
		for i := range flood {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, c.path, nil)
			r.Host = c.host
			for name, value := range map[string]string{"Origin": c.origin, "Authorization": c.auth, "User-Agent": c.agent} {
				r.Header.Set(name, value)
				if value == "" {
					r.Header.Del(name)
				}
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			if i == flood/2 {
				passed.Store(int64(time.Second))
			}
		}
		s.Close()
		list := n.of(transcript.EventRefuse)
		if len(list) != 3 || len(s.refusals.by) != 1 { // the first, one a second later, and the rest at the end
			t.Fatalf("%s: %d events, %d kept: %+v", c.name, len(list), len(s.refusals.by), list)
		}
		last, name := list[2], ""
		if last.Client != nil {
			name = last.Client.Name
		}
		if last.Session != c.session || last.Code != c.code || last.Error != c.says || name != c.client || last.Verdict != transcript.VerdictDenied || last.Count != flood {
			t.Errorf("%s: %+v, client %q", c.name, last, name)
		}
		if line, _ := transcript.AppendEvent(nil, last); strings.Contains(string(line), secret) {
			t.Errorf("%s: the token is recorded: %s", c.name, line)
		}
	}
}

// TestRepeatedRefusals: events of one refusal are a second apart, a second more for each ten
// of them, at most a minute; the rest is told at the end, by session and code.
func TestRepeatedRefusals(t *testing.T) {
	t.Parallel()
	var f refusals
	add := func(session, code string, after time.Duration) (count int, due bool) {
		e, due := f.add(transcript.Event{Session: session, Code: code}, time.Time{}.Add(after))
		return e.Count, due
	}
	now, count := time.Duration(0), 0
	for n := range 700 { // events
		wait := min(time.Duration(1+n/10)*time.Second, time.Minute)
		if n == 0 {
			wait = 0
		} else if _, due := add("tide", codeNoToken, now+wait-1); due {
			t.Fatalf("event %d comes before %v are over", n, wait)
		} else {
			count++
		}
		now += wait
		if got, due := add("tide", codeNoToken, now); !due || got != count+1 {
			t.Fatalf("event %d after %v: due %v, count %d of %d", n, wait, due, got, count+1)
		}
		count++
	}
	if list := f.untold(); list != nil {
		t.Errorf("all is told, and so is %v", list)
	}
	for _, x := range [][2]string{{"tide", codeNoToken}, {"tide", codeForeignHost}, {"", codeWrongToken}, {"harbor", codeWrongToken}} {
		add(x[0], x[1], now)
		add(x[0], x[1], now)
	}
	var got []string
	for _, e := range f.untold() {
		got = append(got, fmt.Sprint(e.Session, " ", e.Code, " ", e.Count))
	}
	if want := []string{" wrong_token 2", "harbor wrong_token 2", "tide foreign_host 2", fmt.Sprint("tide no_token ", count+2)}; !slices.Equal(got, want) {
		t.Errorf("untold are %q, want %q", got, want)
	}
	if list := f.untold(); list != nil {
		t.Errorf("told twice: %v", list)
	}
}

// overStreams sends lines to a session over streams, closes the input, and returns what
// was answered by id, and how long it took.
func overStreams(t *testing.T, s *Server, session string, lines ...string) (answers map[string]string, took time.Duration) {
	t.Helper()
	out, theirs := io.Pipe()
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		ended <- s.Stdio(t.Context(), session, io.NopCloser(strings.NewReader(strings.Join(lines, "\n")+"\n")), theirs)
		_ = theirs.Close()
	}()
	answers = map[string]string{}
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		var m struct{ ID json.RawMessage }
		if json.Unmarshal(scanner.Bytes(), &m) == nil && m.ID != nil {
			if answers[string(m.ID)] != "" {
				t.Errorf("%s is answered twice", m.ID)
			}
			answers[string(m.ID)] = scanner.Text()
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return answers, time.Since(began)
}

// hello begins a session of the older revisions.
var hello = []string{
	`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
}

// unconnectable is a transport that does not connect.
type unconnectable struct{}

func (unconnectable) Connect(context.Context) (mcp.Connection, error) { return nil, io.ErrClosedPipe }

// TestNoStream: a stream that cannot be opened is an error, and so is a session that is not
// served.
func TestNoStream(t *testing.T) {
	t.Parallel()
	if c, err := (&answering{Transport: unconnectable{}}).Connect(t.Context()); c != nil || err != io.ErrClosedPipe {
		t.Errorf("%v, %v", c, err)
	}
	if err := New(Options{}).Stdio(t.Context(), "typo", nil, nil); err == nil || err.Error() != `session "typo" is not served` {
		t.Error(err)
	}
}

// held is a connection that is closed with an error, and its transport.
type held struct{ mcp.Connection }

func (h held) Connect(context.Context) (mcp.Connection, error) { return h, nil }
func (held) Close() error                                      { return io.ErrClosedPipe }

// TestCloseEndsTheWait: a connection that is closed waits for no answer.
func TestCloseEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		c, _ := (&answering{Transport: held{}, withdraw: func(error) {}}).Connect(t.Context())
		c.(*answeringConnection).drain() // nothing is open
		c, _ = (&answering{Transport: held{}, withdraw: func(error) {}}).Connect(t.Context())
		c.(*answeringConnection).open[jsonrpc.ID{}] = struct{}{}
		go c.(*answeringConnection).drain()
		synctest.Wait()
		if err := c.Close(); err != io.ErrClosedPipe {
			t.Error(err)
		}
		synctest.Wait()
		time.Sleep(time.Nanosecond) // the timers of the wait would be next
		if took := time.Since(began); took != time.Nanosecond {
			t.Errorf("it waits for %v", took)
		}
	})
}

// TestStdioEnds: a client is left when the context ends, also in a call, and when its
// stream breaks; the error has the reason.
func TestStdioEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("a broken stream")
	for name, want := range map[string]error{"stopped": context.Canceled, "broken": broken} {
		ctx, cancel := context.WithCancel(t.Context())
		s := harbor(t, Options{Execute: func(ctx context.Context, _ *model.Tool, _ json.RawMessage, _ Progress) (json.RawMessage, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		in, theirs := io.Pipe()
		out, ours := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		go func() {
			_, _ = io.WriteString(theirs, strings.Join(hello, "\n")+"\n")
			if want == broken {
				_ = theirs.CloseWithError(broken)
			} else {
				_, _ = io.WriteString(theirs, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_call","arguments":{"name":"mcp_harbor_book"}}}`+"\n")
			}
		}()
		if err := s.Stdio(ctx, "harbor", in, ours); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// TestAnswersAfterTheEnd: what was asked before the input ended is answered, whether it
// takes no time or some, and also where the server hangs for ever.
func TestAnswersAfterTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration // of every third call; below 0: for ever
		most  time.Duration
		hung  bool
	}{
		"at once":  {0, answerTime, false},
		"slowly":   {300 * time.Millisecond, answerTime, false},
		"it hangs": {-1, answerTime + withdrawTime + time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var n notes
				s := harbor(t, Options{Note: n.add, Execute: func(ctx context.Context, _ *model.Tool, arguments json.RawMessage, _ Progress) (json.RawMessage, error) {
					if strings.Contains(string(arguments), `:0`) {
						var after <-chan time.Time
						if c.takes >= 0 {
							after = time.After(c.takes)
						}
						select {
						case <-after:
						case <-ctx.Done():
							return nil, ctx.Err()
						}
					}
					return json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`), nil
				}})
				lines := hello
				for id := 1; id <= 12; id++ {
					lines = append(lines[:len(lines):len(lines)], fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_call","arguments":{"name":"mcp_harbor_book","arguments":{"berth":%d}}}}`, id, id%3))
				}
				answers, took := overStreams(t, s, "harbor", lines...)
				if len(answers) != 13 || took > c.most {
					t.Errorf("%d of 13 are answered, in %v", len(answers), took)
				}
				if hung := strings.Contains(answers["3"], "withdrawn"); hung != c.hung {
					t.Errorf("the call that takes longest is answered with %s", answers["3"])
				}
				s.Close()
				if got := len(n.of(transcript.EventCall)); got != 12 {
					t.Errorf("%d of 12 calls are noted", got)
				}
			})
		})
	}
}

// TestStdioLeavesNothing: when ctx ends, or the client's stream, no goroutine stays behind.
func TestStdioLeavesNothing(t *testing.T) {
	for name, leave := range map[string]func(in *io.PipeWriter, stop func()){
		"ctx ends":         func(_ *io.PipeWriter, stop func()) { stop() },
		"the stream ends":  func(in *io.PipeWriter, _ func()) { _ = in.Close() },
		"the stream fails": func(in *io.PipeWriter, _ func()) { _ = in.CloseWithError(errors.New("broken")) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := harbor(t, Options{})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			in, client := io.Pipe()
			got := make(chan error, 1)
			go func() { got <- s.Stdio(ctx, "harbor", in, nopCloser{io.Discard}) }()
			synctest.Wait()
			leave(client, stop)
			if err := <-got; (err != nil) != (name != "the stream ends") {
				t.Errorf("%s: %v", name, err)
			}
			s.Close()
		})
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
