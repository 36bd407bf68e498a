package report

import (
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/model/words"
)

// Conversation returns the report of a conversation: the outcome of each
// strategy, and the turns of the active one.
func Conversation(by Chosen, messages []string, threads []selection.Thread) *Report {
	r := new(Report)
	r.Head(Count(len(messages), "turn"), "K %s, %s; session %s, %s", strconv.Itoa(by.Settings.K),
		Or(Name(threads[len(threads)-1].Turns[0].Selection.Embedder), "no embedder"), Name(by.State.Snapshot.Session.Name), by.agent())
	r.Blank()
	t := Columns("strategy", ">tools on first turn", ">on last turn", ">tokens sent", ">cache lost", ">cache kept")
	for _, thread := range threads {
		last := thread.Turns[len(thread.Turns)-1]
		t.Row(threadName(thread, by.State.Snapshot.Config), len(thread.Turns[0].Selection.Tools), len(last.Selection.Tools),
			thread.SchemaTokens, thread.LostTokens, Percent(100*thread.Kept))
	}
	r.Table(t)
	r.Say("Cache lost counts the tokens of definitions that a turn sent and the next turn cannot use from the cache; cache kept is the share that it can use.")
	shown := threads[0]
	if at := slices.IndexFunc(threads, func(t selection.Thread) bool {
		return t.Strategy == by.Settings.Strategy && (!t.Strategy.Ranks() || t.Sticky == by.Settings.Sticky)
	}); at >= 0 {
		shown = threads[at]
	}
	if !shown.Strategy.Ranks() {
		r.Say("The turns under %s are all alike; --strategy shows those of another.", shown.Strategy)
		return r
	}
	r.Blank()
	r.Line(Strong("%s", threadName(shown, by.State.Snapshot.Config)))
	turns := Columns(">turn", "message", ">tools", ">tokens", ">lost", "change…")
	turns.columns[1].share = 3
	for i, turn := range shown.Turns {
		var change []string // of the tools that are sent
		for _, tool := range turn.Added {
			if i > 0 {
				change = append(change, "+"+tool.ShownName)
			}
		}
		for _, tool := range turn.Dropped {
			change = append(change, "-"+tool.ShownName)
		}
		turns.Row(i+1, Name(messages[i]), len(turn.Selection.Tools), turn.Selection.SchemaTokens, turn.LostTokens, Sentence(strings.Join(change, " ")))
	}
	r.Table(turns)
	for _, note := range turnNotes(shown) {
		r.Say("Note: %s.", Sentence(note))
	}
	return r
}

// threadName names a strategy, and whether it is sticky.
func threadName(t selection.Thread, c config.Config) string {
	name := StrategyName(t.Strategy, c.PreSelection.EmbedModel)
	switch {
	case !t.Strategy.Ranks():
		return name
	case t.Sticky:
		return name + ", picks kept"
	}
	return name + ", picks not kept"
}

// turnNotes returns the notes of a conversation, each code once with the text
// of its first turn and a list of all its turns.
func turnNotes(t selection.Thread) []string {
	var first []selection.Note
	turns := map[string][]int{}
	for i, turn := range t.Turns {
		for _, n := range turn.Selection.Notes {
			had := turns[n.Code]
			if len(had) == 0 {
				first = append(first, n)
			}
			if len(had) == 0 || had[len(had)-1] != i+1 {
				turns[n.Code] = append(had, i+1)
			}
		}
	}
	out := make([]string, len(first))
	for i, n := range first {
		of := turns[n.Code] // ascending
		var runs []string   // such as 1-4
		for i := 0; i < len(of); {
			last := i
			for last+1 < len(of) && of[last+1] == of[last]+1 {
				last++
			}
			run := words.Thousands(of[i])
			if last > i {
				run += "-" + words.Thousands(of[last])
			}
			runs = append(runs, run)
			i = last + 1
		}
		out[i] = words.Plural(len(of), "turn") + " " + strings.Join(runs, ", ") + ": " + n.Text
	}
	return out
}

// Conversation returns the report of a conversation under every strategy for an issue.
func (c Case) Conversation(s Selected, threads []selection.Thread) *Report {
	r := new(Report)
	s.how(r)
	if len(threads) > 0 {
		var messages []string
		for _, turn := range threads[0].Turns {
			messages = append(messages, turn.Selection.Message)
		}
		r.Fence("text", strings.Join(messages, "\n"))
		r.Add(Conversation(c.chosen(s), messages, threads))
	}
	return c.Issue("caliper select, conversation", r, c.inTurns())
}

// inTurns returns the command line of a conversation.
func (c Case) inTurns() *command {
	command := c.Command("select")
	command.add("--turns", "turns.txt")
	return command
}
