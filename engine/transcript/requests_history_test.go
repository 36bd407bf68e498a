package transcript

import (
	"reflect"
	"testing"

	"caliper/model/jsontree"
)

// TestHistories: reading behind a known history gives the same as reading it whole, in any
// order of requests.
func TestHistories(t *testing.T) {
	t.Parallel()
	var kept histories
	for _, messages := range []string{
		`[]`,
		`[{"role":"system","content":"s"}]`,
		`[{"role":"system","content":"s"},{"role":"user","content":"a"}]`,
		"[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"a\"}\n ,\n{\"role\":\"assistant\",\"content\":\"b\"} ]",
		`[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"user","content":"c"}]`,
		`[{"role":"user","content":"a"}]`,
		`[{"role":"user","content":"a"},{"role":"system","content":"behind"}]`,
		`[{"role":"user","content":"a"},{"role":"system","content":"behind"},{"role":"user","content":"d"}]`,
		`[{"role":"user","content":"a"},{"type":"message","role":"assistant","content":"b"}]`,
		`[{"role":"user","content":"a"},{"type":"message","role":"assistant","content":"b"},{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}]`,
		`[{"role":"user","content":"a"},{"type":"message","role":"assistant","content":"b"},{"type":"function_call","call_id":"c","name":"n","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"o"}]`,
		`[1]`,
		`[12,{"role":"user","content":"a"}]`,
		`[{"role":"user","content":"a"}]`,
	} {
		request, fault := jsontree.ParseClosed([]byte(`{"messages":`+messages+`}`), jsontree.Strict, &jsontree.Closed{Names: closed})
		if fault != nil || len(request.Member("messages").Children) > 0 {
			t.Fatalf("%s: %v", messages, fault)
		}
		system, got := kept.of(request)
		alone, want := new(histories).of(request)
		if got.raw, want.raw = nil, nil; system != alone || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q %+v, want %q %+v", messages, system, got, alone, want)
		}
		if len(kept.latest) > mostHistories {
			t.Errorf("%d are kept", len(kept.latest))
		}
	}
}

// TestBegins: an array begins with another one if it has all its elements whole.
func TestBegins(t *testing.T) {
	for _, c := range []struct {
		text, known string
		want        bool
	}{
		{`[1,2]`, `[1`, true}, {`[1]`, `[1`, true}, {"[1 \r\n\t]", `[1`, true}, {`[12]`, `[1`, false}, {`[1`, `[1`, false}, {`[1 `, `[1`, false}, {`[2]`, `[1`, false}, {`[]`, `[`, false}, {`[1}`, `[1`, false},
	} {
		if got := begins([]byte(c.text), []byte(c.known)); got != c.want {
			t.Errorf("%q begins with %q: %v", c.text, c.known, got)
		}
	}
}
