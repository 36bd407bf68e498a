package lint

import (
	"encoding/json"
	"strings"
	"testing"

	"caliper/model"
)

func TestWithoutNoise(t *testing.T) {
	tests := []struct{ name, schema, want, keywords string }{
		{"none", `{"type":"object","properties":{"title":{"type":"string"}}}`, `{"type":"object","properties":{"title":{"type":"string"}}}`, ""},
		{"first", `{ "$schema" : "x", "type":"object" }`, `{ "type":"object" }`, "$schema"},
		{"last", `{"type":"object" , "additionalProperties" : false }`, `{"type":"object" }`, "additionalProperties"},
		{"middle", `{"a":1,"title":"T","x-v":[1,{"b":2}],"b":2}`, `{"a":1,"b":2}`, "title x-v"},
		{"two at the end", `{"a":1,"title":"T","$comment":"c"}`, `{"a":1}`, "$comment title"},
		{"all", `{"title":"T", "additionalProperties": { } }`, `{ }`, "additionalProperties title"},
		{"below", `{"properties":{"title":{"title":"T","type":"string"}},"items":[{"title":"T"}],"anyOf":[{"title":"A"},true]}`,
			`{"properties":{"title":{"type":"string"}},"items":[{}],"anyOf":[{},true]}`, "title"},
		{"data", `{"default":{"title":"T"},"enum":[{"$schema":1}],"const":{"additionalProperties":true},"examples":[{"title":"x"}]}`,
			`{"default":{"title":"T"},"enum":[{"$schema":1}],"const":{"additionalProperties":true},"examples":[{"title":"x"}]}`, ""},
		{"a schema of additional properties", `{"additionalProperties":{"type":"string","title":"T"}}`, `{"additionalProperties":{"type":"string"}}`, "title"},
		{"title that is no text", `{"title":{"type":"string"}}`, `{"title":{"type":"string"}}`, ""},
		{"escaped", `{"ti\u0074le":"}\"{", "a":"\\"}`, `{"a":"\\"}`, "title"},
		{"names", `{"dependencies":{"a":["title"],"b":{"title":"T"}},"required":["title"]}`, `{"dependencies":{"a":["title"],"b":{}},"required":["title"]}`, "title"},
		{"no schema", `true`, `true`, ""},
		{"not JSON", `{"title":`, `{"title":`, ""},
	}
	for _, tt := range tests {
		got, keywords := withoutNoise([]byte(tt.schema))
		if string(got) != tt.want || strings.Join(keywords, " ") != tt.keywords {
			t.Errorf("%s:\n got %s %q\nwant %s %q", tt.name, got, keywords, tt.want, tt.keywords)
		}
	}
}

// A schema that is rewritten is JSON still, and once is enough.
func FuzzWithoutNoise(f *testing.F) {
	f.Add(`{"title":"T","properties":{"a":{"$schema":"x","items":[{},{"title":""}]}},"additionalProperties":{}}`)
	f.Add(`{"x-":1,"x-a":[[]],"allOf":[{"not":{"title":"\u0022"}}, 1.5e3 ,null]}`)
	f.Fuzz(func(t *testing.T, schema string) {
		same := rewriteSchema([]byte(schema), func(string, []byte) ([]byte, bool) { return nil, true })
		if string(same) != schema {
			t.Fatalf("%s became %s", schema, same)
		}
		clean, _ := withoutNoise([]byte(schema))
		if json.Valid([]byte(schema)) != json.Valid(clean) {
			t.Fatalf("%s became %s", schema, clean)
		}
		if again, keywords := withoutNoise(clean); string(again) != string(clean) || len(keywords) > 0 && json.Valid(clean) {
			t.Fatalf("%s, again %s %q", clean, again, keywords)
		}
		kept, _ := withoutNoise([]byte(schema))
		replaced := rewriteSchema(kept, func(string, []byte) ([]byte, bool) { return []byte(`0`), true })
		if json.Valid(kept) != json.Valid(replaced) {
			t.Fatalf("%s became %s", kept, replaced)
		}
	})
}

// A part deeper than model.MaxSchemaDepth is left as it stands, however deep.
func TestRewriteIsBounded(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat(`{"items":`, depth) + `{"title":"x","type":"array"}` + strings.Repeat("}", depth)
	}
	for _, c := range []struct {
		depth   int
		reached bool
	}{{0, true}, {model.MaxSchemaDepth - 1, true}, {model.MaxSchemaDepth, false}, {9000, false}} {
		clean, keywords := withoutNoise([]byte(nested(c.depth)))
		if reached := len(keywords) == 1; reached != c.reached || reached == (string(clean) == nested(c.depth)) {
			t.Errorf("%d deep: %v", c.depth, keywords)
		}
		if _, bare := withItems([]byte(nested(c.depth))); (bare == 1) != c.reached {
			t.Errorf("%d deep: %d arrays without items", c.depth, bare)
		}
	}
}

// An array that says nothing of its items is one by its type alone.
func TestWithItems(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"type":"array"}`, `{"type":"array","items":{}}`},
		{`{"type" : ["null", "array"] }`, `{"type" : ["null", "array"] ,"items":{}}`},
		{`{"type":"array","items":true}`, ""},
		{`{"type":"string"}`, ""},
		{`{"type":["string"]}`, ""},
		{`{"default":{"type":"array"},"properties":{"type":{"enum":["array"]}}}`, ""},
		{`{"anyOf":[{"type":"array","prefixItems":[{"type":"array"}]}]}`, `{"anyOf":[{"type":"array","prefixItems":[{"type":"array","items":{}}],"items":{}}]}`},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got, n := withItems([]byte(c.in)); string(got) != want || n != strings.Count(want, `"items":{}`) {
			t.Errorf("%s becomes %s by %d", c.in, got, n)
		}
	}
}
