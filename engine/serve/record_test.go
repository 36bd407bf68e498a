package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keeping keeps texts of more than eight characters, and fails at those that begin with x.
type keeping struct{ kept }

func (keeping) Keep(_ context.Context, connection, tool, text string) (handle, id string, keeps bool, err error) {
	if strings.HasPrefix(text, "x") {
		return "", "", false, errors.New("the disk is full")
	}
	return "a handle", connection + " " + tool, len(text) > 8, nil
}

func (keeping) Fetch(_ context.Context, connection string, arguments json.RawMessage) (string, bool) {
	return connection + " fetches " + string(arguments), string(arguments) == `{"id":"7"}`
}

// TestRecordOfResults: the client gets the server's result, byte for byte where no text is
// rescued, and a fault for what it could not read; the record has texts only where they are
// wanted.
func TestRecordOfResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		result  string
		reads   string // what the model reads
		verdict string
		fault   string
		rescued bool
	}{
		{`{"content":[{"type":"text","text":"done"}]}`, "done", transcript.VerdictOK, "", false},
		{`{"content":[{"type":"text","text":"do"},{"type":"image","data":"","mimeType":"image/png"},{"type":"text","text":"ne"}],"isError":false}`, "done", transcript.VerdictOK, "", false},
		{`{"content":[{"type":"text","text":"no"}],"isError":true}`, "no", transcript.VerdictFailed, "", false},
		{`{"content":[{"type":"text","text":"no"}],"isError":"true"}`, "no", transcript.VerdictOK, "", false},
		{`{"content":[{"type":"text","text":"a long result"}]}`, "a handle", transcript.VerdictOK, "", true},
		{`{"content":[{"type":"text","text":"xylophones of all sizes"}]}`, "xylophones of all sizes", transcript.VerdictOK, "the result is not kept: the disk is full", false},
		{`{ "content":[{"text":"done","type":"text","n":9007199254740993}] }`, "done", transcript.VerdictOK, "", false},
		{`{`, "mcp_harbor_book did not run to its end: its answer is not JSON", transcript.VerdictFailed, "its answer is not JSON", false},
		{`7`, "mcp_harbor_book did not run to its end: its answer is not an object", transcript.VerdictFailed, "its answer is not an object", false},
	} {
		for _, texts := range []bool{false, true} {
			var n notes
			s := harbor(t, Options{Note: n.add, Texts: texts, Results: keeping{}, Execute: func(context.Context, *model.Tool, json.RawMessage, Progress) (json.RawMessage, error) {
				time.Sleep(time.Millisecond)
				return json.RawMessage(c.result), nil
			}})
			x := s.session("harbor")
			w := &work{connection: &connection{session: x, id: "c"}, peer: &peer{}, list: x.current(), params: &mcp.CallToolParamsRaw{Name: "tool_call", Arguments: json.RawMessage(`{"name":"mcp_harbor_book"}`)}}
			got, err := w.finish(t.Context())
			require.NoError(t, err)
			e := n.of(transcript.EventCall)[0]
			want, arguments, blob := "", "", ""
			if texts {
				want, arguments = c.reads, string(w.params.Arguments)
			}
			if c.rescued {
				blob = "c mcp_harbor_book"
			}
			if e.Verdict != c.verdict || e.Error != c.fault || e.Result.Rescued != c.rescued || e.Result.Blob != blob || e.Result.Text != want || e.Result.Chars != len(c.reads) || string(e.Request.Arguments) != arguments || e.RealName != "mcp_harbor_book" || e.UpstreamMS < 1 ||
				strings.Contains(string(got.(*rawResult).data), "a handle") != c.rescued || !c.rescued && c.verdict == transcript.VerdictOK && string(got.(*rawResult).data) != c.result {
				t.Errorf("%s, texts %v: noted as %+v, result %+v", c.result, texts, e, e.Result)
			}
		}
	}
}

