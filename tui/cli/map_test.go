package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"caliper/engine/confusion"
)

// Only the map of a large catalog says what it leaves out of the queries.
func TestMapSaysItsBounds(t *testing.T) {
	for _, c := range []struct {
		bounds confusion.Bounds
		want   string
	}{
		{confusion.Bounds{Depth: 100}, ""},
		{confusion.Bounds{Depth: 50, Words: 12}, `"bounds":{"hits":50,"sentence_words":12}`},
	} {
		data, err := json.Marshal(mapJSON(&confusion.Map{Bounds: c.bounds}))
		if err != nil {
			t.Fatal(err)
		}
		if says := strings.Contains(string(data), "bounds"); says != (c.want != "") || !strings.Contains(string(data), c.want) {
			t.Errorf("%+v: %s", c.bounds, data)
		}
	}
}
