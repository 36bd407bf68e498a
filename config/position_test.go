package config

import "testing"

func TestBreaksLine(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"line feed", "\na", true},
		{"carriage return", "\ra", true},
		{"carriage return at the end", "\r", true},
		{"carriage return before a line feed", "\r\n", false},
		{"next line", "\u0085a", true},
		{"first byte of a next line", "\xc2", false},
		{"no-break space", "\u00a0", false},
		{"line separator", "\u2028a", true},
		{"paragraph separator", "\u2029", true},
		{"first bytes of a separator", "\xe2\x80", false},
		{"first byte of a separator", "\xe2", false},
		{"dash of the same block", "\u2014", false},
		{"euro sign", "\u20ac", false},
		{"character with a separator's last byte", "\u20a8", false},
		{"letter", "a\n", false},
	}
	for _, test := range tests {
		if got := breaksLine([]byte(test.text)); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
