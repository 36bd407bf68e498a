package watch

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestGoodAlwaysWins: whatever is done to the file, every content published as valid was once
// written in full, no two Changes in a row are the same, and the last one holds what the file
// holds in the end.
func TestGoodAlwaysWins(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type step struct {
			op    string
			pause time.Duration
		}
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			return step{
				rapid.SampledFrom([]string{"write", "slow", "replace", "break", "delete", "chdir", "relink"}).Draw(t, "op"),
				time.Duration(rapid.IntRange(0, 600).Draw(t, "pause")) * time.Millisecond,
			}
		}), 1, 12).Draw(rt, "steps")
		forced := rapid.Bool().Draw(rt, "end broken")

		dir := t.TempDir()
		var fault string
		synctest.Test(t, func(t *testing.T) {
			s := &stage{t: t, dir: dir, opt: quick()}
			s.opt.ForcePoll = true
			s.opt.Patience = 400 * time.Millisecond
			s.mkdir("real")
			s.link("real", "d")
			s.watch("d/r.json")
			written := map[string]bool{}
			fresh := func(i int) string {
				data := fmt.Sprintf(`{"state":%d,"pad":%q}`, i, string(make([]byte, i)))
				written[data] = true
				return data
			}
			for i, st := range steps {
				switch st.op {
				case "write":
					s.write("real/r.json", fresh(i))
				case "slow":
					data := fresh(i)
					s.write("real/r.json", "")
					s.gap(st.pause / 3)
					s.appendTo("real/r.json", data[:5])
					s.gap(st.pause / 3)
					s.appendTo("real/r.json", data[5:])
				case "replace":
					s.replace("real/r.json", fresh(i))
				case "break":
					s.write("real/r.json", fmt.Sprintf(`{"broken":%d`, i))
				case "delete":
					s.remove("real/r.json")
				case "chdir":
					s.remove("real")
					s.gap(st.pause / 2)
					s.mkdir("real")
				case "relink":
					other := fmt.Sprintf("real%d", i)
					s.write(other+"/r.json", fresh(i))
					s.remove("real")
					s.rename(other, "real")
				}
				s.gap(st.pause)
			}
			last := `{"last":true}`
			if forced {
				last = `{"last":`
			}
			written[last] = !forced
			s.write("real/r.json", last)
			s.gap(10 * time.Second)
			s.stop()
			var before []File
			for change := range s.changes {
				f := change.Files[0]
				if f.Err == nil && !f.Invalid && !written[string(f.Data)] {
					fault = fmt.Sprintf("published %q as valid, which nobody wrote", f.Data)
				}
				if slices.EqualFunc(before, change.Files, sameFile) {
					fault = fmt.Sprintf("published twice: %q", s.describe(change))
				}
				before = change.Files
			}
			if f := before[0]; f.Err != nil || string(f.Data) != last || f.Invalid != forced {
				fault = fmt.Sprintf("ended with %+v, want %q", f, last)
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}
