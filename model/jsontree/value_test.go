package jsontree

import (
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b": [ 2 ] ,"a":"x"} and more`: "a=1 b=[ 2 ] a=\"x\" true",
		"{\"\\u0061\":\"\xff\"}":               "a=\"\xff\" true",
		`{}`:                                   "true",
		`{"a":1,`:                              "a=1 false",
		`[1]`:                                  "false",
		``:                                     "false",
		`x`:                                    "false",
	} {
		var got []string
		ok := Members([]byte(text), func(name string, value []byte) { got = append(got, name+"="+string(value)) })
		if ok {
			got = append(got, "true")
		} else {
			got = append(got, "false")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
