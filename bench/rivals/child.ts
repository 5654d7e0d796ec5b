import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../rivals.ts', import.meta.url));

/** A rival in a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  /** The first message of the process: the port that it listens on, or `ready`. */
  readonly first: unknown;
}

/** Starts a rival of a contest, and waits until it can be asked. */
export async function startChild(contest: string, rival: string): Promise<Child> {
  const child = fork(program, [contest, rival], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'],
  });
  const first = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${contest}: ${rival} ended with ${code}`)));
  });
  return { process: child, first };
}

/** Asks a child a question, and gives its answer. */
export function ask<TAnswer>({ process: child }: Child, question: unknown): Promise<TAnswer> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as TAnswer));
    child.send(question as object);
  });
}

/** The child's side: sends the first message, and answers questions until the parent is gone. */
export function answerParent(first: unknown, answer: (question: unknown) => unknown, close: () => unknown = () => undefined): void {
  process.send?.(first);
  process.on('message', (question) => void Promise.resolve(answer(question)).then((value) => process.send?.(value)));
  process.once('disconnect', () => void Promise.resolve(close()).finally(() => process.exit(0)));
}
