package tui

import (
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
)

// headline says in one line what was reloaded and what that changed.
func (r *reload) headline() string {
	d := &r.diff
	parts := []string{r.what() + " reloaded"}
	add := func(yes bool, text string) {
		if yes {
			parts = append(parts, text)
		}
	}
	counts, noun := toolCounts(d), " tools"
	if d.AddedCount()+d.RemovedCount()+d.ChangedCount() == 1 {
		noun = " tool"
	}
	add(counts != "", counts+noun)
	whole, own := d.NewRegistry.Tokens-d.OldRegistry.Tokens, d.New.EagerTokens-d.Old.EagerTokens
	switch {
	case !r.same:
	case own != 0:
		add(true, signed(own)+" tokens in "+r.session)
	case whole != 0:
		add(true, signed(whole)+" tokens, none in "+r.session)
	}
	named := r.settings
	if !r.namesAll() {
		named = named[:namedSettings-1]
	}
	parts = append(parts, named...)
	add(!r.namesAll(), thousands(len(r.settings)-len(named))+" more settings")
	add(len(r.flips) > 0, r.flipped())
	switch {
	case r.lost > 0 && r.found > 0:
		add(true, "saved queries lost "+plural(r.lost, "tool")+", found "+thousands(r.found)+" again")
	case r.lost > 0:
		add(true, "saved queries lost "+plural(r.lost, "tool"))
	case r.found > 0:
		add(true, "saved queries found "+plural(r.found, "tool")+" again")
	}
	add(len(r.warnings) > 0, plural(len(r.warnings), "new warning"))
	add(r.gone > 0, plural(r.gone, "warning")+" gone")
	switch {
	case len(parts) > 1:
	case !r.config:
		add(true, "no tool changed")
	case !r.registry:
		add(true, "no setting changed")
	default:
		add(true, "no tool and no setting changed")
	}
	return strings.Join(parts, " · ")
}

// namedSettings is how many settings a headline names at most.
const namedSettings = 3

// namesAll reports whether the headline names every setting that changed.
func (r *reload) namesAll() bool { return len(r.settings) <= namedSettings }

// what names what was read anew.
func (r *reload) what() string {
	switch {
	case r.registry && r.config:
		return "registry and config"
	case r.registry:
		return "registry"
	}
	return "config"
}

// level is how the headline is meant.
func (r *reload) level() level {
	switch {
	case r.lost > 0:
		return levelBad
	case len(r.flips) > 0 || len(r.warnings) > 0:
		return levelWarn
	}
	return levelOk
}

// toolCounts counts the tools that came, went and changed; empty for none.
func toolCounts(d *engine.Diff) string {
	var out []string
	for _, part := range []struct {
		sign string
		n    int
	}{{"+", d.AddedCount()}, {"−", d.RemovedCount()}, {"~", d.ChangedCount()}} {
		if part.n > 0 {
			out = append(out, part.sign+thousands(part.n))
		}
	}
	return strings.Join(out, " ")
}

// flipped names the sessions that flipped, and how.
func (r *reload) flipped() string {
	if len(r.flips) == 1 {
		return shortName(r.flips[0].New.Session) + ": search " + flipWords(r.flips[0])
	}
	off, on := r.flippedTo(false), r.flippedTo(true)
	var out []string
	if len(off) > 0 {
		out = append(out, "search ON → OFF in "+someOf(off))
	}
	if len(on) > 0 {
		out = append(out, "search OFF → ON in "+someOf(on))
	}
	return strings.Join(out, " · ")
}

// flipsNow says what search is now, and where.
func (r *reload) flipsNow() string {
	var out []string
	for _, active := range []bool{false, true} {
		if names := r.flippedTo(active); len(names) > 0 {
			out = append(out, onOff(active)+" in "+someOf(names))
		}
	}
	return strings.Join(out, ", and ")
}

// flippedTo returns the sessions for which search is now active, or not.
func (r *reload) flippedTo(active bool) []string {
	var names []string
	for _, f := range r.flips {
		if f.New.Active == active {
			names = append(names, f.New.Session)
		}
	}
	return names
}

// flipWords is a flip in words.
func flipWords(f engine.Flip) string { return onOff(f.Old.Active) + " → " + onOff(f.New.Active) }

// details says all that changed, a line each.
func (r *reload) details() []detail {
	var out []detail
	add := func(l level, format string, args ...any) { out = append(out, detail{l, fmt.Sprintf(format, args...)}) }
	if !r.namesAll() {
		for _, line := range r.settings {
			add(levelInfo, "%s", line)
		}
	}
	for _, f := range r.flips {
		reason := ""
		if r.auto {
			reason = fmt.Sprintf(", %s deferrable tokens, threshold %s", thousands(f.New.Deferrable), thousands(f.New.Threshold))
		}
		add(levelWarn, "%s: search %s%s", shortName(f.New.Session), flipWords(f), reason)
	}
	d := &r.diff
	if r.registry && d.OldRegistry != d.NewRegistry {
		tools, cost := plural(d.NewRegistry.Tools, "tool"), ""
		if d.OldRegistry.Tools != d.NewRegistry.Tools {
			tools = thousands(d.OldRegistry.Tools) + " → " + tools
		}
		if r.same && d.OldRegistry.Tokens != d.NewRegistry.Tokens {
			cost = ", " + tokenChange(d, d.OldRegistry.Tokens, d.NewRegistry.Tokens)
		}
		add(levelInfo, "the whole registry: %s%s", tools, cost)
	}
	if r.same {
		out = append(out, r.sessionDetails()...)
	}
	out = append(out, r.toolDetails()...)
	out = append(out, r.queryDetails()...)
	for _, w := range r.warnings {
		add(levelWarn, "new warning %s", warningWords(w))
	}
	if r.gone > 0 {
		add(levelInfo, "%s gone", plural(r.gone, "warning"))
	}
	return out
}

