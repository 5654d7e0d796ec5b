import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';

/** The process that a command runs in: everything of it that the command may touch. */
export interface Host {
  /** Results and protocols, and nothing else. */
  readonly stdout: Writable;
  /** Writes everything else, to stderr. */
  readonly say: (text: string) => void;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: Record<string, string | undefined>;
  readonly cwd: string;
  /** Emits the signals that ask the command to stop. */
  readonly signals: Signals;
  /** Ends the process at once. Everything else returns an exit code. */
  readonly exit: (code: number) => void;
  /** The process that started this one and exchanges messages with it. */
  readonly parent?: ParentProcess | undefined;
  /** Whether a person sees what goes to stdout and to stderr. */
  readonly isTTY: { readonly stdout: boolean; readonly stderr: boolean };
}

/** A source of signals, such as `process`. */
export interface Signals {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** The other end of the channel to a parent process. */
export interface ParentProcess {
  /** Resolves when the message has left. */
  readonly send: (message: object) => Promise<void>;
  readonly onMessage: (listener: (message: unknown) => void) => void;
}

/** A host, and how this command line wants its texts. */
export interface Terminal extends Host {
  /** Writes a result to stdout; resolves when it has left. */
  readonly out: (text: string) => Promise<void>;
  /** Paints what goes to stdout and to stderr; each gives the text back as it is when colours are off. */
  readonly outPaint: Paint;
  readonly paint: Paint;
  readonly verbose: boolean;
}

/** A colour, by what it says. */
export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong' | 'link';

/** Paints a text. */
export type Paint = (tone: Tone, text: string) => string;

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  strong: 'bold',
  link: 'cyan',
};

/** Creates the terminal of a command line, whose flags `--no-color` and `--verbose` count wherever they stand. */
export function createTerminal(argv: readonly string[], host: Host): Terminal {
  const isPlain = argv.includes('--no-color');
  return {
    ...host,
    out: (text) => new Promise((resolve) => void host.stdout.write(text, () => resolve())),
    outPaint: createPaint(host.isTTY.stdout, host.env, isPlain),
    paint: createPaint(host.isTTY.stderr, host.env, isPlain),
    verbose: argv.includes('--verbose'),
  };
}

/** Creates the painter: colours only on a terminal that a person looks at, by the customs of NO_COLOR, FORCE_COLOR and CI. */
export function createPaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>, refused = false): Paint {
  return wantsColour(isTerminal, env, refused)
    ? (tone, text) => styleText(styles[tone], text, { validateStream: false })
    : (_, text) => text;
}

function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>, refused: boolean): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', CI = '', TERM } = env;
  if (refused || NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb' && CI === '';
}

/** Removes what would let text from elsewhere move the cursor, change colours, or turn the direction of what follows. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The same, on one line: text from elsewhere must not look like another line of a log. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}

/** Ends a text from elsewhere with a full stop, so that another sentence can follow. */
export function asSentence(text: string): string {
  const line = plainLine(text).trim();
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** The same, cut where it is longer than wanted: between two words if they end nearby, and never within a character. */
export function shortLine(text: string, most: number): string {
  const line = plainLine(text);
  return line.length <= most ? line : `${line.slice(0, most).replace(/\s+\S{0,20}$|[\ud800-\udbff]$/, '')}…`;
}
