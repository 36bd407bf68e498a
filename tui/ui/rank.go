package ui

import (
	"strconv"

	"caliper/config"
)

// NoRank is drawn for a tool that is not found.
const NoRank = "–"

// RankChange returns how a rank differs from the previous one; 0 means no rank.
func RankChange(t *Theme, was, now int) (Style, string) {
	switch {
	case was == now:
		return t.Faint, t.Same
	case now == 0:
		return t.Removed, "lost"
	case was == 0:
		return t.Added, "new"
	case was > now:
		return t.Added, t.Risen + strconv.Itoa(was-now)
	}
	return t.Removed, t.Fallen + strconv.Itoa(now-was)
}

// Ranker returns the name of a ranker in short, for columns.
func Ranker(name string) string {
	switch name {
	case config.RankerGated:
		return "gated"
	case "claude-code":
		return "claude"
	case "copilot-cli":
		return "copilot"
	}
	return name
}
