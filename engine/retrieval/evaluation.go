package retrieval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Cutoffs are the numbers of ranks that recall, hits and completeness are
// measured at.
var Cutoffs = [...]int{1, 3, 5, 8, 10, 20}

// MaxRank is the last rank that any metric looks at.
const MaxRank = 20

// gainRanks are the ranks that MRR and nDCG look at.
const gainRanks = 10

// Label is the answer to a query. Groups are the needed capabilities, each a
// list of tools, any of them enough. Grades, where given, say how good a
// tool is; a tool without one counts as 1.
type Label struct {
	Groups [][]string
	Grades map[string]float64
}

// RankedItem is one ranked tool under the two names that a label may use: its own,
// and the one that is unique in the registry.
type RankedItem struct{ Name, Qualified string }

// Metrics are the measures of one ranking, or the means over several, each 0
// to 1. The slots of Recall, Hit and Complete belong to Cutoffs.
//
//   - Recall: the share of the needed capabilities that the first k ranks
//     provide.
//   - Hit: 1 when they provide any, Complete: 1 when they provide all.
//   - MRR: 1 over the first rank that provides one, 0 beyond rank 10.
//   - NDCG: discounted gain over the first 10 ranks, sum of gain/log2(rank+1),
//     over the best order's (Järvelin and Kekäläinen 2002, with
//     linear gains). A rank gains only when it provides what no better one does.
type Metrics struct {
	Recall   [len(Cutoffs)]float64
	Hit      [len(Cutoffs)]float64
	Complete [len(Cutoffs)]float64
	MRR      float64
	NDCG     float64
}

// Measure returns the metrics of a ranking, best first. A label without groups
// measures 0 throughout.
func Measure(l Label, ranking []RankedItem) Metrics {
	var m Metrics
	groups := map[string][]int{} // of each name
	for g, names := range l.Groups {
		for _, name := range names {
			groups[name] = append(groups[name], g)
		}
	}
	provided, first := make([]bool, len(l.Groups)), 0
	count, gain := 0, 0.0
	for i, item := range ranking[:min(len(ranking), MaxRank)] {
		scores := false
		for _, name := range item.names() {
			for _, g := range groups[name] {
				if !provided[g] {
					provided[g], scores = true, true
					count++
				}
			}
		}
		if scores {
			first = cmp.Or(first, i+1)
			if i < gainRanks {
				gain += l.grade(item.names()...) / math.Log2(float64(i+2))
			}
		}
		for slot, k := range Cutoffs {
			if i >= k {
				continue
			}
			m.Recall[slot] = float64(count) / float64(max(len(l.Groups), 1))
			if count > 0 {
				m.Hit[slot] = 1
			}
			if count == len(l.Groups) && count > 0 {
				m.Complete[slot] = 1
			}
		}
	}
	if first > 0 && first <= gainRanks {
		m.MRR = 1 / float64(first)
	}
	if ideal := l.ideal(); ideal > 0 {
		m.NDCG = gain / ideal
	}
	return m
}

// names returns the names of an item, each once.
func (i RankedItem) names() []string {
	if i.Name == i.Qualified || i.Qualified == "" {
		return []string{i.Name}
	}
	return []string{i.Name, i.Qualified}
}

// grade returns the grade of the first name that has one, else 1.
func (l Label) grade(names ...string) float64 {
	for _, name := range names {
		if grade, ok := l.Grades[name]; ok {
			return grade
		}
	}
	return 1
}

// ideal is the discounted gain of the best order: one tool for every group,
// the best of it, and the better groups first.
func (l Label) ideal() float64 {
	grades := make([]float64, len(l.Groups))
	for i, group := range l.Groups {
		for _, name := range group {
			grades[i] = max(grades[i], l.grade(name))
		}
	}
	slices.SortFunc(grades, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for i, grade := range grades[:min(len(grades), gainRanks)] {
		sum += grade / math.Log2(float64(i+2))
	}
	return sum
}

// MeanMetrics returns the plain mean of metrics, in the order given; of none it is
// all 0.
func MeanMetrics(all []Metrics) Metrics {
	var sum Metrics
	for _, m := range all {
		for slot := range Cutoffs {
			sum.Recall[slot] += m.Recall[slot]
			sum.Hit[slot] += m.Hit[slot]
			sum.Complete[slot] += m.Complete[slot]
		}
		sum.MRR += m.MRR
		sum.NDCG += m.NDCG
	}
	n := float64(max(len(all), 1))
	for slot := range Cutoffs {
		sum.Recall[slot] /= n
		sum.Hit[slot] /= n
		sum.Complete[slot] /= n
	}
	sum.MRR /= n
	sum.NDCG /= n
	return sum
}

// Value returns a metric by its name: recall@k, hit@k and complete@k for the
// cutoffs, mrr@10 and ndcg@10. The error names the metrics there are.
func (m Metrics) Value(name string) (float64, error) {
	switch name {
	case "mrr@10":
		return m.MRR, nil
	case "ndcg@10":
		return m.NDCG, nil
	}
	kind, at, _ := strings.Cut(name, "@")
	values := map[string][len(Cutoffs)]float64{"recall": m.Recall, "hit": m.Hit, "complete": m.Complete}
	k, err := strconv.Atoi(at)
	if slots, ok := values[kind]; ok && err == nil && strconv.Itoa(k) == at {
		if slot := slices.Index(Cutoffs[:], k); slot >= 0 {
			return slots[slot], nil
		}
	}
	return 0, fmt.Errorf("%q is not a metric: want mrr@10, ndcg@10, or recall, hit or complete at one of %s", name, "@"+strings.ReplaceAll(strings.Trim(fmt.Sprint(Cutoffs), "[]"), " ", " @"))
}
