package doctor

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/draft"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
)

// sentenceOf returns the sentence that the doctor makes of all words of the queries of a
// tool. others are queries of another one.
func sentenceOf(t *testing.T, queries, others []string) string {
	t.Helper()
	s, err := engine.NewBuilder().Build(t.Context(), engine.Inputs{Registry: fixture.Registry(t,
		fixture.Entry("agent_one", "Handles things for movies.", "a"), fixture.Entry("lamp", "Make light.", "b"),
		fixture.Entry("tell", "Tells about an award, an actor, the actors, a hotel room, web scraping, ratings and prices.", "b"),
	), Config: fixture.Config(func(c *config.Config) { c.ToolSearch.Ranker = config.RankerBM25 })})
	if err != nil {
		t.Fatal(err)
	}
	var all []labels.Query
	for _, text := range queries {
		all = append(all, labels.Query{ID: text, Text: text, Relevant: []string{"agent_one"}})
	}
	for _, text := range others {
		all = append(all, labels.Query{ID: text, Text: text, Relevant: []string{"lamp"}})
	}
	before, err := draft.Measure(t.Context(), s, all)
	if err != nil {
		t.Fatal(err)
	}
	e := newPatient(s, s.Registry.Tools[0], all, before).evidenceOf(func(int) bool { return true })
	sentence, _ := e.sentence(e.fromQueries(), 8)
	return sentence
}

// lamps are queries of another tool.
var lamps = []string{"light the lamp", "put the lamp off", "is the lamp on", "dim my lamp", "a lamp for the desk", "the lamp is dark"}

func TestSentence(t *testing.T) {
	for _, x := range []struct {
		name    string
		queries []string
		want    string
	}{
		{"a noun", []string{"who is the actor", "is there an actor in it", "an actor of the year"}, "Covers: actor."},
		{"a noun that has no number", []string{"is it for weather", "what is there about weather", "the weather of today"}, "Covers: weather."},
		{"plurals", []string{"tell me about ratings", "what are the ratings", "the ratings of it"}, "Covers: ratings."},
		{"an adjective alone", []string{"what is popular", "which is more popular", "is it popular"}, ""},
		{"an adverb", []string{"the one of today", "is it of today", "for today"}, ""},
		{"a group", []string{"I need a hotel room", "is there a hotel room in it", "the hotel room of the year"}, "Covers: hotel room."},
		{"a verb with an object that the tool has", []string{"can you recommend movies", "please recommend a movie", "recommend the movie"}, "Covers: recommend movie."},
		{"a verb without", []string{"can you recommend", "please recommend", "I recommend"}, ""},
		{"a name", []string{"the films with Kowalski", "are the films by Kowalski", "something about Kowalski"}, "Covers: films."},
		{"two of them", []string{"the actor with a rating", "an actor and the rating", "a rating of an actor"}, "Covers: actor, rating."},
	} {
		if got := sentenceOf(t, x.queries, lamps); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// No sentence has a word twice, and none has a word besides those that are proposed but
// "covers": the words of the sentence itself draw queries, too.
func TestNoOtherWord(t *testing.T) {
	got := sentenceOf(t, []string{"the web scraping of a page", "web scraping of a page", "the scraping of the web", "scraping for a page"}, lamps)
	list, ok := strings.CutPrefix(got, "Covers: ")
	seen := map[string]bool{}
	for _, w := range strings.Fields(strings.Trim(list, ".")) {
		w = strings.Trim(w, ",")
		if seen[w] || !names(w) {
			t.Errorf("%q has %q twice, or it names nothing", got, w)
		}
		seen[w] = true
	}
	if !ok || !seen["scraping"] {
		t.Errorf("%q", got)
	}
}
