//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestOutgoing(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                                                     "same",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                         "same",
		`{"jsonrpc":"2.0","id":2,"method":"caliper/tools.list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`,
		`{"jsonrpc":"2.0","id":"p","result":{}}`:                                                                         "same",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`:                                  "dropped",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                                                  "dropped",
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"delete_everything"}}`:                           "refused",
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`:                                                                       "refused",
		`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`:                                                            "same",
		`{"jsonrpc":"2.0","id":3,"method":""}`:                                                                           "refused",
		`[{"jsonrpc":"2.0","id":3,"method":"tools/call"}]`:                                                               "refused",
		`{`: "refused",
	} {
		out, err := outgoing([]byte(in), false)
		got := string(out)
		switch {
		case errors.Is(err, errUnsent):
			got = "refused"
		case out == nil:
			got = "dropped"
		case got == in:
			got = "same"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestOutgoingCalls: with calls let through, a server is asked for one thing more.
func TestOutgoingCalls(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":3,"method":"caliper/tools.call","params":{"name":"a"}}`:  `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read"}`:                            "",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                 "",
	} {
		if out, _ := outgoing([]byte(in), true); string(out) != want {
			t.Errorf("%s: %s, want %s", in, out, want)
		}
	}
}

// TestNothingIsSentOverHTTP: of a message that may not be sent nothing reaches the
// server, whether it is refused or dropped; the others reach it once.
func TestNothingIsSentOverHTTP(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
	}))
	defer server.Close()
	for _, c := range []struct {
		message string
		calls   bool
		sent    bool
		refused bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, false, true, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, false, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, true, true, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, false, false, false},
		{`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, true, false, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, true, false, true},
		{`{"jsonrpc":"2.0","id":1,"method":"` + ownCallMethod + `"}`, false, false, true},
		{`{"jsonrpc":"2.0","id":1,`, true, false, true},
	} {
		client, g, err := newGuard(nil, &hidden{url: server.URL}, 1<<20)
		require.NoError(t, err)
		g.calls, got = c.calls, nil
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(c.message))
		require.NoError(t, err)
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err != nil) != c.refused || (len(got) == 1) != c.sent || len(got) > 1 {
			t.Errorf("%s, calls %v: the server got %q, error %v", c.message, c.calls, got, err)
		}
	}
}

// TestCapabilities: a server that has more for a client which answers samples lists it to
// one that says so, and is refused when it asks; the dump has what the server was told.
// TestResultsAreUTF8: the rest of a result with a byte that is not UTF-8 stays as it is.
func TestResultsAreUTF8(t *testing.T) {
	var r rawResult
	if err := r.UnmarshalJSON([]byte("{\"text\": \"caf\xe9\", \"n\": 1.50}")); err != nil || string(r.raw) != `{"text": "caf`+"\uFFFD"+`", "n": 1.50}` {
		t.Errorf("%q, %v", r.raw, err)
	}
}

func TestCapabilities(t *testing.T) {
	for _, tt := range []struct {
		name    string
		offers  []string
		tools   int
		refused string
		dump    string
	}{
		{"none", nil, 1, "", ""},
		{"sampling, roots", []string{Sampling, Roots}, 2,
			"caliper refuses sampling/createMessage: its tools are listed, and none is called", `"client_capabilities":["roots","sampling"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused := ""
			server := mcp.NewServer(&mcp.Implementation{Name: "own", Version: "1"}, nil)
			addTool(server, "plain")
			server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
					session := r.GetSession().(*mcp.ServerSession)
					if method == "tools/list" && session.InitializeParams().Capabilities.Sampling != nil {
						if _, err := session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1}); err != nil {
							refused = err.Error()
						}
						addTool(server, "for_samplers")
					}
					return next(ctx, method, r)
				}
			})
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
			defer web.Close()
			l, err := List(t.Context(), remote(t, HTTPTransport, web.URL), Options{Offers: tt.offers})
			if err != nil || len(l.Tools) != tt.tools {
				t.Errorf("%d tools, %v, want %d", len(l.Tools), err, tt.tools)
			}
			if !strings.Contains(refused, tt.refused) || (refused == "") != (tt.refused == "") {
				t.Errorf("the server hears %q, want %q", refused, tt.refused)
			}
			dump, _ := Dump([]Listing{l}, model.HermesNaming)
			if has := strings.Contains(string(dump), "client_capabilities"); has != (tt.dump != "") || !strings.Contains(string(dump), tt.dump) {
				t.Errorf("the dump is %s", dump)
			}
		})
	}
}

