import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, createWorker, defineTool, fail, type Outcome, type StepRunContext } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTerminal } from '../../cli/src/print/terminal.ts';
import { runCli } from '../../cli/src/run-cli.ts';
import { builtEntry } from '../../cli/test/load-sources.ts';
import { folderWith, toolpact } from '../../cli/test/run-toolpact.ts';
import { onRestate, restateEndpoint } from '../src/index.ts';
import { cutOnce } from './cut-once.ts';
import { serveWorker, startTestRestate, type TestRestate, type Worker } from './with-restate.ts';

type Run = (ctx: StepRunContext, id: string) => unknown;

let restate: TestRestate;
let worker: Worker;
const runs = new Map<string, Run>();
const input = z.object({ id: z.string(), how: z.string() });
const definition = {
  description: 'Orders.',
  input,
  steps: true,
  run: ({ id, how }: z.infer<typeof input>, ctx: StepRunContext) => runs.get(how)?.(ctx, id) as Promise<string>,
} as const;
const order = defineTool({ ...definition, name: 'order' });
const keyed = defineTool({ ...definition, name: 'keyed', idempotency: { key: ({ id }) => id } });
const asked = defineTool({ ...definition, name: 'asked', approval: true });

const open = (store: Store = memoryStore()) =>
  createToolbox([order, keyed, asked], { store, use: [onRestate({ ingress: restate.ingress })], report: () => undefined });
let toolbox: ReturnType<typeof open>;

beforeAll(async () => {
  restate = await startTestRestate();
  toolbox = open();
  worker = await serveWorker(restateEndpoint(toolbox, { log: () => undefined }));
  await restate.register(worker.uri);
});
afterAll(async () => {
  worker.close();
  await restate.remove();
});

const errorOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error : expect.unreachable(JSON.stringify(outcome)));
const handleOf = (outcome: Outcome) =>
  outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable(JSON.stringify(outcome));
const closed = () => {
  throw fail('upstream', 'The post is closed.', { effect: 'none' });
};

/** Runs a command in this process, loaded by vitest, which finds the packages of Restate; gives what it wrote. */
async function cli(...words: string[]) {
  const [out, said] = [[] as string[], [] as string[]];
  const terminal = createTerminal(words, {
    stdout: new Writable({ write: (chunk: Uint8Array, _, done) => done(void out.push(String(chunk))) }),
    say: (text) => void said.push(text),
    stdin: Readable.from([]),
    env: {},
    cwd: folderWith({}),
    signals: new EventEmitter(),
    exit: () => undefined,
    isTTY: { stdout: false, stderr: false },
  });
  await runCli(words, terminal, 'test');
  return { out: out.join(''), said: said.join('') };
}

/** A tool of three steps of three kinds, whose last one fails while `isClosed`. */
function threeSteps(how: string) {
  const done: string[] = [];
  const state = { isClosed: true, found: undefined as object | undefined };
  runs.set(how, async ({ step }) => {
    const price = await step('price', () => done.push('price'), { effects: 'none' });
    const paid = await step(
      'charge',
      (key) => {
        done.push('charge');
        return key;
      },
      { reconcile: () => state.found as never },
    );
    await step('ship', () => (state.isClosed ? closed() : done.push('ship')), { effects: 'idempotent' });
    return `${price} ${paid}`;
  });
  return { done, state };
}

test.each([{ from: 'ship' }, {}])('runs a failed call again from %j on, and keeps the steps before', async (from) => {
  const how = `three ${from.from}`;
  const { done, state } = threeSteps(how);
  const id = crypto.randomUUID();
  expect(errorOf(await toolbox.call('order', { id: 'a', how }, { invocationId: id }))).toMatchObject({
    kind: 'upstream',
    effect: 'applied',
  });
  state.isClosed = false;
  const again = await toolbox.calls.rerun(id, from);
  expect(again).toMatchObject({ status: 'ok', data: `1 order/${id}/charge` });
  expect(done).toEqual(['price', 'charge', 'ship']);
  expect(await toolbox.calls.get(again.meta.invocationId ?? '')).toMatchObject({ rerunOf: id, status: 'ok' });
  expect(errorOf(await toolbox.calls.rerun(id))).toMatchObject({ kind: 'conflict', message: expect.stringContaining('has succeeded') });
});

