package model_test

import (
	"slices"
	"testing"

	"caliper/model"
	"caliper/model/internal/modeltest"
	"caliper/model/jsontree"

	"pgregory.net/rapid"
)

// parsedNames is PropertyNames by parsing.
func parsedNames(parameters []byte) []string {
	var names []string
	c := jsontree.NewCursor(parameters, 0)
	_, _ = c.Object(func(name []byte) error {
		if string(name) == "properties" && c.Next() == '{' {
			_, err := c.Object(func(name []byte) error {
				names = append(names, string(name))
				_, err := c.Value()
				return err
			})
			return err
		}
		_, err := c.Value()
		return err
	})
	return names
}

func TestPropertyNamesEqualParsing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := []byte(modeltest.RandomJSON(t, 4))
		if _, err := jsontree.NewCursor(raw, 0).Value(); err != nil || raw[0] != '{' {
			t.Skip("not an object, or one that repeats a name")
		}
		got, want := (&model.Tool{Parameters: raw}).PropertyNames(), parsedNames(raw)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", raw, got, want)
		}
	})
}

func FuzzPropertyNames(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a\n":{"x":[1,"]"]},"b":true}}`))
	f.Add([]byte(`{"properties":{"`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		(&model.Tool{Parameters: raw}).PropertyNames() // no bytes make it panic or run for ever
	})
}
