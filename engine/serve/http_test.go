package serve

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"
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
