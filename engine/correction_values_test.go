package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"

	"pgregory.net/rapid"
)

// shoreSnapshot returns a snapshot in which the one tool of server shore has some
// parameters. Its name at the server is clear_shore.
func shoreSnapshot(t testing.TB, g config.Generation, search bool, parameters string) *Snapshot {
	t.Helper()
	state := "on"
	if !search {
		state = "off"
	}
	f, err := config.Parse("c.yaml", []byte("tools: {tool_search: {enabled: "+state+", generation: "+string(g)+"}}\n"))
	require.NoError(t, err)
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`{"toolsets":{"mcp-shore":{"source":"mcp","server":"shore"}},"tools":[
		{"type":"function","function":{"name":"mcp_shore_clear_shore","description":"Clear.","parameters":` + parameters + `},"original_name":"clear_shore","server":"shore","toolset":"mcp-shore"}]}`)})
	require.NoError(t, err)
	return built(t, Inputs{Registry: registry, Config: f.Config, Strict: true})
}

// attemptsAt returns the ways in which a model asks for the tool of shoreSnapshot. Its
// own name and form are the last.
func attemptsAt(g config.Generation, args string) [][2]string {
	inside := func(name, args string) string {
		if g == config.September2026 {
			return `{"calls":[{"name":"` + name + `","arguments":` + args + `}]}`
		}
		return `{"name":"` + name + `","arguments":` + args + `}`
	}
	quoted, _ := json.Marshal(args)
	return [][2]string{
		{ToolCall, inside("clear_shore", args)},
		{ToolCall, inside("mcp__shore__clear_shore", args)},
		{ToolCall, inside("mcp_shore_clear_shor", args)},
		{ToolCall, inside("tool_call", inside("mcp_shore_clear_shore", args))},
		{ToolCall, inside("mcp_shore_clear_shore", string(quoted))},
		{"clear_shore", args},
		{"mcp_shore_clear_shore", args},
		{ToolCall, inside("mcp_shore_clear_shore", args)},
	}
}

// runs returns the arguments with which a call runs the tool of shoreSnapshot.
func runs(t interface{ Fatalf(string, ...any) }, c NextCall) (args map[string]any, ok bool) {
	raw := c.Arguments
	switch c.Name {
	case ToolSearch, ToolDescribe:
		return nil, false
	case ToolCall:
		var one struct {
			Arguments json.RawMessage
			Calls     []struct{ Arguments json.RawMessage }
		}
		if err := json.Unmarshal(raw, &one); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if raw = one.Arguments; len(one.Calls) == 1 {
			raw = one.Calls[0].Arguments
		}
	}
	return decoded(t, string(raw)).(map[string]any), true
}

