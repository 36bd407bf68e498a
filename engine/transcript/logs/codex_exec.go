package logs

import (
	"slices"

	"caliper/engine/transcript"
)

// What codex exec --json prints is read as lines of a rollout that has less. By runs of Codex
// 0.171.0 whose figures were scripted:
//
//   - thread.started has the id of the session, also of one that is resumed, and item.completed
//     what the model said or called. Ids of items begin anew with each run;
//   - the user's words, the model, the searches for tools and which calls stood in one answer
//     are not printed, so that each call is taken for a request;
//   - turn.completed has the sum of the session so far, earlier runs included.
//
// A session whose rollout was read is not read a second time.

// itemTools are the names of the agent's own tools, by the items that tell of them.
var itemTools = map[string]string{"command_execution": "exec_command", "file_change": "apply_patch"}

// printed reads a line of codex exec --json.
func (p *codexParser) printed(l *codexLine, v fields, kind string) {
	switch kind {
	case "thread.started":
		l.What, l.Name = prints, v["thread_id"].Text()
	case "turn.started":
		l.What = begins
	case "item.completed": // what the model said or called
		item := fieldsOf(v["item"])
		failed := item["status"].Text() == "failed" || item["error"].IsObject()
		switch kind := p.names.Of(item["type"]); kind {
		case "agent_message":
			l.What, l.Says.Size = codexAnswers, p.sizeOf(item["text"], transcript.Prose)
		case "mcp_tool_call":
			p.mirror(l, mirrors, item["id"].Text(), item, p.sizeOf(item["result"].Member("content"), transcript.Output), failed)
		case "command_execution", "file_change":
			name := itemTools[kind]
			l.Call = transcript.Call{ID: item["id"].Text(), Tool: name, Size: p.measure(name+p.text(item["command"]), transcript.Schema)}
			l.What, l.Says.Size, l.Failed = mirrors, p.sizeOf(item["aggregated_output"], transcript.Output), failed
		case "reasoning", "todo_list", "web_search":
		default:
			l.leave(kind)
		}
	case "turn.completed":
		if l.pay(v["usage"], v["thread_token_usage"]); l.What == pays {
			l.What = sums
		}
	case "item.started", "item.updated":
	default:
		l.leave(kind)
	}
}

// apart returns the sessions of rollouts, and those that were printed and have no rollout
// among them, each once. Of several runs of one session each has the sum of what it added.
func apart(sessions []*codexSession) (rollouts []*codexSession, printed []transcript.Session) {
	ids := map[string]bool{}
	for _, s := range sessions {
		if !s.printed {
			rollouts, ids[s.ID] = append(rollouts, s), true
		}
	}
	for _, s := range sessions {
		copied := func(p transcript.Session) bool {
			return p.ID == s.ID && p.Sums != nil && s.Sums != nil && *p.Sums == *s.Sums
		}
		if s.printed && !ids[s.ID] && !slices.ContainsFunc(printed, copied) {
			printed = append(printed, s.Session)
		}
	}
	for i := range printed {
		var before *transcript.Usage // the greatest sum below
		for _, s := range sessions {
			if of := s.Sums; s.printed && s.ID == printed[i].ID && of != nil && printed[i].Sums != nil && of.Total() < printed[i].Sums.Total() &&
				(before == nil || before.Total() < of.Total()) {
				before = of
			}
		}
		if before != nil {
			u := *printed[i].Sums
			printed[i].Sums = &transcript.Usage{Input: u.Input - before.Input, CacheRead: u.CacheRead - before.CacheRead, CacheWrite: u.CacheWrite - before.CacheWrite, Output: u.Output - before.Output}
		}
	}
	return rollouts, printed
}
