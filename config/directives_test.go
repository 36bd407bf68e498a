package config

import (
	"bytes"
	"testing"
)

func TestDirectives(t *testing.T) {
	const body = "tools: {rag_top_k: 3}\n"
	for _, c := range []struct {
		name, yaml string
		want       int // 0: refused
	}{
		{"version 1.1", "%YAML 1.1\n---\n" + body, 3},
		{"version 1.2", "%YAML 1.2\n---\n" + body, 3},
		{"version 1.12", "%YAML 1.12\n---\n" + body, 3},
		{"after comments and blank lines", "# a\n\n  # b\n%YAML  1.2 # c\n# d\n---\n" + body, 3},
		{"other line breaks", "%YAML 1.2\r\n---\r\n" + body, 3},
		{"NEL", "%YAML 1.2\u0085---\n" + body, 3},
		{"with a tag", "%YAML 1.2\n%TAG !x! tag:yaml.org,2002:\n---\ntools: {rag_top_k: !x!int 3}\n", 3},
		{"an unknown directive", "%FOO bar % baz\n---\n" + body, 3},
		{"YAML 1.1 rules all the same", "%YAML 1.2\n---\ntools: {rag_top_k: 010}\n", 8},
		{"version 2.0", "%YAML 2.0\n---\n" + body, 0},
		{"no version", "%YAML\n---\n" + body, 0},
		{"twice", "%YAML 1.2\n%YAML 1.1\n---\n" + body, 0},
		{"no document start", "%YAML 1.2\n" + body, 0},
		{"no name", "%\n---\n" + body, 0},
		{"in a value", "tools:\n  rag_top_k: 3\n  rag_core:\n    - |\n     a\n%YAML 1.2\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			if (err != nil) != (c.want == 0) || err == nil && f.PreSelection.TopK != c.want {
				t.Errorf("K %d, error %v; want %d", f.PreSelection.TopK, err, c.want)
			}
			checkFile(t, f, err)
			if c.want == 0 {
				return
			}
			written, err := Set("c.yaml", []byte(c.yaml), []Change{{"tools.rag_top_k", 5}})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Parse("c.yaml", written); err != nil || again.PreSelection.TopK != 5 || !bytes.HasPrefix(written, []byte(c.yaml[:5])) {
				t.Errorf("written: %v, K %d\n%s", err, again.PreSelection.TopK, written)
			}
		})
	}
}
