package whatif

import (
	"context"
	"strconv"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// Stage is the first thing that keeps a tool from being found.
type Stage string

// The stages, in the order in which they are asked.
const (
	StageUnknown    Stage = "unknown"      // no tool of the registry, or several, bear the name
	StageCore       Stage = "core"         // sent directly, so that no search returns it
	StageOutOfScope Stage = "out_of_scope" // the session is not granted it
	StageNoMatch    Stage = "no_match"     // the query does not score it
	StageBelowLimit Stage = "below_limit"  // its rank is beyond the limit
	StageFound      Stage = "found"        // it is found: its rank is within the limit
)

// Answer is why a query does not find a tool in a session, and what would
// change that. It is for people: it speaks of tools outside the session's
// scope, by name and rank, and must never be shown to a model.
//
// Rank and Score are the tool's among everything that its catalog finds
// for the query, whatever the limit. The catalog is the session's where the
// tool is in it. For a tool out of scope it is the catalog of a session granted every
// toolset, which is every deferrable tool of the registry that is available.
// Both are nil for a tool that is unknown or core, that the ranker gives no score, or
// that is in no session's catalog.
//
// CutScore is the score of the last hit within the limit in the same catalog. It is
// nil when there are fewer hits or no search was made. Gap is CutScore minus Score:
// positive for a tool below the last hit within the limit, negative for one above
// it and for one behind a tool whose name is the query, which bm25-gated puts first
// whatever its score, and nil when one of the two is nil.
type Answer struct {
	Name     string   `json:"name"` // qualified where it is known, else as asked for
	Stage    Stage    `json:"stage"`
	Rank     *int     `json:"rank"`
	Score    *float64 `json:"score"`
	CutScore *float64 `json:"cut_score"`
	Gap      *float64 `json:"gap"`

	// Remedies are the changes that bring the tool within the limit, in the
	// order of their kinds; each was tried by a real search. They are empty
	// where none does or none is needed.
	Remedies []Remedy `json:"remedies"`

	// Tried are the words of the query that were added to the description in vain, each
	// alone and every two, those that no tool has last; Slips are those left out because
	// a word that tools have is one edit away. Both are empty where words for the
	// description are a remedy, and where none is looked for.
	Tried []string `json:"tried,omitempty"`
	Slips []string `json:"slips,omitempty"`

	// First are changes that bring a tool that is found behind others to the first
	// place, as Remedies; only WhyNotFirst looks for them, and Tried and Slips are then of that.
	First []Remedy `json:"-"`

	// Nearest are the words of the query and of a tool that is not within the limit that are
	// nearest in meaning.
	Nearest []Near `json:"-"`

	// Suggestions are the names that may have been meant by an unknown one:
	// the qualified names of the tools that bear it, else similar ones.
	Suggestions []string `json:"suggestions,omitempty"`

	Generation config.Generation `json:"generation"`     // by whose rules the query is searched for
	Host       string            `json:"host,omitempty"` // where it is no generation: by whose rules then

	// Direct: search is not active in the session, so that the model
	// is sent the tool in full. The stage then belongs to a search which only a
	// person makes. It is not set for a core tool, whose stage tells it.
	Direct bool `json:"direct,omitempty"`

	Query string      `json:"-"` // trimmed
	Limit int         `json:"-"` // the cut line
	Tool  *model.Tool `json:"-"` // nil when the stage is unknown

	bearers int    // tools that bear the name
	core    bool   // Tool is sent in full, so that no search returns it
	chosen  bool   // core, because pre-selection sends it with the message
	ranker  string // of the snapshot
	words   bool   // the ranker compares words
	means   bool   // the ranker compares meanings
	unread  int    // letters and digits of Query that the ranker does not read
	letters int    // letters and digits of Query
	gate    string // why a ranker with gates does not admit Tool; empty: it is for its words
}

// RemedyKind is the thing that a remedy changes.
type RemedyKind string

// The kinds of remedies, with what Change holds.
const (
	RemedyRanker           RemedyKind = "ranker"            // a ranker that reads the letters of the query, or that compares meanings
	RemedyQueryWord        RemedyKind = "query_word"        // a word, or two, to append to the query
	RemedyDescriptionWords RemedyKind = "description_words" // words to mention in the tool's description
	RemedyLimit            RemedyKind = "limit"             // the limit to ask for, in digits
	RemedySession          RemedyKind = "session"           // the name of a session to search in
	RemedyName             RemedyKind = "name"              // the query to send instead: the tool's name
)

// Remedy is one change that is enough to raise a tool to within the limit. Words in
// Change are separated by single spaces; WithWords and Mention add them.
type Remedy struct {
	Kind    RemedyKind `json:"kind"`
	Change  string     `json:"change"` // raw text
	NewRank int        `json:"new_rank"`

	// Direct says of a session that search is not active in it: the model is
	// sent the tool in full there, and searches for nothing.
	Direct bool `json:"direct,omitempty"`

	// Displaced is the tool that words in the description push behind the limit for
	// this query, the highest of several; nil for every other kind of change, which
	// leaves the ranks of other queries as they are.
	Displaced *model.Tool `json:"-"`
}

// WhyNot explains the rank of the tool called name among the hits of a query in a
// session, and looks for changes that bring it within the limit: 0 is the
// configured one, others are clamped. The snapshot should be one of this
// builder, so that little is computed anew; it is not changed.
//
// A name is a tool's raw or qualified one. A raw name that several tools bear
// is unknown, with the qualified names as suggestions, because each of them
// has an answer of its own. So is a bridge name, which no tool of the registry
// is ever sent under. A core tool that the session is not granted is out of
// scope, as is a tool whose availability check failed.
//
// The work is bounded whatever the registry. The error is ctx's.
func WhyNot(ctx context.Context, b *engine.Builder, s *engine.Snapshot, query, name string, limit int) (Answer, error) {
	w := Answer{Name: words.Strip(name), Query: words.Strip(query), Limit: s.Search(query, limit, 0).Limit, Remedies: []Remedy{}, Generation: s.Config.ToolSearch.Generation}
	if h := s.Host(); h.Generation == "" {
		w.Host = h.Called()
	}
	bearers := s.Registry.Lookup(w.Name)
	w.bearers = len(bearers)
	if len(bearers) != 1 || s.Class(bearers[0]) == engine.Dropped { // the name stands for no tool, or for several
		w.Stage = StageUnknown
		for _, t := range bearers {
			if s.Class(t) != engine.Dropped {
				w.Suggestions = append(w.Suggestions, t.Qualified)
			}
		}
		if len(bearers) > 0 || engine.IsBridge(w.Name) || w.Name == "" {
			return w, nil
		}
		wide, err := everything(ctx, b, s)
		if err != nil {
			return Answer{}, err
		}
		w.Suggestions = wide.Suggest(w.Name)
		return w, nil
	}
	w.Tool = bearers[0]
	w.ranker = s.Config.ToolSearch.Ranker
	w.words, w.means = s.Compares()
	w.unread, w.letters = s.Unread(w.Query)
	w.Name, w.core = w.Tool.Qualified, s.Class(w.Tool) == engine.Visible
	w.chosen = w.core && engine.PreSelects(s.Assembly().Strategy)
	var err error
	switch {
	case !s.Granted(w.Tool):
		w.Stage = StageOutOfScope
		if w.core {
			break
		}
		// Only another session can find it.
		wide, failed := everything(ctx, b, s)
		if err = failed; err == nil {
			w.rank(wide)
			err = (&remedies{b, s, &w}).sessions(ctx)
		}
	case w.core:
		w.Stage = StageCore
	default:
		err = w.inside(ctx, b, s)
	}
	if err != nil {
		return Answer{}, err
	}
	return w, nil
}

// WhyNotFirst is WhyNot with the configured limit, and of a tool that is found behind others
// it also looks for changes that bring it to the first place.
func WhyNotFirst(ctx context.Context, b *engine.Builder, s *engine.Snapshot, query, name string) (Answer, error) {
	w, err := WhyNot(ctx, b, s, query, name, 0)
	if err != nil || w.Stage != StageFound || *w.Rank == 1 {
		return w, err
	}
	first, err := WhyNot(ctx, b, s, query, name, 1)
	for _, r := range first.Remedies {
		if r.Kind == RemedyQueryWord || r.Kind == RemedyDescriptionWords || r.Kind == RemedyRanker { // the others change no place
			w.First = append(w.First, r)
		}
	}
	w.Tried, w.Slips = first.Tried, first.Slips
	return w, err
}

// inside answers for a tool of the session's catalog.
func (w *Answer) inside(ctx context.Context, b *engine.Builder, s *engine.Snapshot) error {
	w.rank(s)
	w.Direct = !s.Active()
	switch {
	case w.Rank == nil:
		w.Stage = StageNoMatch
	case *w.Rank > w.Limit:
		w.Stage = StageBelowLimit
	default:
		w.Stage = StageFound
		return nil
	}
	w.Nearest = w.nearest()
	r := remedies{builder: b, snapshot: s, answer: w}
	if err := r.ranker(ctx); err != nil {
		return err
	}
	if err := r.queryWord(ctx); err != nil {
		return err
	}
	if err := r.descriptionWords(ctx); err != nil {
		return err
	}
	// The least limit that reaches the tool.
	if r.answer.Rank != nil && *r.answer.Rank <= r.snapshot.Config.ToolSearch.MaxLimit {
		if rank, ok := r.within(r.snapshot, r.answer.Query, *r.answer.Rank); ok {
			r.add(Remedy{Kind: RemedyLimit, Change: strconv.Itoa(*r.answer.Rank), NewRank: rank})
		}
	}
	if err := r.sessions(ctx); err != nil {
		return err
	}
	if rank, ok := r.within(r.snapshot, r.answer.Tool.Name, r.answer.Limit); ok {
		r.add(Remedy{Kind: RemedyName, Change: r.answer.Tool.Name, NewRank: rank})
	}
	return nil
}

// rank fills in the tool's rank in the catalog of a snapshot.
func (w *Answer) rank(s *engine.Snapshot) {
	if found := s.Search(w.Query, w.Limit, 0); len(found.Hits) == w.Limit {
		cut := found.Hits[w.Limit-1].Score
		w.CutScore = &cut
	}
	rank, score, ok := s.Rank(w.Query, w.Tool)
	if !ok {
		e, _ := s.Explain(w.Query, w.Tool)
		for _, part := range e.Children {
			if part.Component == retrieval.Gate {
				w.gate = part.Message
			}
		}
		return
	}
	w.Rank, w.Score = &rank, &score
	if w.CutScore != nil {
		gap := *w.CutScore - score
		w.Gap = &gap
	}
}

// everything returns the snapshot of a session that is granted every toolset.
func everything(ctx context.Context, b *engine.Builder, s *engine.Snapshot) (*engine.Snapshot, error) {
	in := s.Inputs()
	in.Session, in.Message = config.DefaultSession, ""
	in.Config.Sessions = []config.Session{{Name: config.DefaultSession}}
	in.Config.Selection = config.SelectToolSearch // so that every deferrable tool is in the catalog
	return b.Build(ctx, in)
}
