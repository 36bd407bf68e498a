package config

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"caliper/model/require"
	"caliper/model/yamltext"
)

// layout writes config files in the many ways that people do.
type layout struct {
	t       *rapid.T
	b       strings.Builder
	step    int
	remarks int
}

func (l *layout) yes(what string) bool { return rapid.Bool().Draw(l.t, what) }

func (l *layout) of(what string, words ...string) string {
	return rapid.SampledFrom(words).Draw(l.t, what)
}

// line writes a line with, now and then, a comment after it or lines without
// content before it.
func (l *layout) line(depth int, text string) {
	for rapid.IntRange(0, 5).Draw(l.t, "remark") == 0 {
		if l.yes("blank") {
			l.b.WriteString("\n")
			continue
		}
		l.remarks++
		fmt.Fprintf(&l.b, "%s# remark %d.\n", strings.Repeat(" ", rapid.IntRange(0, 9).Draw(l.t, "remark's indent")), l.remarks)
	}
	l.b.WriteString(strings.Repeat(" ", depth*l.step) + text)
	if rapid.IntRange(0, 3).Draw(l.t, "comment") == 0 {
		l.remarks++
		fmt.Fprintf(&l.b, "  # remark %d.", l.remarks)
	}
	l.b.WriteString("\n")
}

// settings returns some keys of tool search with values in range.
func (l *layout) settings() []string {
	var list []string
	for _, s := range []struct {
		key   string
		words []string
	}{
		{"enabled", []string{"auto", "on", "off", "yes"}},
		{"threshold_pct", []string{"0", "10", "12.5", "100"}},
		{"search_default_limit", []string{"3", "5"}},
		{"max_search_limit", []string{"20", "30"}},
		{"ranker", Rankers},
		{"not_ours", []string{"x", "[1, {a: '}'}]", "it's", "http://x/#y"}},
	} {
		if l.yes(s.key) {
			word := l.of(s.key+"'s value", s.words...)
			if s.key != "not_ours" {
				word = l.quoted(word)
			}
			list = append(list, s.key+": "+word)
		}
	}
	return rapid.Permutation(list).Draw(l.t, "order")
}

func (l *layout) quoted(word string) string {
	l.remarks++
	switch l.of("style", "plain", "plain", "single", "double", "tag", "anchor") {
	case "single":
		return "'" + word + "'"
	case "double":
		return `"` + word + `"`
	case "tag":
		return "!!str " + word
	case "anchor":
		return fmt.Sprintf("&a%d %s", l.remarks, word)
	}
	return word
}

func (l *layout) toolSearch() {
	const key = "tool_search:"
	list := l.settings()
	if len(list) == 0 || l.yes("no mapping") {
		l.line(1, strings.TrimRight(key+" "+l.of("section", "", "~", "{}", "true", "off", "*empty", "*no", "{<<: *empty}"), " "))
		return
	}
	switch l.of("section", "block", "block", "flow", "flow lines") {
	case "block":
		l.line(1, key+l.of("anchor", "", " &ts", " !!map"))
		if l.yes("merge") {
			l.line(2, "<<: *empty")
		}
		for _, s := range list {
			l.line(2, s)
		}
	case "flow":
		l.line(1, key+" { "+strings.Join(list, ", ")+" }")
	default:
		l.line(1, key+" {")
		for i, s := range list {
			if i < len(list)-1 || l.yes("last comma") {
				s += ","
			}
			l.line(2, s)
		}
		l.line(1, "}")
	}
}

func (l *layout) section(name string) {
	switch name {
	case "model":
		l.line(0, "model:"+l.of("model", "", " {context_length: 200000, name: x}", " {}"))
		if strings.HasSuffix(strings.TrimRight(l.lastLine(), " "), "model:") && l.yes("model's settings") {
			l.line(1, "context_length: "+l.quoted("200000"))
			l.line(1, "about: |"+l.of("chomping", "", "-", "+"))
			l.b.WriteString(strings.Repeat(" ", l.step) + "  # not a remark\n\n" + strings.Repeat(" ", l.step) + "    text\n")
		}
	case "tools":
		if l.yes("flow") {
			l.line(0, "tools: {core: [a, 'b'], tool_search: {"+strings.Join(l.settings(), ", ")+"}}")
			return
		}
		l.line(0, "tools:")
		if l.yes("core") {
			l.line(1, "core:")
			l.line(1, "- terminal")
			l.line(1, "-")
		}
		if l.yes("tool_search") {
			l.toolSearch()
		}
		if l.yes("selection") {
			l.line(1, "selection: "+l.of("strategy", "lazy", "{strategy: eager, k: 5}"))
		}
	case "sessions":
		l.line(0, "sessions:")
		l.line(1, "default: {enabled_toolsets: [web, 'a b']}")
	default:
		l.line(0, "policy:")
		l.line(0, "- {match: 'rm*', action: deny}")
	}
}

func (l *layout) lastLine() string {
	lines := strings.Split(strings.TrimSuffix(l.b.String(), "\n"), "\n")
	return lines[len(lines)-1]
}

// file draws a file.
func drawFile(t *rapid.T) string {
	l := layout{t: t, step: rapid.IntRange(1, 5).Draw(t, "step")}
	l.line(0, "other: {e: &empty {}, no: &no off}")
	var names []string
	for _, name := range []string{"model", "tools", "sessions", "policy"} {
		if l.yes(name) {
			names = append(names, name)
		}
	}
	for _, name := range rapid.Permutation(names).Draw(t, "order of sections") {
		l.section(name)
	}
	text := l.b.String()
	if l.yes("no line feed at the end") && !strings.HasSuffix(text, "    text\n") {
		text = strings.TrimRight(text, "\n")
	}
	if l.yes("carriage returns") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if l.yes("byte order mark") {
		text = byteOrderMark + text
	}
	return text
}