func TestReadLine(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		err  error
	}{
		{"a\nbc\r\n\nd", []string{"a\n", "bc\r\n", "\n", "d"}, io.EOF},
		{"0123456789\n0123456789a\n", []string{"0123456789\n"}, ErrTooLarge},
		{"", []string{""}, io.EOF},
	} {
		b := bufio.NewReaderSize(strings.NewReader(c.text), 16)
		for i, want := range c.want {
			line, err := readLine(b, 11)
			last := i == len(c.want)-1 && errors.Is(c.err, io.EOF)
			if string(line) != want || last != errors.Is(err, io.EOF) {
				t.Errorf("%q: line %d is %q, %v", c.text, i, line, err)
			}
		}
		if _, err := readLine(b, 11); !errors.Is(err, c.err) {
			t.Errorf("%q: error is %v", c.text, err)
		}
	}
}

// A server has as long to end as the specification asks of a client.
func TestGraces(t *testing.T) {
	if got, want := []time.Duration{closeGrace, termGrace, pipeGrace, startGrace, killGrace, settle, overdue, goodbye},
		[]time.Duration{500 * time.Millisecond, time.Second, 250 * time.Millisecond, 20 * time.Second, 5 * time.Second, 200 * time.Millisecond, 1500 * time.Millisecond, time.Second}; !slices.Equal(got, want) {
		t.Errorf("graces are %v, want %v", got, want)
	}
}

// A child can write as much as it likes when nobody reads any more.
func TestReadAllDrains(t *testing.T) {
	for _, beginning := range []string{"rubbish\n", "{}\n"} {
		l := newLines(redactor{}, 1<<20)
		r, w := io.Pipe()
		done := make(chan struct{})
		go func() {
			l.readAll(r)
			close(done)
		}()
		require.NoError(t, l.Close())
		if _, err := io.WriteString(w, beginning+strings.Repeat("x", 1<<20)+"\n"); err != nil {
			t.Fatal(err)
		}
		w.Close()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatal("the reader hangs")
		}
	}
}

