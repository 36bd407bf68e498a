package jsontree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// Results of tools are arrays of very many values: what a value allocates is
// multiplied by them.
func TestValueAllocatesNothing(t *testing.T) {
	text := strings.Repeat(`{"a":[1,{"b":"c"}]} `, 101)
	s := NewScanner(context.Background(), strings.NewReader(text), 0)
	if n := testing.AllocsPerRun(100, func() {
		if _, _, ok := s.Value(); !ok {
			t.Fatal(s.Err())
		}
	}); n > 0 {
		t.Errorf("a value takes %v allocations", n)
	}
}

// TestScanner: what is read behind what was read before, how deep, and what is
// wrong, in a text given at once, byte by byte, and in memory.
func TestScanner(t *testing.T) {
	value := func(s *Scanner) string {
		from, to, ok := s.Value()
		return fmt.Sprint(from, " ", to, " ", ok)
	}
	skip := func(s *Scanner) string { return fmt.Sprint(s.Skip(), " ", s.Offset()) }
	members := func(s *Scanner) (out string) {
		ok := s.Members(func(name string) bool { out += name + " "; return name != "no" && s.Skip() })
		return fmt.Sprint(out, ok)
	}
	key := func(s *Scanner) string {
		ok := s.Key()
		return fmt.Sprint(ok, " ", string(s.Text()), " ", s.Offset())
	}
	name := func(s *Scanner) string {
		ok := s.Name()
		from, to := s.TextAt()
		return fmt.Sprint(ok, " ", string(s.Text()), " ", from, " ", to, " ", s.Offset())
	}
	deep := func(max, around int) func(*Scanner) string {
		return func(s *Scanner) string {
			s.MaxDepth, s.Around = max, around
			return value(s)
		}
	}
	long := strings.Repeat("x", 4096+9)
	nest := strings.Repeat("[", 70) + strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70) + strings.Repeat("]", 70)
	for _, c := range []struct {
		text  string
		read  func(*Scanner) string
		want  string
		fault string // where it is and where what it ends began; empty: none
	}{
		{` {"a":[1,{}], "b":"\u00e9\n\t\r\b\f\/\\\""} `, value, "1 43 true", ""},
		{nest, value, "0 561 true", ""}, {nest + "]", value, "0 561 true", ""},
		{`[1,{"a":[2}]`, value, "0 10 false", "10 10"}, {`{"a":1]`, value, "0 6 false", "6 6"},
		{`[1 2]`, value, "0 3 false", "3 3"}, {`[1,]`, value, "0 0 false", "3 3"}, {`{"a":1,}`, value, "0 7 false", "7 7"}, {`{1:1}`, value, "0 0 false", "1 1"}, {`{"a" 1}`, value, "0 0 false", "5 5"},
		{`"\x"`, value, "0 0 false", "2 1"}, {`"\u00g0"`, value, "0 0 false", "5 1"}, {"\"a\x1f\"", value, "0 0 false", "2 2"}, {`"\`, value, "0 0 false", "2 1"}, {`"\u12`, value, "0 0 false", "5 1"}, {`"ab`, value, "0 0 false", "3 0"},
		{`[[1]]`, deep(2, 0), "0 5 true", ""}, {`[[1]]`, deep(1, 0), "0 0 false", "1 1"}, {`[[1]]`, deep(3, 2), "0 0 false", "1 1"}, {`{"a":[]}`, deep(1, 0), "0 0 false", "5 5"}, {`1`, deep(1, 1), "0 1 true", ""}, {`[]`, deep(1, 1), "0 0 false", "0 0"},
		{` {"a":[}{"]","b\"]"]}} 5`, skip, "true 21", ""}, {`"a\"b\\" 1`, skip, "true 8", ""}, {` -1.5e3,`, skip, "true 7", ""}, {`[1`, skip, "false 2", "2 2"}, {`["a]`, skip, "false 4", "4 1"}, {`"a\`, skip, "false 3", "3 0"}, {`x`, skip, "false 0", "0 0"},
		{` {"a":1, "b\u0020":[2]}`, members, `a b\u0020 true`, ""}, {`{}`, members, "true", ""}, {`[]`, members, "false", "0 0"}, {`{"a":1,"no":2}`, members, "a no false", ""}, {`{"a":1 "b":2}`, members, "a false", "7 7"}, {`{"a":1`, members, "a false", "6 6"}, {`{"a":x}`, members, "a false", "5 5"}, {`{"a":1,}`, members, "a false", "7 7"},
		{` "ab":1`, key, "true ab 5", ""}, {`"a\"b":1`, key, `true a\"b 6`, ""}, {`1`, key, "false  0", "0 0"}, {`"ab`, key, "false ab 3", "3 0"}, {`"` + long + `":`, key, fmt.Sprint("true ", long[:4096], " ", len(long)+2), ""},
		{` "ab" : 1`, name, "true ab 2 4 7", ""}, {`"a\n\u00e9b":1`, name, `true a\n\u00e9b 1 11 13`, ""}, {`"a" 1`, name, "false a 1 2 4", "4 4"}, {`[`, name, "false  0 0 0", "0 0"}, {`"` + long + `":`, name, fmt.Sprint("true ", long[:4096], " 1 ", len(long)+1, " ", len(long)+3), ""},
	} {
		for way, s := range map[string]*Scanner{
			"at once":      NewScanner(context.Background(), strings.NewReader(c.text), 1000),
			"byte by byte": NewScanner(context.Background(), iotest.OneByteReader(strings.NewReader(c.text)), 1000),
		} {
			s.base = 0
			got := c.read(s)
			fault := ""
			if e := (*SyntaxError)(nil); errors.As(s.Err(), &e) {
				fault = fmt.Sprint(e.At, " ", e.From)
			}
			if got != c.want || fault != c.fault {
				t.Errorf("%.60q %s: %.60s, fault at %s (%v); want %.60s, %s", c.text, way, got, fault, s.Err(), c.want, c.fault)
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	s := NewScanner(ctx, iotest.OneByteReader(strings.NewReader("[1,2]")), 50)
	if !s.Take('[') || s.Offset() != 51 {
		t.Errorf("the first byte ends at %d", s.Offset())
	}
	stop()
	if s.Skip() || !errors.Is(s.ReadErr(), context.Canceled) || s.Err() != s.ReadErr() {
		t.Errorf("stopped: %v", s.Err())
	}
	s = NewScanner(context.Background(), iotest.ErrReader(io.ErrNoProgress), 0)
	if _, _, ok := s.Value(); ok || s.Err() != io.ErrNoProgress {
		t.Errorf("a reader's fault: %v", s.Err())
	}
	s = NewScanner(context.Background(), strings.NewReader(strings.Repeat(" ", Window)+"[7, 8]"), 0)
	for _, at := range []int64{Window + 1, Window + 4, 5, Window + 4, Window + 1} {
		want := map[int64]string{Window + 1: "7", Window + 4: "8", 5: "["}[at]
		if !s.GoTo(at) || s.Offset() != at || string(s.Peek()) != want {
			t.Errorf("at %d stands %q, want %s", at, s.Peek(), want)
		}
	}
}

// TestScalar: the kind of a scalar and where it ends, and what an error of it says.
func TestScalar(t *testing.T) {
	for text, want := range map[string]string{
		"true,": fmt.Sprint(Boolean, true, 4), "false": fmt.Sprint(Boolean, true, 5), "null ": fmt.Sprint(Null, true, 4), "NaN": fmt.Sprint(NotFinite, true, 3), "Infinity": fmt.Sprint(NotFinite, true, 8),
		"-Infinity": fmt.Sprint(NotFinite, true, 9), "-0.5e+10]": fmt.Sprint(Number, true, 8), "0": fmt.Sprint(Number, true, 1), "": fmt.Sprint(Kind(0), false, 0), "x": fmt.Sprint(Kind(0), false, 0),
		"-": fmt.Sprint(Number, false, 1), "1.": fmt.Sprint(Number, false, 2), "-x": fmt.Sprint(Number, false, 1), "nul": fmt.Sprint(Null, false, 3), "tru3": fmt.Sprint(Boolean, false, 3),
	} {
		s := NewScanner(context.Background(), iotest.OneByteReader(strings.NewReader(text)), 0)
		s.Peek()
		if kind, ok := s.Scalar(); fmt.Sprint(kind, ok, s.Offset()) != want {
			t.Errorf("%q: kind %v, %v, up to %d; want %s", text, kind, ok, s.Offset(), want)
		}
		e := s.syntax
		if e == nil {
			continue
		}
		if at := int(e.At); e.Ended != (at == len(text)) || !e.Ended && e.Byte != text[at] || (e.Problem == BadWord) != (e.Word != "") {
			t.Errorf("%q: %+v", text, e)
		}
	}
	s := NewScanner(context.Background(), iotest.OneByteReader(strings.NewReader(`"a\u00e9"`)), 0)
	s.Peek()
	if from, to := int64(1), int64(8); !s.String() || string(s.Text()) != `a\u00e9` || s.textFrom != from || s.textTo != to {
		t.Errorf("%q from %d to %d", s.Text(), s.textFrom, s.textTo)
	}
}

func TestPlainRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := append(bytes.Repeat([]byte("a\x7f\x80\xff !#[]"), 3)[:rapid.IntRange(0, 27).Draw(t, "n")], rapid.SliceOf(rapid.Byte()).Draw(t, "b")...)
		want := 0
		for want < len(b) && b[want] >= ' ' && b[want] != '"' && b[want] != '\\' {
			want++
		}
		if got := plainRun(b); got != want {
			t.Fatalf("%d of %q, want %d", got, b, want)
		}
	})
}

// TestNumberAgreesWithJSON: of all texts of up to six bytes that numbers are made
// of, those that encoding/json takes are whole.
func TestNumberAgreesWithJSON(t *testing.T) {
	var try func(text []byte, p numberState)
	try = func(text []byte, p numberState) {
		// Without white space, a valid text of these bytes is a number.
		if got, want := p.isWhole(), json.Valid(text); got != want {
			t.Fatalf("%q: whole is %v, want %v", text, got, want)
		}
		if len(text) == 6 {
			return
		}
		for _, c := range []byte("-+.eE019") {
			next := numberSteps[p][c]
			if next == notNumber {
				if json.Valid(append(text, c)) {
					t.Fatalf("%q ends before its last byte", append(text, c))
				}
				continue
			}
			try(append(text, c), next)
		}
		for _, c := range []byte(" ,]}x\x00\xff:\"") {
			if numberSteps[p][c] != notNumber {
				t.Fatalf("%q goes on with %q", text, c)
			}
		}
	}
	try(nil, numberStart)
}

// TestUnescape: a string of escapes, bytes and halves of pairs is read as encoding/json reads
// it, and each escape has its length.
func TestUnescape(t *testing.T) {
	parts := []string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\uD7FF`, `\ud83d`, `\udc33`, `\uDBFF`, `\uE000`, `\uffff`, "a", "\u00e9", "\xff", "\xc3"}
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "parts"), "")
		var want string
		require.NoError(t, json.Unmarshal([]byte(`"`+raw+`"`), &want))
		if got := string(AppendUnescaped([]byte("x"), []byte(raw))); got != "x"+want {
			t.Fatalf("%q is %q, want %q", raw, got, want)
		}
		got := []byte{}
		for at := 0; at < len(raw); {
			r, size := utf8.DecodeRuneInString(raw[at:])
			if r == '\\' {
				r, size = Unescape([]byte(raw[at:]))
			}
			got, at = utf8.AppendRune(got, r), at+size
		}
		if string(got) != want {
			t.Fatalf("%q is %q by its escapes, want %q", raw, got, want)
		}
	})
	for in, want := range map[string]int{`\`: 1, `\u12`: 5, `\u12x4`: 6, `\ud83d\udc3`: 6} {
		if r, size := Unescape([]byte(in)); r != utf8.RuneError || size != min(want, len(in)) {
			t.Errorf("%q is %q of %d bytes", in, r, size)
		}
	}
}
