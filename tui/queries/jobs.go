package queries

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/lint"
	"caliper/engine/selection"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Work that asks more than this begins when it is asked for: queries times
// tools for an evaluation, tools otherwise.
const (
	evaluateAtOnce = desk.EvaluateAtOnce
	surveyAtOnce   = 20_000
	lintAtOnce     = 5_000
	mapAtOnce      = 5_000
)

// verb names the work behind a view.
func (v view) verb() string {
	return [viewCount]string{"evaluating", "surveying", "linting", "tuning", "mapping"}[v]
}

// work returns how far the job behind a view is.
func (s *Screen) work(v view) *ui.Status {
	return [viewCount]*ui.Status{&s.evaluating.Status, &s.surveying.Status, &s.linting.Status, &s.tuning.Status, &s.mapping.Status}[v]
}

// current reports whether the job behind a view is of the state.
func (s *Screen) current(v view) bool {
	switch v {
	case viewQueries:
		return s.evaluating.Begun && s.evaluating.Of == s.state
	case viewDark:
		return s.surveying.Begun && s.surveying.Of == s.state
	case viewTuning:
		now, of := s.tunes(), s.tuning.Of
		return s.tuning.Begun && of.snapshot == now.snapshot && workbench.SameQueries(of.queries, now.queries)
	case viewMap:
		return s.mapping.Begun && s.mapping.Of == s.state
	}
	return s.linting.Begun && s.linting.Of == s.state
}

// waits reports whether the job behind the view begins when it is asked for.
func (s *Screen) waits() bool { return s.work(s.view()).Waits() }

// Start begins what the screen needs while it is on screen, and abandons it when it is left.
func (s *Screen) Start(visible bool) tea.Cmd {
	if !visible {
		s.sure = "" // who comes back is asked again
	}
	cmds := []tea.Cmd{s.notifyFaults(), s.notice}
	s.notice = nil
	switch {
	case s.state == nil:
	case !visible:
		s.evaluating.Abandon()
		s.surveying.Abandon()
		s.linting.Abandon()
		s.tuning.Abandon()
		s.mapping.Abandon()
		s.explaining.Abandon()
		s.asking.Abandon()
	default:
		if !s.current(s.view()) {
			cmds = append(cmds, s.begin(s.view(), false))
		}
		row, ok := s.row()
		if s.view() != viewQueries || !ok || s.explaining.Begun && s.explaining.Of == row.key || s.evaluating.Running {
			cmds = append(cmds, s.askAgents())
		} else {
			s.answers = nil
			state, bench := *s.state, s.host.Bench
			query := s.found.evaluated.now().Answers[row.i].Query
			names := query.Relevant[:min(len(query.Relevant), maxWhys)]
			cmds = append(cmds, s.explaining.Start(s.host.Context(), row.key, func(ctx context.Context, _ ui.Progress) ([]whatif.Answer, error) {
				var answers []whatif.Answer
				for _, name := range names {
					why, err := whatif.WhyNot(ctx, bench.Builder, state.Snapshot, query.Text, name, 0)
					if err != nil {
						return nil, err
					}
					answers = append(answers, why)
				}
				return answers, nil
			}), s.askAgents())
		}
	}
	return tea.Batch(cmds...)
}

// tell shows a notice whose time begins to run when the message that is handled is through.
func (s *Screen) tell(l ui.Level, text string) {
	s.notice = tea.Batch(s.notice, s.host.Notify(l, text))
}

// begin begins the job of a view for the state, unless that takes long and nobody has asked.
func (s *Screen) begin(v view, asked bool) tea.Cmd {
	ctx, state, bench, large := s.host.Context(), s.state, s.host.Bench, !asked && s.large(v)
	switch {
	case v == viewQueries && large:
		s.evaluating.Hold(state)
	case v == viewQueries:
		at := s.host.Now().Format("15:04:05")
		return s.evaluating.Start(ctx, state, func(ctx context.Context, p ui.Progress) (*evaluated, error) {
			return evaluate(ctx, bench, state, at, p)
		})
	case v == viewDark && large:
		s.surveying.Hold(state)
	case v == viewDark:
		return s.surveying.Start(ctx, state, func(ctx context.Context, p ui.Progress) ([]lint.Reach, error) {
			return lint.Survey(ctx, state.Snapshot.Unasked(), p)
		})
	case v == viewTuning:
		of := s.tunes()
		if large || len(of.queries) == 0 {
			s.tuning.Hold(of)
			return nil
		}
		open := s.host.Input.Similarity
		return s.tuning.Start(s.host.Context(), of, func(ctx context.Context, p ui.Progress) (selection.Tuning, error) {
			r := selection.TuningRequest{Snapshot: of.snapshot, Queries: of.queries, Progress: p}
			set := selection.SettingsOf(of.snapshot.Config)
			if set.Strategy == selection.Semantic || set.Strategy == selection.Hybrid {
				var similarity embed.Similarity
				selector, err := selection.New(ctx, of.snapshot, set, nil, nil)
				if err != nil {
					return selection.Tuning{}, err
				}
				if open != nil {
					similarity, r.Absent = open(ctx, of.snapshot.Config.PreSelection, selector.Candidates())
				} else {
					similarity, r.Absent = workbench.OpenSimilarity(ctx, of.snapshot.Config.PreSelection, selector.Candidates(), workbench.Embedding{}, nil)
				}
				if r.Absent == nil {
					r.Similarity = similarity
				}
			}
			return selection.Tune(ctx, r)
		})
	case v == viewMap && large:
		s.mapping.Hold(state)
	case v == viewMap:
		return s.mapping.Start(ctx, state, func(ctx context.Context, p ui.Progress) (*lint.ConfusionMap, error) {
			return lint.MapConfusion(ctx, state.Snapshot.Unasked(), state.Queries, p)
		})
	case large:
		s.linting.Hold(state)
	default:
		return s.linting.Start(ctx, state, func(ctx context.Context, p ui.Progress) (lint.Report, error) {
			return lint.Run(ctx, state.Snapshot, lint.Options{Skills: state.SkillFaults(), Progress: p})
		})
	}
	return nil
}

