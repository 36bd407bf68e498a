package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/tokens"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// The files in testdata/september are conformance vectors: figures measured on the
// reference agent as of September 2026.

// september returns the configuration of an empty file in september-2026.
func september() config.Config { return config.DefaultOf(config.September2026) }

// laterSettings are settings as a vector gives them; those that it does not have are
// nil.
type laterSettings struct {
	Enabled      *config.Mode
	ThresholdPct *float64 `json:"threshold_pct"`
	Listing      *config.Mode
	ListingMost  *int            `json:"listing_max_tokens"`
	DefaultLimit *int            `json:"search_default_limit"`
	MaxLimit     *int            `json:"max_search_limit"`
	Defer        json.RawMessage // a list, or "default"
}

// in puts the settings into a configuration.
func (l laterSettings) in(t testing.TB, c *config.Config) {
	t.Helper()
	set(&c.ToolSearch.Enabled, l.Enabled)
	set(&c.ToolSearch.ThresholdPct, l.ThresholdPct)
	set(&c.ToolSearch.Listing, l.Listing)
	set(&c.ToolSearch.ListingMost, l.ListingMost)
	set(&c.ToolSearch.DefaultLimit, l.DefaultLimit)
	set(&c.ToolSearch.MaxLimit, l.MaxLimit)
	c.Defer = deferOf(t, l.Defer, c.Defer)
}

// set gives a setting a value if there is one.
func set[T any](at *T, value *T) {
	if value != nil {
		*at = *value
	}
}

// deferOf returns the list of a vector, or another one where it says "default".
func deferOf(t testing.TB, raw json.RawMessage, otherwise []string) []string {
	t.Helper()
	if raw == nil || string(raw) == `"default"` {
		return otherwise
	}
	names := []string{}
	require.NoError(t, json.Unmarshal(raw, &names))
	for i, name := range names {
		names[i] = strings.TrimSpace(name) // as a configuration does when it is read
	}
	return names
}

func TestLaterClassifyVectors(t *testing.T) {
	var file struct {
		Core         []string
		Registered   map[string]any
		DefaultDefer []string `json:"default_defer"`
		Direct       []string `json:"direct_toolsets"`
		Cases        []struct {
			Name       string
			Registered bool
			Toolset    any
			Defer      json.RawMessage
			Want       string
			Source     string
			SourceName string `json:"source_name"`
			Label      *string
		}
		Lists []struct {
			Defer                               json.RawMessage
			Names, Visible, Deferrable, Dropped []string
		}
	}
	readVectors(t, "september/classify.json", &file)
	if c := september(); !slices.Equal(c.Defer, file.DefaultDefer) || !slices.Equal(directToolsets, file.Direct) {
		t.Errorf("deferred %q, direct %q", c.Defer, directToolsets)
	}
	rules := func(raw json.RawMessage) Classifier {
		c := september()
		c.Core, c.Defer = file.Core, deferOf(t, raw, c.Defer)
		return NewClassifier(c)
	}
	// A toolset that is no text is none to the reference; a Registry has no such tool.
	named := func(toolset any) (string, bool) {
		name, ok := toolset.(string)
		return name, ok
	}
	for _, c := range file.Cases {
		if c.Name == "" {
			continue // a definition without a name, which no Registry has
		}
		toolset, registered := named(c.Toolset)
		if got := rules(c.Defer).Class(c.Name, toolset, c.Registered && registered).String(); got != c.Want {
			t.Errorf("%q of %v, defer %s: %s, want %s", c.Name, c.Toolset, c.Defer, got, c.Want)
		}
		if c.Label != nil && registered && tokens.GroupLabel(toolset) != *c.Label {
			t.Errorf("%q: group %q, want %q", c.Name, tokens.GroupLabel(toolset), *c.Label)
		}
	}
	for _, l := range file.Lists {
		got := map[string][]string{}
		for _, name := range l.Names {
			toolset, registered := named(file.Registered[name])
			class := rules(l.Defer).Class(name, toolset, registered).String()
			got[class] = append(got[class], name)
		}
		for class, want := range map[string][]string{"visible": l.Visible, "deferrable": l.Deferrable, "dropped": l.Dropped} {
			if !slices.Equal(got[class], want) {
				t.Errorf("%q: %s %q, want %q", l.Names, class, got[class], want)
			}
		}
	}
	if len(file.Cases) != 174 || len(file.Lists) != 10 {
		t.Errorf("%d cases and %d lists", len(file.Cases), len(file.Lists))
	}
}