// tokenChange is a change of a number of tokens, with the method that counts.
func tokenChange(d *engine.Diff, old, new int) string {
	return fmt.Sprintf("%s → %s tokens (%s, %s)", thousands(old), thousands(new), signed(new-old), d.New.Tokenizer)
}

// sessionDetails says what changed for the session on screen.
func (r *reload) sessionDetails() []detail {
	d := &r.diff
	var out []detail
	add := func(text string) { out = append(out, detail{levelInfo, r.session + ": " + text}) }
	all := d.Old.EagerTokens == d.Old.AfterTokens && d.New.EagerTokens == d.New.AfterTokens
	if d.Old.EagerTokens != d.New.EagerTokens {
		word := "granted "
		if all {
			word = "granted and sent "
		}
		add(word + tokenChange(d, d.Old.EagerTokens, d.New.EagerTokens))
	}
	if d.Old.AfterTokens != d.New.AfterTokens && !all {
		add("sent " + tokenChange(d, d.Old.AfterTokens, d.New.AfterTokens))
	}
	if line := r.activation(); line != "" {
		add(line)
	}
	if r.auto && d.Old.ThresholdTokens != d.New.ThresholdTokens {
		add("threshold " + thousands(d.Old.ThresholdTokens) + " → " + thousands(d.New.ThresholdTokens) + " tokens")
	}
	if d.ModelBytesChanged {
		add("the model is sent other bytes: its prompt cache is lost")
	} else {
		add("the model is sent the same bytes: its prompt cache holds")
	}
	return out
}

// activation says what search was before and is now for the session on screen,
// empty where that is told among the flips.
func (r *reload) activation() string {
	d := &r.diff
	if slices.ContainsFunc(r.flips, func(f engine.Flip) bool { return f.New.Session == d.New.Session }) {
		return ""
	}
	words := "search stays " + onOff(d.New.Active)
	if d.Flipped() {
		words = "search " + onOff(d.Old.Active) + " → " + onOff(d.New.Active)
	}
	if !r.auto {
		return words + ", mode " + string(d.New.Mode)
	}
	return words + ", " + thousands(d.New.DeferredTokens) + " deferrable of threshold " + thousands(d.New.ThresholdTokens)
}

// toolDetails lists the tools that changed.
func (r *reload) toolDetails() []detail {
	var out []detail
	for _, part := range []struct {
		sign  string
		tools []engine.ToolChange
		more  int
	}{
		{"+", r.diff.Added, r.diff.More.Added},
		{"−", r.diff.Removed, r.diff.More.Removed},
		{"~", r.diff.Changed, r.diff.More.Changed},
	} {
		for _, t := range part.tools {
			line := part.sign + " " + model.Sanitize(t.Name)
			if len(t.Parts) > 0 {
				line += "  " + partWords(t.Parts)
			}
			out = append(out, detail{levelInfo, line})
		}
		if part.more > 0 {
			out = append(out, detail{levelInfo, part.sign + " " + thousands(part.more) + " more"})
		}
	}
	return out
}

// partWords names the parts of a definition that changed.
func partWords(parts []engine.ChangedPart) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = string(p)
	}
	return strings.Join(words, ", ")
}

// queryDetails lists the saved queries whose relevant tools moved.
func (r *reload) queryDetails() []detail {
	var out []detail
	for _, q := range r.diff.Queries {
		var moves []detail
		for _, rank := range q.Ranks {
			if rank.Old == rank.New && !rank.Regressed && !rank.Regained {
				continue
			}
			l, word, limit := levelInfo, "", ""
			switch {
			case rank.Regressed:
				l, word, limit = levelBad, "lost ", ", limit "+thousands(r.diff.NewLimit)
			case rank.Regained:
				l, word = levelOk, "found again "
			}
			moves = append(moves, detail{l, fmt.Sprintf("  %s%s  rank %s → %s%s", word, model.Sanitize(rank.Tool),
				rankWord(rank.Old), rankWord(rank.New), limit)})
		}
		if len(moves) > 0 {
			out = append(append(out, detail{levelInfo, "query " + model.Sanitize(q.Text)}), moves...)
		}
	}
	if more := r.diff.More.Queries; more > 0 {
		out = append(out, detail{levelInfo, "and " + thousands(more) + " more saved queries"})
	}
	return out
}

// rankWord is a rank, where 0 is not found.
func rankWord(rank int) string {
	if rank == 0 {
		return "none"
	}
	return thousands(rank)
}

// signed formats a change with its sign.
func signed(n int) string {
	if n > 0 {
		return "+" + thousands(n)
	}
	return thousands(n)
}
