package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }

func TestOpenEmbedsOnlyWhatChanged(t *testing.T) {
	base := func() []*model.Tool { return some(5) }
	for _, c := range []struct {
		name   string
		change func([]*model.Tool) []*model.Tool
		want   []int // of the changed tools, those embedded again
	}{
		{"nothing", func(x []*model.Tool) []*model.Tool { return x }, nil},
		{"order", func(x []*model.Tool) []*model.Tool { slices.Reverse(x); return x }, nil},
		{"one less", func(x []*model.Tool) []*model.Tool { return x[1:] }, nil},
		{"one more", func(x []*model.Tool) []*model.Tool { return append(x, tool("new", "")) }, []int{5}},
		{"a description", func(x []*model.Tool) []*model.Tool { x[2].Description += " Well."; return x }, []int{2}},
		{"a name", func(x []*model.Tool) []*model.Tool { x[3].Name += "s"; return x }, []int{3}},
		{"a parameter", func(x []*model.Tool) []*model.Tool {
			x[0] = tool(x[0].Name, x[0].Description, "p_a", "q")
			return x
		}, []int{0}},
		{"a parameter's type", func(x []*model.Tool) []*model.Tool {
			x[0].Parameters = bytes.ReplaceAll(x[0].Parameters, []byte("string"), []byte("number"))
			return x
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := newFake(8), indexPath(t)
			mustOpen(t, f, base(), path)
			if n := len(f.taken()); n != 5 {
				t.Fatalf("%d texts were embedded at first", n)
			}
			changed := c.change(base())
			v := mustOpen(t, f, changed, path)
			var want []string
			for _, i := range c.want {
				want = append(want, Template(changed[i]))
			}
			if got := f.taken(); !slices.Equal(got, want) {
				t.Errorf("embedded %q, not %q", got, want)
			}
			if v.Rebuilt != nil {
				t.Error(v.Rebuilt)
			}
			verify(t, v, f, changed)
			verify(t, mustOpen(t, f, changed, path), f, changed)
			if got := f.taken(); got != nil {
				t.Errorf("the file does not have %q", got)
			}
		})
	}
}

func TestOpenWritesNothingWhenNothingChanged(t *testing.T) {
	f, path, tools := newFake(8), indexPath(t), some(5)
	mustOpen(t, f, tools, path)
	before, _ := os.Stat(path)
	mustOpen(t, f, tools[:3], path)
	mustOpen(t, f, nil, path)
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was replaced: %v", err)
	}
}

func TestOpenSharesEqualTools(t *testing.T) {
	f := newFake(8)
	a, b := tool("a", "b", "c"), tool("a", "b", "c")
	b.Qualified = "x/a"
	tools := []*model.Tool{a, tool("d", ""), b}
	v := mustOpen(t, f, tools, "")
	if got := f.taken(); len(got) != 2 {
		t.Errorf("embedded %q", got)
	}
	verify(t, v, f, tools)
}

func TestOpenForeign(t *testing.T) {
	base := Identity{Provider: "fake", Model: "m", Dimension: 8, QueryPrefix: "q", DocumentPrefix: "d"}
	for name, other := range map[string]Identity{
		"provider":        {"other", "m", 8, "q", "d"},
		"model":           {"fake", "n", 8, "q", "d"},
		"dimension":       {"fake", "m", 9, "q", "d"},
		"query prefix":    {"fake", "m", 8, "", "d"},
		"document prefix": {"fake", "m", 8, "q", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path, tools := indexPath(t), some(5)
			mustOpen(t, &fake{identity: base}, tools, path)
			f := &fake{identity: other}
			v := mustOpen(t, f, tools, path)
			if n := len(f.taken()); n != 5 {
				t.Errorf("%d texts were embedded", n)
			}
			if !errors.Is(v.Rebuilt, errForeign) {
				t.Errorf("rebuilt because of %v", v.Rebuilt)
			}
			verify(t, v, f, tools)
			if mustOpen(t, f, tools, path); len(f.taken()) != 0 {
				t.Error("the file was not replaced")
			}
		})
	}
}