func TestLaterActivationVectors(t *testing.T) {
	var file struct {
		Core      []string
		Pool      [][3]*string
		Decisions []struct {
			Enabled       config.Mode
			Tokens        int  `json:"deferrable_tokens"`
			ContextLength *int `json:"context_length"`
			Want          struct{ Active bool }
		}
		Budgets []struct {
			Config        laterSettings
			ContextLength *int `json:"context_length"`
			Want          int
		}
		Assemblies []struct {
			Tools         []int
			ContextLength *int `json:"context_length"`
			Config        laterSettings
			Want          struct {
				Active    bool
				Count     int `json:"deferred_count"`
				Tokens    int `json:"deferred_tokens"`
				Threshold int `json:"threshold_tokens"`
				Tier      int
				Form      tokens.ListForm `json:"listing_form"`
				Names     []string        `json:"tool_defs"`
			}
			Note string
		}
	}
	readVectors(t, "september/activation.json", &file)
	for _, d := range file.Decisions {
		c := september().ToolSearch
		c.Enabled = d.Enabled
		if got := Activate(c, d.ContextLength, d.Tokens); got.Active != d.Want.Active {
			t.Errorf("%s, %d tokens: active %t", d.Enabled, d.Tokens, got.Active)
		}
	}
	for _, b := range file.Budgets {
		c := september()
		b.Config.in(t, &c)
		if got := ListingBudget(c.ToolSearch, b.ContextLength); got != b.Want {
			t.Errorf("%+v of %v: a budget of %d, want %d", c.ToolSearch, b.ContextLength, got, b.Want)
		}
	}
	if len(file.Decisions) != 84 || len(file.Budgets) != 89 || len(file.Assemblies) != 62 {
		t.Errorf("%d decisions, %d budgets, %d assemblies", len(file.Decisions), len(file.Budgets), len(file.Assemblies))
	}
	for i, a := range file.Assemblies {
		t.Run(fmt.Sprintf("%d %s", i, a.Note), func(t *testing.T) {
			c := september()
			c.Core, c.ContextLength = file.Core, a.ContextLength
			a.Config.in(t, &c)
			got, list := assembled(c, file.Pool, a.Tools)
			if !slices.Equal(got.names, a.Want.Names) {
				t.Errorf("the tools are %q, want %q", got.names, a.Want.Names)
			}
			if got.Active != a.Want.Active || got.count != a.Want.Count || got.tokens != a.Want.Tokens || got.Reported != a.Want.Threshold {
				t.Errorf("%+v, want %+v", got, a.Want)
			}
			// Our wording is shorter than the reference's, so that some forms fit earlier.
			if edge := 20; list.Form != a.Want.Form && list.Budget-list.Tokens() < edge && list.Form != tokens.ListNone {
				return
			}
			if list.Form != a.Want.Form || tierOf(got.Active, list.Form) != a.Want.Tier {
				t.Errorf("the list is %s with %d tokens of %d, want %s", list.Form, list.Tokens(), list.Budget, a.Want.Form)
			}
		})
	}
}

// tierOf returns how far the model is from a tool: 0 without the bridge, 1 when every
// name is listed, 2 when it has to search for names.
func tierOf(active bool, form tokens.ListForm) int {
	switch {
	case !active:
		return 0
	case form == tokens.ListFull || form == tokens.ListNames || form == tokens.ListMixed:
		return 1
	}
	return 2
}

// assembledList is an assembly of tools that need not be in a registry, which a
// Snapshot has none of.
type assembledList struct {
	Activation
	names         []string
	count, tokens int // of the deferrable tools
}

