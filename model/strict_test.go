package model

import (
	"encoding/json"
	"testing"
)

func TestStrict(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"comments", "{\"a\":1, // one\n/* two */\"b\":2,}", "{\"a\":1,       \n         \"b\":2 }"},
		{"commas that end nothing", `{"a":[,],"b":{,},"c":[1,,],"d":,}`, `{"a":[,],"b":{,},"c":[1,,],"d":,}`},
		{"no comment", `{"a":"// /* ,}"}`, `{"a":"// /* ,}"}`},
		{"bad bytes", "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}"},
		{"half a pair", `{"a":"\ud83d"}`, "{\"a\":\"\uFFFD\"}"},
		{"a pair", `{"a":"\ud83d\ude00"}`, `{"a":"\ud83d\ude00"}`},
		{"more behind", `{"a":1},{`, `{"a":1},{`},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(Strict([]byte(c.in))); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	for _, c := range formSeeds {
		if json.Valid([]byte(c.in)) && !json.Valid(Strict([]byte(c.in))) {
			t.Errorf("%q is no JSON any more", c.in)
		}
	}
}
