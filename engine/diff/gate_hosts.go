package diff

import (
	"context"
	"slices"

	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/reach"
	"caliper/model"
)

// HostChange is how the labelled queries fare in an agent before and after a change.
type HostChange struct {
	Host  *hosts.Host
	Found Sizes // needs that are met whatever chance does
	Lost  []LostQuery
}

// judgeHosts compares what the agents of the options find.
func (j *judging) judgeHosts(ctx context.Context) error {
	for _, h := range j.o.Hosts {
		c := HostChange{Host: h}
		was, is := reach.Of(h, j.old), reach.Of(h, j.new)
		old, new := labels.AsCalled(j.old.Registry, j.queries), labels.AsCalled(j.new.Registry, j.queries)
		for i, q := range j.queries {
			if err := ctx.Err(); err != nil {
				return err
			}
			words := h.Asked(q.Text)
			for n, needed := range q.Needs() {
				before := reach.Ask(was, words, called(j.old, old[i].Needs()[n]))
				after := reach.Ask(is, words, called(j.new, new[i].Needs()[n]))
				if found(after) {
					c.Found.New++
				}
				if !found(before) {
					continue
				}
				if c.Found.Old++; !found(after) && after.CutBy != reach.CutChance && after.CutBy != reach.CutUntold {
					c.Lost = append(c.Lost, LostQuery{ID: q.ID, Text: q.Text, Tool: needed[0], OldRank: before.Rank, NewRank: after.Rank, CutBy: after.CutBy})
				}
			}
		}
		j.out.Hosts = append(j.out.Hosts, c)
		if len(c.Lost) > 0 {
			j.fail(Reason{Kind: KindHost, Host: h, Lost: len(c.Lost), Old: float64(c.Found.Old), New: float64(c.Found.New)})
		}
	}
	return nil
}

// found reports whether an expected tool is answered whatever chance does.
func found(a reach.Answer) bool { return a.Rank > 0 && a.CutBy == reach.CutNothing }

// called returns the tools of a snapshot that have one of some names.
func called(s *engine.Snapshot, names []string) (tools []*model.Tool) {
	for _, t := range s.Registry.Tools {
		if slices.Contains(names, t.Name) || slices.Contains(names, t.Qualified) {
			tools = append(tools, t)
		}
	}
	return tools
}
