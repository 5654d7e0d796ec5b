import type { Observations, ObservedNotice } from '../observations.ts';
import type { Violation } from './violation.ts';

/** How long a try may take, and how long its sender may take to hear of its end. */
const tryMs = 20_000;

/**
 * Whoever is to be told of a question is told: that it was asked, and then how it was closed, each under one id. It is told again only where the
 * process that told it was kept from working as usual.
 */
export function noticesArrive({ questions, notices, disturbances }: Observations): Violation[] {
  const violations: Violation[] = [];
  const say = (at: number, message: string): unknown => violations.push({ invariant: 'noticesArrive', at, message });
  for (const { handle, at, isClosed } of questions) {
    const own = notices.filter((notice) => notice.handle === handle);
    const told = own.filter(({ isClosing }) => !isClosing);
    const closed = own.filter(({ isClosing }) => isClosing);
    if (told.length === 0) say(at, `nobody was told that ${handle} was asked`);
    if (isClosed && closed.length === 0) say(at, `nobody was told how ${handle} was closed`);
    if (!isClosed && closed[0] !== undefined) say(closed[0].at, `${handle} was told to be closed, and is open`);
    if (closed[0] !== undefined && told[0] !== undefined && closed[0].at < told[0].at)
      say(closed[0].at, `it was told how ${handle} was closed before it was told that it was asked`);
    for (const tries of [told, closed]) {
      const ids = new Set(tries.map(({ id }) => id));
      if (ids.size > 1) say(tries[1]?.at ?? at, `${handle} was told under ${ids.size} ids`);
      tries.slice(1).forEach((again, index) => {
        const before = tries[index] as ObservedNotice;
        const wasKept = disturbances.some(
          ({ process, from, until }) => process === before.process && from <= again.at && until >= before.at - tryMs,
        );
        if (before.isTaken && !wasKept) say(again.at, `${handle} was told by ${before.process}, and again by ${again.process}`);
      });
    }
  }
  const byId = Map.groupBy(notices, ({ id }) => id);
  for (const [id, all] of byId) {
    const subjects = new Set(all.map(({ handle, isClosing }) => `${handle} ${isClosing}`));
    if (subjects.size > 1) say(all[0]?.at ?? 0, `${id} is the id of ${subjects.size} notices`);
  }
  return violations;
}
