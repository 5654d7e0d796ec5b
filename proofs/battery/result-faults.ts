import { z } from 'zod';
import { call, canary, good, ledger, type Row, transfer } from './fault.ts';
import { Account, circular, throwing } from './fault-parts.ts';

const unwritable = /circular|cycl|itself|serial|JSON|stringif|BigInt|getter|locked|toJSON|read/i;
export const results: readonly Row[] = [
  [
    'result undefined',
    transfer(() => undefined),
    call(good),
    { says: /null|undefined|nothing|no (result|data|output|value|content)|none|empty|ok|done|success/i },
  ],
  ['result circular', transfer(circular), call(good), { kind: 'invalid_output', says: unwritable, orSays: /"?id"?\W+7\b/ }],
  [
    'result contains BigInt',
    transfer(() => ({ balance: 12n })),
    call(good),
    { kind: 'invalid_output', says: unwritable, orSays: /balance\W+12/ },
  ],
  [
    'result with throwing getter',
    transfer(() => ({
      id: 7,
      get balance() {
        throw new Error('locked');
      },
    })),
    call(good),
    { kind: 'invalid_output', says: unwritable, orSays: /"?id"?\W+7\b/ },
  ],
  [
    'result with throwing toJSON',
    transfer(() => ({ id: 7, sum: { toJSON: throwing(() => new Error('locked')) } })),
    call(good),
    { kind: 'invalid_output', says: unwritable, orSays: /"?id"?\W+7\b/ },
  ],
  ['result Map', transfer(() => new Map([['a-1', 12]])), call(good), { says: /a-1\W+12/, orFails: /Map/ }],
  ['result Date', transfer(() => ({ at: new Date(0) })), call(good), { says: /1970-01-01T00:00:00/ }],
  ['result class instance', transfer(() => new Account()), call(good), { says: /a-1.*12|12.*a-1/s }],
  [
    'result function',
    transfer(() => () => 'source text of a function'),
    call(good),
    { kind: 'invalid_output', says: /function|serial|JSON/i, misleads: /source text/ },
  ],
  [
    '10 MB string result',
    transfer(() => 'x'.repeat(10_485_760)),
    call(good),
    { says: /cut|trunc|10485760|too (large|long|big)/i, maxChars: 1_000_000, orFails: /too (large|long|big)|limit/i },
  ],
  [
    'output violates declared output schema',
    {
      ...transfer(() => ({ balance: 'twelve' })),
      output: z.object({ balance: z.number() }),
    },
    call(good),
    { kind: 'invalid_output', says: /balance|schema|valid/i },
    { needsOutputSchema: true },
  ],
];

export const leaks: readonly Row[] = [
  [
    'handler mutates its input',
    transfer((given) => {
      (given as { amount: number }).amount = 1_000_000;
      return 'moved';
    }),
    call(good),
    { says: /moved/, keepsArguments: true },
  ],
  [
    'stray rejection after the handler resolved',
    transfer(async () => {
      setTimeout(() => void Promise.reject(new Error('forgotten')), 0);
      return 'moved';
    }),
    call(good),
    { says: /moved/ },
    { alone: true },
  ],
  [
    'secret in the error message',
    transfer(throwing(() => new Error(`ledger does not add up for Bearer ${canary}`))),
    call(good),
    { kind: 'failed', says: ledger },
  ],
];
