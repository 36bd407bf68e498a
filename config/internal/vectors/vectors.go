// Package vectors reads the conformance vectors of package config for its tests
// and those of its sub-packages.
package vectors

import (
	"encoding/json"
	"os"
	"testing"
)

// Case is one file of testdata/config.json and what the reference agent makes
// of it.
type Case struct {
	YAML string
	Want struct {
		Enabled            string  `json:"enabled"`
		ThresholdPct       float64 `json:"threshold_pct"`
		SearchDefaultLimit int     `json:"search_default_limit"`
		MaxSearchLimit     int     `json:"max_search_limit"`
	}
	Surprising bool
	Note       string
}

// Cases returns the cases of a folder of test data.
func Cases(t testing.TB, testdata string) []Case {
	t.Helper()
	var file struct{ Cases []Case }
	Read(t, testdata+"/config.json", &file)
	if len(file.Cases) != 84 {
		t.Fatalf("%d cases, want 84", len(file.Cases))
	}
	return file.Cases
}

// Read decodes a file of test data.
func Read(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