// TestCallsThatFail: a model is told of a call that never ran that it did not run.
func TestCallsThatFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault error
		want  string
	}{
		{fmt.Errorf("server harbor: %w", live.NotRun("the server is not running")), "mcp_harbor_book was not run: server harbor: the server is not running"},
		{errors.New("no answer"), "mcp_harbor_book did not run to its end: no answer"},
	} {
		var n notes
		s := harbor(t, Options{Note: n.add, Execute: func(context.Context, *model.Tool, json.RawMessage, Progress) (json.RawMessage, error) {
			return nil, c.fault
		}})
		if got, isError := says(t, client(t, s, "harbor", nil), "tool_call", `{"name":"mcp_harbor_book"}`); got != c.want || !isError || n.of(transcript.EventCall)[0].Verdict != transcript.VerdictFailed {
			t.Errorf("%v: %s", c.fault, got)
		}
	}
}

// TestRecordOfOwnTools: what caliper answers by itself is noted with its text, and a
// fetch by its own kind.
func TestRecordOfOwnTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, args string
		kind       transcript.EventKind
		verdict    string
		schemas    bool
	}{
		{"tool_search", `{"query":"book a berth"}`, transcript.EventSearch, transcript.VerdictOK, false},
		{"tool_describe", `{"name":"mcp_harbor_book"}`, transcript.EventDescribe, transcript.VerdictOK, true},
		{"rescuer_fetch", `{"id":"7"}`, transcript.EventFetch, transcript.VerdictOK, false},
		{"rescuer_fetch", `{"id":"8"}`, transcript.EventFetch, transcript.VerdictFailed, false},
		{"mcp_harbor_sink", `{}`, transcript.EventCall, transcript.VerdictDenied, false},
	} {
		var n notes
		s := harbor(t, Options{Note: n.add, Texts: true, Results: keeping{}, Execute: new(ran).execute})
		text, isError := says(t, client(t, s, "harbor", nil), c.tool, c.args)
		list := n.of(c.kind)
		if len(list) != 1 || isError != (c.verdict != transcript.VerdictOK) {
			t.Fatalf("%s %s: %v %s, %d events", c.tool, c.args, isError, text, len(list))
		}
		e := list[0]
		if e.Verdict != c.verdict || e.Result.Text != text || e.Result.Chars != len(text) || e.Result.SHA256 != digest([]byte(text)) || e.Tokens.Response != e.Result.Tokens || e.Tokens.Response == 0 || (e.Tokens.Schemas > 0) != c.schemas || e.TotalMS <= 0 {
			t.Errorf("%s %s: %+v, result %+v", c.tool, c.args, e, e.Result)
		}
		if digest(nil) != "" || e.Request.SHA256 != digest([]byte(c.args)) || e.Request.Bytes != len(c.args) {
			t.Errorf("%s %s: request %+v", c.tool, c.args, e.Request)
		}
		if c.kind == transcript.EventFetch && text != e.Connection+" fetches "+c.args {
			t.Errorf("%s, of connection %s", text, e.Connection)
		}
	}
}

// TestAskedNames: the record has the queries and names of a request however it gives them.
func TestAskedNames(t *testing.T) {
	t.Parallel()
	at := &connection{session: &session{server: New(Options{})}}
	for _, c := range [][3]string{
		{"tool_search", `{"query":"a","queries":["b"]}`, `["a" "b"] [] ""`}, {"tool_search", `{"queries":["b"]}`, `["b"] [] ""`},
		{"tool_describe", `{"name":"a","names":["b"]}`, `[] ["a" "b"] ""`}, {"tool_describe", `{"names":["b"]}`, `[] ["b"] ""`},
		{"tool_call", `{"name":"a","calls":[{"name":"b"}]}`, `[] [] "a"`}, {"tool_call", `{"calls":[{"name":"b"}]}`, `[] [] "b"`}, {"tool_call", `{"calls":[]}`, `[] [] ""`},
	} {
		w := &work{connection: at, params: &mcp.CallToolParamsRaw{Name: c[0], Arguments: json.RawMessage(c[1])}}
		if r := w.request(); fmt.Sprintf("%q %q %q", r.Queries, r.Names, r.Called) != c[2] {
			t.Errorf("%s %s is noted as %+v", c[0], c[1], r)
		}
	}
}

