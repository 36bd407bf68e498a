package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"caliper/engine"
)

// argumentsFrom returns the arguments of a call as the model would have sent
// them: from the text itself, from a file named after @, or with - from
// standard input.
func (r *run) argumentsFrom(text string) (json.RawMessage, error) {
	if text == "-" {
		data, err := io.ReadAll(r.in)
		if err != nil {
			return nil, fmt.Errorf("reading arguments: %w", err)
		}
		return engine.ArgumentsOf(string(data)), nil
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		f := readFile(name)
		if f.Err != nil {
			return nil, inputError(name, innermost(f.Err).Error())
		}
		return engine.ArgumentsOf(string(f.Data)), nil
	}
	return engine.ArgumentsOf(text), nil
}
