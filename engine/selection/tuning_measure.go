package selection

import (
	"context"
	"math/rand/v2"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
)

// measuring asks the queries and has what comes out.
type measuring struct {
	TuningRequest
	wordings []labels.WordClass // of each query
	axes     []axis
	list     []combination
	scores   scoreTable

	builder     *engine.Builder
	done, total int
	columns     map[rankedQuery]int
}

// arm is a ranking that is asked every query once.
type arm struct {
	ranker  string
	params  retrieval.Params
	meaning float64 // its weight
}

// rankedQuery is the part of a candidate that decides its score: a ranking, and how many hits or
// tools of it are listed, or the selection by it.
type rankedQuery struct {
	arm
	limit    int     // 0 with pre-selection
	k        int     // 0 without
	rrfK     float64 // as k
	semantic float64 // as k
}

// of returns the configuration of a candidate, and what its score depends on.
func (m *measuring) of(c combination) (config.Config, rankedQuery) {
	cfg, params := m.Snapshot.Config, m.Snapshot.Ranking
	for _, s := range c.settings(m.axes) {
		switch s.Key {
		case config.KeyRanker:
			cfg.ToolSearch.Ranker = s.Value.(string)
		case config.KeyMeaning:
			cfg.ToolSearch.Meaning = s.Value.(float64)
		case keyLimit:
			cfg.ToolSearch.DefaultLimit = s.Value.(int)
		case keyThreshold:
			cfg.ToolSearch.ThresholdPct = s.Value.(float64)
		case KeyK1:
			params.K1 = s.Value.(float64)
		case KeyB:
			params.B = s.Value.(float64)
		case keyTopK:
			cfg.PreSelection.TopK = s.Value.(int)
		case keyRRFK:
			cfg.PreSelection.RRFK = s.Value.(float64)
		case keySemantic:
			cfg.PreSelection.SemanticWeight = s.Value.(float64)
		}
	}
	r := rankedQuery{arm: arm{cfg.ToolSearch.Ranker, params, cfg.ToolSearch.Meaning}}
	if m.preselects() {
		r.k, r.rrfK, r.semantic = cfg.PreSelection.TopK, cfg.PreSelection.RRFK, cfg.PreSelection.SemanticWeight
	} else {
		r.limit = cfg.ToolSearch.DefaultLimit
	}
	return cfg, r
}

// preselects reports whether tools are selected for a message.
func (m *measuring) preselects() bool {
	return SettingsOf(m.Snapshot.Config).Strategy.Ranks()
}

// measure sets the scores, and the column and the tokens of every candidate. Arms are
// asked in the order of the candidates.
func (m *measuring) measure(ctx context.Context) error {
	m.builder, m.columns = engine.NewBuilder(), map[rankedQuery]int{}
	var arms []arm
	of := map[arm][]rankedQuery{}
	for i := range m.list {
		_, r := m.of(m.list[i])
		column, known := m.columns[r]
		if !known {
			column = len(m.columns)
			m.columns[r] = column
			if of[r.arm] == nil {
				arms = append(arms, r.arm)
			}
			of[r.arm] = append(of[r.arm], r)
		}
		m.list[i].column = column
	}
	m.scores.held = make([][]float64, len(m.columns))
	m.scores.control = make([][]float64, len(m.columns))
	m.scores.outside = make([][][]float64, m.scores.folds)
	for f := range m.scores.outside {
		m.scores.outside[f] = make([][]float64, len(m.columns))
	}
	for _, a := range arms {
		m.total += len(m.Queries)
		if m.learns(a) {
			m.total += m.scores.folds * len(m.Queries) // and once for the control
		}
	}
	tokens := make([]float64, len(m.columns)) // of what depends on the ranking
	for _, a := range arms {
		if err := m.measureArm(ctx, a, of[a], tokens); err != nil {
			return err
		}
	}
	return m.price(ctx, tokens)
}

// learns reports whether an arm learns from labelled queries.
func (m *measuring) learns(a arm) bool {
	lessons := m.Snapshot.Inputs().Lessons
	return a.ranker == config.RankerLearned && lessons != nil && len(lessons.List) > 0
}

// queryOutcome is the score of one query under one ranking, and the tokens that depend on it.
type queryOutcome struct{ score, tokens float64 }

// measureArm asks an arm every query, one that learns once for each fold.
func (m *measuring) measureArm(ctx context.Context, a arm, columns []rankedQuery, tokens []float64) error {
	in := m.Snapshot.Inputs()
	in.Config.ToolSearch.Ranker, in.Config.ToolSearch.Meaning = a.ranker, a.meaning
	in.Ranking, in.Message, in.Select, in.OnDemand = &a.params, "", nil, true
	s, err := m.builder.Build(ctx, in)
	if err != nil {
		return err
	}
	n := len(m.Queries)
	for _, r := range columns {
		m.scores.held[m.columns[r]] = make([]float64, n)
	}
	if !m.learns(a) {
		out, err := m.ask(ctx, s, m.Queries, columns)
		if err != nil {
			return err
		}
		for i, r := range columns {
			column := m.columns[r]
			for q := range n {
				m.scores.held[column][q] = out[q][i].score
				tokens[column] += out[q][i].tokens / float64(n)
			}
			for f := range m.scores.outside {
				m.scores.outside[f][column] = m.scores.held[column]
			}
		}
		return nil
	}
	for _, r := range columns {
		m.scores.control[m.columns[r]] = make([]float64, n)
	}
	for f := range m.scores.folds {
		var asked []labels.Query
		for q, fold := range m.scores.fold {
			if fold == f {
				asked = append(asked, m.Queries[q])
			}
		}
		rest, _ := labels.Without(s.Inputs().Lessons, asked)
		out, err := m.ask(ctx, s.Teaching(rest), m.Queries, columns)
		if err != nil {
			return err
		}
		control, err := m.ask(ctx, s.Teaching(misled(rest)), asked, columns)
		if err != nil {
			return err
		}
		for i, r := range columns {
			column := m.columns[r]
			m.scores.outside[f][column] = make([]float64, n)
			number := 0 // of a query among those that are asked
			for q, fold := range m.scores.fold {
				m.scores.outside[f][column][q] = out[q][i].score
				if fold == f {
					m.scores.held[column][q] = out[q][i].score
					m.scores.control[column][q] = control[number][i].score
					number++
					tokens[column] += out[q][i].tokens / float64(n)
				}
			}
		}
	}
	return nil
}