// assembled puts together what the model is sent of some rows of a pool.
func assembled(c config.Config, pool [][3]*string, rows []int) (assembledList, tokens.List) {
	rules := NewClassifier(c)
	var out assembledList
	visible, all := []string{}, []string{}
	var deferred []tokens.ListTool
	chars := 0
	for _, row := range rows {
		name, toolset, description := *pool[row][0], "", *pool[row][2]
		registered := pool[row][1] != nil
		if registered {
			toolset = *pool[row][1]
		}
		switch rules.Class(name, toolset, registered) {
		case Dropped:
			continue
		case Visible:
			visible = append(visible, name)
		case Deferrable:
			deferred = append(deferred, tokens.ListTool{Name: name, Toolset: toolset, Description: description})
			chars += len([]rune(fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%q,"parameters":{"type":"object","properties":{}}}}`, name, description)))
		}
		all = append(all, name)
	}
	out.count, out.tokens = len(deferred), (chars+3)/4
	out.Activation = Activate(c.ToolSearch, c.ContextLength, out.tokens)
	if !out.Active {
		out.names = all
		return out, tokens.List{Form: tokens.ListNone}
	}
	out.names = append(visible, ToolSearch, ToolDescribe, ToolCall)
	list := tokens.ChooseList(deferred, ListingBudget(c.ToolSearch, c.ContextLength))
	if c.ToolSearch.Listing == config.Off {
		list = list.Without()
	}
	return out, list
}

// refusal is the reference's answer where it finds nothing.
type refusal struct {
	OK   bool
	Code string
}

// batch returns the texts of a batch that is to be answered; not ok if it is refused.
func (r refusal) batch(t *testing.T, raw json.RawMessage, key string, names bool, most int) (texts []string, fields map[string]json.RawMessage, ok bool) {
	t.Helper()
	fields, _, f := bridgeArguments(raw)
	if f == nil {
		texts, f = batchOf(fields[key], key, names, most)
	}
	if f != nil && f.Code != r.Code || f == nil && !r.OK {
		t.Fatalf("%s: %+v, want %s", raw, f, r.Code)
	}
	return texts, fields, f == nil
}

// laterCase is a case of a file of vectors.
type laterCase[W any] struct {
	Session   string
	Arguments json.RawMessage
	Config    laterSettings
	Offered   []string `json:"session_tool_names"`
	Want      W
	Sensitive bool `json:"validator_sensitive"`
	Note      string
}

// offers returns what laterName takes for the names that a session is sent; none are
// as good as unknown ones.
func (c laterCase[W]) offers() func(string) bool {
	if len(c.Offered) == 0 {
		return nil
	}
	return func(name string) bool { return slices.Contains(c.Offered, name) }
}

// eachLater runs the cases of a file of vectors. A session is granted single tools, by
// a toolset of its own that lists them.
func eachLater[W any](t *testing.T, name string, count int, run func(*testing.T, *Snapshot, laterCase[W])) {
	var file struct {
		Core     []string
		Tools    []json.RawMessage
		Toolsets map[string]string
		Sessions map[string][]string
		Cases    []laterCase[W]
	}
	readVectors(t, "september/"+name, &file)
	if len(file.Cases) != count {
		t.Errorf("%d cases, want %d", len(file.Cases), count)
	}
	r, builder := registryOf(t, file.Tools, file.Toolsets, file.Sessions), NewBuilder()
	for i, x := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, x.Note), func(t *testing.T) {
			c := september()
			c.Core, c.Sessions = file.Core, nil
			x.Config.in(t, &c)
			c.ToolSearch.DefaultLimit = min(c.ToolSearch.DefaultLimit, c.ToolSearch.MaxLimit)
			for name := range file.Sessions {
				c.Sessions = append(c.Sessions, config.Session{Name: name, Enabled: []string{"session-" + name}})
			}
			s, err := builder.Build(t.Context(), Inputs{Registry: r, Config: c, Session: x.Session})
			require.NoError(t, err)
			run(t, s, x)
		})
	}
}

func TestSearchBatchVectors(t *testing.T) {
	eachLater(t, "search_multi.json", 111, func(t *testing.T, s *Snapshot, c laterCase[struct {
		refusal
		Limit   int `json:"effective_limit"`
		Queries []string
		Total   int `json:"total_available"`
		Results []struct {
			Query   string
			Matches []string
			Sources []map[string]any `json:"available_sources"`
			Hint    bool
		}
		Tools map[string]map[string]any
	}]) {
		texts, fields, ok := c.Want.batch(t, c.Arguments, "queries", false, MaxQueries)
		if !ok {
			return
		}
		limit := effectiveLimit(s.Config.ToolSearch, fields["limit"])
		got := s.batchSearch(texts, limit)
		if limit != c.Want.Limit || got.TotalAvailable != c.Want.Total || !slices.Equal(got.Queries, c.Want.Queries) {
			t.Errorf("limit %d, %d tools, %q; want %+v", limit, got.TotalAvailable, got.Queries, c.Want)
		}
		for i, want := range c.Want.Results {
			r := got.Results[i]
			if r.Query != want.Query || !slices.Equal(r.Matches, want.Matches) || len(r.Sources) != len(want.Sources) || !sameJSON(t, jsontree.Encode(r.Sources), jsontree.Encode(want.Sources)) || (r.Hint != "") != want.Hint {
				t.Errorf("got  %+v\nwant %+v", r, want)
			}
		}
		if len(got.Tools.names) != len(c.Want.Tools) {
			t.Errorf("tools %q, want %d", got.Tools.names, len(c.Want.Tools))
		}
		for i, name := range got.Tools.names {
			if want := c.Want.Tools[name]; !sameJSON(t, jsontree.Encode(got.Tools.values[i]), jsontree.Encode(want)) {
				t.Errorf("%s\n got %+v\nwant %+v", name, got.Tools.values[i], want)
			}
		}
		if !s.Active() {
			return
		}
		if answer, ok := s.Bridge(ToolSearch, c.Arguments); !ok || !bytes.Equal(answer, jsontree.Encode(got)) {
			t.Errorf("the bridge answers %s", answer)
		}
	})
}

func TestDescribeBatchVectors(t *testing.T) {
	eachLater(t, "describe_batch.json", 86, func(t *testing.T, s *Snapshot, c laterCase[struct {
		refusal
		Tools    map[string]struct{ Description, Parameters json.RawMessage }
		NotFound []string `json:"not_found"`
		Hint     bool
		Errors   map[string]struct{ Code string }
	}]) {
		texts, _, ok := c.Want.batch(t, c.Arguments, "names", true, MaxNames)
		if !ok {
			return
		}
		got := s.batchDescribe(texts, c.offers())
		if !slices.Equal(got.NotFound, c.Want.NotFound) || (got.Hint != "") != c.Want.Hint {
			t.Errorf("not found %q, hint %q; want %q", got.NotFound, got.Hint, c.Want.NotFound)
		}
		if len(got.Tools.names) != len(c.Want.Tools) || len(got.Errors.names) != len(c.Want.Errors) {
			t.Errorf("tools %q, errors %q; want %v, %v", got.Tools.names, got.Errors.names, c.Want.Tools, c.Want.Errors)
		}
		for i, name := range got.Tools.names {
			d, want := arguments.Members(jsontree.Encode(got.Tools.values[i])), c.Want.Tools[name]
			if !sameJSON(t, d["description"], want.Description) || !sameJSON(t, d["parameters"], want.Parameters) {
				t.Errorf("%s: %s; want %s, %s", name, d, want.Description, want.Parameters)
			}
		}
		for i, name := range got.Errors.names {
			if code := got.Errors.values[i].(*Fault).Code; code != c.Want.Errors[name].Code {
				t.Errorf("%s: %s, want %s", name, code, c.Want.Errors[name].Code)
			}
		}
	})
}

func TestLaterCallVectors(t *testing.T) {
	eachLater(t, "calls.json", 385, func(t *testing.T, s *Snapshot, c laterCase[struct {
		Code                 string
		Dispatched           json.RawMessage `json:"dispatched_arguments"`
		Checked              json.RawMessage `json:"checked_arguments"`
		Suggestions, Missing []string
		Named, Constraint    string
		Violations           int
	}]) {
		fields, _, f := bridgeArguments(c.Arguments)
		var e written
		if f == nil {
			e, f = oneCall(fields)
		}
		if f == nil {
			f = s.laterName(e.name, c.offers())
		}
		if f != nil { // before scope and arguments are looked at
			if f.Code != c.Want.Code {
				t.Fatalf("%s: %s, want %s", c.Arguments, f.Code, c.Want.Code)
			}
			if got := s.agentSuggestions(e.name); f.Code == CodeUnknownName && !slices.Equal(got, c.Want.Suggestions) {
				t.Errorf("%s: the agent suggests %q, want %q", e.name, got, c.Want.Suggestions)
			}
			if c.Want.Named != "" && foldName(e.name) != c.Want.Named {
				t.Errorf("%s is named %s, want %s", e.name, foldName(e.name), c.Want.Named)
			}
			return
		}
		trace := s.take(s.insideCall(c.Arguments))
		if !s.Active() { // the agent answers there, and caliper's bridge refuses
			if trace.Code != CodeBridgeInactive || c.Want.Code != CodeOutOfScope {
				t.Errorf("%s: %s, want %s", c.Arguments, trace.Code, c.Want.Code)
			}
			return
		}
		if trace.Code != c.Want.Code {
			t.Fatalf("%s: %s at %s, want %s\n%s", c.Arguments, trace.Code, trace.Gate, c.Want.Code, trace.Message)
		}
		if dispatched := cmp.Or(string(c.Want.Dispatched), string(c.Want.Checked)); dispatched != "" && !sameJSON(t, trace.Arguments, json.RawMessage(dispatched)) {
			t.Errorf("%s: the tool gets %s, want %s", c.Arguments, trace.Arguments, dispatched)
		}
		for _, name := range c.Want.Missing {
			if !strings.Contains(trace.Message, name) {
				t.Errorf("%s: %s does not name %s", c.Arguments, trace.Message, name)
			}
		}
		if c.Want.Constraint == "" || c.Want.Code != CodeSchemaViolation || c.Sensitive || c.Want.Violations > 1 {
			return
		}
		if slices.Contains([]string{"anyOf", "oneOf", "not"}, c.Want.Constraint) {
			return // said of the alternatives in one sentence
		}
		tool := s.Registry.Lookup(e.name)[0]
		broken := slices.ContainsFunc(s.validator.ValidateLater(tool.Parameters, trace.Arguments), func(p arguments.Problem) bool { return p.Keyword == c.Want.Constraint })
		if !broken {
			t.Errorf("%s: nothing breaks %s: %s", c.Arguments, c.Want.Constraint, trace.Message)
		}
	})
}
