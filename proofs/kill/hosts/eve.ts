import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type KillHost, question } from '../host.ts';
import { offerClerk } from '../offer-clerk.ts';

const app = fileURLToPath(new URL('../eve-app/', import.meta.url));
const server = join(app, '.output/server/index.mjs');

/** Its version of Workflow waits 860 s before it takes over the step of another process. */
const stepLeaseSeconds = 10;

/** How long it may take to store a step that has ended. */
const storeMs = 1000;

/** An agent of eve: `eve-app` is built once, and its server runs in each process. */
export const host: KillHost = {
  title: 'eve, local world',
  mode: 'Tools in `agent/tools`, built by `eve build`; its server takes up active sessions when it is started again, and an approval is answered with `inputResponses`. The lease on a step that was interrupted is 10 s in place of 860 s.',
  documentation: 'https://github.com/vercel/eve/blob/main/docs/concepts/execution-model-and-durability.mdx',
  packages: ['eve'],
  folder: 'eve-app',
  key: 'the ids of the session and the turn, as its page on approvals for several tenants shows',
  asks: true,
  async run(life) {
    const { number, folder, port, isApproved, approvalAsked } = life;
    if (isStale()) build();
    const { promise: idIsKept, resolve: keepId } = Promise.withResolvers<void>();
    void offerClerk(life, idIsKept);
    process.env.PORT = String(port);
    process.env.HOST = '127.0.0.1';
    process.env.EVE_TELEMETRY_DISABLED = '1';
    process.env.WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS = String(stepLeaseSeconds);
    // Where it keeps its sessions.
    process.chdir(folder);
    await import(pathToFileURL(server).href);

    const origin = `http://127.0.0.1:${port}/eve/v1`;
    await untilReady(origin);
    const file = join(folder, 'session-id');
    if (number === 1) {
      const { sessionId } = await post<{ readonly sessionId: string }>(`${origin}/session`, { message: question });
      writeFileSync(file, sessionId);
    }
    keepId();
    const session = `${origin}/session/${readFileSync(file, 'utf8')}`;
    const answered = join(folder, 'answered');
    let answer = '';
    let requests: SessionEvent['data']['requests'] = [];
    for await (const { type, data } of eventsOf(`${session}/stream`)) {
      if (type === 'message.completed') answer = data.message ?? answer;
      if (type === 'turn.failed' || type === 'session.failed') throw new Error(data.message ?? type);
      if (type === 'turn.completed') return answer;
      if (type === 'input.requested') requests = data.requests;
      if (type !== 'turn.waiting' || data.on !== 'input') continue;
      if (!isApproved) {
        // The stream tells of it before the step is stored.
        await sleep(storeMs);
        await approvalAsked();
        return undefined;
      }
      if (existsSync(answered)) continue;
      writeFileSync(answered, '');
      await post(session, { inputResponses: requests?.map(({ requestId }) => ({ requestId, optionId: 'approve' })) });
    }
    throw new Error('the stream of the session ended');
  },
};

interface SessionEvent {
  readonly type: string;
  readonly data: {
    readonly message?: string;
    readonly requests?: readonly { readonly requestId: string }[];
    readonly on?: string;
  };
}

function isStale(): boolean {
  if (!existsSync(server)) return true;
  const files = readdirSync(join(app, 'agent'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return files.some((file) => statSync(join(app, 'agent', file)).mtimeMs > statSync(server).mtimeMs);
}

function build(): void {
  const eve = join(app, 'node_modules/eve/bin/eve.js');
  execFileSync(process.execPath, [eve, 'build'], { cwd: app, env: { ...process.env, EVE_TELEMETRY_DISABLED: '1' }, stdio: 'pipe' });
}

async function untilReady(origin: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${origin}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
}

async function post<TAnswer>(url: string, body: object): Promise<TAnswer> {
  for (;;) {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (response.ok) return (await response.json()) as TAnswer;
    // A session that has just begun, or is taken up again, is not ready to hear anything.
    if (response.status !== 409) throw new Error(`eve answered ${response.status}: ${await response.text()}`);
    await sleep(100);
  }
}

/** Reads the stream of a session from its beginning; what a process wrote before it died is in it too. */
async function* eventsOf(url: string): AsyncGenerator<SessionEvent> {
  const { body } = await fetch(url);
  let text = '';
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as SessionEvent;
  }
}
