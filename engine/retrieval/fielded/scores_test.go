package fielded

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model/require"
)

var scoresTo = flag.String("scores", "", "a folder for the scores of the development sets, which the evaluation of the table of words reads")

// scoredWord is a word of a query with what fielded weighs it by.
type scoredWord struct {
	Stem        string
	IDF, Weight float64
}

// scoredQuery is a query with the score of each tool that it finds.
type scoredQuery struct {
	fixture.Query
	Words  []scoredWord
	Docs   []int
	Scores []float64
}

// TestWriteScores writes a line of JSON a query, and the idf of the stems of each set,
// into the folder of -scores.
func TestWriteScores(t *testing.T) {
	if *scoresTo == "" {
		t.Skip("writes the scores of all development sets: -scores FOLDER")
	}
	write := func(file string, lines ...any) {
		f, err := os.Create(filepath.Join(*scoresTo, file))
		require.NoError(t, err)
		defer f.Close()
		for encoder := json.NewEncoder(f); len(lines) > 0; lines = lines[1:] {
			require.NoError(t, encoder.Encode(lines[0]))
		}
	}
	for _, name := range fixture.Sets {
		set := fixture.ReadSet(t, name)
		x, err := NewCorpus().Index(context.Background(), set.Registry.Tools, set.Toolset, Default)
		require.NoError(t, err)
		var lines []any
		for _, q := range set.Queries {
			scored := scoredQuery{Query: q}
			for _, h := range x.Search(q.Query, x.Len()).Hits {
				scored.Docs, scored.Scores = append(scored.Docs, h.Doc), append(scored.Scores, h.Score)
			}
			s := x.acquire(q.Query)
			for i, w := range s.readWords() {
				scored.Words = append(scored.Words, scoredWord{w.Stem, w.IDF, s.queryWords[i].weight})
			}
			x.release(s)
			lines = append(lines, scored)
		}
		idf := make(map[string]float64)
		for term, v := range x.idf {
			if v > 0 {
				idf[string(x.vocabulary.terms.Term(uint32(term)))] = v
			}
		}
		file := strings.ReplaceAll(name, "/", "_")
		write(file+".jsonl", lines...)
		write(file+".idf.json", idf)
	}
}
