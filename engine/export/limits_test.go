package export

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// TestRows: every row says who, what, where it was read and when; names are among them.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Limits() {
		if r.Who == "" || r.Bound == "" || r.Effect == "" || r.Source == "" || len(r.Date) != len("2026-11") {
			t.Errorf("%+v", r)
		}
		key := r.Who + string(r.Rule)
		if seen[key] {
			t.Errorf("%s has two rows", key)
		}
		seen[key] = true
	}
	if Most(OpenAI, RuleTools) != 128 || Most(ClaudeApp, RuleInstructions) != 2048 || Most("nobody", RuleTools) != 0 || !seen["Anthropic's tool search"+string(RuleName)] {
		t.Error("a number is another, or names are missing")
	}
}

func TestCheck(t *testing.T) {
	large := `{"type":"object","properties":{"x":{"enum":["` + strings.Repeat(`v","`, 1000) + `w"]}}}`
	long := `{"type":"object","properties":{"x":{"enum":["` + strings.Repeat(strings.Repeat("v", 60)+`","`, 251) + `w"]}}}`
	for _, c := range []struct {
		name string
		d    Definition
		who  []string // all of those who are named below
		want []string
	}{
		{"nothing", Definition{}, nil, nil},
		{"plain", Definition{Parameters: []byte(`{"type":"object","properties":{"a":{"type":"array","items":{}}},"required":["a"]}`), Output: []byte(`{"type":"object"}`)}, nil, nil},
		{"a union in a property", Definition{Parameters: []byte(`{"type":"object","properties":{"anyOf":{"anyOf":[{}]}}}`)}, nil, nil},
		{"keywords at the top", Definition{Parameters: []byte(`{"type":"object","not":{},"oneOf":[]}`)}, nil,
			[]string{"not at the top of the parameters: OpenAI refuses it", "oneOf at the top of the parameters: OpenAI refuses it",
				"oneOf at the top of the parameters: Anthropic refuses it", "oneOf at the top of the parameters: Claude on Bedrock refuses it"}},
		{"a list of types", Definition{Parameters: []byte(`{"type":["object"]}`)}, []string{Gemini, MCPSDK},
			[]string{`parameters of type ["object"]: Gemini takes an object`, `parameters of type ["object"]: MCP's TypeScript SDK takes an object`}},
		{"names of parameters", Definition{Parameters: []byte(`{"properties":{"a b":{"properties":{"c d":{}}},"` + strings.Repeat("x", 65) + `":{}}}`)}, []string{Claude},
			[]string{`parameter "a b" and 1 more: Claude on Bedrock takes names of letters, digits, _, . and -, and 64 characters`}},
		{"names below the top", Definition{Parameters: []byte(`{"properties":{"a":{"properties":{"c d":{}}}}}`)}, nil, nil},
		{"an array", Definition{Parameters: []byte(`{"properties":{"a":{"items":{"type":["null","array"]}},"b":{"type":"\u0061rray"}}}`)}, []string{VSCode},
			[]string{"an array without items at /properties/a/items and 1 more: VS Code refuses it"}},
		{"members", Definition{Parameters: []byte(`{"type":"object","properties":{"a":true,"b":"x"},"required":"a"}`)}, nil,
			[]string{"inputSchema has a property whose schema is not an object, a and 1 more: MCP's TypeScript SDK refuses it",
				"inputSchema has a required that is not a list of names: MCP's TypeScript SDK refuses it"}},
		{"no members", Definition{Parameters: []byte(`{"properties":null}`)}, nil, []string{"inputSchema has properties that are not an object: MCP's TypeScript SDK refuses it"}},
		{"no parameters", Definition{Parameters: []byte(`null`)}, []string{MCPSDK}, []string{"inputSchema is not an object: MCP's TypeScript SDK refuses it"}},
		{"a reference at the top", Definition{Parameters: []byte(`{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`)}, []string{MCPSDK}, nil},
		{"what is said besides", Definition{Beside: []Member{{Name: "annotations", Value: []byte(`{"readOnlyHint":1,"title":2}`)}, {Name: "title", Value: []byte(`7`)}, {Name: "newer", Value: []byte(`7`)}}}, nil,
			[]string{"annotations has a readOnlyHint of another type than MCP has and 2 more: MCP's TypeScript SDK refuses it"}},
		{"a description that is cut", Definition{Description: strings.Repeat("d", 2049)}, []string{ClaudeApp}, []string{"a description of 2049 characters: Claude Code takes 2048"}},
		{"a description that is not", Definition{Description: strings.Repeat("d", 2048)}, []string{ClaudeApp}, nil},
		{"many values", Definition{Parameters: []byte(large), Strict: true}, nil, []string{"1001 values of enums, strict: OpenAI takes 1000"}},
		{"long values", Definition{Parameters: []byte(long), Strict: true}, nil, []string{"an enum of 15061 characters at /properties/x, strict: OpenAI takes 15000 where there are more than 250 values"}},
		{"many values of a tool that is not strict", Definition{Parameters: []byte(large)}, nil, nil},
		{"an output of no kind", Definition{Output: []byte(`true`)}, nil, []string{"outputSchema is not an object: MCP's TypeScript SDK refuses it"}},
		{"an output that is null", Definition{Output: []byte(`null`)}, nil, []string{"outputSchema is not an object: MCP's TypeScript SDK refuses it"}},
		{"an output whose property is true", Definition{Output: []byte(`{"type":"object","properties":{"a":true}}`)}, nil, []string{"outputSchema has a property whose schema is not an object, a: MCP's TypeScript SDK refuses it"}},
		{"an output that Ajv does not compile", Definition{Output: []byte(`{"type":"object","properties":{"a":{"enum":[]}}}`)}, nil, []string{"outputSchema cannot be compiled by clients: MCP's TypeScript SDK refuses it"}},
		{"an output that refers to itself", Definition{Output: []byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"$ref":"#"}}}`)}, nil, nil},
		{"an output that refers to nothing", Definition{Output: []byte(`{"type":"object","$ref":"#/x","properties":{"a":{"$ref":"#/x"},"b":{"$ref":"#/y"}}}`)}, nil,
			[]string{"$ref #/x of the output schema, which leads to nothing: MCP's TypeScript SDK refuses it", "$ref #/y of the output schema, which leads to nothing: MCP's TypeScript SDK refuses it"}},
		{"cached and deferred", Definition{Cached: true, Deferred: true}, nil, []string{"cache_control beside defer_loading: Anthropic refuses it"}},
		{"cached", Definition{Cached: true}, nil, nil},
		{"a name of 59 with its server", Definition{Server: "g", Tool: strings.Repeat("t", 58)}, nil, nil},
		{"a name of 60 with its server", Definition{Server: "g", Tool: strings.Repeat("t", 59)}, nil, []string{"server and tool name of 60 characters: Cursor takes 59"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range Breaches(c.d, c.who...) {
				got = append(got, b.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		name            string
		tools, deferred int
		search          bool
		who             []string
		want            int
	}{
		{"none", 0, 0, false, nil, 0}, {"at the limit", 128, 0, false, nil, 0}, {"beyond one", 129, 0, false, nil, 1}, {"beyond two", 513, 1, false, nil, 2},
		{"beyond another's", 513, 0, false, []string{Anthropic}, 0}, {"all deferred", 2, 2, false, nil, 1}, {"but the search", 2, 2, true, nil, 0}, {"but one", 2, 1, false, nil, 0},
	} {
		if got := RequestBreaches(c.tools, c.deferred, c.search, c.who...); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestTold: what several say alike is told once, with all of them; advice is not told, and
// nobody who is left out.
func TestTold(t *testing.T) {
	array := Definition{Tool: "a", Description: "d", Parameters: []byte(`{"type":"object","properties":{"x":{"type":"array"}}}`)}
	told := Told(array)
	if len(told) == 0 || !slices.Equal(told[0].By, []string{OpenAI, VSCode}) || !strings.Contains(told[0].String(), OpenAI) || !strings.Contains(told[0].String(), VSCode) || !strings.HasPrefix(told[0].String(), told[0].What+": ") {
		t.Fatalf("%+v", told)
	}
	if left := Told(array, OpenAI); len(left) != len(told) || !slices.Equal(left[0].By, []string{VSCode}) {
		t.Errorf("without %s: %+v", OpenAI, left)
	}
	n := 0
	all := Breaches(array)
	for _, j := range Joined(all) {
		n += len(j.By)
	}
	if n != len(all) || slices.ContainsFunc(told, func(j Breach) bool { return j.Effect == Advised }) {
		t.Errorf("%d of %d breaches are told", n, len(all))
	}
	for n, want := range map[int]int{0: 0, 2048: 0, 2049: 1} {
		got := InstructionBreaches(strings.Repeat("é", n))
		if len(got) != want || want > 0 && (got[0].Who != ClaudeApp || got[0].What != "instructions of 2049 characters" || got[0].Takes != "2048") {
			t.Errorf("%d characters: %+v", n, got)
		}
	}
}

// TestDefined: what is looked at of a tool is what its source says, its parameters that are
// null among it.
func TestDefined(t *testing.T) {
	r := parse(t, `{"core":["a"],"hosted":["web_search"],"toolsets":{},"tools":[{"type":"function","function":{"name":"a","description":"d","parameters":null},"strict":true,"always_load":true,"outputSchema":{"type":"object"},"icons":[],"annotations":{"title":"A"},"cache_control":{"type":"ephemeral"}},{"type":"function","function":{"name":"b","parameters":{"type":"object"}},"defer_loading":true,"cache_control":null},{"type":"function","function":{"name":"c","strict":true,"parameters":{"type":"object"}}}]}`)
	a, b := Defined(r, r.Tools[0]), Defined(r, r.Tools[1])
	var beside []string
	for _, m := range a.Beside {
		beside = append(beside, m.Name)
	}
	if string(a.Parameters) != "null" || !a.Strict || !a.Cached || string(a.Output) != `{"type":"object"}` || !slices.IsSorted(beside) || !slices.Contains(beside, "annotations") || slices.Contains(beside, "outputSchema") || a.Deferred {
		t.Errorf("%+v, beside %q", a, beside)
	}
	if string(b.Parameters) != `{"type":"object"}` || b.Strict || b.Cached || b.Output != nil || !b.Deferred {
		t.Errorf("%+v", b)
	}
	if !Defined(r, r.Tools[2]).Strict {
		t.Error("strict is not read where OpenAI has it")
	}
	dump, _ := written(t, AsHermes, r, Options{})
	again := parse(t, dump)
	if !slices.Equal(again.Core, []string{"a"}) || !slices.Equal(again.Hosted, r.Hosted) || len(r.Hosted) != 1 || !again.Tools[0].Always || again.Tools[1].Always {
		t.Errorf("core %q, hosted %q, always %v", again.Core, again.Hosted, again.Tools[0].Always)
	}
	changed := parse(t, `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":null},"icons":[{"src":7}]},{"name":"b","inputSchema":{"type":"object"}}]}`)
	if got := Changes(changed, changed.Tools[0]); len(got) < 2 {
		t.Errorf("changes of the parameters and of the icons: %+v", got)
	}
	if got := Changes(changed, changed.Tools[1]); len(got) > 0 {
		t.Errorf("changes of nothing: %+v", got)
	}
}

