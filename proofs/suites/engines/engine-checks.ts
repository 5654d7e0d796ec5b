import type { Outcome } from 'toolpact';
import { isSame } from '../../../packages/testing/src/lost-paths.ts';
import { defineEngineCheck } from './engine-check.ts';

/** The promises of every engine. */
export const engineChecks = [
  defineEngineCheck({
    id: 'engine/same-outcomes',
    requirement: 'A call ends as it would without the engine: the same JSON, apart from times and ids.',
    async *run({ call, bare }) {
      for (const how of ['ok', 'partial', 'code', 'wait', 'function', 'throws']) {
        const [outcome, wanted] = [await call('engine_outcomes', { how }), await bare('engine_outcomes', { how })];
        if (!isSame(lasting(outcome), lasting(wanted)))
          yield { message: `a tool that ends as "${how}" is answered otherwise`, evidence: { outcome, wanted } };
      }
    },
  }),
  defineEngineCheck({
    id: 'engine/runs-steps-once',
    requirement: 'Steps run one after the other and side by side, each once and each with a key of its own.',
    async *run({ id, call, cases }) {
      const outcome = await call('engine_steps');
      const keys = ((outcome.status === 'ok' ? outcome.data : {}) as { readonly keys?: readonly unknown[] }).keys ?? [];
      if (new Set(keys).size !== 4 || !keys.every((key) => typeof key === 'string'))
        yield { message: 'four steps did not get four keys', evidence: outcome };
      for (const step of ['read', 'left', 'right', 'again'])
        if (cases.times(`${step} ${id}`) !== 1) yield { message: `the step "${step}" ran ${cases.times(`${step} ${id}`)} times` };
    },
  }),
  defineEngineCheck({
    id: 'engine/replays-keys',
    requirement:
      'A key runs its call once, also for calls that come at the same time; later ones get the same outcome, marked as replayed.',
    async *run({ id, call, cases }) {
      const together = await Promise.all([1, 2, 3].map(() => call('engine_slow')));
      const later = await call('engine_slow');
      if (cases.times(`slow ${id}`) !== 1) yield { message: `the call ran ${cases.times(`slow ${id}`)} times` };
      const unmarked = [...together, later].filter(({ meta }) => meta.replayed !== true);
      if (unmarked.length !== 1 || later.meta.replayed !== true || ![...together, later].every(({ status }) => status === 'ok'))
        yield { message: 'not all but the first call are marked as replayed', evidence: { together, later } };
    },
  }),
  defineEngineCheck({
    id: 'engine/compares-arguments',
    requirement: 'A key with other arguments is a conflict that names them, and runs nothing.',
    async *run({ id, call, cases }) {
      await call('engine_slow', { how: 'one' });
      const other = await call('engine_slow', { how: 'other' });
      const isConflict = other.status === 'error' && other.error.kind === 'conflict' && other.error.code === 'key_reused';
      if (!isConflict || !isSame(other.error.details, { fields: ['how'] }))
        yield { message: 'it is no conflict about "how"', evidence: other };
      if (cases.times(`slow ${id}`) !== 1) yield { message: 'the other arguments ran too' };
    },
  }),
  defineEngineCheck({
    id: 'engine/frees-keys',
    requirement: 'A failure that is safe to repeat frees its key; a success keeps it.',
    async *run({ id, call, cases }) {
      const ends: Outcome[] = [];
      for (let calls = 0; calls < 4; calls += 1) ends.push(await call('engine_flaky'));
      if (
        !isSame(
          ends.map(({ status }) => status),
          ['error', 'error', 'ok', 'ok'],
        ) ||
        cases.times(`flaky ${id}`) !== 3
      )
        yield { message: 'a call that fails twice does not succeed with its third run', evidence: ends };
    },
  }),
  defineEngineCheck({
    id: 'engine/goes-on-after-failures',
    requirement: 'A failure after a step that wrote may be retried with the same key: the step is not repeated.',
    async *run({ id, call, cases }) {
      const [first, second] = [await call('engine_again'), await call('engine_again')];
      if (first.status !== 'error' || first.error.effect !== 'applied' || !first.error.retryable)
        yield { message: 'the failure does not say that it may be retried although a step took effect', evidence: first };
      if (second.status !== 'ok' || cases.times(`pay ${id}`) !== 1 || cases.times(`send ${id}`) !== 2)
        yield { message: 'the next call does not go on where the first one failed', evidence: second };
    },
  }),
  defineEngineCheck({
    id: 'engine/states-effects',
    requirement: 'A failure states what the steps did: nothing before one, unknown in one, applied after one.',
    async *run({ call }) {
      const wanted: Readonly<Record<string, string>> = {
        before: 'none',
        'read only': 'none',
        inside: 'unknown',
        'inside, undone': 'none',
        after: 'applied',
      };
      for (const [how, effect] of Object.entries(wanted)) {
        const outcome = await call('engine_effects', { how });
        if (outcome.status !== 'error' || outcome.error.effect !== effect)
          yield { message: `a tool that fails ${how} does not state the effect ${effect}`, evidence: outcome };
      }
      const large = await call('engine_effects', { how: 'too large' });
      if (large.status !== 'error' || large.error.kind !== 'invalid_output' || !isSame(large.error.details, { step: 'write' }))
        yield { message: 'a result that is too large to be kept is no invalid_output that names its step', evidence: large };
    },
  }),
  defineEngineCheck({
    id: 'engine/sleeps-and-waits',
    requirement: 'A call that asks for an input is pending until it gets one that fits; steps before and after run once.',
    async *run({ id, call, cases, toolbox }) {
      const asking = await untilAsked(await call('engine_waits'), toolbox.calls.wait);
      if (asking.status !== 'pending' || asking.pending.reason !== 'input' || asking.pending.ask?.message !== 'Which colour?')
        return yield { message: 'it does not ask', evidence: asking };
      const early = await toolbox.calls.wait(asking.pending.handle, { timeoutMs: 0 });
      if (early.status !== 'pending') yield { message: 'it goes on without an answer', evidence: early };
      await toolbox.calls.settle(asking.pending.handle, { colour: 'green' });
      const again = await untilAsked(await toolbox.calls.wait(asking.pending.handle, { timeoutMs: 0 }), toolbox.calls.wait);
      if (again.status !== 'pending') return yield { message: 'an answer that does not fit counts', evidence: again };
      await toolbox.calls.settle(again.pending.handle, { colour: 'blue' });
      const ended = await toolbox.calls.wait(asking.pending.handle);
      if (ended.status !== 'ok' || ended.data !== 'blue') yield { message: 'it does not end with the answer', evidence: ended };
      for (const step of ['before', 'after'])
        if (cases.times(`${step} ${id}`) !== 1)
          yield { message: `the step ${step} the question ran ${cases.times(`${step} ${id}`)} times` };
    },
  }),
  defineEngineCheck({
    id: 'engine/keeps-tenants-apart',
    requirement: 'Keys and handles of one tenant mean nothing for another.',
    async *run({ id, call, cases, toolbox }) {
      await call('engine_slow', {}, { tenantId: `${id}-one` });
      const other = await call('engine_slow', {}, { tenantId: `${id}-two` });
      if (other.meta.replayed === true || cases.times(`slow ${id}`) !== 2)
        yield { message: 'a key counts for another tenant', evidence: other };
      const asking = await untilAsked(
        await call('engine_waits', {}, { tenantId: `${id}-one` }),
        toolbox.with({ tenantId: `${id}-one` }).calls.wait,
      );
      if (asking.status !== 'pending') return yield { message: 'it does not ask', evidence: asking };
      const stolen = await toolbox.with({ tenantId: `${id}-two` }).calls.wait(asking.pending.handle, { timeoutMs: 0 });
      if (stolen.status !== 'error' || stolen.error.kind !== 'not_found')
        yield { message: 'a handle of another tenant can be read', evidence: stolen };
    },
  }),
  defineEngineCheck({
    id: 'engine/passes-the-caller-on',
    requirement: 'A tool finds who calls and the ids of the application, and the outcome carries them.',
    async *run({ call }) {
      const outcome = await call('engine_slow', {}, { userId: 'ann', runId: 'run-1', ids: { case: 'c1' } });
      const { data } = outcome as { readonly data?: unknown };
      if (!isSame(data, { user: 'ann', ids: { case: 'c1' } }) || outcome.meta.runId !== 'run-1')
        yield { message: 'the caller is lost on the way', evidence: outcome };
    },
  }),
  defineEngineCheck({
    id: 'engine/stops',
    requirement: 'A call that its caller stops ends as cancelled, and the signal of its tool fires.',
    async *run({ id, call, cases }) {
      const stop = new AbortController();
      const stopping = call('engine_stuck', {}, { signal: stop.signal });
      await cases.happened(`stuck ${id}`);
      stop.abort();
      const outcome = await stopping;
      if (outcome.status !== 'error' || outcome.error.kind !== 'cancelled') yield { message: 'it is not cancelled', evidence: outcome };
      await cases.happened(`stopped ${id}`);
    },
  }),
];

/** Waits while a call only sleeps. */
async function untilAsked(
  outcome: Outcome,
  wait: (handle: string, options?: { readonly timeoutMs?: number }) => Promise<Outcome>,
): Promise<Outcome> {
  let latest = outcome;
  while (latest.status === 'pending' && latest.pending.reason === 'running') latest = await wait(latest.pending.handle, { timeoutMs: 50 });
  return latest;
}

/** Leaves out what differs between any two calls. */
function lasting(outcome: Outcome): unknown {
  const { invocationId: _, traceId: __, tookMs: ___, ...meta } = outcome.meta;
  if (outcome.status !== 'error') return { ...outcome, meta };
  const { debugId: ____, ...error } = outcome.error;
  return { ...outcome, error, meta };
}
