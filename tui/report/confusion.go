package report

import (
	"slices"
	"strings"

	"caliper/engine/lint"
)

// The most that a terminal shows of a map. JSON has all of it.
const (
	shownPairs   = 20
	shownServers = 10
	shownHeat    = 40 // tools of the heat map
)

// heats are the glyphs of a confusion from 0 to 1, a fifth each.
var heats = []rune("·░▒▓█")

// HeatLegend is the meanings of heats.
const HeatLegend = "░ from 0.2 on, ▒ 0.4, ▓ 0.6, █ 0.8"

// PairSentence is the relation of two tools in words.
func PairSentence(m *lint.ConfusionMap, p lint.ConfusedPair) Text {
	a, b := m.Tools[p.A], m.Tools[p.B]
	if p.Kind == lint.Twin {
		return Textf("each answers the queries of the other: on those of %s %s has %s of its score, the other way round %s",
			Name(a.Name), Name(b.Name), Percent(100*m.Link(p.A, p.B).Confusion), Percent(100*m.Link(p.B, p.A).Confusion))
	}
	return Textf("%s ranks above %s in %s of the queries of %s", Name(a.Name), Name(b.Name), Percent(100*m.Above(p.B, p.A)), Name(b.Name))
}

// AskedOf is the queries of a tool in words.
func AskedOf(t lint.ConfusedTool) Text {
	if t.Labelled == 0 {
		return TextOf("its own words")
	}
	return Textf("%s and its own words", LabelledQueries(t.Labelled))
}

// ServerSentence tells the saving and the loss of dropping a server. The tokens count all
// definitions: where tool search is active, a turn has few of them.
func ServerSentence(m *lint.ConfusionMap, s lint.ConfusedServers) Text {
	out := Textf("%s answers the queries of %s of the tools of %s: dropping %s takes %d tokens of definitions out of the catalog", Name(s.A), Percent(100*s.Overlap), Name(s.B), Name(s.B), s.Saved)
	if len(s.Lost) == 0 {
		return append(out, TextOf(" and leaves none of its queries without a tool whose words match; whether that tool can do the work, words do not tell")...)
	}
	var lost []string
	for _, p := range s.Lost {
		lost = append(lost, m.Tools[p].Name)
	}
	out = append(out, Textf(" and loses %s that no other comes near (%s)", Count(len(lost), "tool"), NamesCounted(lost))...)
	if s.LostQueries > 0 {
		out = append(out, Textf(", with %s", LabelledQueries(s.LostQueries))...)
	}
	return out
}

// CrowdedNote tells what a map leaves out where too many tools answer one query. It is true
// of a map with Crowded tools only.
func CrowdedNote(m *lint.ConfusionMap) Text {
	tied := Text(nil)
	if m.Bounds.Tied > 0 {
		tied = Textf(", and of equal ones that go on after these %d", m.Bounds.Tied)
	}
	return append(Textf("A query of %s finds more than %d others that come near, 0.8 or more: the first %d hits are compared, equal ones in the order of names", Count(m.Crowded, "tool"), m.Bounds.Depth, m.Bounds.Depth), tied...)
}

// Confusion returns the report of which tools are confused: for a terminal, and as
// Markdown.
func Confusion(m *lint.ConfusionMap) *Report {
	r := new(Report)
	labelled := 0
	for _, t := range m.Tools {
		if t.Labelled > 0 {
			labelled++
		}
	}
	twins := 0
	for _, p := range m.Pairs {
		if p.Kind == lint.Twin {
			twins++
		}
	}
	r.Heading(3, "%s, %s", Count(twins, "twin"), Count(len(m.Pairs)-twins, "shadow"))
	asked := TextOf("for each its own words")
	if labelled > 0 {
		asked = Textf("%s, and the labelled queries of %s", asked, Count(labelled, "tool"))
	}
	r.Say("%s of session %s, searched by %s: %s.", Count(len(m.Tools), "tool"), Name(m.Session), m.Ranker, asked)
	if b := m.Bounds; b.Narrow() {
		r.Say("The catalog is large: the first %d hits of a query are compared, and a sentence is asked by its %d rarest words.", b.Depth, b.Words)
	}
	if m.Crowded > 0 {
		r.Say("%s.", CrowdedNote(m))
	}
	if shown := HeatTools(m); len(shown) > 0 {
		r.Blank()
		t := Columns("tool", "confused with")
		for _, a := range shown {
			var line strings.Builder
			for _, b := range shown {
				if a == b {
					line.WriteRune('╲')
				} else {
					line.WriteRune(heats[min(max(int(5*m.Link(a, b).Confusion), 0), len(heats)-1)])
				}
			}
			t.Row(Name(m.Tools[a].Name), line.String())
		}
		r.Sketch(t, Textf("A row says what the queries of a tool find: %s. Columns are the tools in the same order.", HeatLegend))
	}
	if len(m.Pairs) > 0 {
		r.Blank()
		t := Columns(">confusion", "", "tool", "", "tool…")
		for _, p := range m.Pairs[:min(len(m.Pairs), shownPairs)] {
			between := "and"
			if p.Kind == lint.Shadow {
				between = "above"
			}
			t.Row(Hundredths(p.Confusion), string(p.Kind), Name(m.Tools[p.A].Name), between, Name(m.Tools[p.B].Name))
		}
		r.Table(t)
		r.More(len(m.Pairs) - shownPairs)
	}
	r.Blank()
	if len(m.Servers) == 0 {
		r.Say("No server answers the queries of half of the tools of another.")
	}
	for _, s := range m.Servers[:min(len(m.Servers), shownServers)] {
		r.Say("%s.", ServerSentence(m, s))
	}
	r.More(len(m.Servers) - shownServers)
	return r
}

// Hundredths returns a confusion of 0 to 1.
func Hundredths(v float64) string { return Textf("%.2f", v).String() }

// HeatTools returns the positions of the tools that a heat map shows: the ones in the most
// confused pairs, in the order of the map.
func HeatTools(m *lint.ConfusionMap) []int {
	var shown []int
	for _, p := range m.Pairs {
		for _, tool := range []int{p.A, p.B} {
			if !slices.Contains(shown, tool) && len(shown) < shownHeat {
				shown = append(shown, tool)
			}
		}
	}
	slices.Sort(shown)
	return shown
}