test('does not repeat what writes: `reconcile` says what became of it, or the rerun ends as interrupted', async () => {
  const { done, state } = threeSteps('earlier');
  const id = crypto.randomUUID();
  await toolbox.call('order', { id: 'a', how: 'earlier' }, { invocationId: id });
  state.isClosed = false;
  expect(errorOf(await toolbox.calls.rerun(id, { from: 'price' }))).toMatchObject({
    kind: 'interrupted',
    effect: 'applied',
    retryable: false,
    details: { step: 'charge' },
  });
  expect(done).toEqual(['price', 'charge', 'price']);
  state.found = { effect: 'applied', data: 'found' };
  expect(await toolbox.calls.rerun(id, { from: 'charge' })).toMatchObject({ status: 'ok', data: '3 found' });
  expect(done).toEqual(['price', 'charge', 'price', 'ship']);
});

test('does not repeat a step whose effect is unknown', async () => {
  const done: string[] = [];
  runs.set('breaks', async ({ step }) => {
    await step('charge', () => {
      done.push('charge');
      throw new Error('It broke off.');
    });
  });
  const id = crypto.randomUUID();
  expect(errorOf(await toolbox.call('order', { id: 'a', how: 'breaks' }, { invocationId: id }))).toMatchObject({ effect: 'unknown' });
  for (const from of [{}, { from: 'charge' }])
    expect(errorOf(await toolbox.calls.rerun(id, from))).toMatchObject({ kind: 'interrupted', effect: 'unknown' });
  expect(done).toEqual(['charge']);
});

test('refuses a step that the call does not have and a call of another tenant, and goes on with one that failed elsewhere', async () => {
  const { done, state } = threeSteps('names');
  const id = crypto.randomUUID();
  await toolbox.call('order', { id: 'a', how: 'names' }, { invocationId: id });
  state.isClosed = false;
  expect(errorOf(await toolbox.calls.rerun(id, { from: 'shop' }))).toMatchObject({
    kind: 'invalid_input',
    effect: 'none',
    message: 'The call has no step "shop". Its steps are "price", "charge", "ship".',
  });
  expect(errorOf(await toolbox.with({ tenantId: 'acme' }).calls.rerun(id))).toMatchObject({ kind: 'not_found' });
  expect(done).toEqual(['price', 'charge']);
  expect(await toolbox.calls.rerun(id, { from: 'ship' })).toMatchObject({ status: 'ok' });
  // A call that failed in a process goes on on the engine, with the steps that the store has.
  const store = memoryStore();
  const elsewhere = createToolbox([order], { store, report: () => undefined });
  state.isClosed = true;
  await elsewhere.call('order', { id: 'a', how: 'names' }, { invocationId: `${id}-2` });
  state.isClosed = false;
  done.length = 0;
  expect(await open(store).calls.rerun(`${id}-2`)).toMatchObject({ status: 'ok' });
  expect(done).toEqual(['ship']);
});

test('keeps its key: later calls with it get the end of the rerun', async () => {
  const done: string[] = [];
  const state = { isClosed: true };
  runs.set('key', async ({ step }) => {
    await step('charge', () => done.push('charge'));
    return step('note', () => (state.isClosed ? Promise.reject(fail('internal', 'No.', { effect: 'none' })) : 'noted'), {
      effects: 'none',
    });
  });
  const id = crypto.randomUUID();
  const first = await toolbox.call('keyed', { id, how: 'key' }, { invocationId: id });
  expect(errorOf(first)).toMatchObject({ kind: 'internal', effect: 'applied', retryable: false });
  state.isClosed = false;
  expect(await toolbox.call('keyed', { id, how: 'key' })).toMatchObject({ status: 'error', meta: { replayed: true } });
  expect(await toolbox.calls.rerun(id)).toMatchObject({ status: 'ok', data: 'noted' });
  expect(await toolbox.call('keyed', { id, how: 'key' })).toMatchObject({ status: 'ok', meta: { replayed: true } });
  expect(done).toEqual(['charge']);
});

