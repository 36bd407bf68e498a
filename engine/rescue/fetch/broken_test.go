package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"caliper/engine/rescue"
)

// failing is a source whose nth read does something else.
type failing struct {
	Source
	left  int
	what  func() error
	reads int
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	f.reads++
	if f.left--; f.left == 0 {
		if err := f.what(); err != nil {
			return 0, err
		}
	}
	return f.Source.ReadAt(p, off)
}

// modes are a request of each mode that reads all that its mode can read.
var modes = []Request{
	{Mode: Stat}, {Mode: Range, Start: 2000}, {Mode: Range, Unit: Chars, Start: 200000}, {Mode: Grep, Pattern: "id=999"}, {Mode: Full},
	{Mode: Grep, Pattern: "id", Unit: Chars, Start: 250000}, {Mode: Outline}, {Mode: Search, Query: "refused upstream id"},
	{Mode: Pointer, Pointer: "/900/name"}, {Mode: Outline, Pointer: "/900"},
}

// TestEveryReadFault: whichever read fails, no answer is given; whenever the caller
// gives up, the answer is whole or none.
func TestEveryReadFault(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long, in one goroutine")
	}
	long := strings.Repeat("é words id=999 ", 18000)
	for name, c := range map[string]struct {
		text string
		kind rescue.Kind
	}{
		"log":      {string(logText(300 << 10)), rescue.Text},
		"a line":   {long, rescue.Text},
		"page":     {strings.Repeat("<h1>one</h1> id=1\n", 16000), rescue.HTML},
		"JSON":     {string(lineJSON(280 << 10)), rescue.JSONArray},
		"repeated": {`{"a":[` + strings.TrimSuffix(string(lineJSON(140<<10)), "]")[1:] + `],"a":` + string(lineJSON(140<<10)) + `}`, rescue.JSONObject},
	} {
		t.Run(name, func(t *testing.T) {
			l := rescue.Default()
			l.GrepTimeout, l.RefuseFullFetch = 0, false
			for _, q := range modes {
				if q.Mode == Pointer || q.Pointer != "" {
					if !c.kind.IsJSON() {
						continue
					}
					if name == "repeated" {
						q.Pointer = "/a" + q.Pointer
					}
				}
				want, wantErr := NewReader(blob(c.text), rescue.Meta{Kind: c.kind}).Do(t.Context(), q, l)
				for n := 1; ; n += 1 + n/6 {
					src := &failing{Source: blob(c.text), left: n, what: func() error { return errDisk }}
					a, err := NewReader(src, rescue.Meta{Kind: c.kind}).Do(t.Context(), q, l)
					if src.left > 0 {
						break
					}
					var fault *Error
					if !errors.As(err, &fault) || fault.Code != CodeRead || !errors.Is(err, errDisk) {
						t.Fatalf("%+v, read %d: %v, %.200s", q, n, err, a.Text)
					}
					ctx, cancel := context.WithCancel(t.Context())
					src = &failing{Source: blob(c.text), left: n, what: func() error { cancel(); return nil }}
					a, err = NewReader(src, rescue.Meta{Kind: c.kind}).Do(ctx, q, l)
					cancel()
					if !errors.Is(err, context.Canceled) && (fmt.Sprint(err) != fmt.Sprint(wantErr) || a.Text != want.Text) {
						t.Fatalf("%+v, cancelled in read %d: %v, %.200s", q, n, err, a.Text)
					}
				}
			}
		})
	}
}

// TestStopsWhenTheCallerDoes: no mode that reads a whole blob goes on for long.
func TestStopsWhenTheCallerDoes(t *testing.T) {
	text := string(logText(6 << 20))
	for _, q := range []Request{{Mode: Stat}, {Mode: Grep, Pattern: "nowhere at all"}, {Mode: Outline}, {Mode: Search, Query: "refused"}} {
		r := NewReader(blob(text), rescue.Meta{Kind: rescue.Text})
		if q.Mode != Stat {
			if _, err := r.touch(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		src := &failing{Source: blob(text), left: 2, what: func() error { cancel(); return nil }}
		r.src = src
		if r.touched != nil {
			r.touched.src = src
		}
		l := rescue.Default()
		l.GrepTimeout = 0
		if _, err := r.Do(ctx, q, l); !errors.Is(err, context.Canceled) || src.reads > 3 {
			t.Errorf("%+v: %v after %d reads", q, err, src.reads)
		}
		cancel()
	}
}

func TestSmallRules(t *testing.T) {
	m := rescue.Meta{Kind: rescue.JSONArray, ID: "ab"}
	a, err := NewReader(blob("[1]"), m).Do(t.Context(), Request{Mode: Stat}, limits(4000))
	if err != nil || !strings.Contains(a.Text, "type: JSON array\n") {
		t.Error(a, err)
	}
	// Words with digits are one shape, 9 among the digits.
	if o := outlineOf(t, "error in 9\nerror in 8\nerror in a9\n", rescue.Text, ""); !strings.Contains(o, "errors: 3, of 1 shape") {
		t.Error(o)
	}
	var shapes strings.Builder
	for i := range listedShapes {
		fmt.Fprintf(&shapes, "error %s\n", strings.Repeat("x", i+1))
	}
	if o := outlineOf(t, shapes.String(), rescue.Text, ""); strings.Contains(o, "left out") {
		t.Error(o)
	}
	l := limits(20000)
	shapes.WriteString("error of another shape\n")
	if a, err := NewReader(blob(shapes.String()), rescue.Meta{Kind: rescue.Text}).Do(t.Context(), Request{Mode: Outline}, l); err != nil || !strings.Contains(a.Text, "1 shape and 0 lines of others are left out") {
		t.Error(a, err)
	}
	// A break of two bytes has no beginning of a line in it.
	a = do(t, "one\r\ntwo", Request{Mode: Grep, Pattern: "^$", Unit: Chars, Start: 4}, limits(4000))
	if !strings.HasPrefix(a.Text, "no match") {
		t.Error(a.Text)
	}
	a = do(t, "one\r\ntwo", Request{Mode: Grep, Pattern: "^two", Unit: Chars, Start: 4}, limits(4000))
	if !strings.Contains(a.Text, "2: two") {
		t.Error(a.Text)
	}
	// A second hit that does not fit is left to the next answer, whole.
	text := strings.Repeat("x", 200) + "\n" + strings.Repeat("x", 190) + "\n"
	a = do(t, text, Request{Mode: Grep, Pattern: "x"}, limits(400))
	if strings.Count(a.Text, "\n") != 2 || a.Next == nil || a.Next.Start != 2 || a.Next.Unit != Lines || strings.Contains(a.Text, "at char") {
		t.Errorf("%+v", a)
	}
	// A limit of one character per line shows lines in parts.
	l = limits(4000)
	l.GrepMaxLineLen = 1
	if a := do(t, "ab\nb\n", Request{Mode: Grep, Pattern: "b"}, l); !strings.Contains(a.Text, "1: at char 1: ab\n2: b\n") {
		t.Errorf("%+v", a)
	}
	// Eight alternatives are looked for by their letters, nine are not.
	for n, want := range map[int]int{8: 8, 9: 0} {
		var words []string
		for i := range n {
			words = append(words, string(rune('a'+i))+"bcd")
		}
		p, err := compile("(?-i)"+strings.Join(words, "|"), rescue.Default())
		if err != nil || len(p.need) != want {
			t.Errorf("%d: %d literals, %v", n, len(p.need), err)
		}
	}
}
