/** A small mistake in the library that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** What is there once in the text of the library, as the bundler writes it, and what stands in its place. */
  readonly from: RegExp;
  readonly to: string;
  /** The invariants that it breaks in a seed in which the library without it does not. */
  readonly breaks: readonly string[];
  /** Within how many seeds it is found. */
  readonly within: number;
}

/** What seeds show of the library without any of these mistakes: it proves nothing about them. */
export const brokenAnyway: readonly RegExp[] = [
  /"cancelled, effect none"/,
  /said cancelled, effect none/,
  / has a start and no end$/,
  / still is pending/,
  / those who wait for it are told/,
];

/** The mistakes. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a step that writes is recorded as begun after it ran',
    from: /if \(effects === "writes"\) await memory\.changeHead\(\);\s+end = await execute\(\);/,
    to: 'end = await execute(); if (effects === "writes") await memory.changeHead();',
    breaks: ['effectsOnce'],
    within: 50,
  },
  {
    name: 'a step does not ask whether another process has taken its call',
    from: /return epoch === state\.head\.epoch \? store\.put\(/,
    to: 'return true ? store.put(',
    breaks: ['effectsOnce', 'effectsTold', 'oneRunAtATime'],
    within: 100,
  },
  {
    name: 'a process takes a call for its own that another one has ended or goes on with',
    from: /if \(found\.ended \|\| !isRepeat && found\.call === key && found\.owner !== owner\) throw takenOverFailure\(\);/,
    to: '',
    breaks: ['effectsOnce', 'effectsTold', 'oneRunAtATime'],
    within: 200,
  },
  {
    name: 'a caller gets its answer before the end of the call is stored',
    from: /const written = \(await record\(outcome\)\)\?\.first;/,
    to: 'void record(outcome); const written = void 0;',
    breaks: ['sameAnswer', 'effectsTold', 'effectsOnce', 'everyCallEnds'],
    within: 100,
  },
  {
    name: 'a key is freed although the effect of its call is not known',
    from: /freesKey\(tool, outcome\.error\);/,
    to: 'true;',
    breaks: ['effectsOnce', 'effectsTold'],
    within: 100,
  },
  {
    name: 'an owner that is slow counts as dead at once',
    from: /if \(now - seen\.firstAt < leaseMs\) return false;/,
    to: '',
    breaks: ['livingKeepCalls', 'oneRunAtATime', 'effectsOnce', 'effectsTold'],
    within: 200,
  },
  {
    name: 'a store that does not answer makes others look dead',
    from: /return !answer\.ok \|\| answer\.value !== void 0;/,
    to: 'return answer.ok && answer.value !== void 0;',
    breaks: ['livingKeepCalls', 'oneRunAtATime', 'effectsTold'],
    within: 200,
  },
  {
    name: 'two calls use one approval',
    from: /const written = await store\.put\(draft\(moved\), version\);/,
    to: 'const written = await store.put(draft(moved));',
    breaks: ['approvalsUsedOnce'],
    within: 200,
  },
  {
    name: 'who takes a call over does not look whether it was cancelled',
    from: /await isCancelled\(tenant, key\) \?/,
    to: 'false ?',
    breaks: ['cancelledStays', 'effectsTold'],
    within: 300,
  },
  {
    name: 'a step under way at a crash counts as not begun',
    from: /doubtful: new Map\(Object\.entries\(head\.begun\)\.filter\(/,
    to: 'doubtful: new Map([].filter(',
    breaks: ['effectsOnce', 'effectsTold'],
    within: 50,
  },
  {
    name: 'the end that another process has stored is replaced',
    from: /return by === "follower" && current\?\.status === "pending" \|\| isGuess\(current\) && !isGuess\(mine\) \?/,
    to: 'return true ?',
    breaks: ['sameAnswer', 'effectsTold', 'everyCallEnds'],
    within: 100,
  },
  {
    name: 'a call with steps runs although it cannot be recorded',
    from: /const mustBeRecorded = call\.tool\.steps && !isContinued && !root\?\.hasEngine;/,
    to: 'const mustBeRecorded = false;',
    breaks: ['everyCallEnds', 'effectsOnce', 'sameAnswer'],
    within: 200,
  },
  {
    name: 'steps are forgotten before the end of their call is stored',
    from: /\(made\?\.endRecorded \?\? recording\.then\(\(recorded\) => recorded\?\.isWritten \?\? false\)\)\.then/,
    to: 'Promise.resolve(true).then',
    breaks: ['effectsOnce', 'effectsTold'],
    within: 200,
  },
  {
    name: 'two processes take one call over',
    from: /const first = await demand\(\(\) => store\.put\(record, 0\)\);/,
    to: 'const first = await demand(() => store.put(record));',
    breaks: ['oneRunAtATime', 'effectsTold', 'effectsOnce', 'sameAnswer', 'everyCallEnds'],
    within: 100,
  },
];
