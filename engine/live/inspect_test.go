package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

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

// messages returns what the lines of an output are taken for, and the fault
// that ends them.
func messages(r io.Reader, most int) (all []string, fault error) {
	l := newLines(redactor{}, most)
	done := make(chan struct{})
	go func() {
		l.readAll(r)
		close(done)
	}()
	for {
		select {
		case m := <-l.incoming:
			all = append(all, string(m))
		case <-done:
			return all, l.failure()
		}
	}
}

// Lines are what stands between line feeds, however they come.
func FuzzServerLines(f *testing.F) {
	f.Add([]byte("{}\r\n\n [1]\n{\"a\":\"\xff\"}\n{\"half\":"), uint16(64))
	f.Add([]byte("hello\n{}"), uint16(3))
	f.Add([]byte("{\"a\":{\"nextCursor\":\"x\"}}"), uint16(100))
	f.Fuzz(func(t *testing.T, data []byte, most uint16) {
		got, err := messages(bytes.NewReader(data), int(most))
		again, err2 := messages(iotest.OneByteReader(bytes.NewReader(data)), int(most))
		if strings.Join(got, "\n") != strings.Join(again, "\n") || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%q: %q and %v, byte by byte %q and %v", data, got, err, again, err2)
		}
		if err == nil {
			t.Fatalf("%q: no fault, and no end", data)
		}
		var want []string
		lines := bytes.Split(data, []byte("\n"))
		for i, line := range lines {
			last := i == len(lines)-1
			trimmed := bytes.TrimSpace(line)
			size := len(line)
			if !last {
				size++
			}
			if size > int(most) || last && !json.Valid(line) || len(trimmed) > 0 && trimmed[0] != '{' && trimmed[0] != '[' {
				break
			}
			if len(trimmed) > 0 {
				want = append(want, string(trimmed))
			}
		}
		if !errors.Is(err, ErrTooDeep) && strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q: %q and %v, want %q", data, got, err, want)
		}
		// The stream of events is looked at alike in whatever parts it comes.
		var whole, parts eventInspector
		err = whole.inspect(data)
		err2 = nil
		for i := 0; i < len(data) && err2 == nil; i++ {
			err2 = parts.inspect(data[i : i+1])
		}
		if err != err2 || err == nil && (whole.message.depth != parts.message.depth || whole.message.inString != parts.message.inString) {
			t.Fatalf("%q: %v and %v", data, err, err2)
		}
	})
}
