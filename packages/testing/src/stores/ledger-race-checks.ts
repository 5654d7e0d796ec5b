import type { Ledger } from 'toolpact/extend';
import { defineLedgerCheck } from './ledger-check.ts';
import { printHistory, race, raceClock } from './ledger-races.ts';
import { linearize } from './linearize.ts';

/** A race in memory takes a millisecond, one of real connections many of them. */
const [races, racesInMemory] = [60, 300];

/** Promises about clients that write at the same moment. */
export const ledgerRaceChecks = [
  defineLedgerCheck({
    id: 'store/ledger-is-atomic',
    requirement: 'Whatever clients and connections do at the same moment, the answers are those of operations done one after the other.',
    async *run({ store, calls, reopen, tenant, now }) {
      const connections: Ledger[] = [calls];
      for (let more = 0; more < 2 && store.durable; more += 1) connections.push((await reopen()).calls ?? calls);
      for (let round = 0; round < (store.durable ? races : racesInMemory); round += 1) {
        const clock = raceClock(now());
        const name = `${tenant} ${round}`;
        const history = await race({ connections, name, seed: `race ${round}`, clients: 4, bursts: 2 });
        if (linearize(history, clock) !== 'unexplained') continue;
        yield { message: 'no order of the operations of several clients explains their answers', evidence: printHistory(history, name) };
        return;
      }
    },
  }),
];
