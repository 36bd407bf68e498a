// The tool search of a package of npm, asked in process.
//
// Usage, in a folder with the packages: node packages.mjs HOST REGISTRY QUERIES OUT
// HOST is ai-sdk, mastra or pi; the files are those of agent.py. pi is told the server as a namespace of its name alone.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [host, registry, queriesFile, out] = process.argv.slice(2);
const here = createRequire(path.resolve('package.json'));
const from = async file => import(pathToFileURL(file).href);
const tools = JSON.parse(fs.readFileSync(registry)).tools.map(({ server, function: f }) =>
  ({ server, name: f.name, description: f.description ?? '', parameters: f.parameters ?? { type: 'object' } }));

const hosts = {
  async 'ai-sdk'() {
    const { generateText, toolSearch, tool, jsonSchema } = await from(here.resolve('ai'));
    const { MockLanguageModelV4 } = await from(here.resolve('ai/test'));
    const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
    return async query => {
      const set = Object.fromEntries(tools.map(t => [t.name, tool({ description: t.description, inputSchema: jsonSchema(t.parameters), deferLoading: true, execute: async () => '' })]));
      const content = [{ type: 'tool-call', toolCallId: '1', toolName: 'find', input: JSON.stringify({ query }) }];
      const model = new MockLanguageModelV4({ doGenerate: async () => ({ content, finishReason: { unified: 'tool-calls', raw: '' }, usage, warnings: [] }) });
      const { toolResults } = await generateText({ model, tools: { find: toolSearch(), ...set }, prompt: 'go' });
      return toolResults[0].output.tools.map(t => t.name);
    };
  },
  async mastra() {
    const { ToolSearchProcessor } = await from(here.resolve('@mastra/core/processors'));
    const { createTool } = await from(here.resolve('@mastra/core/tools'));
    const { z } = await from(here.resolve('zod'));
    const set = Object.fromEntries(tools.map(t => [t.name, createTool({ id: t.name, description: t.description, inputSchema: z.object({}), execute: async () => '' })]));
    const step = await new ToolSearchProcessor({ tools: set, ttl: 0 }).processInputStep({ tools: {}, messageList: { addSystem() {} }, messages: [] });
    return async query => (await step.tools.search_tools.execute({ query }, {})).results.map(t => t.name);
  },
  async pi() {
    const pi = await from(path.resolve('node_modules/@earendil-works/pi-coding-agent/dist/extensions/tool-search/tool.js'));
    return async query => {
      const known = { getActiveTools: () => [], setActiveTools() {}, getAllTools: () => tools.map(t => ({ ...t, exposure: 'deferred', namespace: { name: t.server } })) };
      return (await pi.createToolSearchToolDefinition({ tools: known }).execute('1', { query })).details.loaded;
    };
  },
};

const ask = await hosts[host]();
const queries = [];
for (const query of JSON.parse(fs.readFileSync(queriesFile))) queries.push({ query, ranking: await ask(query).catch(() => []) }); // pi refuses a query of blanks
fs.writeFileSync(out, JSON.stringify({ host, queries }));
