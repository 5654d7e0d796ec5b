import type { Outcome } from '../../../core/outcome/index.ts';
import { isSame } from '../dialects/lost-paths.ts';
import { defineEngineCheck } from './engine-check.ts';

/** What must hold for every engine. */
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
    },
  }),
  defineEngineCheck({
    id: 'engine/keeps-tenants-apart',
    requirement: 'Keys of one tenant mean nothing for another.',
    async *run({ id, call, cases }) {
      await call('engine_slow', {}, { tenantId: `${id}-one` });
      const other = await call('engine_slow', {}, { tenantId: `${id}-two` });
      if (other.meta.replayed === true || cases.times(`slow ${id}`) !== 2)
        yield { message: 'a key counts for another tenant', evidence: other };
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

/** Leaves out what differs between any two calls. */
function lasting(outcome: Outcome): unknown {
  const { invocationId: _, traceId: __, tookMs: ___, ...meta } = outcome.meta;
  if (outcome.status !== 'error') return { ...outcome, meta };
  const { debugId: ____, ...error } = outcome.error;
  return { ...outcome, error, meta };
}
