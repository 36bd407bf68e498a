package workbench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/engine/tokens"
	"caliper/model/require"
)

// rescuerOf returns a Rescuer with a folder of the test's own, which is not
// there yet, and small limits.
func rescuerOf(tb testing.TB, change ...func(*RescueInputs)) *Rescuer {
	tb.Helper()
	in := RescueInputs{Config: config.Default().Rescue, Store: filepath.Join(tb.TempDir(), "store")}
	in.Config.MaxResultChars, in.Config.ExcerptMaxChars = 100, 400
	for _, f := range change {
		f(&in)
	}
	r := NewRescuer(in)
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// long is a result that is rescued.
var long = strings.Repeat("a line of a result\n", 60)

// The store is not touched before it is needed.
func TestNotRescuedMakesNoStore(t *testing.T) {
	r := rescuerOf(t, func(in *RescueInputs) { in.Config.ExcludeTools = []string{"mcp_secret"} })
	for tool, rule := range map[string]string{
		"mcp_secret": rescue.RuleExcluded, "terminal": rescue.RuleTerminal, "hammer": rescue.RuleUnknown,
	} {
		x, err := r.Put(t.Context(), "s", tool, "pipe", strings.NewReader(long))
		if err != nil || x.Rescue || x.Rule != rule || x.Meta.ID != "" || x.Preview.Text != "" || x.HandleTokens != 0 || x.OriginalTokens == 0 {
			t.Errorf("%s: %+v, %v", tool, x, err)
		}
	}
	if x, err := r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader("short")); err != nil || x.Rule != rescue.RuleWithin {
		t.Errorf("%+v, %v", x, err)
	}
	// Neither does asking what a store holds, nor letting go of what has expired.
	r.Expire(t.Context())
	if st, err := r.Status(t.Context()); err != nil || st != (rescue.StoreStatus{Path: r.Path()}) {
		t.Errorf("%+v, %v", st, err)
	}
	if list, err := r.References(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if w, err := r.Sweep(t.Context(), false); err != nil || w != (rescue.Swept{}) {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := os.Stat(r.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Judge shows, without keeping anything, what Put makes.
func TestJudgeIsPutWithoutKeeping(t *testing.T) {
	for name, text := range map[string]string{
		"text":     long,
		"large":    strings.Repeat(long, 2000),
		"envelope": mcpEnvelope(long),
		"JSON":     "[" + strings.Repeat(`{"a": 1},`, 400) + "{}]",
	} {
		t.Run(name, func(t *testing.T) {
			r := rescuerOf(t)
			result, err := r.Read(t.Context(), "mcp_x", name, strings.NewReader(text))
			require.NoError(t, err)
			judged, err := r.Judge(result)
			require.NoError(t, err)
			if _, err := os.Stat(r.Path()); !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			put, err := r.Put(t.Context(), "s", "mcp_x", name, iotest.OneByteReader(strings.NewReader(text[:min(len(text), 100)])))
			if err != nil || put.Rescue {
				t.Fatalf("%+v, %v", put, err)
			}
			if put, err = r.Put(t.Context(), "s", "mcp_x", name, strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			put.Meta.Session, put.Meta.Stored = "", time.Time{}
			if fmt.Sprintf("%+v", judged) != fmt.Sprintf("%+v", put) {
				t.Errorf("judged %+v\nput    %+v", judged, put)
			}
			if name == "envelope" != (put.Envelope != "") || name == "envelope" && put.Meta.Lines != 60 {
				t.Errorf("envelope %q, %d lines", put.Envelope, put.Meta.Lines)
			}
		})
	}
}

// mcpEnvelope wraps a text as a server does.
func mcpEnvelope(text string) string {
	inner, _ := json.Marshal(text)
	return `{"content":[{"type":"text","text":` + string(inner) + `}]}`
}

// What has expired goes when something is put or asked for, without a sweep by name,
// and so does all that a store is told not to remember.
func TestExpiredGoesByUse(t *testing.T) {
	for name, use := range map[string]func(r *Rescuer, id string) error{
		"put": func(r *Rescuer, _ string) error {
			_, err := r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader(long+"another"))
			return err
		},
		"fetch": func(r *Rescuer, id string) error {
			if _, _, err := r.Fetch(t.Context(), "s", id, fetch.Request{Mode: fetch.Stat}); RescueCode(err) != rescue.CodeNotHeld {
				return fmt.Errorf("fetched: %w", err)
			}
			return nil
		},
		"end of a connection": func(r *Rescuer, _ string) error { r.Expire(t.Context()); return nil },
	} {
		now := time.Now()
		r := rescuerOf(t, func(in *RescueInputs) {
			in.Now, in.Config.TombstoneTTLHours = func() time.Time { return now }, 0
		})
		x, err := r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader(long))
		require.NoError(t, err)
		held := func() bool { return slices.Contains(storedIn(t, r.Path()), x.Meta.ID) }
		// The last is past its time, and within the minute of the look before.
		for _, pass := range []time.Duration{0, 72*time.Hour - 10*time.Second, 30 * time.Second} {
			now = now.Add(pass)
			if r.Expire(t.Context()); !held() {
				t.Fatalf("%s: gone %v later", name, pass)
			}
		}
		now = now.Add(time.Minute)
		if err := use(r, x.Meta.ID); err != nil || held() {
			t.Errorf("%s: %v, kept: %v", name, err, held())
		}
	}
}

// storedIn returns the names of the files in a store.
func storedIn(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		names = append(names, d.Name())
		return err
	})
	require.NoError(t, err)
	return names
}

// A blob that is being read is not read on once the session has lost it.
func TestFetchAsksTheStoreEveryTime(t *testing.T) {
	now := time.Now()
	r := rescuerOf(t, func(in *RescueInputs) { in.Now = func() time.Time { return now } })
	x, err := r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader(long))
	require.NoError(t, err)
	q := fetch.Request{Mode: fetch.Range}
	if _, _, err := r.Fetch(t.Context(), "s", x.Meta.ID, q); err != nil {
		t.Fatal(err)
	}
	now = now.Add(73 * time.Hour)
	if w, err := r.Sweep(t.Context(), false); err != nil || w.Blobs != 1 {
		t.Fatalf("%+v, %v", w, err)
	}
	_, _, err = r.Fetch(t.Context(), "s", x.Meta.ID, q)
	if RescueCode(err) != rescue.CodeGone || !strings.Contains(err.Error(), `run "mcp_x" again`) {
		t.Error(err)
	}
	if _, err = r.Put(t.Context(), "s", "mcp_x", "pipe", strings.NewReader(long)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Fetch(t.Context(), "s", x.Meta.ID, q); err != nil {
		t.Error(err)
	}
	if refs, err := r.References(t.Context()); err != nil || len(refs) != 1 || refs[0].Meta.ID != x.Meta.ID {
		t.Errorf("%+v, %v", refs, err)
	}
	if st, err := r.Status(t.Context()); err != nil || st.Blobs != 1 || !st.NextExpiry.Equal(x.Meta.Stored.Add(145*time.Hour)) {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestStatePath(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/caliper/rescue"},
		{"relative", "/h", "/h/.local/state/caliper/rescue"},
		{"", "/h", "/h/.local/state/caliper/rescue"},
		{"", "", ""},
	} {
		env := map[string]string{"XDG_STATE_HOME": tt.xdg, "HOME": tt.home}
		if got := StatePath(func(key string) string { return env[key] }, "rescue"); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	for given, want := range map[string]string{"": "/state", "a/b": "a/b", "~/a": "/h/a", "~": "~", "~x/a": "~x/a"} {
		r := NewRescuer(RescueInputs{Config: config.Rescue{StorePath: given}, Store: "/state", Home: "/h"})
		if got := r.Path(); got != want {
			t.Errorf("%q: %s", given, got)
		}
	}
}

// What would be kept is read no further than the store can hold, unless it can
// be an envelope, which may be larger than its content. A result that is not kept need
// not fit.
func TestSourceIsBounded(t *testing.T) {
	text := strings.Repeat("two\n", 400_000) // 1.6 MB
	for name, tt := range map[string]struct {
		tool, source string
		fits         bool
	}{
		"text":                 {"mcp_x", text, false},
		"text, not kept":       {"terminal", text, true},
		"envelope":             {"mcp_x", mcpEnvelope(strings.Repeat("\u0001", 250_000)), true},
		"not in the envelope":  {"mcp_x", "[" + mcpEnvelope(text) + "]", false},
		"object":               {"mcp_x", `{"a": "` + text + `"}`, false},
		"envelope after space": {"mcp_x", " \n" + mcpEnvelope(strings.Repeat("\u0001", 250_000)), true},
	} {
		t.Run(name, func(t *testing.T) {
			r := rescuerOf(t, func(in *RescueInputs) { in.Config.MaxStoreMB = 1 })
			_, err := r.Put(t.Context(), "s", tt.tool, "pipe", strings.NewReader(tt.source))
			var full *rescue.StoreFull
			if tt.fits && err != nil || !tt.fits && (!errors.As(err, &full) || full.Cap != 1<<20) {
				t.Error(err)
			}
			if name == "object" && !strings.HasPrefix(err.Error(), r.Path()+": put: ") {
				t.Errorf("does not say where: %v", err)
			}
			if _, err := os.Stat(r.Path()); name == "text" && err == nil {
				t.Error("a store was made")
			}
		})
	}
}

// The exact methods count what the model gets, blanks included, whether it is
// JSON or not.
func TestTextTokens(t *testing.T) {
	r := rescuerOf(t, func(in *RescueInputs) { in.Tokenizer = tokens.O200k })
	// By the published vocabulary.
	for text, want := range map[string]int{"": 0, "hello world": 2, `{"a":1}`: 5} {
		if got := r.Tokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if spread, tight := r.Tokens(`{"a":     1,`+"\n\n\n   "+`"b": 2}`), r.Tokens(`{"a":1,"b":2}`); spread <= tight {
		t.Errorf("%d with blanks, %d without", spread, tight)
	}
	line := "2026-01-02 a line of a log\n"
	many := 3 * tokenWindow / len(line)
	if one, all := r.Tokens(line), r.Tokens(strings.Repeat(line, many)); all != one*many {
		t.Errorf("%d tokens a line, %d of %d lines", one, all, many)
	}
}
