package live

import (
	"strings"
	"testing"
)

func TestParseEnvFile(t *testing.T) {
	t.Parallel()
	const text = "\uFEFF# a comment\r\nA=1\r\n\nexport B = two words # why\nC='single # $x' rest\nD=\"a\\nb \\\"q\\\" \\\\n\" # e\nE=\nF=a#b\nG=#\nH=\"open\nI.j-k==x"
	got, err := ParseEnvFile("x.env", []byte(text))
	want := []string{"A=1", "B=two words", "C=single # $x", "D=a\nb \"q\" \\n", "E=", "F=a#b", "G=", "H=\"open", "I.j-k==x"}
	if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, text := range []string{"A=1\nsesame", "A=1\n=sesame", "A=1\nb c=sesame"} {
		if got, err := ParseEnvFile("x.env", []byte(text)); err == nil || err.Error() != "x.env:2: want NAME=value" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func FuzzParseEnvFile(f *testing.F) {
	f.Add([]byte("A='x'\nB=\"\\\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseEnvFile("x", data)
		if err != nil && strings.Contains(err.Error(), string(data)) && len(data) > 20 {
			t.Error("repeats the file")
		}
		for _, v := range list {
			if name, _, ok := strings.Cut(v, "="); !ok || !envName().MatchString(name) {
				t.Errorf("%q", v)
			}
		}
	})
}
