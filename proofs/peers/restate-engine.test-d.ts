import * as sdk from '@restatedev/restate-sdk';
import type { RestatePromise, WorkflowContext } from '../../packages/restate/src/restate-sdk.ts';

// Our own types describe the parts of the SDK that we use, so that only workers need the package. These lines compile while the types agree.
const own: <TValue>(promises: readonly RestatePromise<TValue>[]) => PromiseLike<TValue> = (promises) =>
  sdk.RestatePromise.race(promises as unknown as sdk.RestatePromise<never>[]);
const context = (ctx: sdk.WorkflowContext): Pick<WorkflowContext, 'key' | 'sleep' | 'set' | 'clear'> => ctx;
const kept = (ctx: sdk.WorkflowContext): PromiseLike<number> => ctx.run('step', async () => 1);
const signal = (ctx: sdk.WorkflowContext): AbortSignal => ctx.request().attemptCompletedSignal;
const mapped = (ctx: sdk.WorkflowContext): PromiseLike<string> =>
  ctx
    .promise<string>('x')
    .get()
    .map((value, failure) => value ?? failure?.message ?? '');
const stopped = (ctx: sdk.WorkflowContext): void => ctx.cancel(sdk.InvocationIdParser.fromString('inv_1'));
const options: sdk.WorkflowOptions = {
  workflowRetention: 1,
  journalRetention: 1,
  abortTimeout: 1,
  onJournalMismatchErrors: 'fail',
  retryPolicy: { initialInterval: 50, exponentiationFactor: 2, maxInterval: 10_000, maxAttempts: 10_000, onMaxAttempts: 'pause' },
};
const errors = [new sdk.CancelledError(), new sdk.TerminalError('no')] satisfies Error[];

export { context, errors, kept, mapped, options, own, signal, stopped };
