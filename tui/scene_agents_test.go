package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"caliper/engine/serve"
	"caliper/engine/transcript"
	"caliper/tui/activity"
	"caliper/tui/serving"
)

// sceneAgents are the agents of a scene: what they do is told line by line, and nothing is
// served.
type sceneAgents struct {
	record bool // another process serves, whose record is followed
	inbox  serving.Inbox
	next   int // of the seconds
	asked  []*asking
}

// asking is a call that waits for a person.
type asking struct {
	withdraw context.CancelFunc
	answer   chan serve.Answer
}

// serves has the explorer of a scene show what agents do.
func (a *sceneApp) serves(opt *Options) {
	if a.agents == nil {
		return
	}
	opt.Serving = &serving.Source{Take: func(context.Context) (serving.Batch, bool) { return serving.Batch{}, false }}
	if a.agents.record {
		opt.Serving.Record = "record.jsonl"
		return
	}
	opt.Serving.Address = func(session string) string { return "http://127.0.0.1:7337/mcp/" + session }
	opt.Serving.Entry = func(session string) string { return `{"session": "` + session + `", "token": "secret"}` }
}

// hear tells the explorer what has happened by now.
func (a *sceneApp) hear() {
	b, _ := a.agents.inbox.Take(a.t.Context())
	a.d.Send(activity.BatchMsg(b))
	a.settle()
}

// events takes the events of the lines below, each one in JSON without the fields that
// do not matter: the time goes on by a second, and the agent is hermes on connection 8f3a.
func (p *player) events(line sceneLine) error {
	if p.agents == nil {
		return errors.New("the scene has no agents: agents here")
	}
	for _, text := range line.Block {
		p.agents.next++
		e := transcript.Event{V: transcript.EventVersion, Seq: p.agents.next, Session: "default", Connection: "8f3a", Client: &transcript.EventClient{Name: "hermes", Version: "2.1"},
			Time: time.Date(2026, 11, 2, 14, 4, p.agents.next, 0, time.UTC)}
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		p.agents.inbox.Event(e)
	}
	p.hear()
	return nil
}

// asks has an agent call a tool that needs approval.
func (p *player) asks(line sceneLine) error {
	tool, arguments, _ := strings.Cut(line.Rest, " ")
	arguments, err := sceneText(arguments)
	if err != nil {
		return err
	}
	ctx, withdraw := context.WithDeadline(p.t.Context(), time.Now().Add(time.Hour))
	p.t.Cleanup(withdraw)
	x := &asking{withdraw, make(chan serve.Answer, 1)}
	p.agents.asked = append(p.agents.asked, x)
	go func() {
		x.answer <- p.agents.inbox.Ask(ctx, serve.Question{Session: "default", Client: "hermes", Tool: tool,
			Arguments: json.RawMessage(arguments), Rule: tool + " needs approval before it runs", Since: time.Date(2026, 11, 2, 14, 5, 0, 0, time.UTC)})
	}()
	p.hear()
	return nil
}

// isAnswered reads "answered yes", no, always or nothing yet.
func (p *player) isAnswered(line sceneLine) error {
	words := map[serve.Answer]string{serve.Yes: "yes", serve.No: "no", serve.Always: "always"}
	x := p.agents.asked[len(p.agents.asked)-1]
	if line.Rest == "nothing" {
		select {
		case a := <-x.answer:
			return errors.New("it is answered: " + words[a])
		default:
			return nil
		}
	}
	got := words[<-x.answer]
	p.hear() // that it no longer waits
	return expect(got == line.Rest, "it is answered "+got)
}

// happens has an agent search, call, be refused, and ask for approval.
func (a *sceneApp) happens(t testing.TB) {
	of := func(kind transcript.EventKind, verdict string) transcript.Event {
		return transcript.Event{V: transcript.EventVersion, Session: "default", Connection: "8f3a", Kind: kind, Verdict: verdict, RealName: "mcp_forge_create_branch"}
	}
	search := of(transcript.EventSearch, transcript.VerdictOK)
	search.Request = &transcript.EventRequest{Queries: []string{"create a branch", "delete a branch"}}
	for _, e := range []transcript.Event{of(transcript.EventConnect, ""), of(transcript.EventList, ""), search, of(transcript.EventCall, transcript.VerdictOK), of(transcript.EventCall, transcript.VerdictDenied), of(transcript.EventCall, transcript.VerdictDenied)} {
		a.agents.inbox.Event(e)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(stop)
	go a.agents.inbox.Ask(ctx, serve.Question{Session: "default", Tool: "mcp_forge_create_branch", Arguments: json.RawMessage("{}")})
	for {
		b, _ := a.agents.inbox.Take(t.Context())
		a.d.Send(activity.BatchMsg(b))
		if len(b.Asked) > 0 {
			return
		}
	}
}
