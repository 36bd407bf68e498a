package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// converse answers a conversation.
func (s *selecting) converse(ctx context.Context) (*runner.Outcome, error) {
	messages, err := s.messages()
	if err != nil {
		return nil, err
	}
	if err := s.Open(ctx, messages[0], true, false); err != nil {
		return nil, err
	}
	threads, err := s.Selector.Converse(ctx, messages, s.Run.Counts("turns"))
	if err != nil {
		return nil, err
	}
	var notes []selection.Note
	for _, t := range threads[len(threads)-1].Turns { // of hybrid
		notes = append(notes, t.Selection.Notes...)
	}
	s.Blame(notes)
	return &runner.Outcome{Value: s.conversationJSON(messages, threads), Page: report.Conversation(s.Chosen(), messages, threads)}, nil
}

// messages reads the conversation.
func (s *selecting) messages() (messages []string, err error) {
	name, data := s.turns, []byte(nil)
	if name == "-" {
		name = "standard input"
		if data, err = io.ReadAll(s.Run.In); err != nil {
			return nil, fmt.Errorf("reading messages: %w", err)
		}
	} else if data, err = runner.ReadInput(name); err != nil {
		return nil, err
	}
	if messages = parseConversation(data); len(messages) == 0 {
		return nil, runner.InputError(name, "no message in this file: want one a line")
	}
	return messages, nil
}

// parseConversation returns the messages of a conversation, one a line; blank
// lines are none of it.
func parseConversation(data []byte) []string {
	var messages []string
	for line := range strings.Lines(strings.TrimPrefix(runner.Message(string(data)), "\uFEFF")) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			messages = append(messages, line)
		}
	}
	return messages
}

// conversationJSON returns a conversation under every strategy for JSON, with
// what changed in each turn against the one before.
func (s *selecting) conversationJSON(messages []string, threads []selection.Thread) runner.Object {
	names := func(tools []*model.Tool) []string {
		return runner.Array(tools, func(t *model.Tool) string { return t.Qualified })
	}
	return runner.Object{
		{"session", s.St.Snapshot.Session.Name},
		{"k", s.Settings.K},
		{"embedder", threads[len(threads)-1].Turns[0].Selection.Embedder},
		{"messages", messages},
		{"threads", runner.Array(threads, func(t selection.Thread) runner.Object {
			return runner.Object{
				{"strategy", t.Strategy},
				{"sticky", t.Sticky},
				{"schema_tokens", t.SchemaTokens},
				{"lost_tokens", t.LostTokens},
				{"stability", t.Stability},
				{"kept", t.Kept},
				{"turns", runner.Array(t.Turns, func(turn selection.Turn) runner.Object {
					x := turn.Selection
					return runner.Object{
						{"tools", len(x.Tools)},
						{"schema_tokens", x.SchemaTokens},
						{"added", names(turn.Added)},
						{"dropped", names(turn.Dropped)},
						{"lost_tokens", turn.LostTokens},
						{"notes", runner.Texts(x.Notes)},
					}
				})},
			}
		})},
	}
}
