// Package live asks running MCP servers for their tools. Most tool definitions
// exist only inside such servers, so this is how they become a registry dump.
//
// It reads the configuration files of MCP clients, starts or connects to the
// servers that its caller names, lists their tools byte for byte as they were
// sent, and writes a registry dump of them.
//
// Goals: nothing but initialize and tools/list is ever sent; a child and its
// process group are ended on every path, and on Linux what left that group
// too; the values of environment variables and headers, and the user
// information of addresses, reach the server and nothing else; every wait and
// every size has a bound.
//
// Non-goals: calling tools, reading resources or prompts, OAuth, and keeping a
// connection for an agent. It reads neither the environment nor files: both
// are handed in.
package live
