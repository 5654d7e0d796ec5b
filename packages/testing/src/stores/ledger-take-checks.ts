import type { Taker } from 'toolpact/extend';
import { defineLedgerCheck, differs, endWith, hour, minute, waitFor } from './ledger-check.ts';

/** Promises about who runs a call. */
export const ledgerTakeChecks = [
  defineLedgerCheck({
    id: 'store/ledger-takes',
    requirement:
      'A call that waits, or whose process is dead, is taken with the next epoch and all that it needs, where it still has the epoch that was seen.',
    async *run({ calls, begin, at, run, process, get, look, alive, tenant, takeDue }) {
      await alive('p');
      await alive('q');
      const take = (id: string, epoch: number, from: Taker['from'], name = 'q') =>
        calls.take(at(id), { epoch, process: process(name), from });
      yield* differs('a call that is not there is taken', await take('missing', 1, 'dead'), { is: 'lost', call: undefined });
      const args = { text: 'x'.repeat(1000), list: [1] };
      await begin('a', { args });
      await calls.stepEnd(run('a'), { id: '1', name: 'pay', attempt: 1, record: { paid: 1 } });
      await calls.stepBegin(run('a'), { id: '2', name: 'mail', attempt: 1 });
      for (const from of ['dead', 'waiting'] as const)
        yield* differs(`a call that runs is taken as ${from}`, await take('a', 1, from), {
          is: 'lost',
          call: { ...run('a'), stage: 'running', isDead: false },
        });
      await alive('p', 0);
      yield* differs('a call whose process is dead is not', await look('a'), { isDead: true });
      yield* differs(
        'a call is taken by another epoch than it has',
        [await take('a', 0, 'dead'), await take('a', 2, 'dead')],
        [{ is: 'lost' }, { is: 'lost', call: { epoch: 1, isDead: true } }],
      );
      yield* differs('a call is taken as one that waits', await take('a', 1, 'waiting'), { is: 'lost' });
      const elsewhere = await calls.take({ tenant: `${tenant}b`, id: 'a' }, { epoch: 1, process: process('q'), from: 'dead' });
      yield* differs('a call of another tenant is taken', elsewhere, { is: 'lost', call: undefined });
      yield* differs('a call whose process is dead is not taken', await take('a', 1, 'dead'), {
        is: 'taken',
        call: {
          ...run('a', 2),
          stage: 'running',
          process: process('q'),
          wasDead: true,
          isDead: false,
          changes: 2,
          start: { input: { id: 'a' } },
          args,
          steps: [
            { id: '1', name: 'pay', attempt: 1, epoch: 1, isOpen: false, record: { paid: 1 } },
            { id: '2', isOpen: true },
          ],
        },
      });
      yield* differs('a call is taken twice', await take('a', 1, 'dead', 'r'), {
        is: 'lost',
        call: { ...run('a', 2), process: process('q') },
      });
      yield* differs('a call that was taken runs elsewhere', await get('a'), {
        epoch: 2,
        process: process('q'),
        isDead: false,
        args: undefined,
      });
      await calls.wait(run('a', 2), waitFor('qa', { wakeMs: hour }));
      await alive('q', 0);
      yield* differs('a call that waits is dead', [await look('a'), await take('a', 2, 'dead', 'r')], [{ isDead: false }, { is: 'lost' }]);
      await alive('r');
      yield* differs('a call that waits is not taken before it is due', await take('a', 2, 'waiting', 'r'), {
        is: 'taken',
        call: {
          ...run('a', 3),
          stage: 'running',
          wasDead: false,
          wakeAt: undefined,
          args,
          steps: [{ id: '1' }, { id: '2' }],
          questions: [{ id: 'qa', state: 'open' }],
        },
      });
      yield* differs('a call that was taken is due', await takeDue('q'), []);
      await alive('r', 0);
      yield* differs(
        'a process is given a call that it runs itself',
        [await look('a'), await take('a', 3, 'dead', 'r'), await takeDue('r')],
        [{ isDead: true }, { is: 'lost' }, []],
      );
      await begin('engine', { process: undefined });
      yield* differs('a call of an engine is taken', await take('engine', 1, 'dead'), { is: 'lost', call: { isDead: false } });
      await alive('p', 0);
      await begin('listed', { isPromised: false });
      yield* differs('a call that is only listed cannot be taken', await take('listed', 1, 'dead'), { is: 'taken', call: { epoch: 2 } });

      await begin('many', { wait: waitFor(undefined) });
      const takers = await Promise.all(Array.from({ length: 20 }, (_, index) => take('many', 1, 'waiting', `t${index}`)));
      const winner = takers.findIndex(({ is }) => is === 'taken');
      if (takers.filter(({ is }) => is === 'lost').length !== 19) yield { message: 'not exactly one of 20 takes a call', evidence: takers };
      yield* differs('not the process that took a call runs it', await get('many'), { epoch: 2, process: process(`t${winner}`) });
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-takes-what-is-due',
    requirement:
      'Workers take what is due of their tools: dead calls that were promised, calls whose time has come; of the latter only what has been due for long enough.',
    async *run({ calls, begin, draft, tool, process, alive, takeDue, wait, run, tenant }) {
      await alive('p');
      await alive('lives');
      const ids = async (rest?: Parameters<typeof takeDue>[1]) => (await takeDue('w', rest)).map(({ id }) => id).toSorted();
      await alive('w');
      yield* differs('something is due where nothing is', await ids(), []);
      await begin('runs', { process: process('lives') });
      await begin('dies', { args: [1] });
      await begin('listed', { isPromised: false });
      await begin('engine', { process: undefined });
      await begin('other tool', { tool: `other ${tool}` });
      await begin('never seen', { process: process('never seen') });
      await begin('ended');
      await calls.end(run('ended'), endWith(1));
      await begin('naps', { wait: waitFor(undefined, { wakeMs: 1 }) });
      await begin('sleeps', { wait: waitFor(undefined, { wakeMs: minute }) });
      await begin('asks', { wait: waitFor('q') });
      const elsewhere = { ...draft('elsewhere', { wait: waitFor(undefined, { wakeMs: 1 }) }), tenant: `${tenant}b` };
      await calls.begin(elsewhere);
      await calls.stepBegin(run('dies'), { id: '1', name: 'pay', attempt: 1 });
      await alive('p', 0);
      await wait(30);
      yield* differs('a call is taken before it has been due for long enough', await ids({ graceMs: minute, limit: 0 }), []);
      const dead = await takeDue('w', { graceMs: minute });
      yield* differs('not the dead calls alone are taken at once', dead.map(({ id }) => id).toSorted(), ['dies', 'never seen']);
      yield* differs(
        'a dead call is not given with all that it needs',
        dead.find(({ id }) => id === 'dies'),
        {
          ...run('dies', 2),
          process: process('w'),
          stage: 'running',
          wasDead: true,
          isDead: false,
          args: [1],
          steps: [{ id: '1', isOpen: true, epoch: 1 }],
        },
      );
      yield* differs(
        'calls are taken of tools that were not asked for',
        await calls.takeDue({ process: process('w'), tools: [], limit: 9 }),
        [],
      );
      yield* differs('what is due is not taken', await ids({ graceMs: 5 }), ['elsewhere', 'naps']);
      yield* differs('a call is due twice', await ids(), []);
      const other = await calls.takeDue({ process: process('w'), tools: [`other ${tool}`, 'none', `other ${tool}`], limit: 9 });
      yield* differs('the call of another tool is not due', other, [{ id: 'other tool', wasDead: true, epoch: 2 }]);
      await alive('w', 0);
      yield* differs('what died again is not due again', (await takeDue('v', { limit: 2 })).length, 2);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-due-once',
    requirement: 'Many workers that ask at the same moment share what is due: each call goes to one, and none is left.',
    async *run({ begin, process, takeDue, alive, wait }) {
      await alive('p', 0);
      for (let index = 0; index < 6; index += 1) {
        await begin(`d${index}`);
        await begin(`w${index}`, { wait: waitFor(undefined, { wakeMs: 1 }) });
      }
      await wait(30);
      const workers = Array.from({ length: 8 }, (_, index) => `w${index}`);
      for (const worker of workers) await alive(worker);
      const taken: [id: string, worker: string][] = [];
      // Whoever finds what he looked for taken by others asks again, as workers do.
      for (let round = 0; round < 5; round += 1) {
        const shares = await Promise.all(workers.map(async (worker) => [worker, await takeDue(worker, { limit: 2 })] as const));
        for (const [worker, share] of shares) {
          if (share.length > 2) yield { message: 'more is taken than was asked for', evidence: share };
          for (const { id, epoch, process: owner } of share) {
            taken.push([id, worker]);
            yield* differs('a call does not run where it was taken', { epoch, owner }, { epoch: 2, owner: process(worker) });
          }
        }
      }
      const names = new Set(taken.map(([id]) => id));
      if (taken.length !== 12 || names.size !== 12)
        yield { message: `12 calls are due, and ${names.size} are taken ${taken.length} times`, evidence: taken };
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-heartbeats',
    requirement:
      'One sign of life holds for all calls of a process, for as long as its lease; it is told which of them are to stop or run for long.',
    async *run({ calls, begin, at, run, process, alive, look, wait, beginWaiting }) {
      const beat = (name: string, leaseMs: number, ranMs: number) => calls.heartbeat({ process: process(name), leaseMs, ranMs });
      const lives = (name: string) => calls.isAlive(process(name));
      yield* differs('a process that gave no sign of life lives', await lives('p'), false);
      yield* differs('a process runs calls before it began any', await beat('p', minute, 0), []);
      yield* differs('a process that gave a sign of life is dead', await lives('p'), true);
      yield* differs('a sign of life holds for others', await lives('q'), false);
      await begin('a');
      await begin('b', { isPromised: false });
      await begin('elsewhere', { process: process('q') });
      await begin('ended');
      await calls.end(run('ended'), endWith(1));
      await beginWaiting('waits');
      yield* differs('calls that have just begun have run for long', await beat('p', minute, minute), []);
      const own = (await beat('p', minute, 0)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      yield* differs('a process is not told which calls it runs', own, [
        { ...run('a'), isCancelled: false },
        { ...run('b'), isCancelled: false },
      ]);
      await wait(30);
      yield* differs('calls that ran for long are not told', (await beat('p', minute, 10)).length, 2);
      await calls.cancel(at('a'), {});
      yield* differs('a call that is to stop is not told', await beat('p', 1, minute), [{ ...run('a'), isCancelled: true }]);
      await wait(30);
      yield* differs(
        'a process lives beyond its lease',
        [await lives('p'), await look('a'), await look('b')],
        [false, { isDead: true }, { isDead: true }],
      );
      await calls.take(at('a'), { epoch: 1, process: process('q'), from: 'dead' });
      yield* differs('a process is told of calls that another one took', await beat('p', minute, 0), [{ ...run('b') }]);
      yield* differs('a process does not live again', [await lives('p'), await look('b')], [true, { isDead: false, epoch: 1 }]);
      const theirs = (await beat('q', minute, 0)).map(({ id, epoch }) => `${id} ${epoch}`).toSorted();
      yield* differs('a process is not told what it took', theirs, ['a 2', 'elsewhere 1']);
      await alive('p', 0);
      yield* differs('a process that gives its lease back lives', await lives('p'), false);
    },
  }),
];
