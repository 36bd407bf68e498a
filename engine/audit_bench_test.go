package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/shapes"
)

// BenchmarkAudit audits the registry of real servers in 44 sessions of one to
// twenty random toolsets each, as a command does that has just read it.
func BenchmarkAudit(b *testing.B) {
	data, err := os.ReadFile("../../shared/registries/registry.json")
	if err != nil {
		b.Skip("the registry is not here")
	}
	r, err := shapes.Parse(b.Context(), model.Source{Name: "r.json", Data: data})
	if err != nil {
		b.Fatal(err)
	}
	in := Inputs{Registry: r, Config: config.Default()}
	random := rand.New(rand.NewPCG(4, 4))
	for i := 1; i < 44; i++ {
		s := config.Session{Name: fmt.Sprint(i)}
		for _, n := range random.Perm(len(r.Toolsets))[:1+i%20] {
			s.Enabled = append(s.Enabled, r.Toolsets[n].Name)
		}
		in.Config.Sessions = append(in.Config.Sessions, s)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewBuilder().Audit(b.Context(), in, nil); err != nil {
			b.Fatal(err)
		}
	}
}
