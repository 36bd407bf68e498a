// Package export writes tool definitions as others take them: the tools of a
// request to OpenAI, Anthropic, Gemini or Bedrock, an MCP tools/list result, or
// a registry dump.
//
// Goals:
//   - nothing goes in silence: what a shape cannot hold, and what its provider
//     would refuse, is told for each tool
//   - what a shape can hold comes back: package model reads the same tools from
//     an export
//   - the order of the tools, the digits of numbers and the order of members
//     stay; the same tools give the same bytes
//
// Non-goals: choosing tools, changing names so that a provider takes them,
// writing files, calling providers.
package export
