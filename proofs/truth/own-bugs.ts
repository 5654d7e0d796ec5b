import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';

/** The arguments of the tool. Bugs touch them, so that their texts repeat them. */
export const bugArgs = { id: 'T-1042', name: 'report', path: 'src/a.ts', limit: 20, tags: ['new'], query: 'open invoices' };

type Args = Record<string, never> & typeof bugArgs;

/** Shapes of faults of a tool's own code, each run as it stands: what the engine, the runtime and assertions say, and what authors do. */
export const bugs: Readonly<Record<string, (args: Args) => unknown>> = {
  'a field of nothing': (args) => (args.user as unknown as { name: string }).name,
  'a field of null': () => (JSON.parse('null') as { id: string }).id,
  'a field below an argument': (args) => (args as unknown as { tags: { first: { name: string } } }).tags.first.name,
  'a method that is not there': (args) => (args.id as unknown as { push: () => void }).push(),
  'a function that is not there': (args) => (args.query2 as unknown as () => void)(),
  'a function on nothing': (args) => (args as unknown as { name2: { trim: () => void } }).name2.trim(),
  'a field set on nothing': (args) => {
    (args.user as unknown as { name: string }).name = args.name;
  },
  'a name that is not defined': () => new Function('return query.lenght + missing')(),
  'a name that is not defined, like a parameter': () => new Function('return limit')(),
  'a constant that is changed': () => new Function('const id = 1; id = 2')(),
  'a name before its line': () => new Function('return name; let name = 1')(),
  'no constructor': (args) => new (args.name as unknown as new () => object)(),
  'a class without new': () => (class Report {} as unknown as () => void)(),
  'no list to walk over': (args) => [...(args.limit as unknown as string[])],
  'nothing to walk over': (args) => [...(args.user as unknown as string[])],
  'parts of nothing': (args) => {
    const { name } = args.user as unknown as { name: string };
    return name;
  },
  'parts of null': () => {
    const [first] = JSON.parse('null') as string[];
    return first;
  },
  'no list to spread': (args) => Math.max(...(args.limit as unknown as number[])),
  'an endless call': () => {
    const again = (): number => 1 + again();
    return again();
  },
  'a list of a wrong length': () => new Array(-1),
  'a text too long': () => 'x'.repeat(2 ** 30),
  'a text repeated less than never': () => 'x'.repeat(-1),
  'too many digits': () => (1.5).toFixed(200),
  'a base that is none': () => (255).toString(99),
  'a day that is none': () => new Date('not a day').toISOString(),
  'a circle as JSON': () => {
    const ring: Record<string, unknown> = { name: 'report' };
    ring.self = ring;
    return JSON.stringify(ring);
  },
  'a bigint as JSON': () => JSON.stringify({ id: 10n }),
  'a bigint and a number': () => new Function('return 1n + 1')(),
  'a bigint of a half': () => BigInt(1.5),
  'a symbol as a text': () => `${Symbol('id') as unknown as string}`,
  'what is frozen': () => {
    (Object.freeze({ id: 1 }) as { id: number }).id = 2;
  },
  'a field that is only read': () => {
    (
      ({
        get id() {
          return 1;
        },
      }) as { id: number }
    ).id = 2;
  },
  'a field that cannot be deleted': () => delete (Object.freeze({ id: 1 }) as { id?: number }).id,
  'a field defined twice': () => {
    const sealed = Object.defineProperty({}, 'id', { value: 1 });
    return Object.defineProperty(sealed, 'id', { value: 2 });
  },
  'in of a text': (args) => 'id' in (args.name as unknown as object),
  'instanceof of nothing': (args) => ({}) instanceof (args.user as unknown as new () => object),
  'a fold of nothing': () => ([] as number[]).reduce((sum, value) => sum + value),
  'a private field of another': () => {
    class Report {
      readonly #id = 1;
      static idOf(report: Report) {
        return report.#id;
      }
    }
    return Report.idOf({} as Report);
  },
  'a method of another': () => Map.prototype.get.call({} as Map<string, string>, 'id'),
  'a weak key that is a text': () => new WeakMap().set('id' as unknown as object, 1),
  'a pattern that is none': (args) => new RegExp(`(${args.name}`),
  'code that is none': () => new Function('return {'),
  'a decorated address': () => decodeURIComponent('%'),
  'a generator in itself': () => {
    const walks: Generator[] = [];
    walks.push(
      (function* () {
        yield walks[0]?.next();
      })(),
    );
    return walks[0]?.next();
  },
  'a structured clone of a function': (args) => structuredClone({ name: args.name, run: () => {} }),
  'a promise without a function': () => new Promise(undefined as never),
  'this of a bare class': () => new Function('new (class extends Object { constructor() { this.id = 1 } })')(),
  'a proxy that is revoked': () => {
    const { proxy, revoke } = Proxy.revocable({ id: 1 }, {});
    revoke();
    return proxy.id;
  },
  'a buffer from nothing': () => Buffer.from(undefined as never),
  'a hash of nothing': () => createHash('sha256').update(undefined as never),
  'a listener that is none': () => new EventEmitter().on('report', 'x' as never),
  'an error nobody hears': () => new EventEmitter().emit('error', new TypeError('Cannot read properties of undefined')),
  'a file of nothing': () => readFileSync(undefined as never),
  'an equal assertion': (args) => assert.equal(args.limit, 21),
  'a deep assertion': (args) => assert.deepEqual(args.tags, ['old']),
  'an assertion in words': (args) => assert(args.limit > 100, 'limit must be above 100 here'),
  'a match assertion': (args) => assert.match(args.name, /^order/),
  'an assertion that it fails': () => assert.fail('name is required by now'),
  'a thrown nothing': () => raise(undefined),
  'a thrown null': () => raise(null),
  'a thrown number': () => raise(0),
  'a thrown object': () => raise({}),
  'an error without a word': () => raise(new Error('')),
  'an invariant': () => raise(new Error('Invariant failed')),
  'an invariant in words': () => raise(new Error('Invariant violation: the queue and its index differ')),
  'a line that is not reached': () => raise(new Error('Unreachable')),
  'what should not happen': () => raise(new Error('This should never happen')),
  'what is not written yet': () => raise(new Error('Not implemented')),
  'a case that was forgotten': () => raise(new Error('Unhandled case: 7')),
  'a default behind all cases': () => raise(new Error('Unexpected state')),
  'an assertion of its own': () => raise(Object.assign(new Error('Assertion failed'), { name: 'AssertionError' })),
  'an engine text in an own class': () =>
    raise(new (class ReportError extends Error {})("Cannot read properties of undefined (reading 'id')")),
  'an engine text of Safari': () => raise(new TypeError("undefined is not an object (evaluating 'args.user.id')")),
  'an engine text of Firefox': () => raise(new TypeError('args.user is undefined')),
};

function raise(thrown: unknown): never {
  throw thrown;
}