// A file of a later program is not used, and is there for it afterwards.
func TestOpenLaterFormat(t *testing.T) {
	f, path, tools := newFake(2), indexPath(t), some(3)
	later := append([]byte(magic), 2, 0, 0, 0)
	later = append(later, make([]byte, 50)...)
	sum := sha256.Sum256(later)
	later = append(later, sum[:]...)
	mustOpen(t, newFake(2), tools, path) // makes the folder
	require.NoError(t, os.WriteFile(path, later, 0o600))
	v, err := Open(t.Context(), f, tools, path, nil)
	if err != nil || len(f.taken()) != 3 || v.Rebuilt != nil || v.Unsaved == nil || !strings.HasSuffix(v.Unsaved.Error(), "format 2, not 1, and left alone") {
		t.Errorf("%v, rebuilt because of %v, unsaved because of %v", err, v.Rebuilt, v.Unsaved)
	}
	verify(t, v, f, tools)
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, later) {
		t.Errorf("the file has %d bytes, %v, and had %d", len(now), err, len(later))
	}
}

// TestOpenUnknownDimension is of an embedder that learns its dimension with
// the first vector.
func TestOpenUnknownDimension(t *testing.T) {
	path, tools := indexPath(t), some(70)
	f := newFake(0)
	f.size = 8
	mustOpen(t, f, tools[:69], path)
	if v := mustOpen(t, f, tools, path); len(f.taken()) != 70 || v.Rebuilt != nil || v.Identity().Dimension != 8 {
		t.Errorf("rebuilt because of %v; %+v", v.Rebuilt, v.Identity())
	}
	f.size = 9
	tools = append(tools, tool("new", ""))
	v := mustOpen(t, f, tools, path)
	if n := len(f.taken()); n != 1+71 || !errors.Is(v.Rebuilt, errForeign) {
		t.Errorf("%d texts were embedded; %v", n, v.Rebuilt)
	}
	verify(t, v, f, tools)
	if mustOpen(t, f, tools, path); len(f.taken()) != 0 {
		t.Error("the file was not replaced")
	}
}

// TestOpenDamaged gives Open every truncation and every wrong byte of a file,
// and wants the good file back each time.
func TestOpenDamaged(t *testing.T) {
	f, path, tools := newFake(2), indexPath(t), some(2)
	mustOpen(t, f, tools, path)
	f.taken()
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	try := func(what string, at int, bad []byte) {
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		v := mustOpen(t, f, tools, path)
		if n := len(f.taken()); n != 2 || v.Rebuilt == nil {
			t.Errorf("%s %d: %d embedded, %v", what, at, n, v.Rebuilt)
		}
		verify(t, v, f, tools)
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, good) {
			t.Fatalf("%s %d: the file is not as it was: %v", what, at, err)
		}
	}
	for n := range good {
		try("cut at", n, good[:n])
	}
	for at := range good {
		bad := bytes.Clone(good)
		bad[at] ^= 0xff
		try("wrong byte", at, bad)
	}
	try("a byte more than", len(good), append(bytes.Clone(good), 'x'))
}

func TestOpenTooLarge(t *testing.T) {
	f, path, tools := newFake(2), indexPath(t), some(2)
	mustOpen(t, f, tools, path)
	f.taken()
	if err := os.Truncate(path, maxFile+1); err != nil { // sparse
		t.Skip(err)
	}
	if v := mustOpen(t, f, tools, path); len(f.taken()) != 2 || !strings.Contains(v.Rebuilt.Error(), "more than") {
		t.Errorf("rebuilt because of %v", v.Rebuilt)
	}
}

func TestOpenCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, path := range map[string]string{
		"a file for a folder": filepath.Join(file, "index"),
		"a folder for a file": t.TempDir(),
	} {
		f, tools := newFake(8), some(5)
		v, err := Open(t.Context(), f, tools, path, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v.Unsaved == nil {
			t.Errorf("%s: saved", name)
		}
		verify(t, v, f, tools)
		leftovers, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"*"))
		if len(leftovers) > 0 {
			t.Errorf("%s: left %q", name, leftovers)
		}
	}
}

