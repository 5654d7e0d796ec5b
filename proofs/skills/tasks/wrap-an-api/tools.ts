// Task: "Wrap our issue tracker: read an issue, list all of them, open a new one. TRACKER_URL and TRACKER_TOKEN are set."
import { defineTool, fail } from 'toolpact';
import { z } from 'zod';

const Issue = z.object({ id: z.number(), title: z.string() });

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const { TRACKER_URL, TRACKER_TOKEN } = process.env;
  if (TRACKER_URL === undefined || TRACKER_TOKEN === undefined) throw fail('not_configured', 'Set TRACKER_URL and TRACKER_TOKEN.');
  const response = await fetch(`${TRACKER_URL}${path}`, { ...init, headers: { authorization: `Bearer ${TRACKER_TOKEN}` } });
  if (!response.ok) throw response;
  return response.json();
}

export const readIssue = defineTool({
  name: 'read_issue',
  description: 'Returns one issue.',
  input: z.object({ id: z.number().int().positive().describe('The number of the issue, for example 1.') }),
  output: Issue,
  effects: 'none',
  examples: [{ input: { id: 1 } }],
  run: async ({ id }, { signal }) => Issue.parse(await ask(`/issues/${id}`, { signal })),
});

export const listIssues = defineTool({
  name: 'list_issues',
  description: 'Lists all issues.',
  output: z.object({ issues: z.array(Issue) }),
  effects: 'none',
  run: async (_input, { signal }) => ({ issues: z.array(Issue).parse(await ask('/issues', { signal })) }),
});

export const openIssue = defineTool({
  name: 'open_issue',
  description: 'Opens an issue.',
  input: z.object({ title: z.string().min(1).describe('One line, for example "The door squeaks".') }),
  output: Issue,
  effects: 'writes',
  examples: [{ input: { title: 'The door squeaks' } }],
  run: async ({ title }, { signal }) => Issue.parse(await ask('/issues', { method: 'POST', body: JSON.stringify({ title }), signal })),
});
