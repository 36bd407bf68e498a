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
	"caliper/tui/cli/runner"
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
