package config

import (
	"encoding/json"
	"os"
	"testing"

	"caliper/model/require"
)

// vectorCase is one file of testdata/config.json and what the reference agent makes
// of it.
type vectorCase struct {
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

// vectorCases returns the cases of a folder of test data.
func vectorCases(t testing.TB, testdata string) []vectorCase {
	t.Helper()
	var file struct{ Cases []vectorCase }
	readVectors(t, testdata+"/config.json", &file)
	if len(file.Cases) != 84 {
		t.Fatalf("%d cases, want 84", len(file.Cases))
	}
	return file.Cases
}

// readVectors decodes a file of test data.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	require.NoError(t, err)
}
