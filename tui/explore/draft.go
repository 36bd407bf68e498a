package explore

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// longestDescription is the longest description that can be typed, in characters.
const longestDescription = 64 << 10

// draftDepth is how many hits are ranked with a draft.
const draftDepth = 200

// drafting is the description that is edited for a tool, and what it does to the
// searches of the state: nothing is loaded before it is kept.
type drafting struct {
	tool    *model.Tool  // nil while nothing is edited; of the registry of the state
	text    *ui.TextArea // also the text that was left for another pane
	left    string       // qualified name of the tool that text was left for
	brought string       // text that was left, as it was brought back; empty for none
	back    func()       // shows the screen that it was begun on; nil for this one
	saved   bool         // the editing ends with the state that has the text

	measuring ui.Job[*workbench.State, *whatif.Labels] // ranks of the labelled queries without the draft
	labels    *whatif.Labels
	trying    ui.Job[question, draftAnswer]
	answer    *draftAnswer // newest; nil before the first
	asking    ui.Job[question, whatif.Outcome]
	outcome   *whatif.Outcome // newest; nil before the first
}

// draftAnswer is the effect of a draft on the query and on the tool's definition.
type draftAnswer struct {
	of            question
	text          *whatif.Trial // asked for the labelled queries
	hits          whatif.Hits   // none without a query
	before, after int           // tokens
}

// Draft edits a description of a tool, whatever the query finds.
func (s *Screen) Draft(t *model.Tool, description string) tea.Cmd {
	if !ui.Holds(description) {
		return s.inEditor(t.Qualified, description)
	}
	d := &s.draft
	resumed := d.left == t.Qualified && description == t.Description
	if !resumed {
		d.text.Set(description)
	}
	d.stop()
	d.tool, d.left, d.brought = t, "", ""
	if resumed {
		d.brought = d.text.Text()
	}
	s.hits.setFilter("")
	s.setFocus(PaneDraft)
	if resumed && d.text.Text() != description {
		return s.host.Notify(ui.LevelInfo, "the draft that you left; esc drops it")
	}
	return nil
}

// DraftFor is Draft for another screen, which back shows again when the edit ends.
func (s *Screen) DraftFor(t *model.Tool, description string, back func()) tea.Cmd {
	cmd := s.Draft(t, description)
	if s.draft.tool == nil { // the editor has it
		back()
		return cmd
	}
	s.draft.back = back
	return cmd
}

// KeepMsg asks the app to try a description of the tool with a qualified name. SaveMsg asks
// it to save one in the overrides file.
type (
	KeepMsg workbench.Edit
	SaveMsg KeepMsg
)

// editedMsg takes in a text as the editor left it.
type editedMsg func() tea.Cmd

// inEditor returns a command that prepares to edit a description in the editor. A draft of the
// tool goes on with the text, and otherwise it is tried at once. When the editor failed, a
// draft is as it was.
func (s *Screen) inEditor(tool, text string) tea.Cmd {
	return s.host.Texts.Edit("caliper-description-*.txt", text, func(text string, err error) tea.Msg {
		text = strings.TrimSuffix(text, "\n")
		return editedMsg(func() tea.Cmd {
			d := &s.draft
			switch {
			case err != nil:
				return nil
			case d.tool == nil, d.tool.Qualified != tool, !ui.Holds(text):
				return s.host.Send(KeepMsg{tool, text})
			}
			d.text.Set(text)
			return nil
		})
	})
}

// stop ends the work on a draft.
func (d *drafting) stop() {
	d.measuring.Reset()
	d.trying.Reset()
	d.asking.Reset()
	d.labels, d.answer, d.outcome = nil, nil, nil
	d.tool, d.left, d.back, d.saved = nil, "", nil, false
}

// leaveDraft ends the editing; the hits are again the state's.
func (s *Screen) leaveDraft() {
	name := s.draft.tool.Qualified
	s.draft.stop()
	if s.focus == PaneDraft {
		s.focus = PaneHits
		s.reveal(PaneHits)
	}
	if s.state != nil {
		s.hits.search(s.state, s.query.Value(), false)
		s.hits.selectName(name)
		s.reselect()
	}
	s.layout = s.arrange(s.layout.w, s.layout.h)
}

// endDraft ends the editing, and shows the screen that it was begun on.
func (s *Screen) endDraft() {
	back := s.draft.back
	s.leaveDraft()
	if back != nil {
		back()
	}
}

