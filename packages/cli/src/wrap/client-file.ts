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
    if (ownCommandOf(start) !== undefined) return 'it is wrapped already';
    const words = ['-y', packageName, 'wrap', '--store', places.store, '--lock', places.lock(server), '--', start.command, ...start.args];
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

/** Finds the command that a wrapped server had; undefined for one that is not wrapped. */
function ownCommandOf({ command, args }: Start): Start | undefined {
  const words = [command, ...args];
  const at = words.indexOf(packageName);
  const end = words.indexOf('--');
  if (at === -1 || words[at + 1] !== 'wrap' || end < at) return undefined;
  const [own, ...ownArgs] = words.slice(end + 1);
  return own === undefined ? undefined : { command: own, args: ownArgs };
}