// misled returns lessons with the tools of other lessons, so that they teach which
// tools are asked for often, and nothing about words.
func misled(lessons *engine.Lessons) *engine.Lessons {
	wrong := &engine.Lessons{List: slices.Clone(lessons.List)}
	random := rand.New(rand.NewPCG(20261125, uint64(len(wrong.List))))
	for i, j := range random.Perm(len(wrong.List)) {
		wrong.List[i].Tools = lessons.List[j].Tools
	}
	return wrong
}

// ask returns what each of some queries scores and costs under each of some rankings of one
// snapshot.
func (m *measuring) ask(ctx context.Context, s *engine.Snapshot, queries []labels.Query, columns []rankedQuery) ([][]queryOutcome, error) {
	if m.preselects() {
		return m.preselect(ctx, s, queries, columns)
	}
	return m.search(ctx, s, queries, columns)
}

// search asks tool_search.
func (m *measuring) search(ctx context.Context, s *engine.Snapshot, queries []labels.Query, columns []rankedQuery) ([][]queryOutcome, error) {
	before := m.done
	e, err := labels.Evaluate(ctx, s, queries, func(done, _ int) { m.report(before + done) })
	if err != nil {
		return nil, err
	}
	units := map[*model.Tool]int{}
	out := make([][]queryOutcome, len(queries))
	for q, a := range e.Answers {
		size := s.AnswerUnits(a.Query.Text)
		sizes := []int{size} // with as many hits as the index
		var items []retrieval.RankedItem
		for _, h := range a.Hits {
			n, known := units[h.Tool]
			if !known {
				n = s.HitUnits(h.Tool)
				units[h.Tool] = n
			}
			size += n
			sizes, items = append(sizes, size), append(items, retrieval.RankedItem{Name: h.Tool.Name, Qualified: h.Tool.Qualified})
		}
		for _, r := range columns {
			listed := min(r.limit, len(items))
			score, err := m.score(a.Query, items[:listed])
			if err != nil {
				return nil, err
			}
			out[q] = append(out[q], queryOutcome{score, float64(s.Tokenizer.Tokens(sizes[listed]))})
		}
	}
	return out, nil
}

// preselect asks the strategy of pre-selection.
func (m *measuring) preselect(ctx context.Context, s *engine.Snapshot, queries []labels.Query, columns []rankedQuery) ([][]queryOutcome, error) {
	base := SettingsOf(s.Config)
	selector, err := New(ctx, s, base, m.Similarity, m.Absent)
	if err != nil {
		return nil, err
	}
	settings := make([]Settings, len(columns))
	for i, r := range columns {
		settings[i] = base
		settings[i].K, settings[i].RRFK, settings[i].Semantic = r.k, r.rrfK, r.semantic
	}
	before := m.done
	sent, err := selector.Variants(ctx, queries, settings, func(done, _ int) { m.report(before + done) })
	if err != nil {
		return nil, err
	}
	out := make([][]queryOutcome, len(queries))
	for q, variants := range sent {
		for _, x := range variants {
			items := make([]retrieval.RankedItem, len(x.Ranking))
			for i, t := range x.Ranking {
				items[i] = retrieval.RankedItem{Name: t.Name, Qualified: t.Qualified}
			}
			score, err := m.score(queries[q], items)
			if err != nil {
				return nil, err
			}
			out[q] = append(out[q], queryOutcome{score, float64(x.Tokens)})
		}
	}
	return out, nil
}

// score returns the objective of a ranking.
func (m *measuring) score(q labels.Query, ranking []retrieval.RankedItem) (float64, error) {
	return retrieval.Measure(retrieval.Label{Groups: q.Needs(), Grades: q.Grades}, ranking).Value(m.Objective)
}

// report takes in how many answers there are.
func (m *measuring) report(done int) {
	m.done = done
	if m.Progress != nil {
		m.Progress(done, m.total)
	}
}

// price sets the tokens of every candidate. With pre-selection its ranking's are
// all; without, the assembly is added, which depends on the threshold, and the answer of a
// search counts only where tool search is active.
func (m *measuring) price(ctx context.Context, tokens []float64) error {
	if m.preselects() {
		for i := range m.list {
			m.list[i].tokens = tokens[m.list[i].column]
		}
		return nil
	}
	type sent struct {
		tokens int
		active bool
	}
	byThreshold := map[float64]sent{}
	for i := range m.list {
		cfg, _ := m.of(m.list[i])
		pct := cfg.ToolSearch.ThresholdPct
		x, known := byThreshold[pct]
		if !known {
			in := m.Snapshot.Inputs()
			in.Config.ToolSearch.ThresholdPct = pct
			in.Message, in.Select, in.OnDemand = "", nil, true
			s, err := m.builder.Build(ctx, in)
			if err != nil {
				return err
			}
			x.tokens, _ = s.Tokens(s.Assembly())
			x.active = s.Active()
			byThreshold[pct] = x
		}
		m.list[i].tokens = float64(x.tokens)
		if x.active {
			m.list[i].tokens += tokens[m.list[i].column]
		}
	}
	return nil
}
