package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// TestRescueSection covers where the section stands and what switches it off.
func TestRescueSection(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		limit      int // max_result_chars
		off        OffReason
		codes      []string
	}{
		{"top level", "toolaria: {max_result_chars: 500}", 500, RescueOn, nil},
		{"alias", "plugins: {toolaria: {max_result_chars: 500}}", 500, RescueOn, nil},
		{"both: the top level wins", "plugins: {toolaria: {max_result_chars: 500}}\ntoolaria: {max_result_chars: 900}\n", 900, RescueOn,
			[]string{"1:11 shadowed_section plugins.toolaria"}},
		{"both, whole: nothing of the alias counts", "toolaria: {head_lines: 3}\nplugins: {toolaria: {max_result_chars: 500, oops: 1}}\n", 12000, RescueOn,
			[]string{"2:11 shadowed_section plugins.toolaria"}},
		{"an empty section at the top level", "toolaria:\nplugins: {toolaria: {max_result_chars: 500}}\n", 12000, RescueOn,
			[]string{"2:11 shadowed_section plugins.toolaria"}},
		{"misspelt at the top level", "toolaria: {max_result_char: 5}", 12000, RescueOn, []string{"1:12 unknown_key toolaria.max_result_char"}},
		{"no mapping", "toolaria: off\n", 12000, RescueOn, []string{"1:11 not_a_mapping toolaria"}},
		{"no list of plugins", "plugins: {}\n", 12000, RescueOn, nil},
		{"an empty list of plugins", "plugins: {enabled: }\n", 12000, RescueOn, nil},
		{"enabled", "plugins: {enabled: [memory, toolaria]}", 12000, RescueOn, nil},
		{"not enabled", "plugins:\n  enabled: [memory]\ntoolaria: {max_result_chars: 500}\n", 500, RescueNotEnabled, []string{"2:12 rescue_off plugins.enabled"}},
		{"none enabled", "plugins: {enabled: []}", 12000, RescueNotEnabled, []string{"1:20 rescue_off plugins.enabled"}},
		{"disabled", "plugins: {enabled: [toolaria], disabled: [toolaria]}", 12000, RescueDisabled, []string{"1:42 rescue_off plugins.disabled"}},
		{"another disabled", "plugins: {disabled: [memory]}", 12000, RescueOn, nil},
		{"disabled is no list", "plugins: {disabled: toolaria}", 12000, RescueOn, []string{"1:21 not_a_list plugins.disabled"}},
		{"enabled is no list", "plugins: {enabled: toolaria}", 12000, RescueNotEnabled,
			[]string{"1:20 not_a_list plugins.enabled", "1:20 rescue_off plugins.enabled"}},
		{"plugins is no mapping", "plugins: [toolaria]\n", 12000, RescueOn, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := saying(t, c.yaml, c.codes)
			if f.Rescue.MaxResultChars != c.limit || f.Rescue.Off != c.off {
				t.Errorf("limit %d, off %q; want %d, %q", f.Rescue.MaxResultChars, f.Rescue.Off, c.limit, c.off)
			}
			want := map[OffReason]string{RescueNotEnabled: "plugins.enabled does not name toolaria, so the agent does not load it and nothing is rescued",
				RescueDisabled: "plugins.disabled names toolaria, so the agent does not load it and nothing is rescued"}[c.off]
			if c.off.String() != want {
				t.Errorf("%q, want %q", c.off, want)
			}
		})
	}
	f, _ := Parse("", []byte("plugins: {enabled: toolaria}"))
	if len(f.Warnings) < 2 || !strings.Contains(f.Warnings[1].Message, "did you mean [toolaria]?") {
		t.Errorf("a name that is no list: %v", f.Warnings)
	}
	f, _ = Parse("", []byte("\ntoolaria: {head_lines: 1}\nplugins: {toolaria: {head_lines: 2}}\n"))
	if len(f.Warnings) == 0 || f.Warnings[len(f.Warnings)-1].Message != "toolaria in line 2 counts, and nothing in here does" {
		t.Errorf("a section beside another: %v", f.Warnings)
	}
}

