import { expect, test } from 'vitest';
import { checkHistory } from './check-history.ts';
import type { Lifetime, Told, ToolName } from './lifetime.ts';
import type { Life } from './run-lane.ts';

const late: Told = { type: 'late' };
const answer = (tool: ToolName, facts: object): Told => ({ type: 'answer', tool, id: 'a', status: 'ok', ...facts });
const done = (receipt: string, facts: object = {}) => answer('pay', { data: { receipt }, ...facts });
const refused = (effect: string) => answer('pay', { status: 'error', kind: 'not_ready', effect });
const resumed = (facts: object): Told => ({
  type: 'resumed',
  runId: 'r0',
  calls: [{ tool: 'pay', id: 'a', how: 'interrupted', status: 'error', kind: 'interrupted', effect: 'unknown', ...facts }],
});

/** Checks the reports of processes about one call; the first makes it, the later ones also resume what earlier ones did. */
function check(tool: ToolName, ledger: readonly string[], ...processes: readonly (readonly Told[])[]): string[] {
  const lives = processes.map((told, index): Life => {
    const resumes = Array.from({ length: index }, (_, earlier) => `r${earlier}`);
    const plan: Lifetime = { store: { path: '' }, lateMs: 1, ledger: '', runId: `r${index}`, calls: [{ tool, id: 'a' }], resumes };
    return { plan, told, end: 'from outside' };
  });
  return checkHistory({ lives, ledger });
}

const upload = (receipt: string, facts: object = {}) => answer('upload', { data: { receipt }, ...facts });

test.each<readonly [what: string, found: string[], broken: string[]]>([
  ['a call that went well', check('pay', ['pay a p1 r0'], [done('p1')]), []],
  ['a refusal after the store was late', check('pay', [], [late, refused('none')]), []],
  ['a refusal without a reason', check('pay', [], [refused('none')]), ['the call a ended as not_ready with the effect none']],
  ['a refusal after the claim of another call was seen', check('pay', [], [{ type: 'claiming', id: 'a' }], [late, refused('unknown')]), []],
  ['doubt without any claim', check('pay', [], [late, refused('unknown')]), ['the call a ended as not_ready with the effect unknown']],
  ['a refused call that runs later', check('pay', ['pay a p1 r1'], [late, refused('none')], [done('p1')]), []],
  [
    'a call that its process did and denies',
    check('pay', ['pay a p1 r0'], [late, refused('none')]),
    ['the call a was done by the process that said it was not'],
  ],
  [
    'two effects, however late the store',
    check('pay', ['pay a p1 r0', 'pay a p2 r1'], [late, done('p1')]),
    ['the call a was executed twice'],
  ],
  [
    'a receipt of nothing, however late the store',
    check('pay', [], [late, done('p1', { warned: true })]),
    ['the call a gave a receipt that is not in the ledger'],
  ],
  [
    'a warning without a reason',
    check('pay', ['pay a p1 r0'], [done('p1', { warned: true })]),
    ['the call a has a warning, although its store was never late'],
  ],
  [
    'an upload without the protection of its key',
    check('upload', ['upload a u1 r0', 'upload a u2 r1'], [upload('u1')], [late, upload('u2', { warned: true })]),
    [],
  ],
  [
    'an upload that was repeated and does not say so',
    check('upload', ['upload a u1 r0', 'upload a u2 r1'], [upload('u1')], [late, upload('u2')]),
    ['the call a gave another outcome than before', 'the call a was not marked as replayed'],
  ],
  ['a lost call that is left to the next process', check('pay', [], [], [late, resumed({ warned: true })]), []],
  [
    'a lost call that nobody had begun',
    check('pay', [], [], [late, resumed({})]),
    ['the resumed call a was interrupted, although nobody had begun it'],
  ],
  [
    'an end that was told and is not recorded',
    check('pay', ['pay a p1 r0'], [done('p1')], [late, { type: 'resumed', runId: 'r0', calls: [] }]),
    ['the store has not the end of a that was told'],
  ],
  [
    'an end of the last process, which nobody resumes',
    check('pay', ['pay a p1 r0'], [{ type: 'resumed', runId: 'r9', calls: [] }, done('p1')]),
    [],
  ],
])('the check of histories judges %s', (_, found, broken) => expect(found).toEqual(broken));
