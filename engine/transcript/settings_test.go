package transcript

import (
	"maps"
	"testing"
)

// TestSettings: settings are read as they were set, sorted, each once in a list; long texts by
// their sum, and no line end or sign in a name or a value makes another setting.
func TestSettings(t *testing.T) {
	t.Parallel()
	values := map[string]string{"system": SettingOf([]byte(`"` + string(make([]byte, 100)) + `"`)), "effort": SettingOf([]byte(`"high"`)), ToolSetting + "a": ""}
	s := SettingsOf(values)
	if !maps.Equal(s.Values(), values) {
		t.Errorf("%q is %v, want %v", s, s.Values(), values)
	}
	if s != SettingsOf(maps.Clone(values)) || s[:6] != "effort" || values["effort"] != "high" || len(values["system"]) > longestSetting {
		t.Errorf("%q", s)
	}
	if got := SettingsOf(map[string]string{"a\nb=c": "d\ne=f"}).Values(); !maps.Equal(got, map[string]string{"a b c": "d e=f"}) {
		t.Errorf("%q", got)
	}
	list, one := AddSettings(nil, s)
	list, none := AddSettings(list, "")
	list, two := AddSettings(list, "effort=low\n")
	_, again := AddSettings(list, s)
	if one != 1 || none != 0 || two != 2 || again != 1 || len(list) != 2 {
		t.Error(one, none, two, again, list)
	}
}

// TestPossible: parts of an input may be below zero where another part makes up for it.
func TestPossible(t *testing.T) {
	const most = 1 << 40
	for u, want := range map[Usage]bool{
		{}:                                  true,
		{Input: 7, CacheRead: -3}:           true,
		{Input: -3, CacheWrite: 3}:          true,
		{Input: 2, CacheRead: -3}:           false,
		{Input: 2, Output: -1}:              false,
		{Input: most}:                       true,
		{Output: most}:                      true,
		{Input: most + 1}:                   false,
		{CacheRead: most + 1}:               false,
		{CacheWrite: most + 1}:              false,
		{Output: most + 1}:                  false,
		{Input: most, CacheRead: -most}:     true,
		{Input: most, CacheRead: -most - 1}: false,
	} {
		if got := u.Possible(); got != want {
			t.Errorf("%+v: %t, want %t", u, got, want)
		}
	}
}
