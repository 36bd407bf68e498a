package config

import (
	"errors"
	goparser "go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"caliper/model"
	"caliper/model/yamltext"
)

// checkFile checks what holds of every result of Parse.
func checkFile(t testing.TB, f File, err error) {
	t.Helper()
	checkConfig(t, f.Config)
	checkSettings(t, f)
	for _, d := range f.Warnings {
		checkDiagnostic(t, d)
	}
	if err == nil {
		return
	}
	var d model.Diagnostic
	if !errors.As(err, &d) {
		t.Fatalf("error %T, want model.Diagnostic", err)
	}
	checkDiagnostic(t, d)
	if !reflect.DeepEqual(f.Config, DefaultOf(f.ToolSearch.Generation)) {
		t.Errorf("with the error %v the configuration is %+v, want the defaults", err, f.Config)
	}
	for _, s := range f.Settings {
		if s.Origin == OriginFile || s.Line != 0 || s.Given != "" {
			t.Errorf("with the error %v there is the setting %+v", err, s)
		}
	}
}

func checkConfig(t testing.TB, c Config) {
	t.Helper()
	s := c.ToolSearch
	if s.Enabled != Auto && s.Enabled != On && s.Enabled != Off {
		t.Errorf("enabled %q", s.Enabled)
	}
	if !(s.ThresholdPct >= 0 && s.ThresholdPct <= 100) {
		t.Errorf("threshold %v", s.ThresholdPct)
	}
	if s.MaxLimit < 1 || s.MaxLimit > 50 || s.DefaultLimit < 1 || s.DefaultLimit > s.MaxLimit {
		t.Errorf("limits %d and %d", s.DefaultLimit, s.MaxLimit)
	}
	if !slices.Contains(Rankers, s.Ranker) {
		t.Errorf("ranker %q", s.Ranker)
	}
	if !slices.Contains(Strategies, c.Selection) {
		t.Errorf("selection %q", c.Selection)
	}
	if g := string(s.Generation); !slices.Contains(Generations, g) {
		t.Errorf("generation %q", g)
	}
	if s.Listing != Auto && s.Listing != On && s.Listing != Off || s.ListingMost < 200 || s.ListingMost > 60_000 {
		t.Errorf("listing %q of %d tokens", s.Listing, s.ListingMost)
	}
	if c.Core == nil || c.Defer == nil || !slices.IsSorted(c.Defer) {
		t.Errorf("core %q, defer %q", c.Core, c.Defer)
	}
	seen := map[string]bool{}
	for _, s := range c.Sessions {
		if seen[s.Name] {
			t.Errorf("two sessions %q", s.Name)
		}
		seen[s.Name] = true
	}
	if len(c.Sessions) == 0 {
		t.Error("no session")
	}
	for _, r := range c.Policy {
		if strings.TrimSpace(r.Match) == "" || !slices.Contains([]Action{Deny, Approve, Observe}, r.Action) ||
			r.Stage != "" && !slices.Contains(Stages, r.Stage) || r.Stage == StagePost && r.Action != Observe {
			t.Errorf("rule %+v", r)
		}
	}
}

func checkSettings(t testing.TB, f File) {
	t.Helper()
	byKey := map[string]Setting{}
	for _, s := range f.Settings {
		if _, ok := byKey[s.Key]; ok {
			t.Errorf("two settings %s", s.Key)
		}
		byKey[s.Key] = s
		if (s.Line == 0) != (s.Col == 0) || s.Origin == OriginFile && s.Line == 0 {
			t.Errorf("setting without a place: %+v", s)
		}
		if !printsPlainly(s.Key) || !printsPlainly(s.Given) || !printsPlainly(s.Note) {
			t.Errorf("setting that does not print: %+v", s)
		}
	}
	for _, r := range table {
		if r.Kind == Text && f.given[r.Key].value.written != "" {
			continue // shown as written
		}
		if !r.Reads(f.ToolSearch.Generation) {
			if _, ok := byKey[r.Key]; ok {
				t.Errorf("%s is a setting of another generation", r.Key)
			}
			continue
		}
		if s, ok := byKey[r.Key]; r.at != nil && (!ok || !reflect.DeepEqual(s.Value, r.read(&f.Config))) {
			t.Errorf("%s: setting %v, configuration %v", r.Key, s.Value, r.read(&f.Config))
		}
	}
	for _, s := range f.Sessions {
		if s.Platform {
			if got := byKey[yamltext.Join(platformsKey, s.Name)]; !reflect.DeepEqual(got.Value, namesOrNil(s.Enabled)) {
				t.Errorf("platform %s: setting %v, configuration %v", s.Name, got.Value, s.Enabled)
			}
			continue
		}
		path := yamltext.Join("sessions", s.Name)
		for member, names := range map[string][]string{".enabled_toolsets": s.Enabled, ".disabled_toolsets": s.Disabled} {
			got, ok := byKey[path+member]
			if !ok || !reflect.DeepEqual(got.Value, namesOrNil(names)) {
				t.Errorf("%s%s: setting %v, configuration %v", path, member, got.Value, names)
			}
		}
	}
	if got := byKey["policy"].Value; !slices.Equal(got.([]Rule), f.Policy) {
		t.Errorf("policy: setting %v, configuration %v", got, f.Policy)
	}
}

func checkDiagnostic(t testing.TB, d model.Diagnostic) {
	t.Helper()
	if d.Code == "" || d.Message == "" || d.Line < 1 || d.Col < 1 {
		t.Errorf("incomplete: %+v", d)
	}
	if !slices.Contains(documentedCodes(), d.Code) {
		t.Errorf("the package comment does not know the code %q", d.Code)
	}
	if !printsPlainly(d.Message) || !printsPlainly(d.Path) {
		t.Errorf("does not print: %+v", d)
	}
}

// documentedCodes returns the words of the package comment.
var documentedCodes = sync.OnceValue(func() []string {
	f, err := goparser.ParseFile(token.NewFileSet(), "config.go", nil, goparser.PackageClauseOnly|goparser.ParseComments)
	if err != nil {
		panic(err)
	}
	return strings.FieldsFunc(f.Doc.Text(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
})

func printsPlainly(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
