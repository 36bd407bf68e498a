package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// BenchmarkAudit audits registries as a command does that has just read them: a
// synthetic one of each size in ten sessions (see crowd), and the one of real servers
// in 44 sessions of one to twenty random toolsets each.
func BenchmarkAudit(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkAudit(b, crowd(n)) })
	}
	b.Run("real", func(b *testing.B) { benchmarkAudit(b, realRegistry(b)) })
}

func benchmarkAudit(b *testing.B, in Inputs) {
	b.ReportAllocs()
	for b.Loop() {
		audit, err := NewBuilder().Audit(b.Context(), in, Auditing{})
		require.NoError(b, err)
		if n := audit.Violations(); n > 0 {
			b.Fatal(n, "violations")
		}
	}
}

// crowd returns a synthetic registry of n tools and ten sessions that no two have
// in common. One is granted everything, three all but one toolset, two every second
// toolset, three every tenth and one a single toolset: half of all tools on average.
func crowd(n int) Inputs {
	tools := fixture.Tools(n, 1)
	var toolsets []*model.Toolset
	for i, t := range tools {
		if i == 0 || tools[i-1].Toolset != t.Toolset {
			toolsets = append(toolsets, &model.Toolset{Name: t.Toolset, Server: t.Server})
		}
	}
	// every returns every k-th toolset, from the first on.
	every := func(k, first int) (names []string) {
		for i := first % len(toolsets); i < len(toolsets); i += k {
			names = append(names, toolsets[i].Name)
		}
		return names
	}
	c := config.Default()
	c.Sessions = []config.Session{
		{Name: "default"},
		{Name: "but the first", Disabled: every(len(toolsets), 0)},
		{Name: "but the second", Disabled: every(len(toolsets), 1)},
		{Name: "but the third", Disabled: every(len(toolsets), 2)},
		{Name: "even", Enabled: every(2, 0)},
		{Name: "odd", Enabled: every(2, 1)},
		{Name: "tenth", Enabled: every(10, 0)},
		{Name: "another tenth", Enabled: every(10, 1)},
		{Name: "a third tenth", Enabled: every(10, 2)},
		{Name: "one", Enabled: every(len(toolsets), 3)},
	}
	return Inputs{Registry: model.NewRegistry(tools, toolsets), Config: c}
}

// realRegistry returns the registry of real servers in 44 sessions.
func realRegistry(b *testing.B) Inputs {
	data, err := os.ReadFile("../../shared/registries/registry.json")
	if err != nil {
		b.Skip("the registry is not here")
	}
	r, err := shapes.Parse(b.Context(), model.Source{Name: "r.json", Data: data})
	require.NoError(b, err)
	in := Inputs{Registry: r, Config: config.Default()}
	random := rand.New(rand.NewPCG(4, 4))
	for i := 1; i < 44; i++ {
		s := config.Session{Name: fmt.Sprint(i)}
		for _, n := range random.Perm(len(r.Toolsets))[:1+i%20] {
			s.Enabled = append(s.Enabled, r.Toolsets[n].Name)
		}
		in.Config.Sessions = append(in.Config.Sessions, s)
	}
	return in
}
