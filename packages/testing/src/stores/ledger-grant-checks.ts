import type { NewGrant } from 'toolpact/extend';
import { defineLedgerCheck, differs, endWith, hour, type LedgerTrial } from './ledger-check.ts';

/** Lets a call wait, and answers it together with a grant. */
async function give({ calls, tenant, tool, beginWaiting }: LedgerTrial, id: string, rest: Partial<NewGrant> = {}) {
  await beginWaiting(`of ${id}`);
  const grant: NewGrant = { id, tool, scope: 'run 1', permit: { up: 100 }, expiresMs: hour, keepMs: hour, ...rest };
  return calls.answer({ tenant, handle: `q of ${id}` }, { state: 'approved', answer: { by: 'ann' }, wakes: false, grant });
}

/** Promises about standing grants. */
export const ledgerGrantChecks = [
  defineLedgerCheck({
    id: 'store/ledger-gives-grants',
    requirement: 'A grant is given in one write with the answer to a question, and by nothing else; it is listed as it was given.',
    async *run(trial) {
      const { calls, tenant, tool, alive } = trial;
      await alive('p');
      yield* differs('an answer with a grant is refused', await give(trial, 'g1', { mostUses: 2 }), { is: 'answered' });
      const again = await calls.answer(
        { tenant, handle: 'q of g1' },
        {
          state: 'approved',
          answer: {},
          wakes: false,
          grant: { id: 'g0', tool, scope: 'run 1', permit: {}, expiresMs: hour, keepMs: hour },
        },
      );
      yield* differs('a question is answered twice', again, { is: 'decided' });
      await give(trial, 'g2', { tool: `other ${tool}`, scope: 'run 2' });
      const listed = await calls.grants({ tenant, limit: 9 });
      yield* differs('grants are not listed as they were given', listed, [
        { id: 'g1', tenant, tool, scope: 'run 1', permit: { up: 100 }, isActive: true, uses: 0, mostUses: 2, revokedAt: undefined },
        { id: 'g2', mostUses: undefined },
      ]);
      const [first] = listed;
      if (Math.abs((first?.expiresAt ?? 0) - (first?.givenAt ?? 0) - hour) > 2)
        yield { message: 'a grant expires at another time than stated', evidence: first };
      for (const [what, query, ids] of [
        ['by tool', { tool }, ['g1']],
        ['by scope', { scopes: ['run 2', 'run 3'] }, ['g2']],
        ['after another', { after: 'g1' }, ['g2']],
        ['after one that is not there', { after: 'g9' }, []],
        ['of another tenant', { tenant: `not ${tenant}` }, []],
      ] as const)
        yield* differs(
          `grants are found wrongly ${what}`,
          (await calls.grants({ tenant, limit: 9, ...query })).map(({ id }) => id),
          [...ids],
        );
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-uses-grants',
    requirement:
      'A call begins, or is taken from its question, under the first of its grants that counts, in one write that counts the use.',
    async *run(trial) {
      const { calls, tenant, draft, at, get, process, beginWaiting, alive } = trial;
      await alive('p');
      await give(trial, 'g1', { mostUses: 1 });
      await give(trial, 'g2', { mostUses: 2 });
      const begin = (id: string, grants: readonly string[], rest = {}) => calls.begin(draft(id, { grants, ...rest }));
      yield* differs('a call does not begin under its grant', await begin('a', ['g0', 'g1', 'g2']), { is: 'begun', grant: 'g1' });
      yield* differs('a call does not name its grant', await get('a'), { grant: 'g1', stage: 'running' });
      yield* differs('a grant that is used up counts', await begin('b', ['g1']), { is: 'ungranted' });
      yield* differs('a call that may not begin was written', await get('b'), undefined);
      yield* differs('a call begins with no grant at all', await begin('b', []), { is: 'ungranted' });
      const key = { text: 'k', countsMs: hour };
      await calls.begin(draft('keyed', { key }));
      yield* differs('a grant comes before a key', await begin('c', ['g2'], { key }), { is: 'found' });
      await beginWaiting('w');
      const taker = { epoch: 1, process: process('p'), from: 'waiting' as const };
      yield* differs('a call is taken under a grant that does not count', await calls.take(at('w'), { ...taker, grants: ['g1'] }), {
        is: 'lost',
        call: { stage: 'waiting' },
      });
      yield* differs('a call is not taken under its grant', await calls.take(at('w'), { ...taker, grants: ['g1', 'g2'] }), {
        is: 'taken',
        call: { grant: 'g2', stage: 'running', questions: [{ state: 'withdrawn' }] },
      });
      yield* differs('a call is taken twice', await calls.take(at('w'), { ...taker, grants: ['g2'] }), { is: 'lost' });
      yield* differs('uses are not counted, or others are', await calls.grants({ tenant, limit: 9 }), [
        { id: 'g1', uses: 1, isActive: false },
        { id: 'g2', uses: 1, isActive: true },
      ]);
      yield* differs('the last use is not allowed', await begin('d', ['g2']), { is: 'begun', grant: 'g2' });
      await calls.end({ ...at('d'), epoch: 1 }, endWith('d'));
      yield* differs('an ended call forgets its grant', await get('d'), { grant: 'g2', stage: 'ended' });
      const active = await calls.grants({ tenant, limit: 9, onlyActive: true });
      yield* differs('a grant that is used up is listed as one that counts', active.length, 0);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-ends-grants',
    requirement: 'A grant that was revoked, or whose time is over, counts no more; it is kept to be read, and then forgotten.',
    async *run(trial) {
      const { calls, tenant, draft, alive, wait } = trial;
      await alive('p', hour);
      await give(trial, 'g1');
      await give(trial, 'g2', { expiresMs: 0 });
      await give(trial, 'g3', { expiresMs: 20, keepMs: 0 });
      const begin = (id: string, grant: string) => calls.begin(draft(id, { grants: [grant] }));
      const revoke = (id: string) => calls.revoke({ tenant, id }, { by: 'bob' });
      yield* differs('a grant cannot be revoked', await revoke('g1'), {
        is: 'revoked',
        grant: { id: 'g1', isActive: false, revokedBy: 'bob' },
      });
      yield* differs('a grant is revoked twice', await revoke('g1'), { is: 'over', grant: { id: 'g1' } });
      yield* differs('a grant that is not there is revoked', await revoke('g9'), { is: 'unknown' });
      yield* differs('a grant of another tenant is revoked', await calls.revoke({ tenant: `not ${tenant}`, id: 'g2' }, {}), {
        is: 'unknown',
      });
      yield* differs('a call begins under a grant that was revoked', await begin('a', 'g1'), { is: 'ungranted' });
      yield* differs('a call begins under a grant whose time is over', await begin('c', 'g2'), { is: 'ungranted' });
      yield* differs('a grant that is over is not read', (await calls.grants({ tenant, limit: 9 }))[1], { id: 'g2', isActive: false });
      yield* differs('a grant that is over can be revoked', await revoke('g2'), { is: 'over' });
      await wait(30);
      yield* differs('a call begins under a grant that is forgotten', await begin('d', 'g3'), { is: 'ungranted' });
      yield* differs(
        'a grant is kept for longer than stated, or not for so long',
        (await calls.grants({ tenant, limit: 9 })).map(({ id }) => id),
        ['g1', 'g2'],
      );
    },
  }),
] as const;
