package arguments

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"caliper/model/jsontree"
	"caliper/model/require"
)

// coercionCase is a case of coercion.json: what becomes of the arguments of a
// call before the tool gets them, measured on the June 2026 agent.
type coercionCase struct {
	Case, Source string
	Tool         struct{ Parameters json.RawMessage }
	Registered   json.RawMessage `json:"registered_parameters"`
	Arguments    json.RawMessage
	Text         *string         `json:"arguments_text"`
	Dispatched   json.RawMessage `json:"dispatched_arguments"`
	NotJSON      *string         `json:"dispatched_text"`
	Changed      bool
	Error        string

	Refuses      *bool `json:"strict_refuses"`
	RefusesAfter *bool `json:"strict_refuses_after"`
	Invalid      bool  `json:"strict_schema_invalid"`
}

// raw returns the arguments value as the model sends it.
func (c coercionCase) raw() []byte {
	if c.Text == nil {
		return c.Arguments
	}
	return jsontree.Encode(*c.Text)
}

// coercionCases returns the cases of the vectors in testdata.
func coercionCases(t testing.TB) []coercionCase {
	t.Helper()
	packed, err := os.Open("testdata/coercion.json.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	var file struct{ Cases []coercionCase }
	require.NoError(t, json.NewDecoder(unpacked).Decode(&file))
	if len(file.Cases) != 826 {
		t.Fatalf("%d cases, want 826", len(file.Cases))
	}
	return file.Cases
}

func TestCoercionVectors(t *testing.T) {
	for i, c := range coercionCases(t) {
		checkCoercion(t, i, c)
	}
}

// checkCoercion holds what Coerce and Registered do against a case.
func checkCoercion(t *testing.T, i int, c coercionCase) {
	t.Helper()
	schema := []byte(c.Tool.Parameters)
	if c.Source == "mcp" {
		schema = Registered(schema)
		want := c.Registered
		if want == nil {
			want = c.Tool.Parameters
		}
		if !equalJSON(t, schema, want) {
			t.Errorf("case %d (%s): registered as %s, want %s", i, c.Case, schema, want)
		}
		if again := Registered(schema); !bytes.Equal(again, schema) {
			t.Errorf("case %d (%s): registered twice as %s, once as %s", i, c.Case, again, schema)
		}
	}
	args, fault := Parse(c.raw())
	if fault != nil {
		t.Errorf("case %d (%s): %s", i, c.Case, fault)
		return
	}
	got, changed, fault := Coerce(schema, args)
	if c.Error != "" {
		if fault == nil || fault.Code != CodeCoercion {
			t.Errorf("case %d (%s): %s of %s by %s, want it to fail", i, c.Case, got, args, schema)
		}
		return
	}
	if fault != nil {
		t.Errorf("case %d (%s): %s", i, c.Case, fault)
		return
	}
	want := []byte(c.Dispatched)
	if c.NotJSON != nil {
		want = []byte(*c.NotJSON)
	}
	if !equalJSON(t, got, want) {
		t.Errorf("case %d (%s): %s of %s by %s, want %s", i, c.Case, got, args, schema, want)
	}
	if (len(changed) > 0) != c.Changed {
		t.Errorf("case %d (%s): changed %v, want %t", i, c.Case, changed, c.Changed)
	}
	for _, one := range changed {
		if !json.Valid(one.Given) || !json.Valid(one.Coerced) || bytes.Equal(one.Given, one.Coerced) && c.NotJSON == nil {
			t.Errorf("case %d (%s): %s -> %s", i, c.Case, one.Given, one.Coerced)
		}
	}
}

// equalJSON reports whether two texts are the same value: 4 and 4.0 are not.
func equalJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	x, err := jsontree.Parse(a, jsontree.Python)
	if err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	y, err := jsontree.Parse(b, jsontree.Python)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return x.Equal(y)
}

// TestStrictVectors compares the verdict of a Validator with the verdict of another
// implementation of JSON Schema 2020-12, on the arguments as given and as
// converted. Formats are left out, which ours asserts and the other does not.
func TestStrictVectors(t *testing.T) {
	v := NewValidator()
	asked := 0
	for i, c := range coercionCases(t) {
		if c.Invalid || c.Refuses == nil || c.Error != "" || bytes.Contains(c.Tool.Parameters, []byte(`"format"`)) {
			continue
		}
		args, _ := Parse(c.raw())
		got, _, _ := Coerce(c.Tool.Parameters, args)
		if c.Source == "mcp" {
			got, _, _ = Coerce(Registered(c.Tool.Parameters), args)
		}
		for _, test := range []struct {
			args []byte
			want *bool
		}{{args, c.Refuses}, {got, c.RefusesAfter}} {
			if test.want == nil || !json.Valid(test.args) {
				continue
			}
			asked++
			refused := slices.ContainsFunc(v.Validate(c.Tool.Parameters, test.args), func(p Problem) bool { return !p.Uncheckable })
			if refused != *test.want {
				t.Errorf("case %d (%s): %s by %s: refused %t, want %t", i, c.Case, test.args, c.Tool.Parameters, refused, *test.want)
			}
		}
	}
	if asked < 1400 {
		t.Errorf("only %d verdicts were asked for", asked)
	}
}
