package config

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"caliper/model/require"
)

// FuzzParse checks what holds of every input: no panic, every value in range,
// the defaults with every error, nothing that a terminal should not see, and
// the same result for the same bytes.
func FuzzParse(f *testing.F) {
	for _, c := range vectorCases(f, "testdata") {
		f.Add([]byte(c.YAML))
	}
	agent, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(f, err)
	f.Add(agent)
	for _, s := range []string{
		"sessions: {a: {enabled_toolsets: x}, 1: , b: [y]}\npolicy: [{match: a}, b, {action: !!str deny}]\n",
		"a: &a [*a]\ntools: &t {<<: [*t, {core: *a}], tool_search: !!binary aGk=}\n",
		"tools: {tool_search: {enabled: |2\n    off\n, max_search_limit: >-\n 5\n}}\n",
		"\ufefftools:\r\n  core: [\"\\e[2J\", 'é\u2028', 1:30]\r\n",
		"model: {context_length: \"\\u0661_\\u0662\"}\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("config.yaml", data)
		checkFile(t, file, err)
		lines := bytes.Count(data, []byte("\n")) + 1
		for _, d := range file.Warnings {
			if d.Line > lines || d.File != "config.yaml" {
				t.Errorf("%v is outside the file", d)
			}
		}
		again, errAgain := Parse("config.yaml", bytes.Clone(data))
		if !reflect.DeepEqual(file.Config, again.Config) || !reflect.DeepEqual(file.Settings, again.Settings) ||
			!reflect.DeepEqual(file.Warnings, again.Warnings) || !reflect.DeepEqual(err, errAgain) {
			t.Error("two runs differ")
		}
	})
}

// FuzzOverride checks that a flag never brings a value out of range.
func FuzzOverride(f *testing.F) {
	f.Add("tools: {tool_search: {max_search_limit: 3}}", uint8(4), "30", 30.5)
	f.Add("tools: {tool_search: {threshold_pct: .inf, max_search_limit: .inf}}", uint8(2), "nan", -1.0)
	f.Fuzz(func(t *testing.T, data string, which uint8, word string, number float64) {
		file, _ := Parse("", []byte(data))
		keys := Settable()
		key := keys[int(which)%len(keys)]
		for _, v := range []any{word, number, int64(number), []string{word}, nil} {
			_ = file.Override(key, v) // an error changes nothing
			checkConfig(t, file.Config)
			checkSettings(t, file)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("agent.yaml", data); err != nil {
			b.Fatal(err)
		}
	}
}
