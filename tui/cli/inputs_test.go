package cli

import "testing"

func TestRegistryFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.json": true, "a.JSON": true, "a.jsonl": true, "a.txt": true, "a.json.bak": false, "a.yaml": false,
		".a.json": false, "json": false, ".json": false, "..data": false,
	} {
		if got := RegistryFile(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
