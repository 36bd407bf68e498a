// One client of MCP: node clients.mjs KIND TOOL ARGUMENTS TARGET. TARGET is JSON, {"command","args"} or
// {"url","token"}. It prints how many tools the client has, and the text of the call's answer.
const [kind, tool, args, target] = [process.argv[2], process.argv[3], JSON.parse(process.argv[4]), JSON.parse(process.argv[5])];
const headers = { Authorization: "Bearer " + target.token };
const texts = (content) => (content ?? []).filter((c) => c.type === "text").map((c) => c.text).join("");
const kinds = {
  async "@modelcontextprotocol/sdk"() {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const transport = target.url
      ? new (await import("@modelcontextprotocol/sdk/client/streamableHttp.js")).StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } })
      : new (await import("@modelcontextprotocol/sdk/client/stdio.js")).StdioClientTransport(target);
    return sdk(new Client({ name: "agent", version: "1" }), transport);
  },
  async "@modelcontextprotocol/client"() { return second({ mode: "auto" }); },
  async "@modelcontextprotocol/client, 2025-11-25"() { return second(undefined); },
  async "@ai-sdk/mcp"() {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    const transport = target.url ? { type: "http", url: target.url, headers } : new (await import("@ai-sdk/mcp/mcp-stdio")).Experimental_StdioMCPTransport(target);
    const client = await createMCPClient({ transport });
    const tools = await client.tools();
    const result = await tools[tool].execute(args, { toolCallId: "1", messages: [] }); // its close never settles
    return [Object.keys(tools).length, texts(result.content)];
  },
  async "@langchain/mcp-adapters"() {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    const server = target.url ? { transport: "http", url: target.url, headers } : { transport: "stdio", ...target };
    const client = new MultiServerMCPClient({ mcpServers: { caliper: server }, onConnectionError: "throw", throwOnLoadError: true });
    const tools = await client.getTools();
    const result = await tools.find((t) => t.name === tool).invoke(args);
    await client.close();
    return [tools.length, typeof result === "string" ? result : JSON.stringify(result)];
  },
  async "@openai/agents-core"() {
    const agents = await import("@openai/agents-core");
    const server = target.url
      ? new agents.MCPServerStreamableHttp({ url: target.url, requestInit: { headers } })
      : new agents.MCPServerStdio(target);
    await server.connect();
    const tools = await agents.getAllMcpTools([server]);
    const content = await server.callTool(tool, args);
    await server.close();
    return [tools.length, texts(content)];
  },
};
async function second(mode) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const transport = target.url ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } })
    : new (await import("@modelcontextprotocol/client/stdio")).StdioClientTransport(target);
  return sdk(new Client({ name: "agent", version: "1" }, mode ? { versionNegotiation: mode } : {}), transport);
}
async function sdk(client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: tool, arguments: args });
  await client.close();
  return [tools.length, texts(result.content)];
}
const [count, text] = await kinds[kind]();
console.log("tools " + count + "\n" + text);
process.exit(0);
