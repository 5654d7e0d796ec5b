import { classify } from 'toolpact';

/** Arguments of calls, from usual ones to such as nobody should send. */
const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'three short arguments': { project_id: 'group/web', iid: 42, state: 'open' },
  'an order with five items': {
    customer: 'C-1042',
    note: 'Leave it at the door, please.',
    items: Array.from({ length: 5 }, (_, at) => ({ sku: `SKU-${at}00`, amount: at + 1, colour: 'green' })),
  },
  'a text of 20,000 characters': { path: 'src/a.ts', content: 'The quick brown fox. '.repeat(1_000) },
  'a text of 10,000,000 characters': { path: 'src/a.ts', content: 'The quick brown fox. '.repeat(500_000) },
  '100,000 numbers': { values: Array.from({ length: 100_000 }, (_, at) => at) },
  '10,000 fields, nested': Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, { a: { b: { c: `x${at}` } } }])),
};

/** The microseconds that looking for the arguments of a call in a message adds to reading it, for each call. */
export function echoCosts(): readonly (readonly [call: string, microseconds: number])[] {
  return Object.entries(calls).map(([name, args]) => {
    const params = Object.keys(args).slice(0, 10);
    const costs = [0, 1, 2].map((round) => timeOf({ args, params }, round) - timeOf({ args: {}, params: [] }, round));
    return [name, Math.max(0, costs.sort((a, b) => a - b)[1] as number)];
  });
}

const runs = 3_000;

/** Reads messages that were not seen before and gives the time in microseconds of the fastest in seven: what stands in their way is other work. */
function timeOf(hints: { readonly args: unknown; readonly params: readonly string[] }, round: number): number {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const thrown = new Error(
      `Work item #${run + 1_000 * round} not found in project "group/app${run}". Use list_items to see all of them.`,
    );
    const begun = process.hrtime.bigint();
    classify(thrown, { during: 'run', ...hints });
    times.push(Number(process.hrtime.bigint() - begun) / 1_000);
  }
  // The first measurement warms up.
  return times.slice(runs / 3).sort((a, b) => a - b)[runs / 10] as number;
}
