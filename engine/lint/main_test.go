package lint

import (
	"os"
	"testing"

	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }
