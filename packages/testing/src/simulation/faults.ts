import type { Random } from './random.ts';
import type { MachineClock } from './virtual-clock.ts';
import { isWrite, type WireFault, type WireFaults } from './wire.ts';
import { leaseMs, type Member, type World } from './world.ts';

/** The faults that may strike a run. */
export const faultKinds = ['crash', 'pause', 'lost', 'late', 'cut', 'clock', 'outside', 'setback'] as const;

export type FaultKind = (typeof faultKinds)[number];

/**
 * The default faults of a run. `setback` sets the clock of the store back by up to half an hour: then the calls of dead
 * processes wait for as long, which is known.
 */
export const usualFaults: ReadonlySet<FaultKind> = new Set(faultKinds.filter((kind) => kind !== 'setback'));

/** The faults of one run: those that hit an operation of a process, and those that come at a moment. */
export interface FaultPlan {
  /** Returns what befalls the operations of a process. */
  readonly forProcess: (name: string) => WireFaults;
  /** Lets the faults begin that come at a moment; they end at `until`. */
  readonly begin: (world: World, machines: readonly MachineClock[], until: number, onDeath: (member: Member) => void) => void;
  /** From now on nothing befalls anything. */
  readonly end: () => void;
}

/** How many operations of a process a fault may hit: most of the calls of a seed are begun within them. */
const reach = 60;
/** How many of those that write. What befalls them counts for more than what befalls a look, so most faults are theirs. */
const writesReach = 25;

/** Draws the faults of a run. */
export function drawFaults(random: Random, kinds: ReadonlySet<FaultKind>, world: () => World): FaultPlan {
  let isOver = false;
  const has = (kind: FaultKind): boolean => kinds.has(kind);
  const count = (kind: string): void => {
    const { counts } = world();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    counts.set('faults', (counts.get('faults') ?? 0) + 1);
  };

  function draw(name: string) {
    const own = random.fork(name);
    const any = new Map<number, [FaultKind, WireFault]>();
    const writing = new Map<number, [FaultKind, WireFault]>();
    const add = (kind: FaultKind, fault: WireFault): void => {
      const isOfWrite = own.chance(0.65);
      const place = 1 + own.below(isOfWrite ? writesReach : reach);
      if (has(kind)) (isOfWrite ? writing : any).set(place, [kind, fault]);
    };
    if (own.chance(0.3)) add('crash', own.chance(0.5) ? { before: 'die' } : { after: 'die' });
    const pauses = own.weighted({ 0: 45, 1: 40, 2: 15 });
    for (let left = Number(pauses); left > 0; left -= 1) {
      const pauseMs = own.chance(0.8) ? own.between(1.2, 4) * leaseMs : own.between(0.1, 1) * leaseMs;
      add('pause', own.chance(0.4) ? { before: { pauseMs } } : { after: { pauseMs } });
    }
    for (let left = own.below(4); left > 0; left -= 1) {
      add('lost', own.pick<WireFault>([{ before: 'refuse' }, { before: 'lose' }, { after: 'fail' }, { after: 'lose' }]));
    }
    for (let left = own.below(3); left > 0; left -= 1) {
      const lateMs = own.chance(0.5) ? own.between(100, 1500) : own.between(1500, 6000);
      add('late', own.chance(0.5) ? { before: { lateMs } } : { after: { lateMs } });
    }
    return { any, writing };
  }

  return {
    forProcess(name) {
      const { any, writing } = draw(name);
      let written = 0;
      return (operation) => {
        const isWriting = isWrite(operation) && operation.name !== 'takeDue';
        if (isWriting) written += 1;
        const found = isOver ? undefined : (any.get(operation.place) ?? (isWriting ? writing.get(written) : undefined));
        if (found === undefined) return undefined;
        count(found[0]);
        return found[1];
      };
    },
    begin(theWorld, machines, until, onDeath) {
      const own = random.fork('moments');
      const at = (run: () => void): unknown => theWorld.scheduler.after(own.between(0, until), () => isOver || run());
      const someone = (): Member | undefined => {
        const living = theWorld.living();
        return living.length === 0 ? undefined : own.pick(living);
      };
      for (let left = own.below(3); left > 0 && has('crash'); left -= 1) {
        at(() => {
          count('crash');
          someone()?.process.crash();
        });
      }
      for (let left = own.below(2); left > 0 && has('pause'); left -= 1) {
        at(() => {
          count('pause');
          someone()?.process.pause(own.between(0.5, 4) * leaseMs);
        });
      }
      for (let left = 1 + own.below(4); left > 0 && has('cut'); left -= 1) {
        at(() => {
          const how = own.pick(['refused', 'silent', 'stalled'] as const);
          const ms = own.between(50, 3 * leaseMs);
          const cut = own.chance(0.7) ? [someone()] : theWorld.living();
          for (const member of cut) member?.wire.cut(theWorld.scheduler.now() + ms, how);
          count('cut');
          const names = cut.map((member) => member?.process.name).join(', ');
          theWorld.history.note('fault', `the wire of ${names} is cut for ${Math.round(ms)} ms (${how})`);
        });
      }
      for (let left = own.below(2); left > 0 && has('clock'); left -= 1) {
        at(() => {
          const machine = own.pick(machines);
          const ms = (own.chance(0.5) ? 1 : -1) * own.pick([1_500, 20_000, 1_800_000, 86_400_000]);
          // A store forgets what has expired by its own clock: a whole day there makes it forget keys, as it is documented.
          const leastMs = has('setback') ? -1_800_000 : -1_500;
          const jumpMs = machine === theWorld.storeMachine ? Math.max(leastMs, Math.min(1_800_000, ms)) : ms;
          machine.aheadMs += jumpMs;
          // Where the clock of the store is set forward, all signs of life are old until they come again.
          for (const { process } of theWorld.living()) process.disturb(theWorld.scheduler.now() + leaseMs);
          count('clock');
          theWorld.history.note('fault', `the clock of machine ${machines.indexOf(machine)} jumps by ${jumpMs} ms`);
        });
      }
      // A dead process is started again.
      const watch = (known: ReadonlySet<Member>): void => {
        if (isOver) return;
        const dead = theWorld.members.filter((member) => !member.process.isAlive() && !known.has(member));
        for (const member of dead) onDeath(member);
        theWorld.scheduler.after(100, () => watch(new Set([...known, ...dead])));
      };
      watch(new Set());
    },
    end() {
      isOver = true;
    },
  };
}
