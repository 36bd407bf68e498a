package sides_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"caliper/tui/cli"
	"caliper/tui/cli/runner"
	"caliper/tui/sides"
)

// TestMain lends the commands to the tests of the package, which cannot import them: they
// import the app, and that the package.
func TestMain(m *testing.M) {
	sides.Commands = func(args ...string) (code int, out []byte, complaints string) {
		var o, e bytes.Buffer
		code = cli.Main(context.Background(), args, strings.NewReader(""), &o, &e, runner.Env{})
		return code, o.Bytes(), e.String()
	}
	os.Exit(m.Run())
}
