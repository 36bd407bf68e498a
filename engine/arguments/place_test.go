package arguments

import "testing"

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, path, want string }{
		{"a member", `{"a":1,"reason":"late"}`, "reason", `"late"`},
		{"blanks", `{ "a" : [ 1 , true ] }`, "a[1]", "true"},
		{"nested", `{"labels":[{"name":"x"},{"name":{"y":2}}]}`, "labels[1].name", `{"y":2}`},
		{"no plain word", `{"a b":{"c":3}}`, `["a b"].c`, "3"},
		{"the whole", ` {"a":1} `, "", `{"a":1}`},
		{"a missing one", `{"a":1}`, "b", "none"},
		{"the last of equal names", `{"a":1,"a":2}`, "a", "2"},
		{"no JSON", `{"a":`, "a", "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start, end, ok := Place(tt.text, tt.path)
			got := "none"
			if ok {
				got = tt.text[start:end]
			}
			if got != tt.want {
				t.Errorf("%s in %s: %s, want %s", tt.path, tt.text, got, tt.want)
			}
		})
	}
}
