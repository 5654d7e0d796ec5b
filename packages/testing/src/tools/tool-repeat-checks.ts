import { isSame } from '../lost-paths.ts';
import type { InputCase } from './generate/generate-inputs.ts';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { answered } from './tool-input-checks.ts';
import { clip, summarizeOutcome } from './tool-outcome.ts';
import type { ToolTrial } from './tool-trial.ts';

/** Checks of calls that are made twice. */
export const toolRepeatChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/idempotency-kept',
    group: 'repeats',
    requirement: 'A tool that promises idempotency runs once for one key: later and simultaneous calls get the same answer.',
    why: 'Networks and models repeat calls. A second payment is the most expensive bug a tool can have.',
    fix: 'Derive the key from the arguments that make two calls one, and from nothing that changes: no time, no random number.',
    example: 'idempotency: { key: ({ invoice }) => invoice }',
    async *run(trial) {
      const promise = trial.plan?.guardOptions.idempotency;
      if (promise === undefined) return trial.plan === undefined ? 'its definition is not in this process' : 'it makes no such promise';
      if (trial.isFake) return 'a fake runs in its place, without its guards';
      const [input, other] = await working(trial);
      if (input === undefined) return trial.notRunReason ?? 'no call worked';
      const key = promise.key === undefined ? { idempotencyKey: crypto.randomUUID() } : {};
      const first = (await trial.ask(input, key))?.outcome;
      if (first?.status !== 'ok') return 'the call did not work again';
      const again = (await trial.ask(input, key))?.outcome;
      if (again?.status !== 'ok' || again.meta.replayed !== true || !isSame(again.data, first.data))
        yield {
          message: 'the same call with the same key ran twice',
          evidence: { input: clip(input.args), first: summarizeOutcome(first), ...(again && { again: summarizeOutcome(again) }) },
        };
      const atOnce = promise.key === undefined ? { idempotencyKey: crypto.randomUUID() } : {};
      const both = (await Promise.all([trial.ask(input, atOnce), trial.ask(input, atOnce)])).flatMap((one) => one?.outcome ?? []);
      if (both.every((outcome) => outcome.status === 'ok' && outcome.meta.replayed !== true))
        yield { message: 'two calls at once with the same key both ran', evidence: { input: clip(input.args) } };
      if (promise.key !== undefined || other === undefined) return undefined;
      const reused = (await trial.ask(other, key))?.outcome;
      if (reused?.status === 'ok')
        yield {
          message: 'a key was taken for other arguments',
          evidence: { first: clip(input.args), second: clip(other.args), answer: summarizeOutcome(reused) },
        };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/repeatable',
    group: 'repeats',
    level: 'should',
    requirement: 'A tool that calls itself idempotent answers the same call the same way again.',
    why: 'Idempotent tools are repeated without asking. One whose second call differs is not.',
    fix: "Make the second call find the work done, or say effects: 'writes'.",
    async *run(trial) {
      if (trial.tool.effects !== 'idempotent') return 'it does not call itself idempotent';
      const [input] = await working(trial);
      if (input === undefined) return 'no call worked';
      const first = (await trial.ask(input))?.outcome;
      const again = (await trial.ask(input))?.outcome;
      if (first?.status !== 'ok' || again === undefined) return 'the call did not work again';
      if (again.status !== 'ok' || !isSame(first.data, again.data))
        yield {
          message: 'the second of two equal calls was answered differently',
          evidence: { input: clip(input.args), first: summarizeOutcome(first), again: summarizeOutcome(again) },
        };
      return undefined;
    },
  }),
];

async function working(trial: ToolTrial): Promise<readonly InputCase[]> {
  const exchanges = await answered(trial, ['example', 'valid', 'boundary']);
  return exchanges.filter(({ outcome, isFaked }) => outcome.status === 'ok' && !isFaked).map(({ input }) => input);
}