// TestAskedTooOften: of one client sixty-four calls wait at a time, and another question
// is answered at once; those that wait end when the client is gone.
func TestAskedTooOften(t *testing.T) {
	t.Parallel()
	var n notes
	s, base, tokens := served(t, Options{Note: n.add, Execute: func(ctx context.Context, _ *model.Tool, _ json.RawMessage, _ Progress) (json.RawMessage, error) {
		c, _ := live.CallerOf(ctx)
		_, err := c.Ask(ctx, "harbor", &mcp.ElicitParams{Message: "Which?", RequestedSchema: json.RawMessage(noParameters)})
		return nil, err
	}})
	one := &alone{base + PathOf("harbor"), tokens["harbor"], "one", 0}
	for i := range 65 {
		text, answer := one.call(t, "mcp_harbor_book", `{}`, nil)
		if waits := answer["resultType"] == "input_required"; waits != (i < 64) || !waits && !strings.Contains(text, errParked.Error()) {
			t.Fatalf("call %d: %v", i+1, answer)
		}
	}
	s.Close()
	if got := len(n.of(transcript.EventCall)); got != 65 {
		t.Errorf("%d calls are noted", got)
	}
	if all := n.list; all[len(all)-1].Kind != transcript.EventDisconnect {
		t.Errorf("the last event is %+v", all[len(all)-1])
	}
}

// TestComesBackLate: a call that waits for its client goes on with the answer, and
// without one after parkTime, not before; an answer to what has ended is refused.
func TestComesBackLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &connection{parked: map[string]*parkedCall{}}
		parked := func() int {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.parked)
		}
		ask := func(times int) (*parkedCall, context.Context) {
			running, cancel := context.WithCancelCause(t.Context())
			p := &parkedCall{asked: make(chan clientQuestion), done: make(chan struct{}), cancel: cancel}
			go func() {
				defer close(p.done)
				for range times {
					p.result, p.err = (&work{connection: c, parked: p}).ask(running, &mcp.ElicitParams{})
				}
			}()
			return p, running
		}
		answer := func() *mcp.CallToolParamsRaw {
			c.mu.Lock()
			defer c.mu.Unlock()
			for state := range c.parked {
				return &mcp.CallToolParamsRaw{RequestState: state, InputResponses: map[string]mcp.InputResponse{questionKey: &mcp.ElicitResult{}}}
			}
			return &mcp.CallToolParamsRaw{RequestState: "x"}
		}
		p, running := ask(2)
		_, err := c.wait(t.Context(), p)
		_, late := c.resume(t.Context(), answer(), p.of)
		if err != nil || late != nil || parked() != 1 {
			t.Fatalf("%d calls wait, %v, %v", parked(), err, late)
		}
		time.Sleep(parkTime - time.Nanosecond)
		if synctest.Wait(); running.Err() != nil || parked() != 1 {
			t.Errorf("%d calls wait, %v", parked(), running.Err())
		}
		if <-p.done; parked() != 0 || !errors.Is(context.Cause(running), context.DeadlineExceeded) || !c.mu.TryLock() {
			t.Fatalf("%d calls wait, %v", parked(), context.Cause(running))
		}
		c.mu.Unlock()
		refused, _ := c.resume(t.Context(), answer(), p.of)
		if r := refused.(*rawResult); !r.modern || !strings.Contains(string(r.data), `"isError":true`) {
			t.Errorf("it is refused with %s", r.data)
		}
		p, _ = ask(1)
		_, _ = c.wait(t.Context(), p)
		p.cancel(nil) // as when the client leaves
		if <-p.done; parked() != 1 {
			t.Errorf("%d calls wait", parked())
		}
		if _, err := c.resume(t.Context(), answer(), p.of); !errors.Is(err, context.Canceled) {
			t.Errorf("an answer to a call that has ended: %v", err)
		}
		p, _ = ask(1)
		_, _ = c.wait(t.Context(), p)
		silent := answer()
		silent.InputResponses = nil
		if _, err := c.resume(t.Context(), silent, p.of); err == nil {
			t.Error("no answer is one")
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := (&work{connection: c, parked: &parkedCall{asked: make(chan clientQuestion)}}).ask(gone, &mcp.ElicitParams{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a call that has ended asks: %v", err)
		}
		p = &parkedCall{done: make(chan struct{}), cancel: func(error) {}}
		go func() { time.Sleep(time.Second); p.err = errStale; close(p.done) }()
		if _, err := c.wait(gone, p); !errors.Is(err, errStale) {
			t.Errorf("a call whose client is gone is not waited for: %v", err)
		}
	})
	if _, err := new(work).ask(t.Context(), &mcp.PingParams{}); err == nil {
		t.Error("a client is asked what no client is asked")
	}
}

