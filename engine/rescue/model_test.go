package rescue

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// TestAgainstAModel does random things to a store and compares every answer
// with what two maps say it has to be.
func TestAgainstAModel(t *testing.T) {
	dir := t.TempDir()
	texts := []string{"", "a", "bb", "ccc\n", strings.Repeat("d", 300)}
	sessions := []string{"s", "", "../t"}
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		c := newClock()
		c.at = c.at.Truncate(time.Hour)
		const ttl, memory = 5 * time.Hour, 7 * time.Hour
		path := filepath.Join(dir, time.Duration(run).String())
		s, err := OpenStore(path, StoreOptions{TTL: ttl, TombstoneTTL: memory, Now: c.now})
		require.NoError(t, err)
		defer os.RemoveAll(path)
		defer s.Close()
		type key struct{ session, text string }
		held, gone := map[key]time.Time{}, map[key]time.Time{} // since when
		damaged := map[string]bool{}
		pick := func(t *rapid.T) key {
			return key{rapid.SampledFrom(sessions).Draw(t, "session"), rapid.SampledFrom(texts).Draw(t, "text")}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k := pick(t)
				if _, err := s.Put(context.Background(), k.session, "t", Text, []byte(k.text)); err != nil {
					t.Fatal(err)
				}
				held[k] = c.at
				delete(gone, k)
				delete(damaged, k.text)
			},
			"pass": func(t *rapid.T) { c.pass(time.Duration(rapid.IntRange(1, 4).Draw(t, "hours")) * time.Hour) },
			"damage": func(t *rapid.T) {
				text := pick(t).text
				file := filepath.Join(path, blobPath(ID([]byte(text))))
				if _, err := os.Stat(file); err == nil && !damaged[text] {
					os.WriteFile(file, []byte(text+"!"), 0o600)
					damaged[text] = true
				}
			},
			"sweep": func(t *rapid.T) {
				if _, err := s.Sweep(context.Background(), false); err != nil {
					t.Fatal(err)
				}
				for k, at := range held {
					_, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(k.text)))))
					if c.at.Sub(at) >= ttl {
						delete(held, k)
						gone[k] = at.Add(ttl)
					} else if err != nil && damaged[k.text] {
						delete(held, k)
						gone[k] = c.at
					}
				}
				for text := range damaged { // with its last reference, so goes the damage
					if _, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(text))))); err != nil {
						delete(damaged, text)
					}
				}
				for k := range held {
					if _, err := os.Stat(filepath.Join(path, blobPath(ID([]byte(k.text))))); err != nil {
						t.Fatalf("%+v was held and is swept", k)
					}
				}
			},
			"": func(t *rapid.T) {
				k := pick(t)
				at, holds := held[k]
				end, was := gone[k]
				got, m, err := fetch(s, k.session, ID([]byte(k.text)))
				switch {
				case holds && c.at.Sub(at) >= ttl+memory:
					coded(t, err, CodeNotHeld)
				case holds && c.at.Sub(at) >= ttl:
					coded(t, err, CodeGone)
				case holds && damaged[k.text]:
					coded(t, err, CodeDamaged)
				case holds:
					if err != nil || got != k.text || !m.Stored.Equal(at) {
						t.Fatalf("%+v: %q, %+v, %v", k, got, m, err)
					}
				case was && c.at.Sub(end) < memory:
					coded(t, err, CodeGone)
				default:
					coded(t, err, CodeNotHeld)
				}
			},
		})
	})
}
