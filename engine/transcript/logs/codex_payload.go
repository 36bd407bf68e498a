package logs

import (
	"strconv"

	"caliper/model/jsontree"
)

// payload has the members of a payload that count, as they are written: the last where
// a name repeats. Which of them a payload has depends on its kind.
type payload struct {
	found                                          bool
	kind, role, id, call, name, namespace, status  jsontree.Value
	content, arguments, input, action, tools       jsontree.Value
	output, message, model, info, usage            jsontree.Value
	threadUsage, invocation, result, item, history jsontree.Value
	base, instructions, server, tool, fault, state jsontree.Value
	effort, summary, personality, tier, full       jsontree.Value
	thread, text, command, printed                 jsontree.Value // codex exec --json
}

// payloadOf returns the members of a payload.
func payloadOf(v jsontree.Value) (p payload) {
	if !v.IsObject() {
		return p
	}
	p.found = p.read(jsontree.Walk(v.Raw))
	return p
}

// read reads the members of a payload.
func (p *payload) read(w *jsontree.Walker) bool {
	return w.Object(func(name []byte) bool {
		v, ok := w.Value()
		if !ok {
			return false
		}
		if to := p.member(string(name)); to != nil {
			*to = v
		}
		return true
	})
}

// member returns where the member of a name belongs; nil for one that does not count.
func (p *payload) member(name string) *jsontree.Value {
	switch name {
	case "type":
		return &p.kind
	case "role":
		return &p.role
	case "id":
		return &p.id
	case "call_id":
		return &p.call
	case "name":
		return &p.name
	case "namespace":
		return &p.namespace
	case "status":
		return &p.status
	case "content":
		return &p.content
	case "arguments":
		return &p.arguments
	case "input":
		return &p.input
	case "action":
		return &p.action
	case "tools":
		return &p.tools
	case "output":
		return &p.output
	case "message":
		return &p.message
	case "model":
		return &p.model
	case "info":
		return &p.info
	case "usage":
		return &p.usage
	case "thread_token_usage":
		return &p.threadUsage
	case "invocation":
		return &p.invocation
	case "result":
		return &p.result
	case "item":
		return &p.item
	case "replacement_history":
		return &p.history
	case "base_instructions":
		return &p.base
	case "instructions":
		return &p.instructions
	case "server":
		return &p.server
	case "tool":
		return &p.tool
	case "error":
		return &p.fault
	case "state":
		return &p.state
	case "full":
		return &p.full
	case "effort":
		return &p.effort
	case "summary":
		return &p.summary
	case "personality":
		return &p.personality
	case "service_tier":
		return &p.tier
	case "thread_id":
		return &p.thread
	case "text":
		return &p.text
	case "command":
		return &p.command
	case "aggregated_output":
		return &p.printed
	}
	return nil
}

// codexText returns the text at a path, "" when there is none.
func codexText(v jsontree.Value, path ...string) string { return v.Member(path...).Text() }

// codexNumber returns a whole number, 0 for anything else.
func codexNumber(v jsontree.Value) int {
	n, err := strconv.Atoi(string(v.Raw))
	if err != nil {
		return 0
	}
	return n
}
