import type { CallState, GivenAnswer, Ledger, NewCall, NoticePlace, RunPlace, StoredCall, TakenNotices, Taker } from 'toolpact/extend';
import { createRandom, type Random } from '../simulation/random.ts';
import { endWith, hour, listedAs, minute, question, waitFor } from './ledger-check.ts';
import { askLedger, type LedgerOperation } from './ledger-model.ts';
import type { HistoryClock, ObservedOperation } from './linearize.ts';

/** Where clients race: connections to one ledger, and a name that no other race has. */
export interface Race {
  readonly connections: readonly Ledger[];
  readonly name: string;
  readonly seed: string;
  readonly clients: number;
  /** How often all clients do something at once. */
  readonly bursts: number;
}

type RacedOperation = Exclude<LedgerOperation['name'], 'args' | 'isAlive' | 'questions' | 'list' | 'heartbeat'>;

/** Operations that race on one call, and how the call begins. */
interface Theme {
  readonly begins: 'dead' | 'running' | 'waiting' | 'ended';
  /** How it is taken. */
  readonly from: Taker['from'];
  readonly weights: Readonly<Partial<Record<RacedOperation, number>>>;
  /** Whether there is a standing grant. */
  readonly isGranted?: true;
}

const themes: Readonly<Record<string, Theme>> = {
  keys: { begins: 'ended', from: 'dead', weights: { begin: 6, findByKey: 1, end: 2, note: 1 } },
  replacements: { begins: 'ended', from: 'dead', weights: { begin: 6, end: 3, get: 1, steps: 1 } },
  takes: { begins: 'waiting', from: 'waiting', weights: { take: 5, wait: 2, takeDue: 2, get: 1, end: 1 } },
  deaths: { begins: 'dead', from: 'dead', weights: { take: 4, stepEnd: 5, takeDue: 2, stepBegin: 1, end: 1 } },
  answers: { begins: 'waiting', from: 'waiting', weights: { answer: 6, cancel: 2, take: 2, get: 1, wait: 1 } },
  grants: { begins: 'waiting', from: 'waiting', isGranted: true, weights: { begin: 4, take: 3, revoke: 2, answer: 1, grants: 1, get: 1 } },
  notices: {
    begins: 'waiting',
    from: 'waiting',
    weights: { takeNotices: 5, settleNotice: 4, answer: 2, wait: 1, take: 1, cancel: 1, get: 1 },
  },
  ends: { begins: 'dead', from: 'dead', weights: { end: 4, take: 3, cancel: 1, note: 1, stepEnd: 2, steps: 1, get: 2 } },
};

/**
 * Lets clients do operations at the same moment, and gives what each asked and was answered. Each span that lasts does so for an hour, all
 * others are over at once, so that a clock which stands still can judge them.
 */
