package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/tui/demo"
	"caliper/tui/workbench"
	"caliper/watch"
)

// The screen that benchmarks draw.
const benchWidth, benchHeight = 200, 60

// benchSizes are the registries of benchmarks, in tools; 0 is the demo.
var benchSizes = []int{0, 1_000, 10_000, 100_000}

// syntheticDump returns a registry dump of n tools, made once per size.
var syntheticDump = func() func(n int) []byte {
	var mu sync.Mutex
	made := map[int][]byte{}
	return func(n int) []byte {
		mu.Lock()
		defer mu.Unlock()
		if made[n] == nil {
			var all struct{ Tools []map[string]any }
			if json.Unmarshal(demo.Registry(), &all) != nil {
				panic("the demo is no JSON")
			}
			var tools []map[string]any
			for i := range n {
				tool, round := maps.Clone(all.Tools[i%len(all.Tools)]), i/len(all.Tools)
				function := maps.Clone(tool["function"].(map[string]any))
				function["name"] = fmt.Sprint(function["name"], "_", round)
				tool["function"], tool["toolset"] = function, fmt.Sprint(tool["toolset"], "-", round)
				tools = append(tools, tool)
			}
			made[n], _ = json.Marshal(map[string]any{"tools": tools})
		}
		return made[n]
	}
}()

// BenchmarkLoad loads a registry that was never seen: parsing, counting
// tokens, and building the index.
func BenchmarkLoad(b *testing.B) {
	for _, n := range benchSizes[1:] {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := workbench.Input{Registry: []watch.File{{Name: "r.json", Data: syntheticDump(n)}}}
			b.SetBytes(int64(len(in.Registry[0].Data)))
			for b.Loop() {
				if st, err := workbench.New().Load(b.Context(), in); err != nil || len(st.Errors) > 0 {
					b.Fatal(err, st.Errors)
				}
			}
		})
	}
}

// large returns an explorer on n synthetic tools, or on the demo when n is 0,
// without anything that stands between a message and Update.
func large(t testing.TB, n int) *App {
	t.Helper()
	opt := testOptions(demo.Registry(), demo.Config())
	if n > 0 {
		opt = testOptions(syntheticDump(n), nil)
	}
	d := startExplorer(t, opt, benchWidth, benchHeight)
	a := d.app()
	a.notices.Showing = false
	a.View()
	return a
}

// press delivers one key as the terminal sends it.
func press(a *App, r rune) {
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
	if r == ' ' {
		k.Type = tea.KeySpace
	}
	a.Update(k)
}

// benchName names a registry of benchSizes.
func benchName(n int) string {
	if n == 0 {
		return "demo"
	}
	return fmt.Sprint(n)
}

// BenchmarkView draws one screen of 200×60: when nothing has changed since the
// last one, when the selection has moved by a row, and when a letter was typed
// into the query. Only View is measured.
func BenchmarkView(b *testing.B) {
	for _, n := range benchSizes {
		a := large(b, n)
		for _, r := range "create a file" {
			press(a, r)
		}
		b.Run(benchName(n)+"/unchanged", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.View()
			}
		})
		b.Run(benchName(n)+"/selection", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				a.Update(tea.KeyMsg{Type: []tea.KeyType{tea.KeyDown, tea.KeyUp}[i/20%2]})
				b.StartTimer()
				a.View()
			}
		})
		b.Run(benchName(n)+"/letter", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				if i%2 == 0 {
					press(a, 's')
				} else {
					a.Update(tea.KeyMsg{Type: tea.KeyBackspace})
				}
				b.StartTimer()
				a.View()
			}
		})
	}
}

// typedQueries are what BenchmarkKey types: queries as people write them, and
// words of the registry, common and rare.
func typedQueries() []string {
	typed := []string{
		"create a branch", "send an email to the customer with the invoice", "list files", "search issues by label",
		"what is the weather in the city where the user lives", "id", "the", "delete", "zzzz",
	}
	queries, _ := labels.Parse(demo.QueriesFile, demo.Queries())
	for _, q := range queries {
		typed = append(typed, q.Text)
	}
	return typed
}

// BenchmarkKey types queries letter by letter: what one key costs from Update
// to the finished screen. A pass also goes down some hits and clears the
// query, as people do. Percentiles are over all keys of all passes.
func BenchmarkKey(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(benchName(n), func(b *testing.B) {
			a := large(b, n)
			queries := typedQueries()
			var took []time.Duration
			key := func(k tea.KeyMsg) {
				start := time.Now()
				a.Update(k)
				a.View()
				took = append(took, time.Since(start))
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, query := range queries {
					for _, r := range query {
						k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
						if r == ' ' {
							k.Type = tea.KeySpace
						}
						key(k)
					}
					for range 5 {
						key(tea.KeyMsg{Type: tea.KeyDown})
					}
					key(tea.KeyMsg{Type: tea.KeyCtrlU})
				}
			}
			slices.Sort(took)
			at := func(percent int) float64 { return float64(took[(len(took)-1)*percent/100].Nanoseconds()) / 1000 }
			b.ReportMetric(at(50), "p50-µs/key")
			b.ReportMetric(at(99), "p99-µs/key")
			b.ReportMetric(at(100), "max-µs/key")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(len(took))/1000, "mean-µs/key")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// down is the key that goes to the next row.
var down = tea.KeyMsg{Type: tea.KeyDown}

func TestKeyCostsTheSameAtAnySize(t *testing.T) {
	cost := func(n int) float64 {
		a := large(t, n)
		for _, r := range "create a file" {
			press(a, r)
		}
		a.View()
		return testing.AllocsPerRun(20, func() { a.Update(down); a.View() })
	}
	if few, many := cost(500), cost(10_000); many > 1.5*few {
		t.Errorf("a key costs %.0f allocations with 500 tools, %.0f with 10,000", few, many)
	}
}
