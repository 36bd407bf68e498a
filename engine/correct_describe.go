package engine

// A batch of tool_describe can be answered in part. Each name that is not described
// then has a correction of its own.

// NameCorrection is the remedy for one name of a batch.
type NameCorrection struct {
	Name string `json:"name"` // as the model sent it
	Correction
}

// correctName returns the call to send in place of a tool_describe of one name: the name of the
// tool that is meant, else a search. It is nil when neither gets through, and for a tool
// whose parameters are in the list of tools: who wants to read runs nothing.
func (s *Snapshot) correctName(name string) *Correction {
	t := s.meantBy(name)
	if t == nil {
		if like := s.Suggest(name); len(like) > 0 {
			t = s.meantBy(like[0])
		}
	}
	c := s.correctSearch(name)
	switch {
	case t != nil && s.Status(t) == Deferred:
		c = &Correction{CorrectDescribe, s.describing(s.ModelName(t))}
	case t != nil:
		c = nil
	}
	if c == nil || !s.answers(c.Call) {
		return nil
	}
	return c
}

// correctNames adds to an answer the call to send for each name that it does not
// describe, and returns them.
func (s *Snapshot) correctNames(answer *batchDescribeAnswer) []NameCorrection {
	var list []NameCorrection
	for i, name := range answer.Errors.names {
		if c := s.correctName(name); c != nil {
			answer.Errors.values[i].(*Fault).Next = &c.Call // batchDescribe adds nothing else
			list = append(list, NameCorrection{name, *c})
		}
	}
	for _, name := range answer.NotFound {
		if c := s.correctName(name); c != nil {
			answer.Next.add(name, c.Call)
			list = append(list, NameCorrection{name, *c})
		}
	}
	return list
}

// nameCorrections returns the corrections of the names that an answered tool_describe
// does not describe.
func (a *attempt) nameCorrections() []NameCorrection {
	if a.bridge && a.called == ToolDescribe {
		value, _ := a.snapshot.answer(a.called, a.raw)
		if answer, ok := value.(batchDescribeAnswer); ok {
			return a.snapshot.correctNames(&answer)
		}
	}
	return nil
}
