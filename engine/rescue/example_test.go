package rescue_test

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine/rescue"
)

// A long result of an MCP tool is rescued: the model gets a handle with an
// excerpt, and the id under which the rest is kept.
func Example() {
	result := []byte(strings.Repeat("all is well\n", 2000) + "error: the pump failed\n")
	limits := config.Default().Rescue
	limits.ExcerptMaxChars, limits.HeadLines, limits.TailLines = 700, 2, 1

	decision := rescue.Decide(nil, limits, "mcp_pump_log", utf8.RuneCount(result))
	fmt.Println(decision)

	preview, err := rescue.Handle(result, rescue.Meta{
		ID: strings.Repeat("0123456789abcdef", 4), Tool: "mcp_pump_log", Kind: rescue.Detect(result),
		Bytes: int64(len(result)), Chars: utf8.RuneCount(result), Lines: rescue.CountLines(result),
	}, limits)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range preview.Lines {
		if line.Kind != rescue.LineOurs {
			fmt.Println(line.Text)
		}
	}
	// Output:
	// rescued: 24023 characters are more than 12000, and "mcp_pump_log" is in no registry and is named like an MCP tool
	// 1| all is well
	// 2| all is well
	// [left out here: lines 3 to 2000, 23976 characters]
	// 2001| error: the pump failed
}
