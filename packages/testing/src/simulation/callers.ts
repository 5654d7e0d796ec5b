import type { Desk } from './desk.ts';
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

/** Draws what is called in a run. Some calls with a key or an approval are made by several callers, at once or one after the other. */
export function drawErrands(random: Random, spanMs: number): Errand[] {
  const errands: Errand[] = [];
  const count = 13 + random.below(4);
  for (let place = 0; errands.length < count; place += 1) {
    const tool = random.pick(toolNames);
    const { isKeyed, needsApproval } = factsOf(tool);
    const id = `${tool}-${place}`;
    const startMs = random.between(0, spanMs);
    const callers = isKeyed || needsApproval ? Number(random.weighted({ 1: 50, 2: 35, 3: 15 })) : 1;
    const runId = `run-${place}`;
    for (let caller = 0; caller < callers; caller += 1) {
      const laterMs = caller === 0 ? 0 : random.chance(0.5) ? random.between(0, 40) : random.between(40, 3000);
      errands.push({ label: `c${errands.length + 1}`, tool, id, runId, startMs: startMs + laterMs });
    }
  }
  return errands;
}

/** Does an errand: makes the call, and brings it to its end as far as its caller can. */
export async function runErrand(world: World, desk: Desk, { startMs, ...errand }: Errand, draw: Random): Promise<void> {
  const { isKeyed } = factsOf(errand.tool);
  await world.sleep(startMs);
  const patience = 2 + draw.below(2);
  for (let turn = 1; turn <= patience; turn += 1) {
    const attempt = `${errand.label}-${turn}`;
    const outcome = await desk.call(await someone(world, draw), { ...errand, attempt });
    if (outcome === undefined) {
      // The process died with it. Only a key makes it safe to ask again.
      if (!isKeyed) return;
      await world.sleep(draw.between(10, 2500));
      continue;
    }
    if (outcome.status === 'pending') {
      const { handle, reason } = outcome.pending;
      if (reason !== 'approval') {
        await desk.wait(await someone(world, draw), attempt, handle, draw.between(500, 6000));
        return;
      }
      // Comes back for it now and then.
      if (draw.chance(0.5)) await desk.wait(await someone(world, draw), attempt, handle, draw.between(300, 2500));
      else await world.sleep(draw.between(200, 2500));
      continue;
    }
    const isSafe = outcome.status === 'error' && (isKeyed || outcome.error.effect === 'none');
    if (outcome.status === 'ok' ? !(isKeyed && draw.chance(0.15)) : !(isSafe && draw.chance(0.5))) return;
    await world.sleep(draw.between(5, 1500));
  }
}

async function someone(world: World, draw: Random): Promise<Member> {
  for (;;) {
    const living = world.living();
    if (living.length > 0) return draw.pick(living);
    await world.sleep(100);
  }
}