// TestAnyDefinition: whatever a definition is, the checks of all equal the checks of each, and
// asking again says the same.
func TestAnyDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.SampledFrom([][]byte{
			[]byte(`{"type":["object"],"anyOf":[{"type":"array"}],"properties":{"a b":true}}`), []byte(`{"enum":[1],"$ref":"#/x","required":null}`), []byte(`{"properties":[]}`)}))
		d := Definition{Parameters: bytes.Draw(t, "parameters"), Output: bytes.Draw(t, "output"), Strict: true, Cached: true, Deferred: rapid.Bool().Draw(t, "deferred")}
		n := 0
		for _, who := range []string{OpenAI, Anthropic, Gemini, Bedrock, Claude, VSCode, ClaudeApp, Cursor, MCPSDK} {
			n += len(Breaches(d, who))
		}
		_, changes := ListedInput(d.Parameters)
		_, more := listedOutput(d.Output)
		for _, c := range append(changes, more...) {
			if c.Member == "outputSchema" && d.Output == nil || c.Kind == changeRootRef || c.Kind == changeRootType && c.Member == "inputSchema" {
				continue
			}
			if len(Breaches(d, MCPSDK)) == 0 {
				t.Fatalf("serve changes it, and no row refuses it: %s", c.Message())
			}
		}
		all := Breaches(d)
		if len(all) != n || len(Breaches(d)) != n {
			t.Fatalf("%d, and %d one by one", len(all), n)
		}
		for _, b := range all {
			if b.What == "" || b.Who == "" {
				t.Fatalf("%+v", b)
			}
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"array"}},"anyOf":[]}`), []byte(`{"$ref":"#/x"}`))
	f.Fuzz(func(_ *testing.T, parameters, output []byte) {
		Breaches(Definition{Parameters: parameters, Output: output, Strict: true})
	})
}

// TestBrief: a value is written on one line and cut.
func TestBrief(t *testing.T) {
	long := `"` + strings.Repeat("x", 58) + `"`
	for in, want := range map[string]string{`{ "a" : [1 ] }`: `{"a":[1]}`, long: long, " " + long: long, long[:59] + `yz"`: long[:59] + "y…"} {
		got := Breaches(Definition{Parameters: []byte(`{"type":` + in + `}`)}, OpenAI)
		if len(got) != 1 || got[0].What != "parameters of type "+want {
			t.Errorf("%q is %v, want %q", in, got, want)
		}
	}
}