test('happens once, however many ask for it at once', async () => {
  const { done, state } = threeSteps('once');
  const store = memoryStore();
  const boxes = [open(store), open(store)];
  const id = crypto.randomUUID();
  await boxes[0]?.call('order', { id: 'a', how: 'once' }, { invocationId: id });
  state.isClosed = false;
  const outcomes = await Promise.all([...boxes, ...boxes].map((box) => box.calls.rerun(id)));
  expect(outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status)).sort()).toEqual([
    'conflict',
    'conflict',
    'conflict',
    'ok',
  ]);
  expect(done).toEqual(['price', 'charge', 'ship']);
});

test('keeps answers that were given before the step, and asks again what comes after it', async () => {
  const state = { isClosed: true };
  runs.set('asks', async ({ step, waitFor }) => {
    const first = await waitFor('first', z.string());
    await step('one', () => 1, { effects: 'none' });
    const second = await waitFor('second', z.string());
    await step('two', () => (state.isClosed ? closed() : 2));
    return `${first} ${second}`;
  });
  const id = crypto.randomUUID();
  const handle = handleOf(await toolbox.call('order', { id: 'a', how: 'asks' }, { invocationId: id }));
  expect(errorOf(await toolbox.calls.rerun(id))).toMatchObject({ kind: 'conflict' });
  const second = await toolbox.calls.settle(handle, 'a');
  expect(second).toMatchObject({ status: 'pending', pending: { handle, ask: { message: 'second' } } });
  expect(errorOf(await toolbox.calls.settle(handle, 'b'))).toMatchObject({ kind: 'upstream' });
  state.isClosed = false;
  const again = handleOf(await toolbox.calls.rerun(id, { from: 'one' }));
  expect(again).not.toBe(handle);
  expect(await toolbox.calls.wait(again, { timeoutMs: 0 })).toMatchObject({ pending: { ask: { message: 'second' } } });
  expect(await toolbox.calls.settle(again, 'c')).toMatchObject({ status: 'ok', data: 'a c' });
});

test('asks again for the approval of a call that is run again, and does not run one that was denied', async () => {
  const { done, state } = threeSteps('allowed');
  const id = crypto.randomUUID();
  const call = () => toolbox.call('asked', { id: 'a', how: 'allowed' }, { invocationId: id });
  await toolbox.approvals.decide(handleOf(await call()), 'approve');
  expect(errorOf(await call())).toMatchObject({ kind: 'upstream' });
  state.isClosed = false;
  const denied = handleOf(await toolbox.calls.rerun(id));
  await toolbox.approvals.decide(denied, 'deny');
  expect(errorOf(await toolbox.calls.wait(denied))).toMatchObject({ kind: 'denied', effect: 'none' });
  expect(done).toEqual(['price', 'charge']);
  const again = handleOf(await toolbox.calls.rerun(id));
  expect(again).not.toBe(denied);
  await toolbox.approvals.decide(again, 'approve');
  expect(await toolbox.calls.rerun(id)).toMatchObject({ status: 'ok' });
  expect(done).toEqual(['price', 'charge', 'ship']);

  const never = crypto.randomUUID();
  const refused = handleOf(await toolbox.call('asked', { id: 'b', how: 'allowed' }, { invocationId: never }));
  await toolbox.approvals.decide(refused, 'deny');
  expect(errorOf(await toolbox.calls.wait(refused))).toMatchObject({ kind: 'denied' });
  expect(errorOf(await toolbox.calls.rerun(never))).toMatchObject({ kind: 'denied', advice: 'Make a new call, which asks again.' });
  expect(done).toEqual(['price', 'charge', 'ship']);
});