// TestRescueVectors compares the settings of the section with those that the
// plugin has, and the parts that the agent loads with the parts that are on.
func TestRescueVectors(t *testing.T) {
	var file struct {
		Config []struct {
			Files map[string]string
			Env   map[string]string
			Own   *string        `json:"plugin_own_file"`
			Host  map[string]any `json:"context_config"`
			Want  struct {
				Changed map[string]any
				Added   []string `json:"exclude_tools_added"`
				Raises  string
			}
			Note string
		}
		Host []struct {
			HasYAML bool `json:"plugin_yaml"`
			Plugins map[string]any
			Loaded  bool
		}
		Constants struct{ Defaults map[string]any }
	}
	readVectors(t, "testdata/toolaria.json", &file)
	if len(file.Config) != 37 || len(file.Host) != 6 {
		t.Fatalf("%d configurations, %d hosts", len(file.Config), len(file.Host))
	}
	// What differs on purpose, by the number of the case.
	differs := map[int]string{
		4:  "plugins.toolaria is an alias of ours",
		14: "an unknown key is a warning, and not carried along",
		19: "a number out of range is clamped",
		20: "null is the default",
		22: "an unknown key is a warning, and not carried along",
		24: "a text is no list of names",
		25: "null is the default",
		28: "what is no number is the default",
		33: "the plugin's own file is not read", 34: "the plugin's own file is not read",
		36: "no host gives the plugin a configuration",
	}
	for i, c := range file.Config {
		t.Run(fmt.Sprintf("config %d %s", i, c.Note), func(t *testing.T) {
			name := "home/.hermes/config.yaml"
			if home, ok := c.Env["HERMES_HOME"]; ok && home != "" {
				name = strings.TrimPrefix(home, "@") + "/config.yaml"
			} else if ok {
				name = "cwd/config.yaml"
			}
			f, err := Parse("c.yaml", []byte(c.Files[name]))
			if err != nil {
				f, _ = Parse("", nil)
			}
			got := map[string]any{}
			base := Default()
			for _, r := range rescueRows() {
				if v := r.read(&f.Config); !reflect.DeepEqual(v, r.read(&base)) && r.Key != rescueKey+".exclude_tools" {
					got[strings.TrimPrefix(r.Key, rescueKey+".")] = v
				}
			}
			want := map[string]any{}
			for k, v := range c.Want.Changed {
				if _, known := rowOf(rescueKey + "." + k); known {
					want[k] = v
				}
			}
			equal := len(got) == len(want) && slices.Equal(f.Rescue.ExcludeTools, c.Want.Added) && c.Want.Raises == ""
			for k, v := range want {
				equal = equal && fmt.Sprint(got[k]) == fmt.Sprint(v)
			}
			reason, ok := differs[i]
			if len(want) < len(c.Want.Changed) {
				equal = false
			}
			if equal == ok {
				t.Errorf("got %v and %v, want %v and %v; difference on purpose: %q", got, f.Rescue.ExcludeTools, c.Want.Changed, c.Want.Added, reason)
			}
		})
	}
	base := Default()
	for _, r := range rescueRows() {
		name := strings.TrimPrefix(r.Key, rescueKey+".")
		if name == "store_path" || name == "error_line_patterns" { // a folder and words of ours
			continue
		}
		if got, want := fmt.Sprint(r.read(&base)), fmt.Sprint(file.Constants.Defaults[name]); got != want {
			t.Errorf("default of %s is %s, want %s", name, got, want)
		}
	}
	for i, c := range file.Host {
		if !c.HasYAML || c.Plugins == nil {
			continue // no plugin at all; and without a list it is on here
		}
		section, err := json.Marshal(map[string]any{"plugins": c.Plugins})
		require.NoError(t, err)
		f, err := Parse("c.yaml", section)
		require.NoError(t, err)
		if got := f.Rescue.Off == RescueOn; got != c.Loaded {
			t.Errorf("host %d %s: on %t, want %t", i, section, got, c.Loaded)
		}
	}
}

// rescueRows returns the settings of rescue.
func rescueRows() []row {
	return slices.DeleteFunc(slices.Clone(table), func(r row) bool { return !strings.HasPrefix(r.Key, rescueKey+".") })
}

// TestPaths: a path is a text that is not blank and has no NUL, at which the system would end it.
func TestPaths(t *testing.T) {
	for text, want := range map[string]string{`"a\0b"`: "", `"\0"`: "", `"a\x01b"`: "a\x01b", "' '": "", "7": "", "[a]": "", "' a '": " a "} {
		f, err := Parse("", []byte("toolaria: {store_path: "+text+"}"))
		require.NoError(t, err)
		warned := slices.ContainsFunc(f.Warnings, func(d model.Diagnostic) bool { return d.Code == "not_a_path" })
		if taken := f.Rescue.StorePath == want; want != "" && !taken || warned != (want == "") {
			t.Errorf("%s is %q, warned of: %v", text, f.Rescue.StorePath, warned)
		}
	}
}
