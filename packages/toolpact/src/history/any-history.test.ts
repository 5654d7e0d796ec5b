import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { anyConversation, anyDamage, type Damage, damage, forms } from '../../test/history/any-history.ts';
import { checkHistory } from '../../test/history/check-history.ts';
import type { Outcome } from '../outcome/index.ts';
import { healHistory, type Repair, safeCuts } from './index.ts';

const runs = propertyRuns(500);

describe.each(Object.entries(forms))('any history in the form of %s', (form, { provider, write }) => {
  const damaged = (all: fc.Arbitrary<readonly Damage[]>) =>
    fc.tuple(anyConversation, all).map(([steps, done]) => damage(write(steps), done));
  const anyDamaged = damaged(anyDamage);

  test('is given back as it is when nothing is wrong with it', () => {
    const property = fc.property(anyConversation, (steps) => {
      const messages = write(steps);
      expect(checkHistory(messages, provider)).toEqual([]);
      expect(healHistory(messages, { provider })).toBe(messages);
    });
    fc.assert(property, runs);
  });

  test('is accepted again after any damage, and healing it twice is healing it once', () => {
    const property = fc.property(anyDamaged, (messages) => {
      const healed = healHistory(messages, { provider });
      expect(checkHistory(healed, provider)).toEqual([]);
      expect(healHistory(healed, { provider })).toBe(healed);
    });
    fc.assert(property, runs);
  });

  test('keeps every result, every call and every word', () => {
    const property = fc.property(anyDamaged, (messages) => {
      const healed = JSON.stringify(healHistory(messages, { provider }));
      const marks = JSON.stringify(messages).match(/(?:question|answer|thought|args|result)-\d+\./g) ?? [];
      expect(marks.filter((mark) => !healed.includes(mark))).toEqual([]);
    });
    fc.assert(property, runs);
  });

  // Without ids, nothing but its place says whose result it is.
  if (form !== 'gemini without ids')
    test('never gives a result to a call that it does not belong to', () => {
      const anyLoss = anyDamage.map((all) => all.filter(({ kind }) => !['repeat', 'repeatPart', 'reuseId'].includes(kind)));
      const property = fc.property(damaged(anyLoss), (messages) => {
        const healed = JSON.stringify(healHistory(messages, { provider }));
        const answers = healed.matchAll(
          /"(?:tool_call_id|tool_use_id|call_id|toolCallId|functionResponse":\{"id)":"call_(\d+)"[^[\]]{0,90}?result-(\d+)\./g,
        );
        for (const [, call, result] of answers) expect(result).toBe(call);
      });
      fc.assert(property, runs);
    });

  test('is not changed in place, and every change is reported', () => {
    const property = fc.property(anyDamaged, (messages) => {
      const repairs: Repair[] = [];
      const healed = healHistory(deepFreeze(messages), { provider, onRepair: (repair) => repairs.push(repair) });
      expect(repairs.length > 0).toBe(healed !== messages);
      expect(repairs.every(({ index }) => index in messages)).toBe(true);
    });
    fc.assert(property, runs);
  });

  test('is filled from a ledger that knows everything, at once or later', () => {
    const ledger = (callId: string): Outcome => ({ status: 'ok', data: `known ${callId}`, meta: { tookMs: 1, attempts: 1 } });
    const property = fc.property(anyDamaged, (messages) => {
      const known = healHistory(messages, { provider, ledger });
      expect(checkHistory(known, provider)).toEqual([]);
      expect(JSON.stringify(known)).not.toContain('[error: interrupted]');
      expect(healHistory(known, { provider, ledger })).toBe(known);
      expect(healHistory(healHistory(messages, { provider }), { provider, ledger })).toEqual(known);
    });
    fc.assert(property, runs);
  });

  test('may be cut exactly where that leaves two histories that are accepted', () => {
    const property = fc.property(anyConversation, (steps) => {
      const messages = write(steps);
      const isWhole = (cut: number): boolean =>
        [messages.slice(0, cut), messages.slice(cut)].every((part) => checkHistory(part, provider).length === 0) &&
        (provider !== 'ai-sdk' || messages[cut]?.role === 'user');
      expect(safeCuts(messages, { provider })).toEqual(messages.flatMap((_, cut) => (isWhole(cut) ? cut : [])));
    });
    fc.assert(property, runs);
  });

  test('may be cut at more places when a summary will stand before the rest', () => {
    const [summary] = write([{ who: 'user', text: 'summary.' }]);
    const property = fc.property(anyConversation, (steps) => {
      const messages = write(steps);
      const cuts = safeCuts(messages, { provider, summarized: true });
      for (const cut of cuts) expect(checkHistory(healHistory([summary, ...messages.slice(cut)], { provider }), provider)).toEqual([]);
      for (const cut of cuts)
        expect(JSON.stringify(healHistory(messages.slice(cut), { provider }))).not.toMatch(/interrupted|no longer part/);
      expect(cuts).toEqual(expect.arrayContaining(safeCuts(messages, { provider })));
    });
    fc.assert(property, runs);
  });

  test('is recognised without a provider, as long as there is anything left of a tool', () => {
    const property = fc.property(anyDamaged, (messages) => {
      fc.pre(
        /tool_call|tool_use|tool_result|tool-call|tool-result|function_call|functionCall|functionResponse/.test(JSON.stringify(messages)),
      );
      expect(healHistory(messages)).toEqual(healHistory(messages, { provider }));
      expect(safeCuts(messages)).toEqual(safeCuts(messages, { provider }));
    });
    fc.assert(property, runs);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
