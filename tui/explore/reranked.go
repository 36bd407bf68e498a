package explore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// compared returns what the ranks of the rows are compared with: the files without what is
// tried, else the files before they were saved last; nil for neither.
func (p *hits) compared() *engine.Snapshot {
	if p.onDisk != nil {
		return p.onDisk
	}
	return p.earlier
}

// compareTrial takes in what the trials of a state, or the last save, do to the hits: how many
// within the limit rise and how many fall, those that fall below it included. A save that moves
// none of them is not told of.
func (p *hits) compareTrial(st *workbench.State) {
	recall, instead := p.trial.Recall, p.trial.Instead
	if p.trial.Saved { // which had no recall
		recall, instead = nil, ""
	}
	p.reranked = desk.Reranked(st)
	p.trial = desk.Rerank{}
	before := p.earlier
	switch {
	case p.reranked:
		p.trial = desk.Rerank{Was: p.onDisk.Config.ToolSearch.Ranker, Is: p.snapshot.Config.ToolSearch.Ranker, Recall: recall, Instead: instead}
		before = desk.Before(st)
	case before == nil || p.onDisk != nil:
		return
	}
	if p.browsing {
		return
	}
	p.trial.Ranked, p.trial.Of = true, "top "+strconv.Itoa(p.results.Limit)
	var gone []string
	for _, hit := range p.results.Hits {
		if !hit.Within {
			break
		}
		switch was := rankIn(before, p.results.Query, hit.Tool); {
		case was == 0 || was > hit.Rank:
			p.trial.Risen++
		case was < hit.Rank:
			p.trial.Fallen++
		}
	}
	old := before.Search(p.results.Query, 0, p.results.Limit)
	for _, hit := range old.Hits {
		within := func(h engine.Hit) bool { return h.Within && h.Tool.Qualified == hit.Tool.Qualified }
		if hit.Within && !slices.ContainsFunc(p.results.Hits, within) {
			p.trial.Fallen++
			if p.snapshot.Registry.Named(hit.Tool.Qualified) == nil {
				gone = append(gone, hit.Tool.ShownName)
			}
		}
	}
	if p.reranked {
		return
	}
	if p.trial.Risen+p.trial.Fallen == 0 {
		p.earlier = nil
		return
	}
	p.reranked, p.trial.Saved = true, true
	if len(gone) > 0 {
		p.trial.Instead = "gone: " + strings.Join(gone, ", ")
	}
}

// rankBefore returns the rank that a tool has without the trials, or had before the last save,
// 0 for none. Both make another registry, so that tools are the same by qualified name.
func (p *hits) rankBefore(t *model.Tool) int {
	was, known := p.ranks[t]
	if !known {
		was = rankIn(p.compared(), p.results.Query, t)
		p.ranks[t] = was
	}
	return was
}

// rankIn returns the rank that a snapshot gives the tool of the same qualified name; 0 for none.
func rankIn(s *engine.Snapshot, query string, t *model.Tool) (rank int) {
	if same := s.Registry.Named(t.Qualified); same != nil {
		rank, _, _ = s.Rank(query, same)
	}
	return rank
}

// trialLines returns the lines about the trials or the last save, none while ranks are as before, and
// none above a list of all tools in few lines; the recall by wording has a line of its own.
func (p *hits) trialLines(t *ui.Theme, w, h int) []string {
	if !p.reranked || p.browsing && h < comparedLines {
		return nil
	}
	lines := []string{p.trial.Draw(t, w)}
	if p.trial.Recall != nil && h >= comparedLines {
		lines = append(lines, p.trial.DrawWorded(t, w))
	}
	return lines
}

// askRecall begins to measure the recall of the trials, unless it is known or no rank changes.
func (s *Screen) askRecall() tea.Cmd {
	j := &s.recalling
	switch {
	case s.hits.trial.Saved:
		j.Reset()
		return nil
	case s.state == nil || !s.hits.reranked || len(s.state.Queries) == 0:
		j.Reset()
		s.hits.trial.Recall, s.hits.trial.Instead = nil, ""
		return nil
	case j.Begun && j.Of == s.state:
		return nil
	case 2*len(s.state.Queries)*len(s.state.Snapshot.Catalog()) > desk.EvaluateAtOnce:
		j.Hold(s.state)
		s.hits.trial.Recall, s.hits.trial.Instead = nil, "recall: see Queries"
		return nil
	}
	s.hits.trial.Recall, s.hits.trial.Instead = nil, "measuring recall"
	st := s.state
	return j.Start(s.host.Context(), st, func(ctx context.Context, p ui.Progress) (desk.Recall, error) {
		return desk.MeasureRecall(ctx, st, p)
	})
}
