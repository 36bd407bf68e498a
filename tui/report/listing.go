package report

import (
	"math"
	"slices"

	"caliper/engine"
	"caliper/engine/tokens"
)

// Listing returns what the model is shown of the deferred tools before it searches.
func Listing(l engine.ListingShare) Text {
	switch {
	case l.Form == tokens.ListNone && len(l.Groups) == 0:
		return TextOf("no list of deferred tools")
	case l.Form == tokens.ListNone:
		return Textf("none of the deferred tools (a list may take %d tokens)", l.Limit)
	}
	said := Textf("%s, %d of %d tokens", formShown[l.Form], l.Counted(), l.Limit)
	if l.Tokens == l.Counted() {
		return said
	}
	return Textf("%v (%d as sent)", said, l.Tokens)
}

// formShown is the part that the model is shown in each form of the list.
var formShown = map[tokens.ListForm]string{
	tokens.ListFull:   "names and first sentences",
	tokens.ListNames:  "names",
	tokens.ListMixed:  "names, of the largest groups only how many",
	tokens.ListGroups: "groups",
}

// formBegins begins a sentence about a form of the list.
var formBegins = map[tokens.ListForm]string{
	tokens.ListFull:   "With names and first sentences",
	tokens.ListNames:  "With all names",
	tokens.ListMixed:  "With the names of small groups",
	tokens.ListGroups: "With groups alone",
}

// ListingOutlook returns, in a sentence each, what limits the list of the deferred
// tools, and what every richer form of it needs. It is empty where nothing is listed.
func ListingOutlook(s *engine.Snapshot, c engine.ListCurve) []Text {
	l := s.Budget(false).Listing
	if l == nil || len(c.Points) == 0 {
		return nil
	}
	search, shown := s.Config.ToolSearch, s.Assembly().Listing.With(l.Limit)
	var says []Text
	if c.Off {
		says = append(says, Textf("The config has the listing off. With it on, the model would be shown %s: %s.", formShown[shown.Form], Count(shown.Tokens(), "token")))
	}
	unlimited := search
	unlimited.ListingMost = math.MaxInt
	share := engine.ListingBudget(unlimited, s.Config.ContextLength)
	switch n := contextOf(s.Budget(false)); {
	case l.Limit < share && n == 0:
		says = append(says, Textf("It may take the %d tokens of listing_max_tokens.", l.Limit))
	case l.Limit < share:
		says = append(says, Textf("It may take the %d tokens of listing_max_tokens; %s of the context would be %d.", l.Limit, Percent(search.ThresholdPct), share))
	case n == 0:
		says = append(says, Textf("It may take %d tokens, as the context is unknown.", l.Limit))
	default:
		says = append(says, Textf("It may take %d tokens: %s of the context of %d.", l.Limit, Percent(search.ThresholdPct), n))
	}
	for _, n := range slices.Backward(c.Needs) { // the next richer form first
		switch more := n.Tokens - l.Limit; {
		case more <= 0:
		case n.Context < 0:
			says = append(says, Textf("%s it takes %d tokens, %d more, and listing_max_tokens must allow them.", formBegins[n.Form], n.Tokens, more))
		default:
			says = append(says, Textf("%s it takes %d tokens, %d more: a context of %d allows them.", formBegins[n.Form], n.Tokens, more, n.Context))
		}
	}
	if shown.Form == tokens.ListFull {
		says = append(says, TextOf("No form shows more."))
	}
	return says
}