// decoded returns the value of a text of JSON, with all digits of its numbers.
func decoded(t interface{ Fatalf(string, ...any) }, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// A correction runs the tool with what was written, or it runs nothing and the model is
// told which argument does not fit.
func TestCorrectionKeepsValues(t *testing.T) {
	const files = `{"type":"object","properties":{"folder":{"type":"string"},"ids":{"type":"array","items":{"type":"integer"}},"dry_run":{"type":"boolean"},"state":{"type":"string","enum":["open","closed"]}},"required":["folder"]}`
	for _, c := range []struct {
		name, parameters, args string
		sent                   string // the arguments of the correction; empty: it runs nothing
		told                   string // what the error says
	}{
		{"numbers as texts", files, `{"folder":"/a","ids":["7","9"]}`, `{"folder":"/a","ids":[7,9]}`, ""},
		{"a text that is no number", files, `{"folder":"/a","ids":["7","x"]}`, "", "ids[1]"},
		{"a name in another style", files, `{"folder":"/a","dryRun":true}`, "", "dryRun"},
		{"a truth value as text", files, `{"folder":"/a","dry_run":"true"}`, `{"folder":"/a","dry_run":true}`, ""},
		{"a listed text in capitals", files, `{"folder":"/a","state":"OPEN"}`, `{"folder":"/a","state":"open"}`, ""},
		{"a text that is not listed", files, `{"folder":"/a","state":"ajar"}`, "", "state"},
		{"a missing text", files, `{"ids":[7]}`, "", "folder"},
		{"nothing", files, `{}`, "", "folder"},
		{"an amount as words", `{"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]}`, `{"amount":"twelve"}`, "", "amount"},
		{"more digits than a float has", `{"type":"object","properties":{"id":{"type":"integer"}}}`, `{"id":"9007199254740993"}`, `{"id":9007199254740993}`, ""},
		{"a name in another style, inside", `{"type":"object","properties":{"how":{"$ref":"#/$defs/How"}},"$defs":{"How":{"type":"object","properties":{"dry_run":{"type":"boolean"}}}}}`,
			`{"how":{"dryRun":true}}`, "", "how.dryRun"},
		{"a name in another style, in a list", `{"type":"object","properties":{"all":{"type":"array","items":{"anyOf":[{"properties":{"dry_run":{}}},{"properties":{"id":{}}}]}}}}`,
			`{"all":[{"id":7},{"id":7,"dryRun":true}]}`, "", "all[1].dryRun"},
		{"a name that the inside takes", `{"type":"object","properties":{"n":{"type":"integer"},"how":{"type":"object"},"to":{"properties":{"a":{}},"additionalProperties":true}}}`,
			`{"n":"1","how":{"x":1},"to":{"b":2}}`, `{"n":1,"how":{"x":1},"to":{"b":2}}`, ""},
		{"a name given twice", files, `{"folder":"/a","ids":[7],"ids":[9]}`, "", "ids"},
	} {
		for _, g := range []config.Generation{config.June2026, config.September2026} {
			for _, search := range []bool{true, false} {
				s := shoreSnapshot(t, g, search, c.parameters)
				for _, attempt := range attemptsAt(g, c.args) {
					trace := s.Direct(attempt[0], json.RawMessage(attempt[1]))
					where := fmt.Sprintf("%s, %s, search %t, %s %s", c.name, g, search, attempt[0], attempt[1])
					if trace.Authorized {
						continue
					}
					guessed := strings.Contains(attempt[1], "shor\"")
					if told := c.told != "" && strings.Contains(string(trace.ModelSees), c.told); c.told != "" && !told && !guessed {
						t.Errorf("%s: not told of %s: %s", where, c.told, trace.ModelSees)
					}
					if trace.Correction == nil {
						continue
					}
					args, ok := runs(t, trace.Correction.Call)
					if !ok {
						continue
					}
					if c.sent == "" || guessed || !reflect.DeepEqual(any(args), decoded(t, c.sent)) {
						t.Errorf("%s: runs with %v, want %s", where, args, c.sent)
					}
				}
			}
		}
	}
}

// A correction keeps a format where the gate that its call meets checks formats: a strict one,
// but for a deferred tool of september-2026.
func TestCorrectionsKeepFormats(t *testing.T) {
	for _, g := range []config.Generation{config.June2026, config.September2026} {
		for _, search := range []bool{true, false} {
			for _, strict := range []bool{true, false} {
				s := shoreSnapshot(t, g, search, `{"type":"object","properties":{"on":{"type":"string","format":"date"}}}`)
				s.Strict = strict
				for text, broken := range map[string]bool{"soon": true, "2026-11-02": false} {
					_, unfit := s.fitting(s.Registry.Tools[0], written{raw: json.RawMessage(`{"on":"` + text + `"}`)})
					if want := broken && strict && (g == config.June2026 || !search); len(unfit) > 0 != want {
						t.Errorf("%s, search %v, strict %v, %s: %q", g, search, strict, text, unfit)
					}
				}
			}
		}
	}
}

// A value that is written beside the arguments is not lost either.
func TestCorrectionLosesNothingBeside(t *testing.T) {
	const parameters = `{"type":"object","properties":{"ids":{"type":"array"}}}`
	for _, args := range []string{
		`{"name":"clear_shore","arguments":{},"ids":["7"]}`,
		`{"name":"clear_shore","ids":["7"]}`,
		`{"name":"clear_shore","parameters":{"ids":["7"]}}`,
		`{"calls":[{"name":"clear_shore","ids":["7"]}]}`,
		`{"calls":[{"name":"clear_shore","arguments":{}}],"dry_run":true}`,
		`{"calls":[{"name":"clear_shore","arguments":{}},{"name":"other","arguments":{}}]}`,
		`{"name":"tool_call","arguments":{"name":"clear_shore","arguments":{},"ids":["7"]}}`,
	} {
		for _, g := range []config.Generation{config.June2026, config.September2026} {
			trace := shoreSnapshot(t, g, true, parameters).Direct(ToolCall, json.RawMessage(args))
			if trace.Authorized || trace.Correction == nil {
				continue
			}
			if sent, ok := runs(t, trace.Correction.Call); ok {
				t.Errorf("%s, %s: runs with %v", args, g, sent)
			}
		}
	}
}

// keeps reports whether a value that is sent is the one that was written, or one that it
// spells.
func keeps(written, sent any) bool {
	switch w := written.(type) {
	case map[string]any:
		s, ok := sent.(map[string]any)
		for name := range w {
			ok = ok && keeps(w[name], s[name])
		}
		return ok && len(s) == len(w)
	case []any:
		s, ok := sent.([]any)
		for i := range w {
			ok = ok && len(s) == len(w) && keeps(w[i], s[i])
		}
		return ok
	}
	if list, ok := sent.([]any); ok && len(list) == 1 {
		return keeps(written, list[0])
	}
	if text, ok := written.(string); ok {
		if _, same := sent.(string); !same {
			var spelled any
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			return d.Decode(&spelled) == nil && keeps(spelled, sent)
		}
	}
	return reflect.DeepEqual(written, sent) || strings.EqualFold(fmt.Sprint(written), fmt.Sprint(sent))
}

// For schemas and arguments of any kind, the values of a correction are those that were
// written, and the schema takes them: the call runs as it stands.
func TestCorrectionValuesProperty(t *testing.T) {
	types := []string{`{"type":"integer"}`, `{"type":"string"}`, `{"type":"boolean"}`, `{"type":"number"}`, `{"enum":["open","Shut"]}`, `{"type":"array","items":{"type":"integer"}}`,
		`{"type":"array","items":{"type":"string"}}`, `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}`, `{"type":["integer","string"]}`,
		`{"type":"object","properties":{"k":{"type":"integer"}},"required":["k"]}`, `{}`, `{"type":"string","minLength":3}`, `{"type":"integer","nullable":true,"minimum":5}`}
	values := []string{`7`, `"7"`, `"9007199254740993"`, `true`, `"true"`, `"OPEN"`, `"open"`, `"shut"`, `null`, `"null"`, `["7","9"]`, `[7]`, `["a"]`, `{"k":"7"}`, `{"k":7}`, `"[1,2]"`, `""`, `0.5`, `"0.50"`, `1e2`, `[]`, `{}`, `"<x>"`}
	names := []string{"a", "b", "c", "a b"}
	rapid.Check(t, func(r *rapid.T) {
		var properties, required, args []string
		for _, name := range names {
			if rapid.Bool().Draw(r, "declared") {
				properties = append(properties, fmt.Sprintf("%q:%s", name, rapid.SampledFrom(types).Draw(r, "type")))
				if rapid.Bool().Draw(r, "required") {
					required = append(required, fmt.Sprintf("%q", name))
				}
			}
			if rapid.Bool().Draw(r, "given") {
				args = append(args, fmt.Sprintf("%q:%s", name, rapid.SampledFrom(values).Draw(r, "value")))
			}
		}
		more := rapid.SampledFrom([]string{"", `,"additionalProperties":false`, `,"additionalProperties":true`}).Draw(r, "more")
		g := rapid.SampledFrom([]config.Generation{config.June2026, config.September2026}).Draw(r, "generation")
		parameters := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]` + more + `}`
		s := shoreSnapshot(t, g, rapid.Bool().Draw(r, "search"), parameters)
		text := "{" + strings.Join(args, ",") + "}"
		attempt := rapid.SampledFrom(attemptsAt(g, text)).Draw(r, "attempt")
		trace := s.Direct(attempt[0], json.RawMessage(attempt[1]))
		if trace.Correction == nil {
			return
		}
		sent, ok := runs(r, trace.Correction.Call)
		if ok && !keeps(decoded(r, text), any(sent)) {
			r.Fatalf("%s for %s, %s %s: runs with %v", text, parameters, attempt[0], attempt[1], sent)
		}
		if again := s.Direct(trace.Correction.Call.Name, trace.Correction.Call.Arguments); !again.Authorized {
			r.Fatalf("%s for %s, %s %s: %s is refused: %s", text, parameters, attempt[0], attempt[1], trace.Correction.Call.JSON(), again.Message)
		}
	})
}