func TestLastWords(t *testing.T) {
	var many strings.Builder
	for i := range 9 {
		fmt.Fprintf(&many, "error %d\n", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"node": {"node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/x.js'\n    at Module._resolveFilename (node:internal/x:1:2)\n    at y {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n",
			"Error: Cannot find module '/x.js'"},
		"python":   {"Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import nothing\nModuleNotFoundError: No module named 'nothing'\n", "ModuleNotFoundError: No module named 'nothing'"},
		"a reason": {"boom line one\nerror: cannot find module foo\n    at x:1\n\nNode.js v20\n", "error: cannot find module foo"},
		"npm":      {"npm error code E404\nnpm error 404 Not Found - GET https://r/x\nnpm error A complete log of this run can be found in: /x.log\n", "npm error code E404 / npm error 404 Not Found - GET https://r/x"},
		"usage":    {"starting\nusage: server PATH\nbye\n", "usage: server PATH / bye"},
		"no error": {"one\ntwo\nthree\nfour\n\n", "two / three / four"},
		"repeated": {"error a\nerror a\nerror a\n", "error a"},
		"only it":  {"Node.js v20.20.2\n", "Node.js v20.20.2"},
		"nothing":  {"\n \n", ""},
		"many":     {many.String(), "error 0 / error 1 / … / error 7 / error 8"},
		"long":     {"error " + strings.Repeat("x", 5000), "error " + strings.Repeat("x", 234) + "…"},
	} {
		if got := lastWords(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestInspector(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"nothing":                   {"", nil},
		"as deep as may be":         {deep(deepest), nil},
		"deeper":                    {deep(deepest + 1), errTooDeep},
		"deep one after the other":  {"[" + strings.Repeat(deep(deepest-1)+",", 3) + "]", nil},
		"brackets in a string":      {`["` + long(10) + strings.Repeat("[", 2*deepest) + `"]`, nil},
		"behind an escaped quote":   {`["\"` + strings.Repeat("[", 2*deepest) + `"]`, nil},
		"behind an escaped escape":  {`["\\"` + "," + strings.Repeat("[", 2*deepest), errTooDeep},
		"objects":                   {strings.Repeat(`{"a":`, deepest+1), errTooDeep},
		"cursor":                    {`{"result":{"nextCursor":"` + long(65536) + `"}}`, nil},
		"longer cursor":             {`{"result":{"nextCursor" : "` + long(65537) + `"}}`, errLongCursor},
		"of escapes":                {`{"result":{"nextCursor":"` + strings.Repeat(`\u0041`, 65536/6+1) + `"}}`, errLongCursor},
		"cursor beside others":      {`{"id":1,"result":{"tools":[{"a":"b"}],"x":"y","nextCursor":"` + long(65537) + `"}}`, errLongCursor},
		"another long string":       {`{"result":{"prevCursor":"` + long(65537) + `"}}`, nil},
		"long name":                 {`{"result":{"nextCursors":"` + long(65537) + `"}}`, nil},
		"a value called so":         {`{"result":{"x":"nextCursor","y":"` + long(65537) + `"}}`, nil},
		"in an array":               {`{"result":["nextCursor","` + long(65537) + `"]}`, nil},
		"deeper than the result":    {`{"result":{"tools":[{"nextCursor":"` + long(65537) + `"}]}}`, nil},
		"higher than the result":    {`{"nextCursor":"` + long(65537) + `"}`, nil},
		"a number before":           {`{"result":{"nextCursor":1,"y":"` + long(65537) + `"}}`, nil},
		"an array before":           {`{"result":{"nextCursor":[],"y":"` + long(65537) + `"}}`, nil},
		"an object before":          {`{"result":{"nextCursor":{},"y":"` + long(65537) + `"}}`, nil},
		"brackets that never began": {`]]]]{"a":1}`, nil},
	} {
		var x inspector
		if err := x.inspect([]byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		var slow inspector
		var err error
		for i := 0; i < len(c.text) && err == nil; i++ {
			err = slow.inspect([]byte{c.text[i]})
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s, byte by byte: %v, want %v", name, err, c.want)
		}
		if want := c.want; want != nil {
			for _, end := range []string{"\n", "\r", "\r\n"} {
				half := strings.LastIndexByte(c.text, '[') + 1
				events := ": " + strings.Repeat("[", 2*deepest) + end + "event: [" + end + "data: " + c.text[:half] + end + "data:" + c.text[half:] + end + end
				if strings.Contains(c.text, "Cursor") {
					events = "id: 1" + end + "data:" + c.text + end + end
				}
				var x eventInspector
				if err := x.inspect([]byte(events)); !errors.Is(err, want) {
					t.Errorf("%s in events that end with %q: %v, want %v", name, end, err, want)
				}
			}
		}
	}
	var x eventInspector
	for range 3 { // each message begins anew
		if err := x.inspect([]byte("data: " + strings.Repeat("[", deepest) + "\r\n\r\n")); err != nil {
			t.Error(err)
		}
	}
	if err := x.inspect([]byte("data: " + strings.Repeat("[", deepest) + "\r\n\ndata: " + strings.Repeat("[", deepest) + "\n\r\n")); err != nil {
		t.Errorf("ends of lines that are mixed: %v", err)
	}
	if err := x.inspect([]byte("dat: " + deep(2*deepest) + "\ndatas: " + deep(2*deepest) + "\n" + deep(2*deepest) + "\n data:" + deep(2*deepest))); err != nil {
		t.Errorf("what is no message: %v", err)
	}
}
