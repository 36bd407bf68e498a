package retrieval

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/model"
	_ "caliper/model/require"
)

func tool(name, description string) *model.Tool {
	return &model.Tool{Name: name, Qualified: name, Description: description}
}

// TestConfidenceExample computes the example of the package.
func TestConfidenceExample(t *testing.T) {
	e := ReadEvidence("crop a photo of an elephant", []Found{
		{Tool: tool("crop_image", "Crop a photo."), Score: 2},
		{Tool: tool("rotate_image", "Rotate a photo."), Score: 0.5},
	})
	c := ConfidenceModelOf(config.RankerFielded).Of(e)
	if got, want := fmt.Sprintf("%.3f %.3f %.3f %.3f", e.Coverage, e.Lead, e.Name, c), "0.568 1.000 0.604 0.887"; got != want {
		t.Errorf("coverage, lead, name and confidence are %s, want %s", got, want)
	}
}

func TestReadEvidence(t *testing.T) {
	same := func(n int, score func(i int) float64) []Found {
		var hits []Found
		for i := range n {
			hits = append(hits, Found{Tool: tool(fmt.Sprintf("tool_%c", 'a'+i), "Rotates."), Score: score(i)})
		}
		return hits
	}
	falling := func(i int) float64 { return 10 - float64(i) }
	with := func(hits []Found, at int, h Found) []Found { hits[at] = h; return hits }
	for _, tt := range []struct {
		name  string
		query string
		hits  []Found
		want  Evidence
	}{
		{"no hit", "rotate", nil, Evidence{}},
		{"no word", "...", same(1, falling), Evidence{Hits: 1, Lead: 1}},
		{"stop words alone", "of the and", same(1, falling), Evidence{Hits: 1, Lead: 1}},
		{"five hits", "rotated", same(5, falling), Evidence{Hits: 5, Coverage: 1, Lead: 0.4}},
		{"the sixth does not count", "photo", with(same(6, falling), 5, Found{Tool: tool("photo", "")}), Evidence{Hits: 5, Lead: 0.4}},
		{"any of the five", "photo", with(same(5, falling), 4, Found{Tool: tool("photo_x", "Photo."), Score: 6}), Evidence{Hits: 5, Coverage: 1, Lead: 0.4, Name: commonIDF("photo") / (commonIDF("photo") + commonIDF("x"))}},
		{"a better score behind", "rotate", with(same(5, falling), 4, Found{Tool: tool("b", "Rotate."), Score: 99}), Evidence{Hits: 5, Coverage: 1}},
		{"no score", "rotate", same(5, func(int) float64 { return 0 }), Evidence{Hits: 5, Coverage: 1}},
		{"the name in another case", " TOOL_B ", same(2, falling), Evidence{Hits: 2, Coverage: 1, Lead: 1, Name: 1, Named: true}},
		{"a toolset and a parameter", "harbor berth", []Found{{Tool: &model.Tool{Name: "x", Toolset: "mcp-harbor", Parameters: []byte(`{"properties":{"berth":{}}}`)}, Score: 1}}, Evidence{Hits: 1, Coverage: 1, Lead: 1}},
		{"taught words", "invoice", []Found{{Tool: tool("x", ""), Score: 1, Taught: []string{"invoic"}}}, Evidence{Hits: 1, Coverage: 1, Lead: 1}},
		{"beyond ASCII", "港口", []Found{{Tool: tool("x", "港口管理"), Score: 1}}, Evidence{Hits: 1, Coverage: 1, Lead: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ReadEvidence(tt.query, tt.hits)
			got.Lead, got.Name = math.Round(got.Lead*1e9)/1e9, math.Round(got.Name*1e9)/1e9
			tt.want.Name = math.Round(tt.want.Name*1e9) / 1e9
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestConfidenceModelOfEvidence(t *testing.T) {
	for name, tt := range map[string]struct {
		evidence Evidence
		want     float64
	}{
		"nothing found":       {Evidence{}, 0},
		"the name":            {Evidence{Hits: 5, Named: true}, 1},
		"all of the evidence": {Evidence{Hits: 5, Coverage: 1, Lead: 1, Name: 1}, 1 / (1 + math.Exp(-3.30))},
		"none of it":          {Evidence{Hits: 5}, 1 / (1 + math.Exp(2.23))},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ConfidenceModelOf(config.RankerFielded).Of(tt.evidence); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestConfidenceModelOf: every ranker has coefficients, and more evidence never lowers a confidence.
func TestConfidenceModelOf(t *testing.T) {
	for _, ranker := range append([]string{"another"}, config.Rankers...) {
		if m := ConfidenceModelOf(ranker); !(m.Coverage > 0 && m.Lead > 0 && m.Name > 0 && m.Constant < 0) {
			t.Errorf("%s has %+v", ranker, m)
		}
	}
}

var said = []string{"crop", "photo", "elephant", "please", "the", "港口", "getHTTPFile2", "mail", "send", "x", "."}

// TestConfidenceInvariants draws queries and hits.
func TestConfidenceInvariants(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(said), 0, 8).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		query, factor := text.Draw(t, "query"), rapid.SampledFrom([]float64{0.25, 2, 1024}).Draw(t, "factor")
		var hits, scaled []Found
		for i := range rapid.IntRange(0, 7).Draw(t, "hits") {
			h := Found{Tool: tool(fmt.Sprintf("t%d_%s", i, text.Draw(t, "name")), text.Draw(t, "description")), Score: rapid.Float64Range(-1, 10).Draw(t, "score")}
			hits = append(hits, h)
			h.Score *= factor
			scaled = append(scaled, h)
		}
		e := ReadEvidence(query, hits)
		for _, v := range []float64{e.Coverage, e.Lead, e.Name, ConfidenceModelOf("bm25").Of(e)} {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%+v has %v", e, v)
			}
		}
		if again := ReadEvidence(query, scaled); again != e {
			t.Fatalf("scores times %v give %+v, not %+v", factor, again, e)
		}
		if len(hits) == 0 {
			return
		}
		hits[0].Tool = tool(hits[0].Tool.Name, hits[0].Tool.Description+" "+rapid.SampledFrom(said).Draw(t, "one more"))
		if more := ReadEvidence(query, hits); more.Coverage < e.Coverage-1e-12 {
			t.Fatalf("one more word lowers the coverage from %v to %v", e.Coverage, more.Coverage)
		}
	})
}

func BenchmarkReadEvidence(b *testing.B) {
	words := strings.Repeat("Lists the files of a folder with their sizes and dates. ", 4)
	var hits []Found
	for i := range EvidenceHits {
		hits = append(hits, Found{Tool: tool(fmt.Sprintf("list_files_%d", i), words), Score: 3})
	}
	for _, query := range []string{"list the files of a folder", strings.Repeat("please list the large files of each folder by date ", 10)} {
		b.Run(fmt.Sprintf("%d bytes", len(query)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ReadEvidence(query, hits)
			}
		})
	}
}