func TestOpenWithoutTools(t *testing.T) {
	f, path := newFake(8), indexPath(t)
	v := mustOpen(t, f, nil, path)
	if got := mustScore(t, v, "hello", some(2)); !slices.Equal(got, []float64{0, 0}) || f.queries != 0 {
		t.Errorf("scores %v after %d queries", got, f.queries)
	}
	if v.Identity() != f.identity {
		t.Errorf("identity %+v", v.Identity())
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}

func TestOpenProgress(t *testing.T) {
	f, path, tools := newFake(8), indexPath(t), some(2*batch+5)
	mustOpen(t, f, tools[:4], path)
	var got [][2]int
	open := func() {
		got = nil
		if _, err := Open(t.Context(), f, tools, path, func(done, total int) { got = append(got, [2]int{done, total}) }); err != nil {
			t.Fatal(err)
		}
	}
	open()
	if want := [][2]int{{0, 2*batch + 1}, {batch, 2*batch + 1}, {2 * batch, 2*batch + 1}, {2*batch + 1, 2*batch + 1}}; !slices.Equal(got, want) {
		t.Errorf("progress %v, not %v", got, want)
	}
	if open(); got != nil {
		t.Errorf("progress %v when nothing is made", got)
	}
}

// TestOpenGoesOn stops Open in the middle, by a cancelled context and by an
// error, and wants the next one to embed the rest only.
func TestOpenGoesOn(t *testing.T) {
	broken := errors.New("broken")
	for name, stop := range map[string]func(*fake, context.CancelFunc) (want error){
		"cancelled": func(f *fake, cancel context.CancelFunc) error {
			f.answer = func(x [][]float32) ([][]float32, error) { cancel(); return x, nil }
			return context.Canceled
		},
		"error": func(f *fake, _ context.CancelFunc) error {
			calls := 0
			f.answer = func(x [][]float32) ([][]float32, error) {
				if calls++; calls == 2 {
					return nil, broken
				}
				return x, nil
			}
			return broken
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, path, tools := newFake(8), indexPath(t), some(3*batch)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			want := stop(f, cancel)
			if v, err := Open(ctx, f, tools, path, nil); !errors.Is(err, want) || v != nil {
				t.Fatalf("%v, not %v", err, want)
			}
			f.answer = nil
			f.taken()
			v := mustOpen(t, f, tools, path)
			if n := len(f.taken()); n != 2*batch || v.Rebuilt != nil {
				t.Errorf("%d were embedded again, %v", n, v.Rebuilt)
			}
			verify(t, v, f, tools)
		})
	}
}

// TestOpenMistrustsTheEmbedder is of answers that no vectors can be made of.
// The file that there was stays as it was.
func TestOpenMistrustsTheEmbedder(t *testing.T) {
	for _, c := range []struct {
		name      string
		dimension int
		answer    func([][]float32) ([][]float32, error)
		want      string
	}{
		{"too few", 4, func(x [][]float32) ([][]float32, error) { return x[1:], nil }, "2 vectors for 3 texts"},
		{"too many", 4, func(x [][]float32) ([][]float32, error) { return append(x, x[0]), nil }, "4 vectors for 3 texts"},
		{"another dimension", 4, func(x [][]float32) ([][]float32, error) { x[0] = x[0][1:]; return x, nil }, "3 numbers, the index has 4"},
		{"one of another", 4, func(x [][]float32) ([][]float32, error) { x[2] = x[2][1:]; return x, nil }, "3 numbers, the index has 4"},
		{"empty", 0, func(x [][]float32) ([][]float32, error) { return make([][]float32, 3), nil }, "vectors of 0 numbers"},
		{"vast", 0, func(x [][]float32) ([][]float32, error) {
			big := make([]float32, maxDimension+1)
			return [][]float32{big, big, big}, nil
		}, "vectors of 32769 numbers"},
	} {
		for _, filed := range []bool{false, true} {
			f, path := newFake(c.dimension), indexPath(t)
			f.size = 4
			var before []byte
			if filed && c.dimension != 0 {
				mustOpen(t, f, []*model.Tool{tool("z", "")}, path)
				before, _ = os.ReadFile(path)
			}
			f.answer = c.answer
			if _, err := Open(t.Context(), f, some(3), path, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, not %q", c.name, err, c.want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Errorf("%s: the file was touched", c.name)
			}
		}
	}
}

