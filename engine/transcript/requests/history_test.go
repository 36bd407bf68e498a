package requests

import (
	"reflect"
	"testing"

	"caliper/model/jsontree"
)

// TestHistories: what is read behind a known history is what the whole of it gives, in any
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
		`[1]`,
		`[12,{"role":"user","content":"a"}]`,
		`[{"role":"user","content":"a"}]`,
	} {
		request, fault := jsontree.ParseClosed([]byte(`{"messages":`+messages+`}`), jsontree.Strict, closed...)
		if fault != nil || len(request.Member("messages").Children) > 0 {
			t.Fatalf("%s: %v", messages, fault)
		}
		system, parts := kept.of(request)
		alone, want := new(histories).of(request)
		if system != alone || !reflect.DeepEqual(parts, want) {
			t.Errorf("%s: %q %v, want %q %v", messages, system, parts, alone, want)
		}
		if len(kept) > mostHistories {
			t.Errorf("%d are kept", len(kept))
		}
	}
}
