import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import { classify } from '../../core/outcome/index.ts';
import { defineGuard, type Guard } from '../../core/runtime/index.ts';

/** A rejection that nobody handled, and the call that left it behind. */
export interface Stray {
  readonly tool: string;
  readonly invocationId: string;
  readonly error: unknown;
}

/** How strays are told. */
export interface ContainStraysOptions {
  /** @default one line on the console */
  readonly onStray?: (stray: Stray) => void;
}

/**
 * Contains promises that a handler forgot: a rejection nobody handles is told with the name of its tool instead of ending the
 * process. Rejections from elsewhere keep their usual fate. Works for the whole process until `stop` is called.
 */
export function containStrays({ onStray = tellStray }: ContainStraysOptions = {}): Guard & { readonly stop: () => void } {
  const calls = new AsyncLocalStorage<Omit<Stray, 'error'>>();
  const onRejection = (error: unknown): void => {
    const call = calls.getStore();
    if (call !== undefined) {
      onStray({ ...call, error });
      return;
    }
    // Two instances each hear of the other's strays; and with nobody else listening, Node would have ended the process, so it shall.
    const foreign = process.listeners('unhandledRejection').some((listener) => !ours.has(listener));
    if (!foreign && !instances.some((instance) => instance.getStore() !== undefined)) throw error;
  };
  instances.push(calls);
  ours.add(onRejection);
  process.on('unhandledRejection', onRejection);
  const guard = defineGuard({
    name: 'contain-strays',
    phase: 'run',
    around: ({ tool, invocationId }, next) => calls.run({ tool: tool.name, invocationId }, next),
  });
  return {
    ...guard,
    stop: () => {
      process.off('unhandledRejection', onRejection);
      ours.delete(onRejection);
      instances.splice(instances.indexOf(calls), 1);
    },
  };
}

const ours = new WeakSet<object>();
const instances: AsyncLocalStorage<unknown>[] = [];

function tellStray({ tool, invocationId, error }: Stray): void {
  console.error(`toolpact: ${tool} left a rejected promise behind. ${classify(error).message} [debugId ${invocationId}]`);
}