export async function race({ connections, name: tenant, seed, clients, bursts }: Race): Promise<readonly ObservedOperation[]> {
  const random = createRandom(seed);
  const theme = random.pick(Object.values(themes));
  const first = connections[0] as Ledger;
  const [tool, dead, hook] = [`${tenant} tool`, `${tenant} dead`, `${tenant} hook`];
  const history: ObservedOperation[] = [];
  /** The latest known state of the call that all clients race on. */
  let known: Pick<CallState, 'id' | 'epoch'> & Partial<Pick<StoredCall, 'questions'>> = { id: 'a', epoch: 1 };
  /** Notices that somebody was given. */
  const noticed: NoticePlace[] = [];
  let [moments, handles, begun] = [0, 0, 0];

  const ask = async (client: string, calls: Ledger, operation: LedgerOperation): Promise<void> => {
    moments += 1;
    const asked = moments;
    try {
      const answer = await askLedger(calls, operation);
      moments += 1;
      history.push({ client, operation, asked, answered: moments, answer });
      if (operation.name === 'takeNotices') for (const { question: _, ...notice } of (answer as TakenNotices).notices) noticed.push(notice);
    } catch {
      history.push({ client, operation, asked, answered: Number.POSITIVE_INFINITY });
    }
  };
  const newQuestion = () => {
    handles += 1;
    return question(`q${handles}`, { kind: handles % 2 === 0 ? 'input' : 'approval', id: `i${handles}` });
  };
  const newCall = (process: string, rest: Partial<NewCall>): LedgerOperation => {
    begun += 1;
    // No two begin at the same moment: the order of writing decides between those.
    const by = { begunAt: 1000 + begun };
    const id = begun === 1 ? 'a' : `b${begun}`;
    const start = { by: process };
    const listed = listedAs({ id, status: 'running' });
    return {
      name: 'begin',
      with: [{ tenant, id, tool, process, isPromised: true, origin: 'a', listed, by, start, keepMs: hour, ...rest }],
    };
  };
  const key = { text: 'k', countsMs: hour };
  const grant = { id: 'g', tool, scope: 's', permit: {}, expiresMs: hour, keepMs: hour, mostUses: random.fork('grant').pick([1, 2, 9]) };

  /** Makes one operation of a client. */
  const draft = (draw: Random, process: string): LedgerOperation => {
    const { id, epoch, questions = [] } = known;
    const at = { tenant, id };
    // Nobody names an epoch before he was told of it.
    const run: RunPlace = { ...at, epoch: draw.chance(0.85) ? epoch : draw.below(epoch) };
    const end = (rest: object = {}) => ({ ...endWith(process, { keepsSteps: draw.chance(0.8), ...rest }), epoch: run.epoch });
    const asks = () => ({
      notify: [hook],
      questions: draw.chance(0.7) ? [newQuestion(), newQuestion()] : [],
      ...(draw.chance(0.3) && { wakeMs: 0 }),
    });
    const step = () => ({ id: draw.pick(['1', '2']), name: 'step', attempt: draw.below(9) });
    const make: { readonly [TName in RacedOperation]: () => LedgerOperation } = {
      begin: () =>
        newCall(process, {
          ...(draw.chance(0.6) && { key }),
          ...(draw.chance(0.6) && { instead: run }),
          ...(draw.chance(0.3) ? { wait: waitFor(undefined, asks()) } : theme.isGranted && { grants: [grant.id] }),
        }),
      take: () => {
        const from = draw.chance(0.8) ? theme.from : 'waiting';
        return { name: 'take', with: [at, { epoch: run.epoch, process, from, ...(theme.isGranted && { grants: [grant.id] }) }] };
      },
      grants: () => ({ name: 'grants', with: [{ tenant, limit: 9 }] }),
      revoke: () => ({ name: 'revoke', with: [{ tenant, id: grant.id }, { by: process }] }),
      takeDue: () => ({ name: 'takeDue', with: [{ process, tools: [tool], limit: draw.pick([1, 9]) }] }),
      stepBegin: () => ({ name: 'stepBegin', with: [run, step()] }),
      stepEnd: () => ({ name: 'stepEnd', with: [run, { ...step(), record: process }] }),
      wait: () => ({ name: 'wait', with: [run, waitFor(undefined, asks())] }),
      answer: () => {
        const given: GivenAnswer = {
          state: 'answered',
          answer: { by: process },
          wakes: draw.chance(0.5),
          ...(draw.chance(0.5) && { end: end() }),
        };
        return { name: 'answer', with: [{ tenant, handle: draw.pick(questions)?.handle ?? id }, given] };
      },
      end: () => ({
        name: 'end',
        with: [
          run,
          end({
            ...(draw.chance(0.3) && { keyCountsMs: draw.pick([0, hour]) }),
            ...(draw.chance(0.3) && { guessAbout: epoch - draw.below(2) }),
          }),
        ],
      }),
      cancel: () => ({ name: 'cancel', with: [at, { by: process, ...(draw.chance(0.7) && { end: end() }) }] }),
      note: () => ({ name: 'note', with: [run, { progress: { by: process }, ...(draw.chance(0.5) && { joinKey: key }) }] }),
      takeNotices: () => ({ name: 'takeNotices', with: [{ to: hook, limit: draw.pick([1, 9]), leaseMs: draw.pick([0, hour]) }] }),
      settleNotice: () => {
        const notice = draw.pick(noticed) ?? { tenant, handle: 'q1', to: hook, event: 'asked' as const, attempt: 1 };
        return { name: 'settleNotice', with: [notice, draw.chance(0.4) ? { againMs: draw.pick([0, hour]) } : {}] };
      },
      get: () => ({ name: 'get', with: [tenant, id] }),
      findByKey: () => ({ name: 'findByKey', with: [tenant, key.text] }),
      look: () => ({ name: 'look', with: [[at]] }),
      steps: () => ({ name: 'steps', with: [at] }),
    };
    return make[draw.weighted(theme.weights as Readonly<Record<RacedOperation, number>>)]();
  };

  const beats = Array.from(
    { length: clients },
    (_, index): LedgerOperation => ({
      name: 'heartbeat',
      with: [{ process: `${tenant} p${index}`, leaseMs: hour, ranMs: hour }],
    }),
  );
  await Promise.all(beats.map((beat) => ask('set up', first, beat)));
  const setUp = random.fork('set up');
  const waits = theme.begins === 'waiting' && {
    wait: waitFor(undefined, { notify: [hook], questions: [newQuestion(), newQuestion()], ...(setUp.chance(0.5) && { wakeMs: 0 }) }),
  };
  await ask('set up', first, newCall(theme.begins === 'dead' ? dead : `${tenant} p0`, { key, ...waits }));
  if (theme.isGranted) {
    const given = newQuestion();
    await ask('set up', first, newCall(`${tenant} p0`, { wait: waitFor(undefined, { questions: [given] }) }));
    const answer: GivenAnswer = { state: 'approved', answer: {}, wakes: false, grant };
    await ask('set up', first, { name: 'answer', with: [{ tenant, handle: given.handle }, answer] });
  }
  const place = { tenant, id: 'a', epoch: 1 };
  if (theme.begins === 'ended') {
    await ask('set up', first, { name: 'stepEnd', with: [place, { id: '1', name: 'step', attempt: 1, record: 'set up' }] });
    await ask('set up', first, {
      name: 'end',
      with: [
        place,
        endWith('set up', { keepsSteps: true, ...(setUp.chance(0.5) && { guessAbout: 1 }), ...(setUp.chance(0.5) && { keyCountsMs: 0 }) }),
      ],
    });
  }
  for (let burst = 0; burst < bursts; burst += 1) {
    const draw = random.fork(`burst ${burst}`);
    const operations = Array.from({ length: clients }, (_, index) => draft(draw, `${tenant} p${index}`));
    await Promise.all(
      operations.map((operation, index) => ask(`client ${index}`, connections[index % connections.length] as Ledger, operation)),
    );
    await ask('reader', first, { name: 'get', with: [tenant, known.id] });
    const { answer } = history.at(-1) ?? {};
    if (answer !== undefined) known = answer as StoredCall;
    const next = (answer as StoredCall | undefined)?.replacedBy;
    if (next !== undefined) known = { id: next, epoch: 1 };
  }
  const ids = [...new Set(history.flatMap(({ operation }) => (operation.name === 'begin' ? [operation.with[0].id] : [])))];
  const reads: LedgerOperation[] = [
    ...ids.map((id): LedgerOperation => ({ name: 'get', with: [tenant, id] })),
    ...ids.map((id): LedgerOperation => ({ name: 'steps', with: [{ tenant, id }] })),
    { name: 'findByKey', with: [tenant, key.text] },
    { name: 'list', with: [{ tenant, limit: 100 }] },
    { name: 'grants', with: [{ tenant, limit: 100 }] },
  ];
  await Promise.all(reads.map((read) => ask('reader', first, read)));
  return history.toSorted((one, other) => one.asked - other.asked);
}

/** Reads the moments of a race whose store has the clock of the judge, within minutes. */
export function raceClock(now: number): HistoryClock {
  return { observed: { from: now - minute, stepMs: hour }, model: { from: 0, stepMs: hour }, now: 0 };
}

/** Writes a history for people: without what is the same everywhere. */
export function printHistory(history: readonly ObservedOperation[], name: string): readonly string[] {
  const isKnown: ReadonlySet<string> = new Set([
    'tenant',
    'tool',
    'origin',
    'listed',
    'start',
    'meta',
    'isPromised',
    'begunAt',
    'changedAt',
    'readAt',
    'endedAt',
    'keptUntil',
  ]);
  const print = (value: unknown): string =>
    JSON.stringify(value, (field, part: unknown) => (isKnown.has(field) ? undefined : part))?.replaceAll(`${name} `, '') ?? 'nothing';
  return history.map(({ client, operation, asked, answered, answer }) => {
    const told = answered === Number.POSITIVE_INFINITY ? 'failed' : print(answer);
    return `${asked}-${answered} ${client}: ${operation.name} ${print(operation.with)} -> ${told}`;
  });
}
