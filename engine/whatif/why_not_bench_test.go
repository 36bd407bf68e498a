package whatif

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"caliper/config"
)

// BenchmarkWhyNot asks 500 random questions of the registry of real servers
// and reports the longest answer beside the mean: in one session, and with 44
// sessions of six toolsets each. The time of an answer is the least of several
// runs, so that what else the machine does is not counted.
func BenchmarkWhyNot(b *testing.B) {
	for _, sessions := range []int{1, 44} {
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			m := newSample(b, "../../../shared/registries/registry.json", "")
			for i := 1; i < sessions; i++ {
				s := config.Session{Name: fmt.Sprint(i)}
				for j := range 6 {
					s.Enabled = append(s.Enabled, m.registry.Toolsets[(i+7*j)%len(m.registry.Toolsets)].Name)
				}
				m.config.Sessions = append(m.config.Sessions, s)
			}
			s := m.build(b, m.registry, "default")
			type question struct{ query, tool string }
			questions := make([]question, 500)
			for i := range questions {
				questions[i] = question{m.query(), m.tool().Qualified}
			}
			least := make([]time.Duration, len(questions))
			rounds := 0
			for b.Loop() {
				for i, q := range questions {
					start := time.Now()
					if _, err := WhyNot(b.Context(), m.builder, s, q.query, q.tool, 0); err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); rounds == 0 || took < least[i] {
						least[i] = took
					}
				}
				rounds++
			}
			sum := time.Duration(0)
			for _, took := range least {
				sum += took
			}
			b.ReportMetric(float64(sum.Microseconds())/1000/float64(len(questions)), "ms/answer")
			b.ReportMetric(float64(slices.Max(least).Microseconds())/1000, "ms/longest")
		})
	}
}
