package engine

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// TestCoercionVectorsThroughTheBridge takes every case of the vectors from the
// text of a registry to what the tool would receive, through tool_call.
func TestCoercionVectorsThroughTheBridge(t *testing.T) {
	packed, err := os.Open("arguments/testdata/coercion.json.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	var file struct {
		Cases []struct {
			Case string
			Tool struct {
				Name, Toolset string
				Parameters    json.RawMessage
			}
			Arguments  json.RawMessage
			Text       *string         `json:"arguments_text"`
			Dispatched json.RawMessage `json:"dispatched_arguments"`
			NotJSON    *string         `json:"dispatched_text"`
			Changed    bool
			Error      string
		}
	}
	require.NoError(t, json.NewDecoder(unpacked).Decode(&file))
	c := config.Default()
	c.ToolSearch.Enabled = config.On
	builder := NewBuilder()
	for i, test := range file.Cases {
		function := map[string]any{"name": test.Tool.Name, "description": "One of ours."}
		if test.Tool.Parameters != nil {
			function["parameters"] = test.Tool.Parameters
		}
		dump := jsontree.Encode(map[string]any{"tools": []any{map[string]any{"type": "function", "function": function, "toolset": test.Tool.Toolset}}})
		registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: dump})
		require.NoError(t, err)
		s, err := builder.Build(t.Context(), Inputs{Registry: registry, Config: c})
		require.NoError(t, err)
		raw := test.Arguments
		if test.Text != nil {
			raw = jsontree.Encode(*test.Text)
		}
		got := s.Call(test.Tool.Name, raw)
		if !json.Valid(got.ModelSees) || !json.Valid(jsontree.Encode(got)) {
			t.Errorf("case %d (%s): not JSON: %s", i, test.Case, got.ModelSees)
		}
		if test.Error != "" {
			if got.Code != CodeCoercion || got.Gate != "arguments" {
				t.Errorf("case %d (%s): %s at %s, want %s", i, test.Case, got.Code, got.Gate, CodeCoercion)
			}
			continue
		}
		want := test.Dispatched
		if test.NotJSON != nil {
			object, f := arguments.Parse([]byte(*test.NotJSON))
			if f != nil {
				t.Fatal(f)
			}
			object, _, _ = arguments.Coerce(nil, object)
			want = arguments.Strict(object)
		}
		if !got.Authorized || !sameJSON(t, got.Arguments, want) || (len(got.Coerced) > 0) != test.Changed {
			t.Errorf("case %d (%s): %s with %s, want %s; converted %v", i, test.Case, got.Code, got.Arguments, want, got.Coerced)
		}
	}
}
