import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createToolbox, toModelText } from 'toolpact';
import { listIssues, openIssue, readIssue } from './tools.ts';

// Stands in for the tracker.
const issues = [{ id: 1, title: 'The door squeaks' }];
const tracker = createServer(async (request, response) => {
  const answer = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.headers.authorization !== 'Bearer secret') return answer(401, { message: 'The token is wrong.' });
  if (request.method === 'POST') {
    const { title } = (await json(request)) as { title: string };
    issues.push({ id: issues.length + 1, title });
    return answer(201, issues.at(-1));
  }
  if (request.url === '/issues') return answer(200, issues);
  const issue = issues.find(({ id }) => request.url === `/issues/${id}`);
  return issue === undefined ? answer(404, { message: 'There is no such issue.' }) : answer(200, issue);
}).listen(0, '127.0.0.1');
await once(tracker, 'listening');
process.env.TRACKER_URL = `http://127.0.0.1:${(tracker.address() as { port: number }).port}`;

const toolbox = createToolbox([readIssue, listIssues, openIssue], { report: () => undefined });
console.log(toModelText(await toolbox.call('list_issues', {})));
process.env.TRACKER_TOKEN = 'stale';
console.log(toModelText(await toolbox.call('list_issues', {})));
process.env.TRACKER_TOKEN = 'secret';
console.log(toModelText(await toolbox.call('read_issue', { id: 9 })));
console.log(toModelText(await toolbox.call('open_issue', { title: 'No tea' })));
console.log(toModelText(await toolbox.call('list_issues', {})));

delete process.env.TRACKER_URL;
delete process.env.TRACKER_TOKEN;
tracker.closeAllConnections();
tracker.close();
