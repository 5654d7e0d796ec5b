import type { Outcome } from 'toolpact';
import type { ObservedAnswer, ObservedAttempt } from './observations.ts';
import type { Random } from './random.ts';
import { factsOf, type ToolName, toolNames } from './tools.ts';
import type { Member, World } from './world.ts';

/** A call that somebody means to make, with all that it takes to bring it to an end. */
export interface Errand {
  readonly label: string;
  readonly tool: ToolName;
  readonly id: string;
  readonly runId: string;
  readonly startMs: number;
}

/** Draws what is called in a run. Some keyed calls are made by several callers, at once or one after the other. */
export function drawErrands(random: Random, spanMs: number): Errand[] {
  const errands: Errand[] = [];
  const count = 16 + random.below(7);
  for (let place = 0; errands.length < count; place += 1) {
    const tool = random.pick(toolNames);
    const { isKeyed } = factsOf(tool);
    const id = `${tool}-${place}`;
    const startMs = random.between(0, spanMs);
    const callers = isKeyed ? Number(random.weighted({ 1: 50, 2: 35, 3: 15 })) : 1;
    const runId = `run-${place}`;
    for (let caller = 0; caller < callers; caller += 1) {
      const laterMs = caller === 0 ? 0 : random.chance(0.5) ? random.between(0, 40) : random.between(40, 3000);
      errands.push({ label: `c${errands.length + 1}`, tool, id, runId, startMs: startMs + laterMs });
    }
  }
  return errands;
}

/** Makes calls and notes what those who make them learn. */
export interface Callers {
  /** Does an errand: makes the call, and brings it to its end as far as its caller can. */
  readonly run: (errand: Errand) => Promise<void>;
  readonly note: (answer: Omit<ObservedAnswer, 'at'>) => void;
  readonly begin: (attempt: Omit<ObservedAttempt, 'beganAt' | 'answeredAt'>) => ObservedAttempt;
  /** The handles under which attempts are pending. */
  readonly handles: Map<string, string>;
}

/** Makes the callers of a run. */
export function createCallers(world: World, random: Random): Callers {
  const { observations, scheduler, history } = world;
  const handles = new Map<string, string>();

  const note: Callers['note'] = (answer) => {
    observations.answers.push({ ...answer, at: scheduler.now() });
    const { way, process, attempt, outcome } = answer;
    history.note(process, `${way} ${attempt}: ${showOutcome(outcome)}`);
  };
  const begin: Callers['begin'] = (facts) => {
    const attempt: ObservedAttempt = { ...facts, beganAt: scheduler.now(), answeredAt: undefined };
    observations.attempts.push(attempt);
    return attempt;
  };

  async function someone(draw: Random): Promise<Member> {
    for (;;) {
      const living = world.living();
      if (living.length > 0) return draw.pick(living);
      await world.sleep(100);
    }
  }

  async function call(errand: Errand, turn: number, draw: Random): Promise<Outcome | undefined> {
    const { label, tool, id, runId } = errand;
    const member = await someone(draw);
    const process = member.process.name;
    const attempt = `${label}-${turn}`;
    const input = { id };
    const begun = begin({ attempt, tool, id, label, process, runId, input });
    history.note(process, `is asked to ${tool} ${id} as ${attempt}`);
    const context = { callId: attempt, invocationId: attempt, runId, userId: 'ann' };
    const asked = await world.ask(member, () => member.toolbox.call(tool as never, input as never, context) as Promise<Outcome>, 40_000);
    if (asked.is === 'failed') observations.strays.push(`call rejected: ${String(asked.thrown)}`);
    if (asked.is !== 'answered') return undefined;
    begun.answeredAt = scheduler.now();
    note({ way: 'call', process, tool, id, attempt, askedAt: begun.beganAt, outcome: asked.value });
    if (asked.value.status === 'pending') handles.set(attempt, asked.value.pending.handle);
    return asked.value;
  }

  async function wait(errand: Errand, turn: number, handle: string, timeoutMs: number, draw: Random): Promise<Outcome | undefined> {
    const { label, tool, id } = errand;
    const member = await someone(draw);
    const askedAt = scheduler.now();
    const asked = await world.ask(member, () => member.toolbox.wait(handle, { timeoutMs }), timeoutMs + 10_000);
    if (asked.is !== 'answered') return undefined;
    const outcome = asked.value;
    if (outcome.status !== 'pending')
      note({ way: 'wait', process: member.process.name, tool, id, attempt: `${label}-${turn}`, askedAt, outcome });
    return outcome;
  }

  return {
    handles,
    note,
    begin,
    async run(errand) {
      const draw = random.fork(errand.label);
      const { isKeyed } = factsOf(errand.tool);
      await world.sleep(errand.startMs);
      const patience = 2 + draw.below(3);
      for (let turn = 1; turn <= patience; turn += 1) {
        const outcome = await call(errand, turn, draw);
        if (outcome === undefined) {
          // The process died with it. Only a key makes it safe to ask again.
          if (!isKeyed) return;
          await world.sleep(draw.between(10, 2500));
          continue;
        }
        if (outcome.status === 'pending') {
          const { handle, reason } = outcome.pending;
          if (reason !== 'approval') {
            await wait(errand, turn, handle, draw.between(500, 9000), draw);
            return;
          }
          // Comes back for it now and then.
          await (draw.chance(0.5) ? wait(errand, turn, handle, draw.between(300, 2500), draw) : world.sleep(draw.between(200, 2500)));
          continue;
        }
        const isSafe = outcome.status === 'error' && (isKeyed || outcome.error.effect === 'none');
        if (outcome.status === 'ok' ? !(isKeyed && draw.chance(0.15)) : !(isSafe && draw.chance(0.5))) return;
        await world.sleep(draw.between(5, 1500));
      }
    },
  };
}

/** Shows an outcome in a few words. */
export function showOutcome(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nothing is known';
  const warnings = outcome.meta.warnings === undefined ? '' : ` (${outcome.meta.warnings.join('; ')})`;
  const replayed = outcome.meta.replayed === true ? ' replayed' : '';
  if (outcome.status === 'pending') return `pending, ${outcome.pending.reason}, ${outcome.pending.handle.slice(0, 20)}${warnings}`;
  if (outcome.status !== 'error') return `${outcome.status}${replayed}${warnings}`;
  const { kind, effect, message } = outcome.error;
  return `${kind}, effect ${effect}${replayed}: ${message.slice(0, 140)}${warnings}`;
}
