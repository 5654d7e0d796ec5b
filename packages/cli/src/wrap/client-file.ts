import { isRecord } from 'toolpact/internal';

/** How a client starts one of its servers. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** A server of a client whose start was changed. */
export interface ChangedStart {
  readonly server: string;
  readonly before: Start;
  readonly after: Start;
}

/** The settings of a client with other starts of its servers. */
export interface ChangedClientFile {
  readonly content: Readonly<Record<string, unknown>>;
  readonly changed: readonly ChangedStart[];
  /** Servers that stay as they are, and why. */
  readonly left: readonly { readonly server: string; readonly why: string }[];
}

/** Where the gateway of a client keeps what it remembers. */
export interface WrapPlaces {
  /** The file of its store, which all its servers share. */
  readonly store: string;
  /** The file with the contracts of a server's tools. */
  readonly lock: (server: string) => string;
  readonly platform: NodeJS.Platform;
}

const packageName = '@toolpact/cli';

/** Puts `toolpact wrap --` before the command of each server that a client starts. */
export function wrapServers(content: Readonly<Record<string, unknown>>, places: WrapPlaces): ChangedClientFile {
  return changeServers(content, (server, start) => {
    if (isGateway(start)) return 'it is wrapped already';
    const words = [...wrapWords(places.store, places.lock(server)), start.command, ...start.args];
    // A program of Windows that is a script has to be started by its shell.
    return places.platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...words] } : { command: 'npx', args: words };
  });
}

/** Gives each server the command back that it had before it was wrapped. */
export function unwrapServers(content: Readonly<Record<string, unknown>>): ChangedClientFile {
  return changeServers(content, (_, start) => ownCommandOf(start) ?? 'it is not wrapped');
}

function changeServers(
  content: Readonly<Record<string, unknown>>,
  change: (server: string, start: Start) => Start | string,
): ChangedClientFile {
  const changed: ChangedStart[] = [];
  const left: { server: string; why: string }[] = [];
  const entries = Object.entries(isRecord(content.mcpServers) ? content.mcpServers : {}).map(([server, entry]) => {
    const before = startOf(entry);
    const after = before === undefined ? 'it is not started by the client' : change(server, before);
    if (before === undefined || typeof after === 'string') {
      left.push({ server, why: String(after) });
      return [server, entry] as const;
    }
    changed.push({ server, before, after });
    return [server, { ...(entry as object), ...after }] as const;
  });
  return { content: { ...content, ...(entries.length > 0 && { mcpServers: Object.fromEntries(entries) }) }, changed, left };
}

function startOf(entry: unknown): Start | undefined {
  if (!isRecord(entry) || typeof entry.command !== 'string') return undefined;
  const { command, args = [] } = entry;
  return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? { command, args } : undefined;
}

/** The words with which the gateway is started in the place of a server, up to the command of the server. */
function wrapWords(store: string, lock: string): string[] {
  return ['-y', packageName, 'wrap', '--store', store, '--lock', lock, '--'];
}

/** Finds the command that a server had before it was wrapped here; undefined for any other, such as a gateway that somebody has written by hand. */
function ownCommandOf({ command, args }: Start): Start | undefined {
  const words = command === 'npx' ? args : command === 'cmd' && args[0] === '/c' && args[1] === 'npx' ? args.slice(2) : [];
  const written = wrapWords(words[4] ?? '', words[6] ?? '');
  const [own, ...ownArgs] = words.slice(written.length);
  return own !== undefined && written.every((word, at) => words[at] === word) ? { command: own, args: ownArgs } : undefined;
}

/** Our package, in any version, and our program, wherever it lies. */
const program = /(?:^|[\\/])(?:@toolpact[\\/]cli(?:@[^\\/]*)?(?:[\\/].*)?|toolpact(?:\.(?:cmd|exe|[cm]?js))?)$/i;

/** Whether a gateway is started, by whoever wrote that. */
function isGateway({ command, args }: Start): boolean {
  const words = [command, ...args];
  const at = words.findIndex((word) => program.test(word));
  return at !== -1 && words.includes('wrap', at);
}
