package connect

import (
	"context"
	"time"

	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/serving"
)

// sender returns what sends events to the collector of --otlp; nil without the flag.
func (s *Server) sender() (*serving.SpanSender, error) {
	if s.otlp == "" {
		return nil, nil
	}
	r := s.Run
	o := serving.SpanOptions{URL: s.otlp, Version: runner.Built().Program, Fault: func(err error) { s.Tell("caliper: spans are lost: " + err.Error()) }}
	if r.Env.Lookup != nil {
		o.Headers, _ = r.Env.Lookup("OTEL_EXPORTER_OTLP_HEADERS")
	}
	return serving.NewSender(o)
}

// sendingLast is how long the end of serve may take for spans that are not sent yet.
const sendingLast = 2 * time.Second

// endSpans sends what is waiting and says how much was lost. A nil sender has nothing.
func (s *Server) endSpans(sender *serving.SpanSender) {
	if sender == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendingLast)
	defer cancel()
	sender.Stop(ctx)
	if lost, added := sender.Lost(); lost > 0 {
		s.Run.Complain("caliper: " + words.Thousands(int(lost)) + " of " + words.CountThousands(int(added), "span") + " were lost")
	}
}