// changes to draw from; none of them moves another setting.
var drawn = map[string][]any{
	ctx:               {1000, "128000", nil},
	enabled:           {"auto", "on", "off", true},
	pct:               {0, 12, 12.5, "99"},
	limit:             {1, 5, "20"},
	maxLimit:          {20, 50},
	"tools.selection": {"lazy", "tool_search"},
}

var remark = regexp.MustCompile(`# remark \d+\.`)

// TestSetProperty checks what a change leaves alone, by other means than Set
// does: lines, comments, the data as the YAML library reads it, and settings.
func TestSetProperty(t *testing.T) {
	keys := Settable()
	keys = slices.DeleteFunc(keys, func(key string) bool { return drawn[key] == nil })
	check := rapid.MakeCheck(func(t *rapid.T) {
		old := drawFile(t)
		key := rapid.SampledFrom(keys).Draw(t, "key")
		val := rapid.SampledFrom(drawn[key]).Draw(t, "value")
		before, err := Parse("", []byte(old))
		if err != nil {
			t.Fatalf("not a file: %v\n%s", err, old)
		}
		if key == maxLimit && before.ToolSearch.DefaultLimit > 20 {
			t.Skip("the limit would change too")
		}
		got, err := set(old, key, val)
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", key, val, err, old)
		}
		after, err := Parse("", []byte(got))
		require.NoError(t, err)
		sameBut(t, key, before, after)
		if !reflect.DeepEqual(remark.FindAllString(old, -1), remark.FindAllString(got, -1)) {
			t.Fatalf("comments differ\n%s\n%s", old, got)
		}
		oneLine(t, old, got)
		if a, b := otherData(t, old, key), otherData(t, got, key); !reflect.DeepEqual(a, b) {
			t.Fatalf("other data differ\n%v\n%v", a, b)
		}
		if again, err := set(got, key, val); err != nil || again != got {
			t.Fatalf("again: %v\n%s\n%s", err, got, again)
		}
		// There and back is nowhere, if there was a value that is written so.
		s := before.Settings[slices.IndexFunc(before.Settings, func(s Setting) bool { return s.Key == key })]
		back, err := set(got, key, s.Value)
		spelt := fmt.Sprint(s.Value)
		was := valueAt(mustLoad(t, old).Root, strings.Split(key, "."))
		if was != nil && was.Value == spelt && was.Kind == yaml.ScalarNode && s.Note == "" && val != nil && (err != nil || back != old) {
			t.Fatalf("back: %v\n%s\n%s\n%s", err, old, got, back)
		}
	})
	for i := range 5 { // a hundred files show too little
		t.Run(fmt.Sprint(i), check)
	}
}

func mustLoad(t *rapid.T, yaml string) *yamltext.Document {
	d, err := yamltext.Load("", []byte(yaml))
	require.NoError(t, err)
	return d
}

// sameBut fails when another setting than the key's differs.
func sameBut(t *rapid.T, key string, before, after File) {
	for i, s := range before.Settings {
		if now := after.Settings[i]; s.Key != now.Key || s.Key != key && !sameNode(s.Value, now.Value) {
			t.Fatalf("%s was %v, %s is %v", s.Key, s.Value, now.Key, now.Value)
		}
	}
}

// oneLine fails unless got is old with at most one line changed, next to lines
// that are added.
func oneLine(t *rapid.T, old, got string) {
	if old != "" && strings.HasSuffix(old, "\n") != strings.HasSuffix(got, "\n") {
		t.Fatal("the end of the file differs")
	}
	a, b := strings.Split(old, "\n"), strings.Split(got, "\n")
	for i := range a {
		a[i] = strings.TrimSuffix(a[i], "\r")
	}
	for i := range b {
		b[i] = strings.TrimSuffix(b[i], "\r")
	}
	if strings.Contains(old, "\r") && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Fatalf("line endings differ: %q", got)
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	changed := 0
	for len(a) > 0 {
		if i := slices.Index(b, a[0]); i >= 0 {
			a, b = a[1:], b[i+1:]
			continue
		}
		a = a[1:]
		changed++
	}
	if changed > 1 {
		t.Fatalf("%d lines differ\n%s\n%s", changed, old, got)
	}
}

// otherData returns what the YAML library reads, without the value of a key
// and the sections that are empty without it, nor a boolean in place of tool_search, nor
// what stands in for it.
func otherData(t *rapid.T, text, key string) map[string]any {
	var data map[string]any
	require.NoError(t, yaml.Unmarshal(bytes.TrimPrefix([]byte(text), []byte(byteOrderMark)), &data))
	tools, _ := data["tools"].(map[string]any)
	switch section := tools["tool_search"].(type) {
	case bool:
		delete(tools, "tool_search")
	case map[string]any:
		if mode := section["enabled"]; mode == "auto" || mode == "off" {
			delete(section, "enabled") // compared as a setting
		}
	}
	without(data, strings.Split(key, "."))
	return data
}

func without(data map[string]any, path []string) {
	inner, ok := data[path[0]].(map[string]any)
	switch {
	case ok && len(path) > 1:
		without(inner, path[1:])
	case ok:
		delete(inner, "strategy")
	}
	if len(inner) == 0 || !ok {
		delete(data, path[0])
	}
}

// sameNode reports whether two values are the same, wherever rules stand.
func sameNode(a, b any) bool {
	if rules, ok := a.([]Rule); ok {
		others, _ := b.([]Rule)
		return slices.EqualFunc(rules, others, func(x, y Rule) bool { return x.Match == y.Match && x.Action == y.Action && x.Stage == y.Stage })
	}
	return reflect.DeepEqual(a, b)
}
