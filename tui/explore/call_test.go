package explore

import (
	"strings"
	"testing"
)

// The cursor lands where the first value is missing, marked here by a bar.
func TestMissingValue(t *testing.T) {
	t.Parallel()
	for _, marked := range []string{
		`{"owner":"|","repo":"","n":0}`,
		`{"owner":"acme","repo":"|"}`,
		`{"owner":"a\"b","repo": "|"}`,
		`{"":"a","labels":["|"]}`,
		`{"at":{"city":"|"},"when":""}`,
		`{"owner":|,"repo":""}`,
		`{"owner":|}`,
		`{"owner":"acme","n":|`,
		`{"owner":"acme","n":1|}`,
		`{"owner":"acme"| }`,
		`{|}`,
		`|`,
		`["a","b"]|`,
		`{"größe":"|"}`,
	} {
		text, want := "", 0
		for i, r := range marked {
			if r == '|' {
				text, want = marked[:i]+marked[i+1:], i
				break
			}
		}
		if got, _ := missingValue(text); got != want {
			t.Errorf("%s: %d, want %d", marked, got, want)
		}
	}
}

// In invalid JSON the cursor lands at the error, marked here by a bar, unless a value is
// missing: then it lands there.
func TestValueToMendOfNoJSON(t *testing.T) {
	t.Parallel()
	for _, marked := range []string{
		`{"title"|"Broken form", "project":"HIRE"}}`,
		`{"title":"a"|"b"}`,
		`{"title":"a"|,}`,
		`{"n":0|12}`,
		`{"title":"|"}`,
		`{"title":|}`,
	} {
		want := strings.IndexByte(marked, '|')
		if got := new(Screen).valueToMend(strings.Replace(marked, "|", "", 1)); got != want {
			t.Errorf("%s: %d, want %d", marked, got, want)
		}
	}
}