// TestOpenWithoutNumbers is of vectors that are no numbers, which cost the
// tool its vector and are tried again; and of all zeros, which do not.
func TestOpenWithoutNumbers(t *testing.T) {
	f, path, tools := newFake(4), indexPath(t), some(6)
	tools[5] = tool(tools[1].Name, tools[1].Description, "p_b") // the same twice
	f.answer = func(x [][]float32) ([][]float32, error) {
		x[1][2] = float32(math.NaN())
		x[2][0] = float32(math.Inf(1))
		x[3] = make([]float32, 4)
		x[4] = []float32{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, 0}
		return x, nil
	}
	v := mustOpen(t, f, tools, path)
	scores := mustScore(t, v, "hello", tools)
	for _, i := range []int{1, 2, 3, 5} {
		if scores[i] != 0 {
			t.Errorf("tool %d has score %v", i, scores[i])
		}
	}
	q := randomUnit("hello", 4)
	if want := float64(q[0]+q[1]-q[2]) / math.Sqrt(3); math.Abs(scores[4]-want) > 1e-5 {
		t.Errorf("score of the large vector is %v, not %v", scores[4], want)
	}
	if v.Missing != 3 {
		t.Errorf("%d are missing", v.Missing)
	}
	f.answer = nil
	f.taken()
	if v = mustOpen(t, f, tools, path); len(f.taken()) != 2 || v.Missing != 0 {
		t.Errorf("%d are missing still", v.Missing)
	}
}

// TestOpenWithoutAnyNumbers leaves no file, and no way to a division by zero.
func TestOpenWithoutAnyNumbers(t *testing.T) {
	f, path, tools := newFake(0), indexPath(t), some(2)
	f.size = 4
	f.answer = func(x [][]float32) ([][]float32, error) {
		for _, v := range x {
			v[0] = float32(math.NaN())
		}
		return x, nil
	}
	v := mustOpen(t, f, tools, path)
	if got := mustScore(t, v, "hello", tools); !slices.Equal(got, []float64{0, 0}) || v.Missing != 2 {
		t.Errorf("scores %v, %d missing", got, v.Missing)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}

// TestOpenKeepsOthers has two registries share a file, and the file bounded.
func TestOpenKeepsOthers(t *testing.T) {
	f, path := newFake(2), indexPath(t)
	a, b := some(50), some(100)[50:]
	mustOpen(t, f, a, path)
	mustOpen(t, f, b, path)
	f.taken()
	verify(t, mustOpen(t, f, a, path), f, a)
	verify(t, mustOpen(t, f, b, path), f, b)
	if got := f.taken(); got != nil {
		t.Errorf("embedded %d again", len(got))
	}
	many := some(mostSpare - 20)
	mustOpen(t, f, many[100:], path)
	mustOpen(t, f, some(mostSpare + 100)[mostSpare-20:], path)
	old, err := load(path, origin(f.identity), 2)
	if err != nil || len(old.digests) != mostSpare {
		t.Fatalf("%d are kept, %v", len(old.digests), err)
	}
}

// TestOpenProperties takes a registry through random edits and wants, each
// time, the vectors of a fresh index and no text embedded twice.
func TestOpenProperties(t *testing.T) {
	path := indexPath(t)
	rapid.Check(t, func(r *rapid.T) {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			r.Fatal(err)
		}
		f := newFake(3)
		embedded := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(r, "opens") {
			var tools []*model.Tool
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 12).Draw(r, "tools") {
				tools = append(tools, tool("do", strings.Repeat("x", n)))
			}
			v, err := Open(t.Context(), f, tools, path, nil)
			if err != nil || v.Unsaved != nil {
				r.Fatal(err, v.Unsaved)
			}
			for _, text := range f.taken() {
				if embedded[text] {
					r.Fatalf("%q was embedded twice", text)
				}
				embedded[text] = true
			}
			fresh, err := Open(t.Context(), newFake(3), tools, "", nil)
			if err != nil {
				r.Fatal(err)
			}
			if got, want := mustScore(t, v, "x", tools), mustScore(t, fresh, "x", tools); !slices.Equal(got, want) {
				r.Fatalf("scores %v, not %v", got, want)
			}
		}
	})
}
