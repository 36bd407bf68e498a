package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/report"
)

// converse answers a conversation.
func (s *selecting) converse(ctx context.Context) (*outcome, error) {
	messages, err := s.messages()
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, messages[0], true, false); err != nil {
		return nil, err
	}
	threads, err := s.selector.Converse(ctx, messages, s.run.counts("turns"))
	if err != nil {
		return nil, err
	}
	var notes []selection.Note
	for _, t := range threads[len(threads)-1].Turns { // of hybrid
		notes = append(notes, t.Selection.Notes...)
	}
	s.blame(notes)
	return &outcome{value: s.conversationJSON(messages, threads), page: report.Conversation(s.chosen(), messages, threads)}, nil
}

// messages reads the conversation.
func (s *selecting) messages() (messages []string, err error) {
	name, data := s.turns, []byte(nil)
	if name == "-" {
		name = "standard input"
		if data, err = io.ReadAll(s.run.in); err != nil {
			return nil, fmt.Errorf("reading messages: %w", err)
		}
	} else if data, err = readInput(name); err != nil {
		return nil, err
	}
	if messages = parseConversation(data); len(messages) == 0 {
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

// conversationJSON returns a conversation under every strategy for JSON, with
// what changed in each turn against the one before.
func (s *selecting) conversationJSON(messages []string, threads []selection.Thread) object {
	names := func(tools []*model.Tool) []string {
		return array(tools, func(t *model.Tool) string { return t.Qualified })
	}
	return object{
		{"session", s.st.Snapshot.Session.Name},
		{"k", s.settings.K},
		{"embedder", threads[len(threads)-1].Turns[0].Selection.Embedder},
		{"messages", messages},
		{"threads", array(threads, func(t selection.Thread) object {
			return object{
				{"strategy", t.Strategy},
				{"sticky", t.Sticky},
				{"schema_tokens", t.SchemaTokens},
				{"lost_tokens", t.LostTokens},
				{"stability", t.Stability},
				{"kept", t.Kept},
				{"turns", array(t.Turns, func(turn selection.Turn) object {
					x := turn.Selection
					return object{
						{"tools", len(x.Tools)},
						{"schema_tokens", x.SchemaTokens},
						{"added", names(turn.Added)},
						{"dropped", names(turn.Dropped)},
						{"lost_tokens", turn.LostTokens},
						{"notes", texts(x.Notes)},
					}
				})},
			}
		})},
	}
}
