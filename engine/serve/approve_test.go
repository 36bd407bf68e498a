package serve

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/transcript"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestApprovals: a person's answer decides, once or for the connection.
func TestApprovals(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		const tow = `{"name":"mcp_harbor_tow","arguments":{"boat":"x"}}`
		for name, c := range map[string]struct {
			answers []Answer
			want    string // of each call: whether it ran
			asked   int
		}{
			"yes":     {[]Answer{Yes, Yes}, "yes yes", 2},
			"no":      {[]Answer{No, Yes}, "no yes", 2},
			"always":  {[]Answer{Always}, "yes yes", 1},
			"nobody":  {[]Answer{NoAnswer, NoAnswer}, "no no", 2},
			"a third": {[]Answer{Yes, No}, "yes no", 2},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var done ran
				var n notes
				asked := 0
				s := harbor(t, Options{Execute: done.execute, Note: n.add, Ask: func(_ context.Context, q Question) Answer {
					if q.Tool != "mcp_harbor_tow" || string(q.Arguments) != `{"boat":"x"}` || q.Client != "agent" {
						t.Errorf("asked %+v", q)
					}
					asked++
					return c.answers[asked-1]
				}})
				agent := clientIn(t, revision, s, "harbor", nil)
				var got []string
				for range 2 {
					text, isError := says(t, agent, "tool_call", tow)
					if !isError {
						got = append(got, "yes")
						continue
					}
					got = append(got, "no")
					verdict, why := transcript.VerdictTimedOut, "nobody said that it may"
					if c.answers[asked-1] == No {
						verdict, why = transcript.VerdictRefused, "a person said no"
					}
					if !strings.Contains(text, why) || !strings.Contains(text, engine.CodeNeedsApproval) || n.of(transcript.EventApprove)[asked-1].Verdict != verdict {
						t.Errorf("the model reads %s, and the record has %+v", text, n.of(transcript.EventApprove))
					}
				}
				if strings.Join(got, " ") != c.want || asked != c.asked || len(n.of(transcript.EventApprove)) != c.asked {
					t.Errorf("%q, asked %d times, %d events", got, asked, len(n.of(transcript.EventApprove)))
				}
				if runs := strings.Count(done.all(), "tow"); runs != strings.Count(c.want, "yes") {
					t.Errorf("it ran %d times", runs)
				}
			})
		}
	})
}

// TestMeanwhile: what becomes of the session and of the client while a person is asked
// counts, whatever the person says.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change        func(s *Server, leave func())
		want, verdict string
	}{
		"the rules deny it": {func(s *Server, _ func()) {
			s.Publish(snapshotOf(t, "harbor", strings.Replace(settings, "approve", "deny", 1)))
		}, engine.CodeDenied, transcript.VerdictApproved},
		"the client leaves": {func(_ *Server, leave func()) { leave() }, "nobody said", transcript.VerdictGone},
	} {
		ctx, leave := context.WithCancel(t.Context())
		var s *Server
		var done ran
		var n notes
		s = New(Options{Execute: done.execute, Note: n.add, Ask: func(context.Context, Question) Answer { c.change(s, leave); return Yes }})
		s.Publish(snapshotOf(t, "harbor", settings))
		at := &connection{session: s.session("harbor"), always: map[string]bool{}}
		w := &work{connection: at, peer: &peer{}, list: at.session.current(), params: &mcp.CallToolParamsRaw{Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_tow"}`)}}
		if got := string(w.answer(ctx)); !strings.Contains(got, c.want) || done.all() != "" || n.of(transcript.EventApprove)[0].Verdict != c.verdict {
			t.Errorf("%s: %s; ran %q, noted %+v", name, got, done.all(), n.list)
		}
	}
}

// TestElicitation: without anybody else, the client's user is asked, where there is one.
func TestElicitation(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string) {
		var done ran
		s := harbor(t, Options{Execute: done.execute})
		for action, want := range map[string]string{"accept": "done", "decline": "a person said no", "": "nobody said"} {
			if action == "" && revision == stateless {
				continue // a client that cannot ask does not come back
			}
			agent := clientIn(t, revision, s, "harbor", &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				if !strings.Contains(r.Params.Message, "mcp_harbor_tow") {
					t.Errorf("asked %q", r.Params.Message)
				}
				if action == "" {
					return nil, errors.New("out of reach")
				}
				return &mcp.ElicitResult{Action: action}, nil
			}})
			if text, isError := says(t, agent, "tool_call", `{"name":"mcp_harbor_tow","arguments":{}}`); isError != (action != "accept") || !strings.Contains(text, want) {
				t.Errorf("%q: %v %s", action, isError, text)
			}
		}
	})
}
