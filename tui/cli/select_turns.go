package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cells"
)

// converse answers a conversation.
func (s *selecting) converse(ctx context.Context) error {
	messages, err := s.messages()
	if err != nil {
		return err
	}
	if err := s.open(ctx, messages[0], true, false); err != nil {
		return err
	}
	p := s.run.progress("turns")
	defer p.clear()
	threads, err := s.selector.Converse(ctx, messages, p.report)
	if err != nil {
		return err
	}
	p.clear()
	var notes []selection.Note
	for _, t := range threads[len(threads)-1].Turns { // of hybrid
		notes = append(notes, t.Selection.Notes...)
	}
	s.blame(notes)
	if s.run.flags.json {
		return s.run.printJSON(s.conversationOf(messages, threads))
	}
	s.conversation(messages, threads)
	return nil
}

// messages reads the conversation.
func (s *selecting) messages() ([]string, error) {
	name, data := s.turns, []byte(nil)
	if name == "-" {
		var err error
		name = "standard input"
		if data, err = io.ReadAll(s.run.in); err != nil {
			return nil, fmt.Errorf("reading messages: %w", err)
		}
	} else {
		f := readFile(name)
		if f.Err != nil {
			return nil, inputError(name, innermost(f.Err).Error())
		}
		data = f.Data
	}
	messages := parseConversation(data)
	if len(messages) == 0 {
		return nil, inputError(name, "no message in this file: want one a line")
	}
	return messages, nil
}

// parseConversation returns the messages of a conversation, one a line; blank
// lines are none of it.
func parseConversation(data []byte) []string {
	var messages []string
	for line := range strings.Lines(strings.TrimPrefix(message(string(data)), "\uFEFF")) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			messages = append(messages, line)
		}
	}
	return messages
}

// conversationJSON is a conversation for JSON.
type conversationJSON struct {
	Session  string       `json:"session"`
	K        int          `json:"k"`
	Embedder string       `json:"embedder"`
	Messages []string     `json:"messages"`
	Threads  []threadJSON `json:"threads"`
}

// threadJSON is a conversation under one strategy, sticky or not.
type threadJSON struct {
	Strategy     string     `json:"strategy"`
	Sticky       bool       `json:"sticky"`
	SchemaTokens int        `json:"schema_tokens"`
	LostTokens   int        `json:"lost_tokens"`
	Stability    float64    `json:"stability"`
	Kept         float64    `json:"kept"`
	Turns        []turnJSON `json:"turns"`
}

// turnJSON is one message, and what changed against the one before.
type turnJSON struct {
	Tools        int      `json:"tools"`
	SchemaTokens int      `json:"schema_tokens"`
	Added        []string `json:"added"`
	Dropped      []string `json:"dropped"`
	LostTokens   int      `json:"lost_tokens"`
	Notes        []string `json:"notes"`
}

// conversationOf returns a conversation for JSON.
func (s *selecting) conversationOf(messages []string, threads []selection.Thread) conversationJSON {
	out := conversationJSON{
		Session: s.st.Snapshot.Session.Name, K: s.settings.K, Messages: messages, Embedder: embedderOf(threads),
	}
	for _, t := range threads {
		thread := threadJSON{Strategy: string(t.Strategy), Sticky: t.Sticky, SchemaTokens: t.SchemaTokens,
			LostTokens: t.LostTokens, Stability: t.Stability, Kept: t.Kept}
		for _, turn := range t.Turns {
			x := turn.Selection
			thread.Turns = append(thread.Turns, turnJSON{len(x.Tools), x.SchemaTokens, qualifiedNames(turn.Added),
				qualifiedNames(turn.Dropped), turn.LostTokens, texts(x.Notes)})
		}
		out.Threads = append(out.Threads, thread)
	}
	return out
}

// embedderOf returns the identity of the embedder of a conversation.
func embedderOf(threads []selection.Thread) string {
	return threads[len(threads)-1].Turns[0].Selection.Embedder
}

// qualifiedNames returns the names of tools, never nil.
func qualifiedNames(tools []*model.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Qualified
	}
	return out
}

