package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/yamltext"
)

// FuzzSet checks what holds of every file and every value: no panic, an error
// that prints or the value with every other setting as it was, nothing else
// gone, and the same bytes when it is set again.
func FuzzSet(f *testing.F) {
	vectors, err := os.ReadFile("testdata/config.json")
	var file struct{ Cases []struct{ YAML string } }
	if err = errors.Join(err, json.Unmarshal(vectors, &file)); err != nil || len(file.Cases) == 0 {
		f.Fatal(err)
	}
	for _, c := range file.Cases {
		f.Add([]byte(c.YAML), uint8(2), "12")
	}
	agent, err := os.ReadFile("testdata/agent.yaml")
	require.NoError(f, err)
	f.Add(agent, uint8(0), "null")
	for _, s := range []string{
		"tools: &t\n  tool_search: &s !!map\n    <<: *s\n    # threshold_pct: 5 # x\n    ? enabled\n    : >1+ # y\n      auto\n\n",
		"{\"tools\": {\"tool_search\": {\n\"enabled\": \"auto\", # x\n}, x: [a: 1, {b}, ]}}",
		"\ufeff%YAML 1.1\r\n--- # x\r\ntools: !!null\r\n...\r\n",
		"a: &a {tool_search: &b {}, core: [*a]}\rtools: *a\u2028",
	} {
		f.Add([]byte(s), uint8(1), "off")
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8, word string) {
		keys := Settable()
		key := keys[int(which)%len(keys)]
		var val any = word
		if word == "null" {
			val = nil
		}
		kept := bytes.Clone(data)
		out, err := Set("c.yaml", data, []Change{{key, val}})
		if !bytes.Equal(data, kept) {
			t.Fatal("the input was changed")
		}
		var d model.Diagnostic
		if err != nil {
			if !errors.As(err, &d) || out != nil || strings.ContainsFunc(d.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%v, %q", err, out)
			}
			return
		}
		before, _ := Parse("c.yaml", data)
		after, err := Parse("c.yaml", out)
		if err != nil {
			t.Fatalf("%v\n%q", err, out)
		}
		given := ""
		if d, err := yamltext.Load("", data); err == nil && d.Root != nil {
			for _, path := range [][]string{pathOf(Want{Key: key}, d.Root), strings.Split(KeyMode, ".")} {
				if n := valueAt(d.Root, path); n != nil {
					given += yamltext.Follow(n).Value
				}
			}
		}
		mended := before.Override(key, val) != nil || len(before.Warnings) > 0
		for i, s := range before.Settings {
			now := after.Settings[i]
			switch {
			case s.Key == key && !reflect.DeepEqual(s.Value, now.Value):
				t.Errorf("%s is %v, not %v", key, now.Value, s.Value)
			case s.Key != key && !mended && !sameValue(s.Value, now.Value):
				t.Errorf("%s was %v and is %v", s.Key, s.Value, now.Value)
			}
		}
		// What follows # is a comment or part of a value.
		gone := bytes.Count(data, []byte("#")) - bytes.Count(out, []byte("#"))
		if gone > strings.Count(given, "#") {
			t.Errorf("a comment is gone\n%q\n%q", data, out)
		}
		again, err := Set("c.yaml", out, []Change{{key, val}})
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("again: %v\n%q\n%q", err, out, again)
		}
	})
}
