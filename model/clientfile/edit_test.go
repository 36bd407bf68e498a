package clientfile

import "testing"

// TestSet: a value is written where it is or belongs, and every other byte stays.
func TestSet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, data string
		path       []string
		value      any
		want       string // empty: refused
	}{
		"a value that is there":      {"a.json", `{"a": {"on": false}, "b": 1}`, []string{"a", "on"}, true, `{"a": {"on": true}, "b": 1}`},
		"behind the last member":     {"a.json", "{\n  \"a\": {\n    \"x\": 1 // one\n  }\n}\n", []string{"a", "on"}, true, "{\n  \"a\": {\n    \"x\": 1,\n    \"on\": true // one\n  }\n}\n"},
		"before a comma that trails": {"a.json", "{\n\t\"a\": {\"x\": 1,},\n}", []string{"b"}, "t", "{\n\t\"a\": {\"x\": 1,},\n\t\"b\": \"t\",\n}"},
		"in one line":                {"a.json", `{"a":{"x":1}}`, []string{"a", "on"}, true, `{"a":{"x":1, "on": true}}`},
		"into nothing":               {"a.json", `{}`, []string{"env", "E"}, "true", `{"env": {"E": "true"}}`},
		"a list":                     {"a.json", `{"l": ["a", "b"]}`, []string{"l"}, []string{"b"}, `{"l": ["b"]}`},
		"into what is no object":     {"a.json", `{"a": 1}`, []string{"a", "on"}, true, ""},
		"not JSON":                   {"a.json", `{"a"`, []string{"a"}, true, ""},
		"of a table":                 {"a.toml", "[a.b]\nx = 1\non = false # why\n", []string{"a", "b", "on"}, true, "[a.b]\nx = 1\non = true # why\n"},
		"a text of a table":          {"a.toml", "model = 'x'\n[a]\n", []string{"model"}, "y", "model = \"y\"\n[a]\n"},
		"into a table":               {"a.toml", "[a.b] # t\nx = 1\n[c]\n", []string{"a", "b", "on"}, true, "[a.b] # t\non = true\nx = 1\n[c]\n"},
		"into no table":              {"a.toml", "x = 1", []string{"a", "on"}, true, "x = 1\n\n[a]\non = true\n"},
		"a list of a table":          {"a.toml", "[a]\nl = [ # of [x]\n \"x]\", ] # why\n[b]\n", []string{"a", "l"}, []string{"y"}, "[a]\nl = [\"y\"] # why\n[b]\n"},
		"into an inline table":       {"a.toml", "a = {x = 1}\n", []string{"a", "on"}, true, ""},
		"YAML":                       {"a.yaml", "a: 1\n", []string{"b"}, true, ""},
	} {
		got, err := Set(c.file, []byte(c.data), c.path, c.value)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// Line counts from 1 to the line of a value, and is 0 for a value that the file lacks.
func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, data string
		path       []string
		want       int
	}{
		{"a.json", "{\n \"env\": {\n  \"E\": \"1\"}}", []string{"env", "E"}, 3}, {"a.json", "{}", []string{"env", "E"}, 0}, {"a.json", "{", []string{"env"}, 0},
		{"a.toml", "# c\nmodel = \"m\"\n", []string{"model"}, 2}, {"a.toml", "model = 1\n", []string{"other"}, 0},
	} {
		if got := Line(c.file, []byte(c.data), c.path); got != c.want {
			t.Errorf("%s %v: line %d, want %d", c.data, c.path, got, c.want)
		}
	}
}