// conversation prints a conversation for a person: what each strategy comes
// to, and the turns of the one in force.
func (s *selecting) conversation(messages []string, threads []selection.Thread) {
	p := s.run.page()
	p.line(p.strong(counted(len(messages), "turn")), p.faint(fmt.Sprintf("  K %d, %s; session %s", s.settings.K,
		embedderName(embedderOf(threads)), model.Sanitize(s.st.Snapshot.Session.Name))))
	p.blank()
	t := table{columns: []column{{title: "strategy"}, {title: "tools first", align: right}, {title: "last", align: right},
		{title: "tokens sent", align: right}, {title: "cached in vain", align: right}, {title: "cache kept", align: right}}}
	for _, thread := range threads {
		last := thread.Turns[len(thread.Turns)-1]
		t.add(threadName(thread), grouped(len(thread.Turns[0].Selection.Tools)), grouped(len(last.Selection.Tools)),
			grouped(thread.SchemaTokens), grouped(thread.LostTokens), percent(100*thread.Kept))
	}
	t.print(p)
	p.paragraph(0, "Cached in vain are the tokens of definitions that a turn sent and the next one does not begin with any more; cache kept is the share of the others.")
	shown := s.inForce(threads)
	if !shown.Strategy.Ranks() {
		p.paragraph(0, fmt.Sprintf("The turns under %s are all alike; --strategy shows those of another.", shown.Strategy))
		return
	}
	p.blank()
	p.line(p.strong(threadName(shown)))
	s.turnTable(p, messages, shown).print(p)
	printNotes(p, turnNotes(shown))
}

// inForce returns the conversation under the strategy in force.
func (s *selecting) inForce(threads []selection.Thread) selection.Thread {
	for _, t := range threads {
		if t.Strategy == s.settings.Strategy && (!t.Strategy.Ranks() || t.Sticky == s.settings.Sticky) {
			return t
		}
	}
	return threads[0]
}

// threadName names a strategy, and whether it is sticky.
func threadName(t selection.Thread) string {
	switch {
	case !t.Strategy.Ranks():
		return string(t.Strategy)
	case t.Sticky:
		return string(t.Strategy) + ", sticky"
	}
	return string(t.Strategy) + ", not sticky"
}

// turnTable returns the turns of a conversation, one a row.
func (s *selecting) turnTable(p *page, messages []string, t selection.Thread) *table {
	out := &table{columns: []column{{title: "turn", align: right}, {title: "message"}, {title: "tools", align: right},
		{title: "tokens", align: right}, {title: "lost", align: right}, {title: "change", grow: true}}}
	for i, turn := range t.Turns {
		out.add(grouped(i+1), cells.Truncate(model.Sanitize(messages[i]), p.width/3), grouped(len(turn.Selection.Tools)),
			grouped(turn.Selection.SchemaTokens), grouped(turn.LostTokens), changeOf(turn, i == 0))
	}
	return out
}

// changeOf says what a turn adds and drops.
func changeOf(turn selection.Turn, first bool) string {
	var change []string
	if !first {
		for _, tool := range turn.Added {
			change = append(change, "+"+tool.ShownName)
		}
	}
	for _, tool := range turn.Dropped {
		change = append(change, "-"+tool.ShownName)
	}
	return strings.Join(change, " ")
}

// turnNotes returns the notes of a conversation, each code once in the words of
// the first turn that has it, with all turns that have it.
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
		out[i] = turnWords(turns[n.Code]) + ": " + n.Text
	}
	return out
}

// turnWords names turns, given in ascending order: "turn 2", "turns 1-4, 6".
func turnWords(turns []int) string {
	if len(turns) == 1 {
		return "turn " + grouped(turns[0])
	}
	var runs []string
	for i := 0; i < len(turns); {
		last := i
		for last+1 < len(turns) && turns[last+1] == turns[last]+1 {
			last++
		}
		run := grouped(turns[i])
		if last > i {
			run += "-" + grouped(turns[last])
		}
		runs = append(runs, run)
		i = last + 1
	}
	return "turns " + strings.Join(runs, ", ")
}