// large reports whether the job of a view takes long.
func (s *Screen) large(v view) bool {
	tools := len(s.state.Snapshot.Catalog())
	switch v {
	case viewQueries:
		return tools*len(s.state.Queries)*max(2, 1+len(s.state.Rivals)) > evaluateAtOnce
	case viewDark:
		return tools > surveyAtOnce
	case viewTuning:
		return tools*len(s.state.Queries)*len(config.Rankers) > evaluateAtOnce
	case viewMap:
		return tools > mapAtOnce
	}
	return tools > lintAtOnce
}

// Update takes in the progress and the outcome of jobs, and changes of the labelled queries.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		// What was found in the state before stays on screen until it is found anew.
		s.reread = msg.Before != nil && !workbench.SameQueries(msg.Before.Queries, msg.After.Queries)
		s.state = msg.After
		s.answers = nil
		s.explaining.Reset()
		s.asking.Reset()
		// Lines with faults are left out, the others are asked.
		var faults []model.Diagnostic
		if f := s.host.Input.Queries; f != nil {
			for _, w := range s.state.Warnings {
				if w.File == safetext.Line(f.Name) {
					faults = append(faults, w)
				}
			}
		}
		s.newFaults = len(faults) > 0 && !slices.Equal(faults, s.faults)
		s.faults = faults
		return nil
	case report.Case:
		return s.repro(msg)
	case workbench.LabelsWrittenMsg:
		return s.labelled(msg)
	}
	if done, cmd, mine := s.evaluating.Update(msg); mine {
		if done != nil {
			e := *done
			s.remember(e)
			// A cursor on the first row stays there when the ranker is another: what that one misses comes first.
			at, _ := s.Row(int(viewQueries))
			if prev := s.found.evaluated; prev != nil && at == 0 && prev.now().Ranker != e.now().Ranker {
				*s.Tabs[viewQueries].Cursor = ui.Cursor{}
			}
			s.found.evaluated = e
			s.ranks = nil
			if was := s.against(); was != nil {
				s.ranks = ranksOf(was)
			}
		}
		return s.ended(viewQueries, cmd)
	}
	if reach, cmd, mine := s.surveying.Update(msg); mine {
		if reach != nil {
			s.found.reach, s.found.surveyed = *reach, true
		}
		return s.ended(viewDark, cmd)
	}
	if list, cmd, mine := s.linting.Update(msg); mine {
		if list != nil {
			s.found.report, s.found.linted = *list, true
		}
		return s.ended(viewFindings, cmd)
	}
	if result, cmd, mine := s.tuning.Update(msg); mine {
		if result != nil {
			// The cursor begins at the point that scores most.
			s.found.tuned = result
			if c, last := s.Tabs[viewTuning].Cursor, len(result.Frontier)-1; c.ID == "" {
				c.ID = changes.TunedSettings(*result, result.Frontier[last].Settings).String()
			}
		}
		return s.ended(viewTuning, cmd)
	}
	if m, cmd, mine := s.mapping.Update(msg); mine {
		if m != nil {
			s.found.confused = *m
		}
		return s.ended(viewMap, cmd)
	}
	if d, cmd, mine := s.asking.Update(msg); mine {
		if d != nil {
			s.depends = d
		}
		return cmd
	}
	answers, cmd, _ := s.explaining.Update(msg)
	if answers != nil {
		s.answers = *answers
	}
	return cmd
}

// ended follows a message of the job behind a view.
func (s *Screen) ended(v view, cmd tea.Cmd) tea.Cmd {
	if st := s.work(v); st.Running {
		return cmd
	} else if st.Err != nil {
		s.tell(ui.LevelBad, v.verb()+" failed: "+safetext.Line(st.Err.Error()))
		return cmd
	}
	s.orderView(v)
	return cmd
}

// progress tells how far the work of the view is, else what its outcome is compared with.
func (s *Screen) progress() string {
	if text := screen.Progress(*s.work(s.view()), s.view().verb(), s.W < 60); text != "" && !s.needsLabels() {
		return text
	}
	was := s.against()
	if s.view() != viewQueries || was == nil {
		return ""
	}
	better, worse := movedFrom(s.ranks, s.found.evaluated.now())
	moved := s.glyphs.Risen + ui.Thousands(better) + " " + s.glyphs.Fallen + ui.Thousands(worse)
	if better+worse == 0 {
		moved = "no"
	}
	switch {
	case s.W < 60 && better+worse == 0:
		return ""
	case s.W < 60:
		return moved
	case s.found.evaluated.base != nil:
		return moved + " queries moved against the files"
	}
	return moved + " queries moved since " + s.last.at
}

// maxWhys bounds how many relevant tools of one query are explained.
const maxWhys = 8
