package live

import (
	"errors"
	"testing"
)

func TestOutgoing(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                                                     "same",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                         "same",
		`{"jsonrpc":"2.0","id":2,"method":"caliper/tools.list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"\"method\":\"caliper/tools.list\""}}`,
		`{"jsonrpc":"2.0","id":"p","result":{}}`:                                                                         "same",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`:                                  "dropped",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                                                  "dropped",
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"delete_everything"}}`:                           "refused",
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`:                                                                       "refused",
		`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`:                                                            "same",
		`{"jsonrpc":"2.0","id":3,"method":""}`:                                                                           "refused",
		`[{"jsonrpc":"2.0","id":3,"method":"tools/call"}]`:                                                               "refused",
		`{`: "refused",
	} {
		out, err := outgoing([]byte(in), false)
		got := string(out)
		switch {
		case errors.Is(err, errUnsent):
			got = "refused"
		case out == nil:
			got = "dropped"
		case got == in:
			got = "same"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestOutgoingCalls: with calls let through, a server is asked for one thing more.
func TestOutgoingCalls(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":3,"method":"caliper/tools.call","params":{"name":"a"}}`:  `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read"}`:                            "",
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`:                 "",
	} {
		if out, _ := outgoing([]byte(in), true); string(out) != want {
			t.Errorf("%s: %s, want %s", in, out, want)
		}
	}
}
