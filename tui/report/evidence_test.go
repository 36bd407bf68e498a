package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"caliper/engine"
)

const evidenceRegistry = `{"tools":[
{"type":"function","function":{"name":"mcp_a_one"},"toolset":"mcp-a"},
{"type":"function","function":{"name":"mcp_a_two"},"toolset":"mcp-a"},
{"type":"function","function":{"name":"mcp_b_three"},"toolset":"mcp-b"}]}`

// The evidence names every denied call once with its gate and reason, the files with
// their hashes, and is the same each time.
func TestEvidence(t *testing.T) {
	t.Parallel()
	c := on(t, evidenceRegistry, "", "").Case
	c.ConfigName, c.ConfigData = "/home/x/config.yaml", []byte("sessions: {}\n")
	tools := c.Snapshot.Registry.Tools
	session := engine.SessionAudit{Name: "a|`b", Violations: []engine.Violation{{Tool: tools[0].Qualified, Path: engine.PathCall}}}
	for _, tool := range tools[1:] {
		session.Denied = append(session.Denied, engine.Denial{Tool: tool.Qualified, Gate: engine.GateScopeCatalog, Code: engine.CodeOutOfScope})
	}
	a := engine.Audit{Sessions: []engine.SessionAudit{session}}
	text, _ := c.Evidence(a).Markdown()
	if again, _ := c.Evidence(a).Markdown(); again != text {
		t.Error("two texts of the same audit differ")
	}
	for _, want := range []string{
		fmt.Sprintf("| `config.yaml` | %x | 13 |", sha256.Sum256(c.ConfigData)), "1 violation\n",
		fmt.Sprintf("Asked for each of %s in each of 1 session", Count(len(tools), "tool")), "scope_catalog | the session is not granted",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	_, denied, _ := strings.Cut(text, "### Denied calls")
	denied, _, _ = strings.Cut(denied, "### Again")
	for _, tool := range tools[1:] {
		if strings.Count(denied, "`"+tool.Qualified+"`") != 1 {
			t.Errorf("%s is named %d times\n%s", tool.Qualified, strings.Count(denied, "`"+tool.Qualified+"`"), denied)
		}
	}
	if bytes.Contains([]byte(text), []byte("/home/x")) {
		t.Error("a path of the machine is told")
	}
}

// Beyond the most that are named, calls are counted.
func TestEvidenceOfManyIsShort(t *testing.T) {
	t.Parallel()
	c := on(t, evidenceRegistry, "", "").Case
	session := engine.SessionAudit{Name: "s"}
	for i := range 5 * mostDenied {
		session.Denied = append(session.Denied, engine.Denial{Tool: fmt.Sprintf("tool_%05d", i), Gate: "policy", Code: engine.CodeDenied})
	}
	text, _ := c.Evidence(engine.Audit{Sessions: []engine.SessionAudit{session}}).Markdown()
	if n := strings.Count(text, "`tool_0"); n != mostDenied || len(text) > 60_000 || !strings.Contains(text, "| 4000 |") {
		t.Errorf("%d calls are named in %d bytes", n, len(text))
	}
}
