package lint

import (
	"encoding/json"
	"strings"
	"testing"
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
