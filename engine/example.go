package engine

import (
	"caliper/engine/arguments"
	"caliper/model"
)

// ArgumentsExample returns arguments to start from: the tool's required
// parameters with a value of the right type each, as one line of JSON.
func ArgumentsExample(t *model.Tool) string {
	return string(arguments.Skeleton(t.Parameters))
}