// TestHowLongIsWaited: the times are the pages'; both waits at the end of a
// stream leave two of a stop's five seconds to the servers.
func TestHowLongIsWaited(t *testing.T) {
	t.Parallel()
	if o := New(Options{}).o; o.ApproveTimeout != 45*time.Second {
		t.Errorf("a person has %v", o.ApproveTimeout)
	}
	if o := New(Options{ApproveTimeout: time.Second}).o; o.ApproveTimeout != time.Second {
		t.Errorf("a person has %v of a second", o.ApproveTimeout)
	}
	if idleConnection != 6*time.Hour || mostUnconnected != 64 || mostParked != 64 || mostSaid != 100 || parkTime != 10*time.Minute || answerTime+withdrawTime != 3*time.Second || answerTime != 5*withdrawTime {
		t.Error("another time is waited")
	}
	if ShortestToken != 16 || len(NewToken()) != 43 || len(newID()) != 16 {
		t.Errorf("tokens of %d and %d, ids of %d characters", ShortestToken, len(NewToken()), len(newID()))
	}
}

// TestSteps: without texts a record shows what a rule says, and of a warning about arguments the
// keywords alone; what else is wrong with a call may have its values.
func TestSteps(t *testing.T) {
	t.Parallel()
	const said = "as it was said"
	step := func(gate string, v engine.Verdict) engine.Step {
		return engine.Step{Gate: gate, Verdict: v, Detail: said}
	}
	broken := []engine.Warning{{Keyword: "type"}, {Keyword: ""}, {Keyword: "enum"}, {Keyword: "type"}}
	const keywords = "the arguments break the schema's type and enum"
	for _, c := range []struct {
		name       string
		code       string
		step       engine.Step
		want, with string // without and with texts; "-": the gate is left out
	}{
		{"not asked", "", step("policy", engine.Skip), "-", "-"},
		{"passed", "", step("policy", engine.Pass), "", ""},
		{"passed before a rule denied", engine.CodeDenied, step("known", engine.Pass), "", ""},
		{"denied by a rule", engine.CodeDenied, step("policy", engine.Fail), said, said},
		{"a rule asks", engine.CodeNeedsApproval, step("hook", engine.Fail), said, said},
		{"failed otherwise", engine.CodeUnknownTool, step("known", engine.Fail), "", said},
		{"a rule warns", "", step("hook", engine.Warn), said, said},
		{"the schema warns", "", step("schema", engine.Warn), keywords, said},
		{"the schema warns before a rule denies", engine.CodeDenied, step("schema", engine.Warn), keywords, said},
		{"the schema warns before a rule asks", engine.CodeNeedsApproval, step("schema", engine.Warn), keywords, said},
	} {
		for texts, want := range map[bool]string{false: c.want, true: c.with} {
			got := steps(engine.Trace{Code: c.code, Steps: []engine.Step{c.step}, Warnings: broken}, texts)
			if want == "-" && got == nil {
				continue
			}
			if len(got) != 1 || got[0] != (transcript.EventStep{Gate: c.step.Gate, Verdict: string(c.step.Verdict), Detail: want}) {
				t.Errorf("%s, with texts %v: %+v, want %q", c.name, texts, got, want)
			}
		}
	}
}
