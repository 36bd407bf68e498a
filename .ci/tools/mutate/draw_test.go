package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that is renamed must not drop out of what is wanted of the gates.
func TestGatesExist(t *testing.T) {
	for _, file := range gates {
		if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
			t.Error(err)
		}
	}
}
