package fielded

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// readSchema returns the names and texts of a schema.
func readSchema(data string) (names, texts []string) {
	s := schema{visit: func(f Field, text []byte) {
		if f == ParameterNames {
			names = append(names, string(text))
		} else {
			texts = append(texts, string(text))
		}
	}}
	s.format = func([]byte) {}
	s.Data = []byte(data)
	s.object(0, false)
	return names, texts
}

func TestSchema(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"p":`, 8) + `{"description":"deep"}` + strings.Repeat("}}", 8)
	for _, c := range []struct{ name, schema, names, texts string }{
		{"none", ``, "", ""},
		{"no object", `[{"properties":{"a":{}}}]`, "", ""},
		{"outer texts are left out", `{"description":"x","enum":["y"],"properties":{"a":{"description":"z"}}}`, "a", "z"},
		{"a parameter called description", `{"properties":{"description":{"type":"string"},"enum":{"enum":["e"]}}}`, "description|enum", "e"},
		{"values", `{"properties":{"a":{"enum":["one",2,true,null,{"x":"y"},["z"],-1.5]}}}`, "a", "one|2|true|-1.5"},
		{"items", `{"properties":{"a":{"items":{"description":"d","enum":["e"],"properties":{"b":{}}}}}}`, "a|b", "d|e"},
		{"items of the whole", `{"items":{"properties":{"b":{"description":"d"}}}}`, "b", "d"},
		{"escapes", `{"properties":{"a\u0062\"":{"description":"l\n\u6e2f"}}}`, `ab"`, "l\n港"},
		{"white space", " { \"properties\" :\n{ \"a\" : { \"description\" : \"d\" } , \"b\":1 } } ", "a|b", "d"},
		{"other keywords", `{"$defs":{"x":{"properties":{"no":{}}}},"properties":{"a":{"anyOf":[{"description":"no"}],"default":{"description":"no"}}}}`, "a", ""},
		{"a limit of depth", deep, "p|p|p|p|p|p", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			names, texts := readSchema(c.schema)
			if got := strings.Join(names, "|"); got != c.names {
				t.Errorf("names %q, want %q", got, c.names)
			}
			if got := strings.Join(texts, "|"); got != c.texts {
				t.Errorf("texts %q, want %q", got, c.texts)
			}
		})
	}
}

// FuzzSchema: no bytes are too strange; of valid schemas, names and texts are
// those that a parser finds.
func FuzzSchema(f *testing.F) {
	f.Add(`{"properties":{"a":{"description":"d","enum":["x",1]},"b":{"items":{"properties":{"c":{}}}}}}`)
	f.Add(`{"properties":{"a":{"enum":[`)
	f.Add(`{"properties":{"a":"}}}`)
	f.Add(`]]}{"`)
	f.Fuzz(func(t *testing.T, data string) {
		names, texts := readSchema(data)
		if wantNames, wantTexts := oracleParameters([]byte(data)); strictly(data) {
			slices.Sort(names)
			slices.Sort(wantNames)
			if !slices.Equal(names, wantNames) || len(texts) != len(wantTexts) {
				t.Errorf("%q and %q, want %q and %q", names, texts, wantNames, wantTexts)
			}
		}
	})
}

// strictly tells whether data is JSON without names that are repeated, whose
// texts are the same however they are read.
func strictly(data string) bool {
	d := jsontext.NewDecoder(strings.NewReader(data))
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}
