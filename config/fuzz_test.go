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
