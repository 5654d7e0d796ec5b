import { peekString } from './peek-string.ts';

/**
 * Where an error was made: inside a dependency or the runtime, while a dependency created a client, in this package, by the engine, in the application's own file, or not known because the
 * application is bundled or the stack was removed.
 */
export type Birthplace = 'library' | 'client' | 'home' | 'engine' | 'own' | 'unknown';

/** Says where an error was made, by the first frame of its stack. */
export function birthplaceOf(error: object, message = peekString(error, 'message') ?? ''): Birthplace {
  const frame = firstFrame(error, message);
  if (frame === '' || /\beval|:\/\/\S*\?|https?:\/\//.test(frame)) return 'unknown';
  if (/\Wnode_modules\W|\bnode:|[( ]internal\/|wasm:|registry\.npmjs/.test(frame))
    return /at new .*node_m/.test(frame) ? 'client' : 'library';
  if (/<anonymous>\)?$|\(native/.test(frame)) return 'engine';
  home ??= findHome();
  if (home === '') return 'unknown';
  return frame.includes(home) ? 'home' : 'own';
}

/** The folder of the library's code; empty where an application was bundled, because then its code and ours may lie in the same file. */
let home: string | undefined;

function findHome(): string {
  return /at (?:findHome \()?(.+[\\/]toolpact[\\/](?:src|dist)[\\/])/.exec(firstFrame(new Error('here'), 'here'))?.[1] ?? '';
}

/** Returns the first line of a stack below the message, which may quote another stack. */
function firstFrame(error: object, message: string): string {
  const stack = peekString(error, 'stack', longestStack) ?? '';
  const [frame = ''] = /\n {4}at .{0,1000}/.exec(stack.slice(Math.max(0, stack.indexOf(message)) + message.length)) ?? [];
  return frame;
}

const longestStack = 20_000;
