// A foreign MCP server over stdio, without a library.
import { createInterface } from 'node:readline';

const files = { 'a.txt': 'Apples' };
const string = { type: 'string' };
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: string }, required: ['path'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'delete_file',
    description: 'Deletes a file.',
    inputSchema: { type: 'object', properties: { path: string }, required: ['path'] },
  },
  { name: 'format_disk', description: 'Formats the disk.', inputSchema: { type: 'object', properties: {} } },
];
const answer = ({ method, params }) => {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'files', version: '1.0.0' } };
  if (method === 'tools/list') return { tools };
  if (method === 'tools/call') {
    if (params.name === 'read_file') return { content: [{ type: 'text', text: files[params.arguments.path] ?? 'none' }] };
    return { content: [{ type: 'text', text: `${params.name} done` }] };
  }
  return {};
};
for await (const line of createInterface({ input: process.stdin })) {
  const m = JSON.parse(line);
  if (m.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: answer(m) }));
}
