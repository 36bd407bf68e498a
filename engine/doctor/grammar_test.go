package doctor

import (
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/draft"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
)

// evidenceFrom returns what queries of a tool for movies say about words, with those of
// another tool.
func evidenceFrom(t *testing.T, queries, others []string) *evidence {
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
	return newPatient(s, s.Registry.Tools[0], all, before).evidenceOf(func(int) bool { return true })
}

// lamps are queries of another tool.
var lamps = []string{"light the lamp", "put the lamp off", "is the lamp on", "dim my lamp", "a lamp for the desk", "the lamp is dark"}

func TestSentence(t *testing.T) {
	for _, x := range []struct {
		name    string
		queries []string
		want    string
	}{
		{"a noun", []string{"who is the actor", "is there an actor in it", "an actor of the year"}, "Actor."},
		{"a noun that has no number", []string{"is it for weather", "what is there about weather", "the weather of today"}, "Weather."},
		{"plurals", []string{"tell me about ratings", "what are the ratings", "the ratings of it"}, "Ratings."},
		{"an adjective alone", []string{"what is popular", "which is more popular", "is it popular"}, ""},
		{"an adverb", []string{"the one of today", "is it of today", "for today"}, ""},
		{"a group", []string{"I need a hotel room", "is there a hotel room in it", "the hotel room of the year"}, "Hotel room."},
		{"a verb with an object that the tool has", []string{"can you recommend movies", "please recommend a movie", "recommend the movie"}, "Recommend movie."},
		{"a verb without", []string{"can you recommend", "please recommend", "I recommend"}, ""},
		{"a name", []string{"the films with Kowalski", "are the films by Kowalski", "something about Kowalski"}, "Films."},
		{"two of them", []string{"the actor with a rating", "an actor and the rating", "a rating of an actor"}, "Actor, rating."},
	} {
		e := evidenceFrom(t, x.queries, lamps)
		if got, _ := e.sentence(e.fromQueries(), 8); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// No sentence has a word twice, and none has a word besides those that are proposed and
// those of the tool: the words of the sentence itself draw queries, too.
func TestNoOtherWord(t *testing.T) {
	for _, queries := range [][]string{
		{"the web scraping of a page", "web scraping of a page", "the scraping of the web", "scraping for a page"},
		{"can you recommend movies", "please recommend a movie", "recommend the movie"},
		{"the actor with a rating", "an actor and the rating", "a rating of an actor"},
	} {
		e := evidenceFrom(t, queries, lamps)
		sentence, used := e.sentence(e.fromQueries(), 8)
		seen := map[string]bool{}
		for _, token := range tokensOf(sentence, e.stems) {
			proposed := slices.ContainsFunc(used, func(w Word) bool { return strings.EqualFold(w.Text, token.word) })
			if seen[token.stem] || !proposed && !e.has[token.stem] {
				t.Errorf("%q has %q twice, or it is not among %v", sentence, token.word, used)
			}
			seen[token.stem] = true
		}
		if len(used) == 0 || len(seen) < len(used) {
			t.Errorf("%q has not all of %v", sentence, used)
		}
	}
}

// A list begins with a capital, except for a word that is written in a way of its own.
func TestCapital(t *testing.T) {
	for list, want := range map[string]string{"payment": "Payment", "hotel rooms, payment": "Hotel rooms, payment", "eBay, brand": "eBay, brand", "NFT collection": "NFT collection"} {
		if got := capital(list); got != want {
			t.Errorf("%q becomes %q, want %q", list, got, want)
		}
	}
}
