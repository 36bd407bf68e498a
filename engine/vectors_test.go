package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// The files in testdata are conformance vectors: figures measured on the
// reference agent as of June 2026.

// readVectors decodes one vector file.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

func TestActivationVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Enabled       config.Mode
			ThresholdPct  float64 `json:"threshold_pct"`
			ContextLength *int    `json:"context_length"`
			Tokens        int     `json:"deferrable_tokens"`
			Want          struct {
				Active    bool
				Threshold int `json:"threshold_tokens"`
			}
			Note string
		}
	}
	readVectors(t, "activation.json", &file)
	for i, c := range file.Cases {
		got := Activate(config.ToolSearch{Enabled: c.Enabled, ThresholdPct: c.ThresholdPct}, c.ContextLength, c.Tokens)
		if got.Active != c.Want.Active || got.Reported != c.Want.Threshold {
			t.Errorf("case %d (%s): got %+v, want %+v", i, c.Note, got, c.Want)
		}
	}
	if len(file.Cases) != 43 {
		t.Errorf("%d cases, want 43", len(file.Cases))
	}
}

func TestClassifyVectors(t *testing.T) {
	var file struct {
		Core       []string
		Registered map[string]string
		Cases      []struct {
			Name       string
			Want       string
			Source     string
			SourceName string `json:"source_name"`
		}
		Lists []struct {
			Names, Visible, Deferrable, Dropped []string
		}
	}
	readVectors(t, "classify.json", &file)
	c := config.Default()
	c.Core = file.Core
	rules := NewClassifier(c)
	classify := func(name string) string {
		_, registered := file.Registered[name]
		return rules.Class(name, file.Registered[name], registered).String()
	}
	for _, c := range file.Cases {
		if got := classify(c.Name); got != c.Want {
			t.Errorf("%q: %s, want %s", c.Name, got, c.Want)
		}
		if c.Source == "" {
			continue
		}
		if got := SourceOf(file.Registered[c.Name]); got != c.Source || file.Registered[c.Name] != c.SourceName {
			t.Errorf("%q: source %s of %s, want %s of %s", c.Name, got, file.Registered[c.Name], c.Source, c.SourceName)
		}
	}
	for _, l := range file.Lists {
		got := map[string][]string{}
		for _, name := range l.Names {
			class := classify(name)
			got[class] = append(got[class], name)
		}
		for class, want := range map[string][]string{"visible": l.Visible, "deferrable": l.Deferrable, "dropped": l.Dropped} {
			if !slices.Equal(got[class], want) {
				t.Errorf("%q: %s %q, want %q", l.Names, class, got[class], want)
			}
		}
	}
}

// scopeFixture is the registry and the sessions of scope.json.
type scopeFixture struct {
	Core     []string
	Registry json.RawMessage
	Sessions []struct {
		ID      string
		Enabled []string
		// A null list and an absent one are the same; an empty one is not.
		Disabled []string
		Want     struct {
			Granted    []string
			Deferrable []string
			Total      int `json:"total_available"`
		}
	}
}

// inputs returns the fixture as inputs with every session in the
// configuration and the bridge always on.
func (f *scopeFixture) inputs(t testing.TB) Inputs {
	t.Helper()
	registry, err := shapes.Parse(t.Context(), model.Source{Name: "scope.json", Data: f.Registry})
	require.NoError(t, err)
	c := config.Default()
	c.Core = f.Core
	c.ToolSearch.Enabled = config.On
	c.Sessions = nil
	for _, s := range f.Sessions {
		c.Sessions = append(c.Sessions, config.Session{Name: s.ID, Enabled: s.Enabled, Disabled: s.Disabled})
	}
	return Inputs{Registry: registry, Config: c}
}

// readScope returns the fixture of scope.json.
func readScope(t testing.TB) *scopeFixture {
	var f scopeFixture
	readVectors(t, "scope.json", &f)
	return &f
}

func TestScopeVectors(t *testing.T) {
	f := readScope(t)
	in := f.inputs(t)
	b := NewBuilder()
	for _, c := range f.Sessions {
		in.Session = c.ID
		s, err := b.Build(t.Context(), in)
		require.NoError(t, err)
		var granted, executor, deferrable []string
		for _, tool := range s.facts.byName() {
			if s.Granted(tool) {
				granted = append(granted, tool.Name)
			}
			if s.executor().Allows(tool) {
				executor = append(executor, tool.Name)
			}
		}
		for _, tool := range s.Catalog() {
			deferrable = append(deferrable, tool.Name)
		}
		if !slices.Equal(granted, c.Want.Granted) {
			t.Errorf("%s: granted %q, want %q", c.ID, granted, c.Want.Granted)
		}
		if !slices.Equal(executor, c.Want.Granted) {
			t.Errorf("%s: the executor allows %q, want %q", c.ID, executor, c.Want.Granted)
		}
		if !slices.Equal(deferrable, c.Want.Deferrable) || len(s.Catalog()) != c.Want.Total {
			t.Errorf("%s: deferrable %q, want %q", c.ID, deferrable, c.Want.Deferrable)
		}
	}
}

func TestCallVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Session string
			Call    struct {
				Name      string
				Arguments json.RawMessage
			}
			Want struct {
				OK        bool
				Code      string
				RealName  *string         `json:"real_name"`
				Arguments json.RawMessage `json:"real_arguments"`
				NotJSON   bool            `json:"real_arguments_not_json"`
				Result    struct {
					Query   string
					Name    string
					Total   int `json:"total_available"`
					Matches []string
				}
			}
			NothingDeferrable bool `json:"session_has_no_deferrable"`
			Note              string
		}
	}
	readVectors(t, "calls.json", &file)
	in := readScope(t).inputs(t)
	b := NewBuilder()
	for i, c := range file.Cases {
		in.Session = c.Session
		s, err := b.Build(t.Context(), in)
		require.NoError(t, err)
		raw, ok := s.Bridge(c.Call.Name, c.Call.Arguments)
		var answer struct {
			Code    string
			Query   string
			Total   int `json:"total_available"`
			Matches []struct{ Name string }
			Name    string
		}
		answer.Code = CodeOK
		if err := json.Unmarshal(raw, &answer); err != nil && !c.Want.NotJSON {
			t.Fatalf("case %d: %s: %v", i, raw, err)
		}
		// A session with nothing to defer has no bridge; ours refuses there
		// before anything else, the reference answers.
		if c.NothingDeferrable {
			if ok || answer.Code != CodeBridgeInactive {
				t.Errorf("case %d in %s: %s, want %s", i, c.Session, raw, CodeBridgeInactive)
			}
			continue
		}
		if ok != c.Want.OK || answer.Code != c.Want.Code {
			t.Errorf("case %d %s %s in %s (%s): %s, want %s", i, c.Call.Name, c.Call.Arguments, c.Session, c.Note, raw, c.Want.Code)
			continue
		}
		if !ok {
			continue
		}
		switch c.Call.Name {
		case ToolSearch:
			var names []string
			for _, m := range answer.Matches {
				names = append(names, m.Name)
			}
			if answer.Query != c.Want.Result.Query || answer.Total != c.Want.Result.Total || !slices.Equal(names, c.Want.Result.Matches) {
				t.Errorf("case %d: %s, want %+v", i, raw, c.Want.Result)
			}
		case ToolDescribe:
			if answer.Name != c.Want.Result.Name {
				t.Errorf("case %d: %s, want %s", i, raw, c.Want.Result.Name)
			}
		case ToolCall:
			var fields map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(c.Call.Arguments, &fields))
			trace := s.Call(arguments.Text(fields["name"]), fields["arguments"])
			if string(trace.RealName) != *c.Want.RealName {
				t.Errorf("case %d: real name %s, want %s", i, trace.RealName, *c.Want.RealName)
			}
			if !c.Want.NotJSON && !sameJSON(t, trace.Arguments, c.Want.Arguments) {
				t.Errorf("case %d: arguments %s, want %s", i, trace.Arguments, c.Want.Arguments)
			}
		}
	}
	if len(file.Cases) != 114 {
		t.Errorf("%d cases, want 114", len(file.Cases))
	}
}

// sameJSON compares two values, numbers as text.
func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	x, err := jsontree.Parse(a, jsontree.Strict)
	y, err2 := jsontree.Parse(b, jsontree.Strict)
	if err != nil || err2 != nil {
		t.Fatalf("not JSON: %s or %s", a, b)
	}
	return x.Equal(y)
}

// nameIn returns the name in a definition.
func nameIn(t testing.TB, raw json.RawMessage) string {
	t.Helper()
	var d struct{ Function struct{ Name string } }
	require.NoError(t, json.Unmarshal(raw, &d))
	return d.Function.Name
}

// registryOf parses definitions into a registry in which each tool has its toolset,
// and each session one that lists what it is granted.
func registryOf(t testing.TB, definitions []json.RawMessage, toolsets map[string]string, sessions map[string][]string) *model.Registry {
	t.Helper()
	var tools []json.RawMessage
	defined := map[string]bool{}
	for _, raw := range definitions {
		defined[nameIn(t, raw)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(toolsets)) {
		if !defined[name] { // registered and in no session
			definitions = append(definitions, json.RawMessage(fmt.Sprintf(`{"type":"function","function":{"name":%q}}`, name)))
		}
	}
	for _, raw := range definitions {
		with, err := json.Marshal(toolsets[nameIn(t, raw)])
		require.NoError(t, err)
		tools = append(tools, append(append([]byte(`{"toolset":`), append(with, ',')...), raw[1:]...))
	}
	lists := map[string]any{}
	for name, granted := range sessions {
		lists["session-"+name] = map[string]any{"tools": granted}
	}
	data, err := json.Marshal(map[string]any{"tools": tools, "toolsets": lists})
	require.NoError(t, err)
	r, err := shapes.Parse(t.Context(), model.Source{Name: "tools.json", Data: data})
	require.NoError(t, err)
	return r
}

// TestLimits: the limits of the reference agent, as its source has them, which answers and gates keep.
func TestLimits(t *testing.T) {
	for name, c := range map[string][2]int{
		"a context that is not known":   {UnknownContextThreshold, 20_000},
		"a listing in it":               {UnknownContextListing, 10_000},
		"a description of june":         {maxMatchDescription, 400},
		"a description of september":    {maxLaterDescription, 500},
		"required parameters":           {maxRequired, 32},
		"the name of one":               {maxRequiredName, 64},
		"queries":                       {MaxQueries, 7},
		"names":                         {MaxNames, 10},
		"what a hook says of a refusal": {maxHookText, 120},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
	for _, c := range []struct{ args, want string }{
		{`{"calls":1,"name":2,"arguments":3,"names":4,"query":5,"queries":6,"limit":7}`, "limit"},
		{`{"Name":1,"b":2,"a":3}`, "b a"},
		{`[1]`, ""}, {`{`, ""}, {``, ""},
	} {
		if got := strings.Join(namesOf([]byte(c.args)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
	}
}
