package yamltext

import "testing"

func TestDirectives(t *testing.T) {
	const body = "a: 3\n"
	for _, c := range []struct {
		name, yaml string
		want       float64 // 0: refused
	}{
		{"version 1.1", "%YAML 1.1\n---\n" + body, 3},
		{"version 1.2", "%YAML 1.2\n---\n" + body, 3},
		{"version 1.12", "%YAML 1.12\n---\n" + body, 3},
		{"after comments and blank lines", "# a\n\n  # b\n%YAML  1.2 # c\n# d\n---\n" + body, 3},
		{"other line breaks", "%YAML 1.2\r\n---\r\n" + body, 3},
		{"NEL", "%YAML 1.2\u0085---\n" + body, 3},
		{"with a tag", "%YAML 1.2\n%TAG !x! tag:yaml.org,2002:\n---\na: !x!int 3\n", 3},
		{"an unknown directive", "%FOO bar % baz\n---\n" + body, 3},
		{"YAML 1.1 rules all the same", "%YAML 1.2\n---\na: 010\n", 8},
		{"version 2.0", "%YAML 2.0\n---\n" + body, 0},
		{"no version", "%YAML\n---\n" + body, 0},
		{"twice", "%YAML 1.2\n%YAML 1.1\n---\n" + body, 0},
		{"no document start", "%YAML 1.2\n" + body, 0},
		{"no name", "%\n---\n" + body, 0},
		{"after a line of one character", "{\n%FOO bar\na: 3}\n", 0},
		{"in a value", "a: 3\nb:\n    - |\n     a\n%YAML 1.2\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := 0.0
			d, err := Load("c.yaml", []byte(c.yaml))
			if err == nil {
				v, _ := Resolve(Entries(d.Root)[0].Val)
				got = v.Float
			}
			if got != c.want {
				t.Errorf("a is %v, error %v; want %v", got, err, c.want)
			}
		})
	}
}
