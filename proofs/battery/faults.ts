import { args, names } from './call-faults.ts';
import { call, type Expected, type Fault, good, ledger, newError, type Row, transfer } from './fault.ts';
import { throwing } from './fault-parts.ts';
import type { ScriptedCall } from './host.ts';
import { leaks, results } from './result-faults.ts';
import { thrown, time, upstream } from './thrown-faults.ts';

/** Faults of one call that must be classified; of the others only what the model reads counts. */
const errorTitles = new Set<string>([
  ...[...thrown, ...upstream, ...names].map(([title]) => title),
  ...['missing field', 'wrong type', 'malformed JSON string', 'null', 'array'].map((what) => `args: ${what}`),
  'secret in the error message',
]);

const single = (group: Fault['group'], rows: readonly Row[]): Fault[] =>
  rows.map(([title, tool, first, expected, extra = {}]) => ({
    title,
    group,
    tools: [tool],
    calls: [first],
    expected: { [first.id]: expected },
    isError: errorTitles.has(title),
    ...extra,
  }));

/** Two calls in one turn. The second is sound, and its result must arrive. */
const sibling = (title: string, first: ScriptedCall, expected: Expected): Fault => ({
  title: `2 parallel calls, ${title}`,
  group: 'siblings',
  tools: [transfer(({ account, amount }) => (account === 'bad' ? throwing(newError)() : `moved ${amount}`))],
  calls: [first, call(good, 'transfer', 'call-2')],
  expected: { 'call-1': expected, 'call-2': { says: /moved 5/ } },
  isError: true,
});

/** The 47 faults that were measured on every peer, in the order of that table. */
export const faults: readonly Fault[] = [
  ...single('thrown', thrown),
  ...single('upstream', upstream),
  ...single('time', time),
  ...single('arguments', args),
  ...single('names', names),
  ...single('results', results),
  ...single('leaks', leaks.slice(0, 2)),
  sibling('one throws', call({ account: 'bad', amount: 1 }), { kind: 'failed', says: ledger }),
  sibling('one with invalid args', call({}), { kind: 'invalid_input', says: /account|amount/ }),
  sibling('one unknown tool', call(good, 'refund'), {
    kind: 'unknown_tool',
    says: /refund|unknown|no (such )?tool|not (found|available|exist)/i,
  }),
  ...single('leaks', leaks.slice(2)),
];
