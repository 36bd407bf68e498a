package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string // part of the picture
		err  string
	}{
		{"natural size", nil, `viewBox="0 0 78 114"`, ""},
		{"given size", []string{"-columns", "4", "-rows", "1"}, `viewBox="0 0 108 81"`, ""},
		{"dark", nil, "#16191f", ""},
		{"light", []string{"-theme", "light"}, "#fcfcfa", ""},
		{"square", []string{"-square"}, `rx="0"`, ""},
		{"unknown theme", []string{"-theme", "auto"}, "", `theme "auto": want dark or light`},
		{"argument", []string{"file"}, "", `argument "file": the screen is read from standard input`},
		{"unknown flag", []string{"-x"}, "", "flag provided but not defined: -x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, diagnostics bytes.Buffer
			err := run(tt.args, strings.NewReader("ab\ncd\n"), &out, &diagnostics)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err || out.Len() > 0 {
					t.Errorf("got %v, %d bytes", err, out.Len())
				}
				return
			}
			if err != nil || !strings.Contains(out.String(), tt.want) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
