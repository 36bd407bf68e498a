package diff

import (
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// What a captured request has beside a function is in the assembly, in the
// budget, in an edit of the tool and in the differences between two captures.
func TestBesideFunctionIsSent(t *testing.T) {
	build := func(beside string) *engine.Snapshot {
		r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(`[{"type":"function","function":{"name":"t","description":"Old."}` + beside + `}]`)})
		require.NoError(t, err)
		s, err := engine.NewBuilder().Build(t.Context(), engine.Inputs{Registry: r, Config: config.Default()})
		require.NoError(t, err)
		return s
	}
	s := build(`,"strict": true,"note":"a"`)
	const want = `{"type":"function","function":{"name":"t","description":"Old."},"strict":true,"note":"a"}`
	if got := string(s.Assembly().Definitions()[0]); got != want {
		t.Errorf("sent is %s, want %s", got, want)
	}
	if got, want := s.ToolTokens(s.Registry.Tools[0]), (len(want)+3)/4; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	text := "New."
	edit := whatif.Edit{Tool: s.Registry.Tools[0], Description: &text}
	edited, err := whatif.Apply(t.Context(), engine.NewBuilder(), s, edit)
	require.NoError(t, err)
	if got, want := string(edited.Assembly().Definitions()[0]), strings.Replace(want, "Old.", "New.", 1); got != want {
		t.Errorf("sent is %s, want %s", got, want)
	}
	tried, err := whatif.Try(t.Context(), s, edit)
	require.NoError(t, err)
	if before, after := tried.Tokens(); before != after || before != (len(want)+3)/4 {
		t.Errorf("%d and %d tokens of texts of one length", before, after)
	}
	for beside, same := range map[string]bool{
		`,"strict":true,"note":"a"`:               true,
		`,"strict":true,"note":"\u0061"`:          true, // another way to write it
		`,"strict":true,"note":"a","toolset":"x"`: true,
		`,"strict":false,"note":"a"`:              false,
		`,"strict":true`:                          false,
		``:                                        false,
	} {
		other := build(beside).Registry.Tools[0]
		if got := sameDefinition(s.Registry.Tools[0], other); got != same {
			t.Errorf("beside %s: the same %v, want %v", beside, got, same)
		}
	}
}
