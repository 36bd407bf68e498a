package explore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/whatif"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
)

// proposals are what the doctor found for a tool: descriptions that the labelled queries
// prove or, where there are none, the changes of the description that bring the tool in for
// the query, which nothing proves. tried says which words were tried for the query where none is enough.
type proposals struct {
	proven   []whatif.Judgement
	unproven []whatif.Remedy
	tried    string
}

// propose asks the doctor for descriptions of the tool of the draft, as caliper try does.
func (s *Screen) propose() tea.Cmd {
	q, tool, bench := question{s.state, s.query.Value(), s.draft.tool.Qualified, ""}, s.draft.tool, s.host.Bench
	return tea.Batch(
		s.host.Notify(ui.LevelInfo, "the doctor tries words for "+tool.ShownName),
		s.proposing.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (p proposals, err error) {
			if p.proven, err = whatif.Propose(ctx, q.state.Snapshot.Unasked(), tool, q.state.Queries, nil); err != nil || len(p.proven) > 0 || q.query == "" {
				return p, err
			}
			why, err := whatif.WhyNotFirst(ctx, bench.Builder, q.state.Snapshot, q.query, q.name)
			for _, r := range slices.Concat(why.Remedies, why.First) {
				if r.Kind == whatif.RemedyDescriptionWords {
					p.unproven = append(p.unproven, r)
				}
			}
			if len(why.Tried)+len(why.Slips) > 0 {
				p.tried = why.Described() + " "
			}
			return p, err
		}))
}

// copyRequest copies what a writer needs to describe the tool of the draft, as caliper
// try --markdown prints it: of the files, without trials.
func (s *Screen) copyRequest() tea.Cmd {
	st, queries := s.state.OnDisk(), s.state.Queries
	tool := st.Snapshot.Registry.Named(s.draft.tool.Qualified)
	if tool == nil {
		return nil
	}
	return s.requesting.Start(s.host.Context(), question{state: s.state, name: tool.Qualified}, func(ctx context.Context, _ ui.Progress) (whatif.Request, error) {
		return whatif.RequestFor(ctx, st.Snapshot.Unasked(), tool, queries)
	})
}

// updateProposals handles a message of the doctor's work. What it proposes for a draft
// that was left meanwhile is dropped; a request is copied all the same.
func (s *Screen) updateProposals(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	if request, cmd, mine := s.requesting.Update(msg); mine {
		switch err := s.requesting.Err; {
		case err != nil:
			return tea.Batch(cmd, s.host.Notify(ui.LevelBad, safetext.Line(err.Error()))), true
		case request != nil:
			return tea.Batch(cmd, s.host.Clip.CopyReport("request for a writer", changes.WritersRequest(*request))), true
		}
		return cmd, true
	}
	all, cmd, mine := s.proposing.Update(msg)
	if !mine {
		return nil, false
	}
	q := s.proposing.Of
	if s.draft.tool == nil || s.draft.tool.Qualified != q.name || s.state != q.state {
		return cmd, true
	}
	switch {
	case s.proposing.Err != nil:
		return tea.Batch(cmd, s.host.Notify(ui.LevelBad, safetext.Line(s.proposing.Err.Error()))), true
	case all == nil:
		return cmd, true
	case len(all.proven) > 0:
		var rows []ui.Choice
		for i, j := range all.proven {
			hurt := 0
			for _, h := range j.Outcome.Hurt {
				if h.Below {
					hurt++
				}
			}
			note := "recall@" + strconv.Itoa(j.Outcome.Limit) + " "
			if j.Difference.Mean >= 0 {
				note += "+"
			}
			note += ui.Percent(100*j.Difference.Mean) + ", "
			if hurt > 0 {
				note += ui.Thousands(hurt) + " hurt, "
			}
			rows = append(rows, ui.Choice{ID: strconv.Itoa(i), Label: safetext.Line(changes.VerdictText(j.Verdict()) + ", adds " + words.And(wordsOf(j))), Note: note + "+" + ui.Thousands(j.TokensAfter-j.TokensBefore) + " tok"})
		}
		s.host.Choose("proposed words; gains are on queries that proposed none of them", rows, false, func(id string) tea.Cmd {
			return s.mention(q.name, id, func(i int) []string { return wordsOf(all.proven[i]) })
		})
		return cmd, true
	case len(all.unproven) > 0:
		// A change that is enough for the query, though nothing proves it for others: the draft then shows whom it hurts.
		var choices []ui.Choice
		for i, r := range all.unproven {
			choices = append(choices, ui.Choice{ID: strconv.Itoa(i), Label: r.String(), Note: "rank " + ui.Thousands(r.NewRank)})
		}
		s.host.Choose("for this query alone; no words are proven for others", choices, false, func(id string) tea.Cmd {
			return s.mention(q.name, id, func(i int) []string { return strings.Fields(all.unproven[i].Change) })
		})
		return cmd, true
	}
	tasks := whatif.Asking(q.state.Snapshot.Unasked(), s.draft.tool, q.state.Queries)
	said := "the doctor proposes nothing\n" + changes.NoProposal + ". " + changes.TasksFor(tasks).String() + ". "
	if q.query != "" {
		said += "For this query, too, no small change of the description does. " + all.tried
	}
	return tea.Batch(cmd, s.host.Notify(ui.LevelInfo, said+"ctrl-y r copies a request for a person or a model who writes one.")), true
}

// mention adds the words of the chosen proposal to what was typed into the draft of a tool.
func (s *Screen) mention(name, id string, proposed func(i int) []string) tea.Cmd {
	i, err := strconv.Atoi(id)
	if err != nil || s.draft.tool == nil || s.draft.tool.Qualified != name {
		return nil
	}
	draft := s.draft.text.Text()
	has := words.Distinct(words.Each(draft))
	missing := slices.DeleteFunc(proposed(i), func(w string) bool { return slices.Contains(has, w) })
	text := whatif.Mention(draft, strings.Join(missing, " "))
	switch {
	case len(missing) == 0:
		return s.host.Notify(ui.LevelInfo, "the draft has these words already")
	case !ui.Holds(text):
		return s.host.Notify(ui.LevelInfo, "the text has characters that cannot be edited here; ctrl-o opens the editor")
	}
	s.draft.text.Set(text)
	return nil
}

// wordsOf returns the words that a proposal adds.
func wordsOf(j whatif.Judgement) (added []string) {
	for _, w := range j.Words {
		added = append(added, w.Text)
	}
	return added
}
