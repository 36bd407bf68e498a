package live

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

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
		"cursor":                    {`{"result":{"nextCursor":"` + long(longestCursor) + `"}}`, nil},
		"longer cursor":             {`{"result":{"nextCursor" : "` + long(longestCursor+1) + `"}}`, errLongCursor},
		"of escapes":                {`{"result":{"nextCursor":"` + strings.Repeat(`\u0041`, longestCursor/6+1) + `"}}`, errLongCursor},
		"cursor beside others":      {`{"id":1,"result":{"tools":[{"a":"b"}],"x":"y","nextCursor":"` + long(longestCursor+1) + `"}}`, errLongCursor},
		"another long string":       {`{"result":{"prevCursor":"` + long(longestCursor+1) + `"}}`, nil},
		"long name":                 {`{"result":{"nextCursors":"` + long(longestCursor+1) + `"}}`, nil},
		"a value called so":         {`{"result":{"x":"nextCursor","y":"` + long(longestCursor+1) + `"}}`, nil},
		"in an array":               {`{"result":["nextCursor","` + long(longestCursor+1) + `"]}`, nil},
		"deeper than the result":    {`{"result":{"tools":[{"nextCursor":"` + long(longestCursor+1) + `"}]}}`, nil},
		"higher than the result":    {`{"nextCursor":"` + long(longestCursor+1) + `"}`, nil},
		"a number before":           {`{"result":{"nextCursor":1,"y":"` + long(longestCursor+1) + `"}}`, nil},
		"an array before":           {`{"result":{"nextCursor":[],"y":"` + long(longestCursor+1) + `"}}`, nil},
		"an object before":          {`{"result":{"nextCursor":{},"y":"` + long(longestCursor+1) + `"}}`, nil},
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
