package config

import (
	"reflect"
	"slices"
	"testing"
)

func TestRescue(t *testing.T) {
	with := func(change func(*Rescue)) Rescue {
		r := defaultRescue()
		change(&r)
		return r
	}
	const key = "plugins.toolaria."
	for _, c := range []struct {
		name, yaml string
		want       Rescue
		codes      []string
	}{
		{"nothing", "plugins: {other: {x: 1}}", defaultRescue(), nil},
		{"some", "plugins:\n  toolaria:\n    max_result_chars: 5_000\n    refuse_full_fetch: no\n    store_path: /s\n    exclude_tools: [a]\n",
			with(func(r *Rescue) {
				r.MaxResultChars, r.RefuseFullFetch, r.StorePath, r.ExcludeTools = 5000, false, "/s", []string{"a"}
			}), nil},
		{"beyond the range", "plugins: {toolaria: {excerpt_max_chars: 5, head_lines: -1, max_store_mb: 0}}",
			with(func(r *Rescue) { r.ExcerptMaxChars, r.HeadLines, r.MaxStoreMB = 200, 0, 1 }),
			[]string{"1:41 clamped " + key + "excerpt_max_chars", "1:56 clamped " + key + "head_lines", "1:74 clamped " + key + "max_store_mb"}},
		{"no integers", "plugins: {toolaria: {ttl_hours: yes, grep_timeout_ms: soon}}", defaultRescue(),
			[]string{"1:33 not_a_number " + key + "ttl_hours", "1:55 not_a_number " + key + "grep_timeout_ms"}},
		{"no path", "plugins: {toolaria: {store_path: [a], exclude_tools: b}}", defaultRescue(),
			[]string{"1:34 not_a_path " + key + "store_path", "1:54 not_a_list " + key + "exclude_tools"}},
		{"an empty path", "plugins: {toolaria: {store_path: }}", defaultRescue(), nil},
		{"misspelt", "plugins: {toolaria: {max_result_char: 5}}", defaultRescue(), []string{"1:22 unknown_key " + key + "max_result_char"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("", []byte(c.yaml))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(f.Config.Rescue, c.want) {
				t.Errorf("got  %+v\nwant %+v", f.Config.Rescue, c.want)
			}
			if got := said(f.Warnings); !slices.Equal(got, c.codes) {
				t.Errorf("got  %q\nwant %q\n%v", got, c.codes, f.Warnings)
			}
		})
	}
}