test('lists what waits for a decision, as on a store, and lets it be decided, found and cancelled', async () => {
  runs.set('asked', ({ step }, id) => step('one', () => `did ${id}`));
  const box = toolbox.with({ tenantId: 'acme/1' });
  const events: string[] = [];
  const stop = toolbox.subscribe(({ type }) => type.startsWith('approval-') && events.push(type));
  const ask = async (id: string) => handleOf(await box.call('asked', { id, how: 'asked' }, { userId: 'ann', runId: `run ${id}` }));
  const handles = [await ask('1'), await ask('2'), await ask('3')];
  const listed = async (page?: Parameters<typeof box.approvals.list>[0]) => (await box.approvals.list(page)).map(({ handle }) => handle);
  expect(await box.approvals.list({ limit: 1 })).toMatchObject([
    {
      v: 1,
      handle: handles[0],
      tool: 'asked',
      input: { id: '1', how: 'asked' },
      question: 'Allow asked?',
      state: 'waiting',
      userId: 'ann',
      runId: 'run 1',
    },
  ]);
  expect(await listed()).toEqual(handles);
  expect(await listed({ limit: 2, after: handles[0] ?? '' })).toEqual(handles.slice(1));
  expect(await toolbox.approvals.list()).toEqual([]);
  expect(await toolbox.approvals.decide(handles[0] ?? '', 'approve')).toEqual({ ok: false, why: 'unknown' });

  expect(await box.approvals.decide(handles[0] ?? '', 'approve', { by: 'eve' })).toMatchObject({
    ok: true,
    approval: { state: 'approved', by: 'eve' },
  });
  const made = await box.call('asked', { id: '1', how: 'asked' }, { userId: 'ann', runId: 'run 1' });
  expect(made).toMatchObject({ status: 'ok', data: 'did 1' });
  expect(await box.approvals.get(handles[0] ?? '')).toMatchObject({ state: 'used', by: 'eve' });
  expect(await box.approvals.decide(handles[1] ?? '', 'deny', { by: 'eve', reason: 'no' })).toMatchObject({
    ok: true,
    approval: { state: 'denied' },
  });
  expect(errorOf(await box.calls.wait(handles[1] ?? ''))).toMatchObject({ kind: 'denied', effect: 'none' });
  expect(await box.approvals.decide(handles[1] ?? '', 'approve')).toMatchObject({
    ok: false,
    why: 'decided',
    approval: { state: 'denied' },
  });
  expect(await box.calls.cancel(handles[2] ?? '')).toBe(true);
  expect(errorOf(await box.calls.wait(handles[2] ?? ''))).toMatchObject({ kind: 'cancelled', effect: 'none' });
  expect([await box.calls.cancel(handles[2] ?? ''), await box.approvals.decide(handles[2] ?? '', 'approve')]).toMatchObject([
    false,
    { ok: false, why: 'expired' },
  ]);
  expect(await listed()).toEqual([]);
  expect(events).toEqual([...Array(3).fill('approval-requested'), 'approval-granted', 'approval-denied', 'approval-expired']);
  stop();
});

