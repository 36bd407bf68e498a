package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
	"caliper/model/safetext"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
	"caliper/watch"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "out.json")
	for _, text := range []string{"first, which is long", "second", "second", ""} {
		require.NoError(t, new(runner.Run).WriteFile(name, []byte(text)))
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	if err := new(runner.Run).WriteFile(dir, nil); err == nil || !strings.HasSuffix(err.Error(), "is a directory") {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if err := new(runner.Run).WriteFile("/dev/null", []byte("gone")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
			t.Error("a device is replaced")
		}
	}
}

// TestWriteOwnFile: the user alone may read the file, whatever its mode was before.
func TestWriteOwnFile(t *testing.T) {
	t.Parallel()
	if os.PathSeparator != '/' {
		t.Skip("modes are those of Unix")
	}
	for _, before := range []os.FileMode{0, 0o644, 0o664, 0o600, 0o400} { // 0: there is none
		name := filepath.Join(t.TempDir(), "out.json")
		if before != 0 {
			require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
			require.NoError(t, os.Chmod(name, before))
		}
		err := new(runner.Run).WriteOwnFile(name, []byte("new"))
		info, statErr := os.Stat(name)
		if statErr != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v became %v, %v", before, info.Mode(), statErr)
		}
		if before != 0o400 && err != nil { // which root may write, and others may not
			t.Errorf("%v: %v", before, err)
		}
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if err := new(runner.Run).WriteOwnFile("/dev/null", nil); err != nil {
			t.Error(err)
		}
	}
}

var slow = flag.Bool("slow", false, "run the slow suites: a browser, and the vendors' types, which npm downloads")

// The types of the vendors' SDKs that an export must have. Google's SDK has an enum for
// the names of types, and writes 64-bit numbers as strings; its service takes a number,
// and the literal that an enum stands for.
const vendorTypes = `import type { ChatCompletionTool } from "openai/resources/chat/completions";
import type { Tool as AnthropicTool } from "@anthropic-ai/sdk/resources/messages";
import type { Tool as GeminiTool } from "@google/genai";
import type { ToolConfiguration } from "@aws-sdk/client-bedrock-runtime";
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
type Whole = "maxItems" | "minItems" | "maxLength" | "minLength" | "maxProperties" | "minProperties";
type Written<T> = T extends string ? ` + "`${T}`" + ` : T extends (infer U)[] ? Written<U>[]
	: T extends object ? { [K in keyof T]: K extends Whole ? number | string : Written<T[K]> } : T;
`

// TestExportsHaveTheTypesOfTheVendors: the exported demo compiles as a value of
// the type that the vendor's own SDK gives the tools of a request.
func TestExportsHaveTheTypesOfTheVendors(t *testing.T) {
	if !*slow {
		t.Skip("needs -slow")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	program := bytes.NewBufferString(vendorTypes)
	for _, of := range []struct{ shape, vendor string }{
		{"openai", "ChatCompletionTool[]"},
		{"anthropic", "AnthropicTool[]"},
		{"gemini", "Written<GeminiTool[]>"},
		{"bedrock", "{ toolConfig: ToolConfiguration }"},
		{"mcp", "ListToolsResult"},
	} {
		code, out, complaints := commandIn(t, runner.Env{}, "", "export", "--demo", "--shape", of.shape)
		if code != 0 {
			t.Fatalf("%s: exit code %d, %s", of.shape, code, complaints)
		}
		fmt.Fprintf(program, "export const %s: %s = %s;\n", of.shape, of.vendor, out)
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "check.ts"), program.Bytes(), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "openai@6", "@anthropic-ai/sdk@1",
		"@google/genai@2", "@aws-sdk/client-bedrock-runtime@3", "@modelcontextprotocol/sdk@1", "typescript@7")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm's registry: %v: %.300s", err, out)
	}
	compile := exec.CommandContext(ctx, filepath.Join(folder, "node_modules", ".bin", "tsc"), "--noEmit", "--strict", "--skipLibCheck",
		"--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "check.ts")
	compile.Dir = folder
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v: %.3000s", err, out)
	}
}

func TestRegistryFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.json": true, "a.JSON": true, "a.jsonl": true, "a.txt": true, "a.json.bak": false, "a.yaml": true, "a.YML": true, "a.ndjson": true, "a.csv": false,
		".a.json": false, ".a.yaml": false, "json": false, ".json": false, "..data": false,
	} {
		if got := workbench.RegistryFile(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Most YAML is about something else than tools, and lies beside them.
func TestOtherYAML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		want       bool
	}{
		{"api.yaml", "openapi: 3.0.0\npaths: {}\n", false},
		{"list.yaml", "- name: dock\n  description: Docks.\n  inputSchema: {type: object}\n", false},
		{"tools.yml", "tools:\n- name: dock\n  parameters: {type: object}\n", false},
		{"tools.YAML", "{\"tools\": []}", false},
		{"broken.yaml", "tools:\n- name: [dock\n", false},
		{"tools.json", "name: ci\n", false},
		{"config.yaml", "platform_toolsets:\n  cli: [a]\ntools:\n  tool_search:\n    enabled: auto\n", true},
		{"servers.yaml", "tools: {}\nmcp_servers:\n  a: {command: x}\n", true},
		{"ci.yaml", "name: ci\non: push\n", true},
		{"hosts.yaml", "- hosts: all\n  tasks: []\n", true},
	} {
		if got := workbench.OtherYAML(watch.File{Name: c.name, Data: []byte(c.data)}); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if workbench.OtherYAML(watch.File{Name: "tools.yaml", Err: os.ErrPermission}) {
		t.Error("a file that cannot be read is passed over, and nobody is told")
	}
}

// Files that the explorer makes stand beside the registry, and not in it.
func TestBeside(t *testing.T) {
	for _, tt := range []struct {
		registry []string
		config   string
		want     string
	}{
		{[]string{"a/r.json", "b/s.json"}, "c/config.yaml", "a/x"},
		{[]string{"a/dumps/"}, "", "a/x"},
		{nil, "c/config.yaml", "c/x"},
		{nil, "", ""},
	} {
		if got := beside(tui.Options{Registry: tt.registry, Config: tt.config}, "x"); got != filepath.FromSlash(tt.want) {
			t.Errorf("%v, %q: %q, want %q", tt.registry, tt.config, got, tt.want)
		}
	}
}

// JSON shows a terminal nothing that text would mask, and is the same value as
// elsewhere, where harmless text stays as it is.
func TestJSONOnATerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	registry := filepath.Join(folder, "r.json")
	const hostile = "A\ue000 private\u0378 zalgo" + "\u0301\u0301\u0301\u0301\u0301\u0301 text"
	dump := `[{"type":"function","function":{"name":"hostile","description":"` + hostile + `","parameters":{"type":"object","properties":{"` + hostile + `":{"type":"string"}}}}}]`
	require.NoError(t, os.WriteFile(registry, []byte(dump), 0o600))
	for _, args := range [][]string{
		{"assembly", "--json"}, {"describe", "hostile", "--json"}, {"search", "zalgo", "--json"},
		{"select", "zalgo", "--bytes"}, {"export", "--shape", "openai"}, {"lint", "--json"},
	} {
		args = append(args, "--registry", registry)
		_, plain, _ := commandIn(t, runner.Env{}, "", args...)
		_, out, complaints := commandIn(t, runner.Env{StdoutTerminal: true, Width: 80}, "", args...)
		if clean := safetext.Lines(out); out == "" || clean != out {
			t.Errorf("%q: %s%s", args, out, complaints)
		}
		if string(safetext.EscapeMasked([]byte(plain))) != out {
			t.Errorf("%q differs: %s, and elsewhere %s", args, out, plain)
		}
	}
	_, out, complaints := commandIn(t, runner.Env{StdoutTerminal: true, Width: 80}, "", "import", registry)
	if clean := safetext.Lines(out); out == "" || clean != out {
		t.Errorf("import: %s%s", out, complaints)
	}
}
