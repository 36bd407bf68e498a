package fetch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/rescue"
	"caliper/model/jsontree"
)

// repeated draws a JSON value in which keys repeat, and the value that is left when
// the last value of a key takes the place of the first.
func repeated(t *rapid.T, depth int) (text, once string) {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 3)
	}
	switch kind {
	case 4:
		var texts, onces []string
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			text, once := repeated(t, depth-1)
			texts, onces = append(texts, text), append(onces, once)
		}
		return "[" + strings.Join(texts, ",") + "]", "[" + strings.Join(onces, ", ") + "]"
	case 5:
		var keys, texts []string
		last := map[string]string{}
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			spelled := key
			if rapid.Bool().Draw(t, "escaped") {
				spelled = fmt.Sprintf(`\u%04x`, key[0])
			}
			text, once := repeated(t, depth-1)
			texts = append(texts, `"`+spelled+`":`+text)
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
			last[key] = once
		}
		var onces []string
		for _, key := range keys {
			onces = append(onces, strconv.Quote(key)+": "+last[key])
		}
		return "{" + strings.Join(texts, ",") + "}", "{" + strings.Join(onces, ", ") + "}"
	}
	text = []string{"1", `"s"`, "null", "NaN"}[kind]
	return text, text
}

// TestTheLastOfEqualKeysCounts: a document with repeated keys is outlined, and read
// by pointers, as the one in which every key stands once.
func TestTheLastOfEqualKeysCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, once := repeated(t, rapid.IntRange(1, 5).Draw(t, "depth"))
		if text[0] != '{' && text[0] != '[' {
			text, once = "["+text+"]", "["+once+"]"
		}
		m := rescue.Meta{Kind: rescue.JSONArray}
		ask := func(text string, q Request) string {
			a, err := Do([]byte(text), m, q, limits(4000))
			if err != nil {
				return err.Error()
			}
			return strings.ReplaceAll(a.Text, " ", "")
		}
		if got, want := ask(text, Request{Mode: Outline}), ask(once, Request{Mode: Outline}); got != want {
			t.Fatalf("%s is outlined\n%s\nand without repeats, %s,\n%s", text, got, once, want)
		}
		for _, pointer := range []string{"/a", "/b", "/0", "/1/a", "/a/b", "/a/a/c", "/0/a/1", "/c/b/a"} {
			got, want := ask(text, Request{Mode: Pointer, Pointer: pointer}), ask(once, Request{Mode: Pointer, Pointer: pointer})
			_, wantErr := Do([]byte(once), m, Request{Mode: Pointer, Pointer: pointer}, limits(4000))
			if wantErr != nil {
				if _, err := Do([]byte(text), m, Request{Mode: Pointer, Pointer: pointer}, limits(4000)); err == nil {
					t.Fatalf("%s has something at %s: %s", text, pointer, got)
				}
				continue
			}
			// The value itself may have repeated keys, which stay as they are written.
			if again := ask(got, Request{Mode: Outline}); again != ask(want, Request{Mode: Outline}) {
				t.Fatalf("%s at %s is %s, want %s", text, pointer, got, want)
			}
		}
	})
}

func TestRepeatedKeys(t *testing.T) {
	pad := strings.Repeat("p", jsontree.Window)
	for _, c := range []struct{ name, text, pointer, want, outline string }{
		{"two", `{"a":1,"a":2}`, "/a", "2", "/a: number\n"},
		{"an escaped one", `{"a":1,"\u0061":"x"}`, "/a", `"x"`, "/a: string\n"},
		{"another in between", `{"a":1,"b":null,"a":"x"}`, "/a", `"x"`, "(root): object, 2 keys\n/a: string\n/b: null\n"},
		{"nested", `{"o":{"a":1},"o":{"a":[],"a":"x"}}`, "/o/a", `"x"`, "/o: object, 1 key\n/o/a: string\n"},
		{"in an item", `[{"a":1},{"a":1,"a":"x"}]`, "/1/a", `"x"`, "/*/a: string | number\n"},
		{"far apart", `{"a":1,"b":"` + pad + `","c":"` + pad + `","a":"x","d":"` + pad + `"}`, "/a", `"x"`, "/a: string\n"},
		{"parts of the first are gone", `{"a":{"gone":1},"a":2}`, "/a", "2", "(root): object, 1 key\n/a: number\n"},
		{"cut", `{"a":{"gone":1},"a":[1,2],"b":`, "", "", "/a: array, 2 items\n"},
		{"cut in an array", `{"a":1,"a":[1,2,`, "", "", "/a: array, 3 items\n/a/*: number ×2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reader{[]byte(c.text), rescue.Meta{Kind: rescue.JSONObject}}
			a, err := r.Do(Request{Mode: Outline}, limits(4000))
			if err != nil || !strings.Contains(a.Text, c.outline) || strings.Contains(a.Text, "gone") {
				t.Errorf("%v: %s", err, a.Text)
			}
			if c.want == "" {
				return
			}
			if a, err = r.Do(Request{Mode: Pointer, Pointer: c.pointer}, limits(4000)); err != nil || a.Text != c.want {
				t.Errorf("%v: %+v", err, a)
			}
		})
	}
	// The bounds hold while trees are made and thrown away.
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `{"k%d":{"x":1},"k%d":{"y":[1,{"z":2}]}}`, i, i)
	}
	a := outlineOf(t, b.String(), rescue.Text, "")
	if !strings.Contains(a, "5000 JSON values") || !strings.Contains(a, "object ×5000, more than 300 keys") || strings.Contains(a, "/x:") {
		t.Errorf("%.300s", a)
	}
}

// TestNumbersOfPython: what Python's reader takes for a number is one.
func TestNumbersOfPython(t *testing.T) {
	text := `{"a":[NaN,Infinity,-Infinity,-1],"b":"NaN"}`
	for pointer, want := range map[string]string{"/a/0": "NaN", "/a/1": "Infinity", "/a/2": "-Infinity", "/a/3": "-1", "/b": `"NaN"`} {
		if a := do(t, text, Request{Mode: Pointer, Pointer: pointer}, limits(99)); a.Text != want {
			t.Errorf("%s: %+v", pointer, a)
		}
	}
	for _, text := range []string{"[Nan]", "[-Inf]", "[+Infinity]", "[-]", "[NaNN]", "[-NaN]", "[-", "[Infinit", "[-Infinity1]"} {
		if err := checkJSON([]byte(text)); err == nil {
			t.Errorf("%s is JSON", text)
		}
	}
}
