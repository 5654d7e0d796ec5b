import type { ErrorCase } from './error-case.ts';

/** The result of one case. */
export type CaseResult<T> =
  | { readonly threw: true; readonly thrown: unknown; readonly answer: T }
  | { readonly threw: false; readonly returned: unknown };

/** No case takes as long by itself: a library that does not throw has hung. */
const caseLimitMs = 60_000;
const concurrency = 12;

/** Runs every case, a dozen at a time, and reads what is thrown at once, because dates in it grow old. */
export async function runCases<T>(cases: readonly ErrorCase[], read: (thrown: unknown) => T): Promise<Map<ErrorCase, CaseResult<T>>> {
  const results = new Map<ErrorCase, CaseResult<T>>();
  const restore = isolateProcess();
  const queue = cases.values();
  const work = async () => {
    for (const entry of queue) results.set(entry, await runCase(entry, read));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  restore();
  return results;
}

/** Describes the thrown value, for a reader who must decide who is wrong. */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `thrown ${typeof thrown}: ${String(thrown)}`;
  const error = thrown as Record<string, unknown> & { constructor?: { name?: string } };
  const facts = [
    `thrown ${error.constructor?.name} name=${String(error.name)} code=${String(error.code)}`,
    `message=${JSON.stringify(error.message)?.slice(0, 400)}`,
    `keys=${Object.getOwnPropertyNames(error).filter((key) => key !== 'stack' && key !== 'message')}`,
  ];
  if (error.cause !== undefined) facts.push(`cause: ${describeThrown(error.cause)}`);
  if (Array.isArray(error.errors)) facts.push(`errors[0]: ${describeThrown(error.errors[0])}`);
  return facts.join('\n  ');
}

async function runCase<T>({ run }: ErrorCase, read: (thrown: unknown) => T): Promise<CaseResult<T>> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(() => resolve(`nothing within ${caseLimitMs} ms`), caseLimitMs);
  });
  try {
    return { threw: false, returned: await Promise.race([Promise.resolve().then(run), limit]) };
  } catch (thrown) {
    return { threw: true, thrown, answer: read(thrown) };
  } finally {
    clearTimeout(timer);
  }
}

/** Hides the machine's proxies and keys from the libraries, and catches what they throw beside their answer. */
function isolateProcess(): () => void {
  const foreign = /^(https?|no|all|grpc)_proxy$|^(openai|anthropic|google|gemini|aws|stripe|github)_|^PG[A-Z]+$/i;
  const removed = Object.entries(process.env).filter(([name]) => foreign.test(name));
  for (const [name] of removed) delete process.env[name];
  const added = {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SHARED_CREDENTIALS_FILE: 'none',
    AWS_CONFIG_FILE: 'none',
    METADATA_SERVER_DETECTION: 'none',
  };
  Object.assign(process.env, added);
  const { warn } = console;
  console.warn = () => {};

  const events = ['unhandledRejection', 'uncaughtException'] as const;
  const before = events.map((event) => process.listeners(event as 'exit'));
  for (const event of events) process.removeAllListeners(event).on(event, () => {});
  return () => {
    console.warn = warn;
    for (const name of Object.keys(added)) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(removed));
    for (const [index, event] of events.entries()) {
      process.removeAllListeners(event);
      for (const listener of before[index] ?? []) process.on(event as 'exit', listener);
    }
  };
}
