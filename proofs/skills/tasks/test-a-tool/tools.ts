import { defineTool } from 'toolpact';
import { z } from 'zod';

const balances = new Map([['A-1', 20]]);

export const withdraw = defineTool({
  name: 'withdraw',
  description: 'Withdraws money from an account.',
  input: z.object({
    account: z.string().describe('The id of the account, for example A-1.'),
    amount: z.number().positive().describe('How much to withdraw, in euros.'),
  }),
  output: z.object({ left: z.number() }),
  effects: 'writes',
  idempotency: { key: ({ account, amount }) => `${account} ${amount}` },
  failures: { insufficient_funds: 'invalid_input' },
  examples: [{ input: { account: 'A-1', amount: 5 } }],
  run({ account, amount }, { fail }) {
    const balance = balances.get(account);
    if (balance === undefined) throw fail('not_found', `There is no account "${account}".`);
    if (balance < amount) throw fail('insufficient_funds', `${account} holds ${balance}; ask for at most that.`);
    balances.set(account, balance - amount);
    return { left: balance - amount };
  },
});