// dropDraft leaves the description as it is. What was typed is there again when the same
// description is edited next, unless it is dropped then too.
func (s *Screen) dropDraft() tea.Cmd {
	tool, brought := s.draft.tool, s.draft.brought
	typed := s.draft.text.Text() != tool.Description && s.draft.text.Text() != brought
	s.endDraft()
	text := "the description of " + tool.ShownName + " stays as it is"
	if typed {
		s.draft.left = tool.Qualified
		text += "; t on it brings back what was typed"
	}
	return s.host.Notify(ui.LevelInfo, text)
}

// DraftSaved ends the draft of this text with the state that has it.
func (s *Screen) DraftSaved(name, description string) {
	d := &s.draft
	d.saved = d.tool != nil && d.tool.Qualified == name && d.text.Text() == description
}

// noDraft returns why nothing can be done with a draft.
func (s *Screen) noDraft() string {
	if s.state == nil || s.draft.tool == nil {
		return "no description is edited"
	}
	return ""
}

// askDraft begins what the draft is not yet known to do; nil when all is known or
// begun. The labelled queries are asked behind the query, whose hits are seen first.
func (s *Screen) askDraft() tea.Cmd {
	d := &s.draft
	if d.tool == nil || s.state == nil {
		return nil
	}
	var cmds []tea.Cmd
	q := question{s.state, s.hits.results.Query, d.tool.Qualified, d.text.Text()}
	if s.hits.browsing {
		q.query = ""
	}
	if !d.trying.Begun || d.trying.Of != q {
		tool := d.tool
		cmds = append(cmds, d.trying.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (draftAnswer, error) {
			text, err := whatif.TryText(ctx, q.state.Snapshot, tool, q.draft)
			if err != nil {
				return draftAnswer{}, err
			}
			a := draftAnswer{of: q, text: text}
			a.before, a.after = text.Tokens()
			if q.query != "" {
				a.hits, err = text.Hits(ctx, q.query, draftDepth)
			}
			return a, err
		}))
	}
	if len(q.state.Queries) > 0 && (!d.measuring.Begun || d.measuring.Of != s.state) {
		d.labels, d.outcome = nil, nil
		cmds = append(cmds, d.measuring.Start(s.host.Context(), s.state, func(ctx context.Context, _ ui.Progress) (*whatif.Labels, error) {
			return whatif.Measure(ctx, q.state.Snapshot.Unasked(), q.state.Queries)
		}))
	}
	if a := d.answer; a != nil && a.of == q && d.labels != nil && (!d.asking.Begun || d.asking.Of != q) {
		labels, tool := d.labels, d.tool
		cmds = append(cmds, d.asking.Start(s.host.Context(), q, func(ctx context.Context, _ ui.Progress) (whatif.Outcome, error) {
			// The labelled queries are asked without a message.
			text := a.text
			if st := a.of.state; st.Snapshot.Unasked() != st.Snapshot {
				var err error
				if text, err = whatif.TryText(ctx, st.Snapshot.Unasked(), tool, a.of.draft); err != nil {
					return whatif.Outcome{}, err
				}
			}
			return labels.With(ctx, text)
		}))
	}
	return tea.Batch(cmds...)
}

// updateDraft handles a message of the work on a draft.
func (s *Screen) updateDraft(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	d := &s.draft
	if labels, cmd, mine := d.measuring.Update(msg); mine {
		if labels != nil {
			d.labels = *labels
		}
		return cmd, true
	}
	if answer, cmd, mine := d.trying.Update(msg); mine {
		if answer != nil {
			d.answer = answer
			// The hits are those with the draft until the next search; the rows tell how they differ from those without it.
			if !s.hits.browsing && answer.of.query != "" {
				s.hits.drafted, s.hits.reranked, s.hits.rivals = true, false, nil
				s.hits.results = answer.hits.Results
				s.hits.ranks = make(map[*model.Tool]int, len(answer.hits.Was))
				for i, hit := range s.hits.results.Hits {
					s.hits.ranks[hit.Tool] = answer.hits.Was[i]
				}
				s.hits.refilter()
				s.hits.cursor = 0
				s.hits.selectName(d.tool.Qualified)
			}
		}
		return cmd, true
	}
	outcome, cmd, mine := d.asking.Update(msg)
	if outcome != nil {
		d.outcome = outcome
	}
	return cmd, mine
}
