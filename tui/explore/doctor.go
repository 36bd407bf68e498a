package explore

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/doctor"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/job"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// proposing is the work of the doctor for the tool of the draft.
type proposing struct {
	job     job.Job[proposalQuestion, []doctor.Judgement]
	request job.Job[proposalQuestion, doctor.Request] // for a writer
}

// proposalQuestion identifies what proposals belong to.
type proposalQuestion struct {
	state *workbench.State
	name  string // qualified
}

// noProposals returns why the doctor cannot propose anything now.
func (s *Screen) noProposals() string {
	if why := s.noDraft(); why != "" || !s.doctor.job.Running() {
		return why
	}
	return "the doctor is at work"
}

// propose asks the doctor for descriptions of the tool of the draft, as caliper try does.
func (s *Screen) propose() tea.Cmd {
	q, tool := proposalQuestion{s.state, s.draft.tool.Qualified}, s.draft.tool
	return tea.Batch(
		s.host.Notify(ui.LevelInfo, "the doctor tries words for "+tool.ShownName),
		s.doctor.job.Start(s.host.Context(), q, func(ctx context.Context, _ job.Progress) ([]doctor.Judgement, error) {
			return doctor.Propose(ctx, q.state.Unasked, tool, q.state.Queries, nil)
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
	return s.doctor.request.Start(s.host.Context(), proposalQuestion{s.state, tool.Qualified}, func(ctx context.Context, _ job.Progress) (doctor.Request, error) {
		return doctor.Ask(ctx, st.Unasked, tool, queries)
	})
}

// updateProposals handles a message of the doctor's work. What it proposes for a draft
// that was left meanwhile is dropped; a request is copied all the same.
func (s *Screen) updateProposals(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	if request, cmd, mine := s.doctor.request.Update(msg); mine {
		switch err := s.doctor.request.Err; {
		case err != nil:
			return tea.Batch(cmd, s.host.Notify(ui.LevelBad, safetext.Line(err.Error()))), true
		case request != nil:
			return tea.Batch(cmd, s.host.CopyReport("request for a writer", report.WritersRequest(*request))), true
		}
		return cmd, true
	}
	all, cmd, mine := s.doctor.job.Update(msg)
	if !mine {
		return nil, false
	}
	q := s.doctor.job.Of
	if s.draft.tool == nil || s.draft.tool.Qualified != q.name || s.state != q.state {
		return cmd, true
	}
	switch {
	case s.doctor.job.Err != nil:
		return tea.Batch(cmd, s.host.Notify(ui.LevelBad, safetext.Line(s.doctor.job.Err.Error()))), true
	case all == nil:
		return cmd, true
	case len(*all) == 0:
		tasks := doctor.Asking(q.state.Unasked, s.draft.tool, q.state.Queries)
		said := "the doctor proposes nothing\n" + report.NoProposal + ". " + report.TasksFor(tasks).String() + ". After esc, w has the smallest change for one query; ctrl-y r copies a request for a writer, a person or a model."
		return tea.Batch(cmd, s.host.Notify(ui.LevelInfo, said)), true
	}
	s.offer(q.name, *all)
	return cmd, true
}

// offer lets the user choose one of the proposals, which becomes the draft.
func (s *Screen) offer(name string, all []doctor.Judgement) {
	var choices []ui.Choice
	for i, j := range all {
		choices = append(choices, ui.Choice{ID: strconv.Itoa(i), Label: proposalLabel(j), Note: proposalNote(j)})
	}
	s.host.Choose("proposed sentences; gains are on queries that proposed none of their words", choices, false, func(id string) tea.Cmd {
		i, err := strconv.Atoi(id)
		if err != nil || s.draft.tool == nil || s.draft.tool.Qualified != name || !ui.Holds(all[i].Description) {
			return nil
		}
		s.draft.text.Set(all[i].Description)
		s.draft.version++
		return nil
	})
}

// proposalLabel returns the words of a proposal, the verdict first.
func proposalLabel(j doctor.Judgement) string {
	var added []string
	for _, w := range j.Words {
		added = append(added, w.Text)
	}
	return safetext.Line(report.VerdictText(j.Verdict()) + ", adds " + words.And(added))
}

// proposalNote returns what a proposal changes: recall, who is hurt, tokens.
func proposalNote(j doctor.Judgement) string {
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
	return note + "+" + ui.Thousands(j.TokensAfter-j.TokensBefore) + " tok"
}