test('lets people decide over HTTP, and from the command line through a server', async () => {
  runs.set('http', ({ step }) => step('one', () => 'done'));
  const server = await listen(createServer(toolbox, { auditLog: false }), { port: 0 });
  const ask = async (path: string, body?: object) =>
    (
      await fetch(`${server.url}${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
    ).json();
  const handle = handleOf(await toolbox.call('asked', { id: 'http', how: 'http' }));
  expect(await ask('/v1/approvals')).toMatchObject({ approvals: [{ handle, tool: 'asked', state: 'waiting' }] });
  expect(await ask(`/v1/approvals/${encodeURIComponent(handle)}`, { decision: 'approve' })).toMatchObject({
    approval: { handle, state: 'approved' },
  });
  expect(await toolbox.call('asked', { id: 'http', how: 'http' })).toMatchObject({ status: 'ok', data: 'done' });
  const denied = handleOf(await toolbox.call('asked', { id: 'url', how: 'http' }));
  expect(JSON.parse((await cli('approvals', '--json', '--url', server.url)).out)).toMatchObject([{ handle: denied, tool: 'asked' }]);
  expect((await cli('approvals', 'deny', denied, '--reason', 'no', '--url', server.url)).said).toContain('Denied');
  expect((await cli('wait', denied, '--url', server.url)).said).toContain('Reason given: no');
  await server.close();
});

test('lets people list, decide, answer and stop from the command line with the toolbox of the project', async () => {
  runs.set('cli', async ({ step, waitFor }) => {
    const answer = await waitFor('day', z.string());
    return step('one', () => `done ${answer}`);
  });
  // The toolbox as a file of the project has it: a process without a worker, of which Restate knows nothing.
  const cwd = folderWith({
    'toolbox.mjs': `
import { createToolbox, defineTool } from '${toolpact}';
import { onRestate } from '${builtEntry('@toolpact/restate')}';
import { sqliteStore } from '${builtEntry('toolpact/stores/sqlite')}';
const any = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } };
const asked = defineTool({ name: 'asked', description: 'x', input: any, jsonSchema: { input: { type: 'object' } }, steps: true, approval: true, run: () => 'elsewhere' });
export const toolbox = createToolbox([asked], {
  store: sqliteStore({ path: new URL('calls.db', import.meta.url).pathname }),
  use: [onRestate({ ingress: '${restate.ingress}' })],
  report: () => undefined,
});
`,
  });
  const own = (...words: string[]) => cli(...words, '--tools', join(cwd, 'toolbox.mjs'));
  const store = sqliteStore({ path: join(cwd, 'calls.db') });
  const box = open(store);
  const follower = createWorker(box, { everyMs: 50 });
  const call = (id: string) => box.call('asked', { id, how: 'cli' });
  const ask = async (id: string) => handleOf(await call(id));
  const [first, second] = [await ask('1'), await ask('2')];
  expect(JSON.parse((await own('approvals', '--json')).out)).toMatchObject([{ handle: first }, { handle: second }]);
  expect((await own('approvals', 'approve', first)).said).toContain('Approved');
  expect(await call('1')).toMatchObject({ status: 'pending', pending: { handle: first, reason: 'input' } });
  // Whoever follows the call hands the answer over, sooner or later.
  const settled = await own('settle', first, '"Monday"');
  expect(settled.out + settled.said).toMatch(/done Monday|The answer is stored/);
  expect((await own('wait', first)).out).toContain('done Monday');
  expect((await own('approvals', 'deny', second)).said).toContain('Denied');
  expect(errorOf(await box.calls.wait(second))).toMatchObject({ kind: 'denied', effect: 'none' });
  const called = await own('call', 'asked', '{"id":"3","how":"cli"}', '--json');
  const made = JSON.parse(called.out) as Outcome;
  expect((await own('calls')).out).toContain('asked');
  expect((await own('cancel', made.meta.invocationId ?? '')).said).toContain('Cancelled. Nothing was changed.');
  expect((await own('calls', '--status', 'error')).out).toContain('cancelled');
  await follower.stop();
  await store.close();
});

test('asks several questions at once, each with a handle of its own', async () => {
  runs.set('both', async ({ step, waitFor }) => {
    const [left, right] = await Promise.all([waitFor('left', z.string()), waitFor('right', z.number())]);
    return step('end', () => `${left} ${right}`);
  });
  const handle = handleOf(await toolbox.call('order', { id: 'a', how: 'both' }, { userId: 'ann' }));
  const found = await toolbox.calls.get(handle);
  expect(found?.userId).toBe('ann');
  expect(found?.questions?.map(({ ask }) => ask.message)).toEqual(['left', 'right']);
  const [left, right] = found?.questions ?? [];
  expect(errorOf(await toolbox.calls.settle(right?.handle ?? '', 'no number'))).toMatchObject({ kind: 'invalid_input' });
  await toolbox.calls.settle(right?.handle ?? '', 7);
  expect(errorOf(await toolbox.calls.settle(right?.handle ?? '', 8))).toMatchObject({ kind: 'conflict' });
  await toolbox.calls.settle(left?.handle ?? '', 'yes');
  expect(await toolbox.calls.wait(handle)).toMatchObject({ status: 'ok', data: 'yes 7' });
});

test('gives the tool a refusal in place of an answer', async () => {
  runs.set('refused', async ({ waitFor }) => waitFor('sure', z.boolean()));
  const handle = handleOf(await toolbox.call('order', { id: 'a', how: 'refused' }));
  await toolbox.calls.settle(handle, fail('denied', 'Not today.'));
  expect(errorOf(await toolbox.calls.wait(handle))).toMatchObject({ kind: 'denied', message: 'Not today.', effect: 'none' });
});

test('ends a call at its deadline inside a step, though its caller is gone and its connection breaks while it ends', async () => {
  const done: string[] = [];
  const hang = defineTool({
    ...definition,
    name: 'hang',
    async run(_, { step }) {
      done.push('run');
      await step('charge', () => {
        done.push('charge');
        return new Promise(() => undefined);
      });
      await step('ship', () => done.push('ship'));
    },
  });
  // A caller that is gone stops nothing.
  const request: typeof fetch = (url, init) => (String(url).endsWith('/stop') ? Promise.reject(new Error('gone')) : fetch(url, init));
  const use = [onRestate({ ingress: restate.ingress, service: 'cut', fetch: request })];
  const box = createToolbox([hang], { store: memoryStore(), use, report: () => undefined });
  const broken = await cutOnce(await serveWorker(restateEndpoint(box, { log: () => undefined })), '"outcome"');
  await restate.register(broken.uri);
  const invocationId = crypto.randomUUID();
  const late = { kind: 'timeout', effect: 'unknown' };
  expect(errorOf(await box.call('hang', { id: 'a', how: '' }, { timeoutMs: 3000, invocationId }))).toMatchObject(late);
  expect(errorOf(await box.calls.wait(invocationId, { timeoutMs: 60_000 }))).toMatchObject(late);
  expect([broken.cuts(), ...done]).toEqual([1, 'run', 'charge', 'run']);
  expect(errorOf(await box.calls.rerun(invocationId))).toMatchObject({ kind: 'interrupted', details: { step: 'charge' } });
  expect(done).toEqual(['run', 'charge', 'run', 'run']);
  broken.close();
});

test('does not run a call again whose steps Restate has not told yet', async () => {
  const done: string[] = [];
  const pay = defineTool({
    ...definition,
    name: 'pay_late',
    run: (_, { step }) =>
      step('charge', async () => {
        done.push('charge');
        throw fail('upstream', 'The bank hung up.', { effect: 'unknown' });
      }),
  });
  // The answer of Restate is on its way for longer than the caller waits.
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const request: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (/\/run|\/attach|\/output/.test(String(url))) await told;
    return response;
  };
  const use = [onRestate({ ingress: restate.ingress, service: 'late', fetch: request })];
  const box = createToolbox([pay], { store: memoryStore(), use, report: () => undefined });
  const worker = await serveWorker(restateEndpoint(box, { log: () => undefined }));
  await restate.register(worker.uri);
  const invocationId = crypto.randomUUID();
  const answered = await box.call('pay_late', { id: 'a', how: '' }, { timeoutMs: 1500, invocationId });
  expect(errorOf(answered)).toMatchObject({ kind: 'timeout', effect: 'unknown' });
  expect(errorOf(await box.calls.rerun(invocationId))).toMatchObject({ kind: 'conflict', message: expect.stringContaining('still runs') });
  expect(done).toEqual(['charge']);
  tell();
  expect(errorOf(await box.calls.wait(invocationId, { timeoutMs: 60_000 }))).toMatchObject({ kind: 'upstream', effect: 'unknown' });
  expect(errorOf(await box.calls.rerun(invocationId))).toMatchObject({ kind: 'interrupted', details: { step: 'charge' } });
  expect(done).toEqual(['charge']);
  worker.close();
});
