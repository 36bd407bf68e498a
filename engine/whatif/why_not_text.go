package whatif

import (
	"cmp"
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// String returns the stage in a sentence or two, with the figures. It is safe for a terminal.
func (w Answer) String() string {
	text := w.stageText()
	if w.unread > 0 && (w.Stage == StageNoMatch || w.Stage == StageBelowLimit) {
		text += fmt.Sprintf(" %s reads ASCII letters and digits only: %d of the %d in the query it does not read. English words, in the query and in the description, it does.", w.ranker, w.unread, w.letters)
	}
	if len(w.Nearest) > 0 {
		var pairs []string
		for _, n := range w.Nearest {
			pairs = append(pairs, n.String())
		}
		text += " Nearest in meaning: " + strings.Join(pairs, ", ") + "."
	}
	if w.Direct {
		text += " Search is not active in this session: the model is sent the tool in full, and searches for nothing."
	}
	return words.Message(text)
}

// Gate returns which gate of the ranker keeps a tool from being found that has words of
// the query: "not admitted: lacks fetch, the rarest token of the query (df=4)". It is
// empty for a ranker without gates and where no gate does.
func (w Answer) Gate() string { return words.Message(w.gate) }

// Lacks returns what keeps a tool without a gate from having a score, by what the ranker
// compares: "shares no word with the query".
func (w Answer) Lacks() string {
	const word, meaning = "shares no word with the query", "is not near to it in meaning as a whole"
	switch {
	case !w.means:
		return word
	case w.words:
		return word + ", and " + meaning
	}
	return "is not near in meaning to the query as a whole"
}

// stageText is String for a session in which search is active.
func (w Answer) stageText() string {
	name := safetext.Line(w.Name)
	switch w.Stage {
	case StageUnknown:
		switch {
		case w.bearers > 1:
			return fmt.Sprintf("%d tools are called %s: each has an answer of its own, by its name with its toolset.", w.bearers, name)
		case engine.IsBridge(w.Name):
			return name + " is a tool of the bridge, which no search returns."
		}
		return "No tool of the registry is called " + name + "."
	case StageCore:
		if w.chosen {
			return name + " is selected for this message: it is sent in full, and no search returns it."
		}
		return name + " is a core tool: it is sent in full, and no search returns it."
	case StageOutOfScope:
		switch {
		case w.Rank != nil:
			return fmt.Sprintf("Granted everything, this session would find %s at rank %d, with the limit at %d.", name, *w.Rank, w.Limit)
		case w.core:
			return name + " is a core tool, which no search returns."
		case w.gate != "":
			return "Granted everything, this session would not find " + name + " either: " + w.gate + "."
		}
		return name + " " + w.Lacks() + "."
	case StageNoMatch:
		if w.gate != "" {
			return "The query does not find " + name + ", which is " + w.gate + "."
		}
		return name + " " + w.Lacks() + ", so it has no score."
	case StageBelowLimit:
		switch {
		case *w.Gap < 0:
			return fmt.Sprintf("%s ranks %d, below the limit of %d: the last hit within the limit has the very name that was searched, which comes first whatever its score.",
				name, *w.Rank, w.Limit)
		case *w.Gap == 0:
			return fmt.Sprintf("%s ranks %d, below the limit of %d: its score is that of the last hit within the limit, whose name comes first.",
				name, *w.Rank, w.Limit)
		}
		return fmt.Sprintf("%s ranks %d, below the limit of %d: its score of %.3f is %.3f short of the cut line's %.3f.",
			name, *w.Rank, w.Limit, *w.Score, *w.Gap, *w.CutScore)
	}
	return fmt.Sprintf("%s ranks %d with a score of %.3f, within the limit of %d.", name, *w.Rank, *w.Score, w.Limit)
}

// Advice returns a sentence that leads to the remedies, or tells that there is
// none; it is empty where none is needed or none could be.
func (w Answer) Advice() string {
	switch {
	case w.Tool == nil || w.core || w.Stage == StageFound || !w.Tool.Available:
		return ""
	case len(w.Remedies) > 0:
		return words.Message("Each of these brings it within the limit:")
	case w.Stage == StageOutOfScope:
		return words.Message("No other session finds it by this query within the limit.")
	}
	ranker := "another ranker, "
	if w.words && w.means {
		ranker = ""
	}
	return words.Message("None of the changes tried brings it within the limit: its own words in the query, words of the query in its description, a higher limit, " + ranker + "another session, its name. " + w.Described())
}

// Described returns sentences that say which words of the query were tried in the
// description. It is safe for a terminal.
func (w Answer) Described() string {
	text := "The query has no word to add to its description."
	switch len(w.Tried) {
	case 0:
	case 1:
		text = "Tried in its description: " + words.And(w.Tried) + "."
	default:
		text = "Tried in its description, each alone and every two: " + words.And(w.Tried) + "."
	}
	if len(w.Slips) > 0 {
		text += " Not tried, one letter from a word that tools have: " + words.And(w.Slips) + "."
	}
	return words.Message(text)
}

// String returns what to change: "mention barge in its description". It is safe for a terminal.
func (r Remedy) String() string {
	change := safetext.Line(r.Change)
	text := "searching the exact name finds it"
	switch r.Kind {
	case RemedyQueryWord:
		text = "reword the query: add " + change
	case RemedyDescriptionWords:
		text = "mention " + words.And(strings.Fields(change)) + " in its description"
	case RemedyLimit:
		text = "ask for " + change + " hits"
	case RemedyRanker:
		text = "rank with " + change
	case RemedySession:
		text = "search in session " + change
		if r.Direct {
			text = "in session " + change + " it is sent in full"
		}
	}
	return words.Message(text)
}

// PushedOut returns that a tool which a change displaces falls below the limit; empty for none. It
// is safe for a terminal.
func PushedOut(displaced *model.Tool) string {
	if displaced == nil {
		return ""
	}
	return words.Message(safetext.Line(displaced.Qualified) + " falls below the limit")
}

// The pairs of near words that an answer has: the best ones, of these similarities.
const (
	mostNearest  = 3
	leastNearest = 0.4
)

// Near is a word of the query that the tool does not have, and the word of the tool that is
// nearest to it in meaning, by the table of package meaning.
type Near struct {
	Asked, Own string
	Similarity float64
}

// nearest returns the pairs of words that are nearest in meaning, each word of the query in
// one pair at most.
func (w *Answer) nearest() []Near {
	table, err := meaning.LoadTable()
	if err != nil {
		return nil // which a test of the table sees
	}
	own := retrieval.ToolWords(w.Tool)
	var pairs []Near
	for _, word := range words.Distinct(words.Each(w.Query)) {
		if retrieval.Filler(word) {
			continue
		}
		best := Near{Asked: word}
		asked, _ := table.Word(word)
		for _, other := range own {
			v, _ := table.Word(other)
			if s := asked.Similarity(v); s > best.Similarity && !retrieval.Filler(other) {
				best.Own, best.Similarity = other, s
			}
		}
		if best.Similarity >= leastNearest && best.Similarity < 1 { // 1: the tool has the word
			pairs = append(pairs, best)
		}
	}
	model.Sort(pairs, func(a, b Near) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return pairs[:min(len(pairs), mostNearest)]
}

// String returns "refund ≈ reverse 0.62". It is safe for a terminal.
func (n Near) String() string {
	return fmt.Sprintf("%s ≈ %s %.2f", safetext.Line(n.Asked), safetext.Line(n.Own), n.Similarity)
}
