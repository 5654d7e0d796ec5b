// An MCP server, by hand, whose long tools are tasks in the form of 2025-11-25. `finish` ends what runs, `seen` gives the requests that were made.
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const tasks = new Map();
const seen = [];
const asked = new Map();
let nextId = 1;

const tools = [
  { name: 'crawl', description: 'Reads a site.', execution: { taskSupport: 'required' } },
  { name: 'order', description: 'Orders something, once the user has said how many.', execution: { taskSupport: 'required' } },
  { name: 'look', description: 'Looks around.', execution: { taskSupport: 'optional' } },
  { name: 'finish', description: 'Ends what runs.' },
  { name: 'seen', description: 'Gives the requests that were made.' },
  { name: 'silence', description: 'Never answers.' },
];

const shape = ({ taskId, status, statusMessage }) => ({
  ...{ taskId, status, statusMessage, ttl: 60_000, pollInterval: 30_000 },
  ...{ createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' },
});

function change(task, status, statusMessage) {
  Object.assign(task, { status, statusMessage });
  write({ method: 'notifications/tasks/status', params: shape(task) });
}

function begin(name) {
  const task = { taskId: `task-${nextId++}`, status: 'working', statusMessage: 'page 1 of 3' };
  if (name === 'order') task.status = 'input_required';
  task.ended = new Promise((resolve) => {
    task.end = (status, result) => {
      change(task, status);
      resolve(result);
    };
  });
  tasks.set(task.taskId, task);
  return { task: shape(task) };
}

/** The result of a task comes when it has ended; what it asks goes before. */
async function resultOf(task) {
  if (task.status === 'input_required') {
    const id = `own-${nextId++}`;
    const requestedSchema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } };
    const answer = new Promise((resolve) => asked.set(id, resolve));
    write({ id, method: 'elicitation/create', params: { message: 'How many?', requestedSchema, _meta } });
    task.end('completed', text(JSON.stringify(await answer)));
  }
  return task.ended;
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 'tasks', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })) }),
  'tools/call'({ name, task }) {
    const isLong = name === 'crawl' || name === 'order';
    seen.push(`tools/call ${name}${task === undefined ? '' : ' as a task'}`);
    if (isLong) return task === undefined ? undefined : begin(name);
    if (name === 'look') return task === undefined ? text('nothing here') : begin(name);
    if (name === 'seen') return text(seen.join('\n'));
    if (name === 'silence') return new Promise(() => undefined);
    for (const one of tasks.values()) if (one.status === 'working') one.end('completed', text('three pages'));
    return text('finished');
  },
  'tasks/get': ({ taskId }) => shape(tasks.get(taskId)),
  'tasks/result': ({ taskId }) => resultOf(tasks.get(taskId)),
  'tasks/cancel'({ taskId }) {
    seen.push('tasks/cancel');
    change(tasks.get(taskId), 'cancelled', 'stopped');
    return shape(tasks.get(taskId));
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (method === undefined) asked.get(id)?.(result);
  else if (id !== undefined) void answer(id, method, params);
});

async function answer(id, method, params) {
  const result = await methods[method]?.(params);
  write(result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result });
}
