import type { LockedTool, ToolChange, ToolLock } from '@toolpact/testing';
import type { JsonObject } from 'toolpact';
import { ToolpactError } from 'toolpact';
import type { RemoteListing } from 'toolpact/adapters/mcp';
import { isRecord } from 'toolpact/internal';

/** The contract of a tool that is no longer the accepted one. */
export interface ChangedContract {
  readonly accepted: LockedTool;
  /** Of the contract as it is now. */
  readonly fingerprint: string;
  readonly changes: readonly ToolChange[];
}

/** The accepted contracts of the tools of all servers: the content of `toolpact.lock.json`. */
export interface ContractLock {
  /** Locks the tools of a server that are seen for the first time, and gives those whose contract has changed, by their name at the server. */
  readonly compare: (server: string, listings: readonly RemoteListing[]) => Promise<ReadonlyMap<string, ChangedContract>>;
  /** Accepts tools of a server by the fingerprints of their contracts. Gives those accepted: one that was listed differently since is not. */
  readonly accept: (server: string, tools: ReadonlyMap<string, string>) => Promise<readonly string[]>;
  /** Reads the file again; true where somebody has written it meanwhile. */
  readonly readAgain: () => Promise<boolean>;
}

const empty: ToolLock = { v: 1, tools: {} };

/** Opens a lock file, which need not be there yet. Rejects for one that cannot be read. */
export async function openContractLock(path: string): Promise<ContractLock> {
  const [{ diffTools, lockTools, readLock }, { mkdir, readFile, rename, writeFile }, { dirname }] = await Promise.all([
    import('@toolpact/testing'),
    import('node:fs/promises'),
    import('node:path'),
  ]);
  /** The contracts of each server as they were listed last. */
  const listed = new Map<string, ToolLock>();
  let text: string | undefined;
  let lock = await read();
  let writing: Promise<void> = Promise.resolve();

  async function read(): Promise<ToolLock> {
    try {
      text = await readFile(path, 'utf8');
      return readLock(JSON.parse(text));
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 'ENOENT') return empty;
      throw new ToolpactError('invalid_option', `the lock file ${path} cannot be read: ${messageOf(error)}`, { option: 'lock' });
    }
  }

  /** Adds contracts to the file, one after the other: other gateways may have written it meanwhile, and what they locked first counts. */
  function add(tools: ToolLock['tools'], isAccepted: boolean): Promise<void> {
    const write = async (): Promise<void> => {
      const now = await read();
      const sorted = Object.entries(isAccepted ? { ...now.tools, ...tools } : { ...tools, ...now.tools }).sort(([a], [b]) =>
        a < b ? -1 : 1,
      );
      lock = { v: 1, tools: Object.fromEntries(sorted) };
      text = `${JSON.stringify(lock, null, 2)}\n`;
      const draft = `${path}.${globalThis.crypto.randomUUID()}`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(draft, text);
        await rename(draft, path);
      } catch (error) {
        throw new ToolpactError('invalid_option', `the contracts of tools cannot be locked in ${path}: ${messageOf(error)}`, {
          option: 'lock',
        });
      }
    };
    const done = writing.then(write);
    writing = done.catch(() => undefined);
    return done;
  }

  return {
    async compare(server, listings) {
      const now = await lockTools({
        list: () => listings.filter(({ name }) => typeof name === 'string').map((one) => toSubject(server, one)),
      });
      // A list comes in pages.
      listed.set(server, { v: 1, tools: { ...listed.get(server)?.tools, ...now.tools } });
      const entries = Object.entries(now.tools);
      const locked = entries.map(([name, tool]) => [name, Object.hasOwn(lock.tools, name) ? lock.tools[name] : tool] as const);
      // With the known ones: somebody may have deleted the file.
      if (entries.some(([name]) => !Object.hasOwn(lock.tools, name))) await add(Object.fromEntries(locked) as ToolLock['tools'], false);
      return new Map(
        entries.flatMap(([name, tool]) => {
          const accepted = lock.tools[name] as LockedTool;
          if (accepted.fingerprint === tool.fingerprint) return [];
          const one = (locked: LockedTool): ToolLock => ({ v: 1, tools: { [name]: locked } });
          return [
            [
              name.slice(server.length + 1),
              { accepted, fingerprint: tool.fingerprint, changes: diffTools(one(accepted), one(tool)) },
            ] as const,
          ];
        }),
      );
    },
    async accept(server, tools) {
      const { tools: now } = listed.get(server) ?? empty;
      const meant = [...tools].flatMap(([tool, fingerprint]) => {
        const contract = Object.hasOwn(now, `${server}:${tool}`) ? now[`${server}:${tool}`] : undefined;
        return contract?.fingerprint === fingerprint ? [{ tool, contract }] : [];
      });
      await add(Object.fromEntries(meant.map(({ tool, contract }) => [`${server}:${tool}`, contract])), true);
      return meant.map(({ tool }) => tool);
    },
    readAgain() {
      // A file read while we write is older than our own version.
      const done = writing.then(async () => {
        const before = text;
        lock = await read();
        return text !== before;
      });
      writing = done.then(
        () => undefined,
        () => undefined,
      );
      return done;
    },
  };
}

/** Returns a listing as it was when its contract was accepted. */
export function asAccepted<TListing extends RemoteListing>(listing: TListing, { accepted }: ChangedContract): TListing {
  const { title, [secondTitle]: ownTitle, ...annotations } = accepted.hints ?? {};
  const { title: _, outputSchema: __, ...rest } = listing as TListing & { readonly title?: unknown };
  return {
    ...rest,
    description: accepted.text,
    inputSchema: accepted.input,
    ...(accepted.output !== undefined && { outputSchema: accepted.output }),
    ...(title !== undefined && { title }),
    annotations: { ...annotations, ...(ownTitle !== undefined && { title: ownTitle }) },
  } as never;
}

/** Where the title among the hints stands in a lock, for a tool that has one of its own besides. */
const secondTitle = 'annotations.title';

/** Returns the contract of a tool as its server states it, whatever the rules make of it. The title is read by people and models, too. */
function toSubject(server: string, { name, description, inputSchema, outputSchema, ...rest }: RemoteListing) {
  const { title, annotations } = rest as { readonly title?: unknown; readonly annotations?: unknown };
  const given = isRecord(annotations) ? annotations : {};
  const hints = {
    ...given,
    ...(typeof title === 'string' && { title, ...(given.title !== undefined && { [secondTitle]: given.title }) }),
  } as JsonObject;
  return {
    name: `${server}:${name}`,
    providerName: name,
    examples: [],
    description: typeof description === 'string' ? description : '',
    effects:
      hints.readOnlyHint === true ? ('none' as const) : hints.idempotentHint === true ? ('idempotent' as const) : ('writes' as const),
    inputSchema: isRecord(inputSchema) ? (inputSchema as JsonObject) : {},
    ...(isRecord(outputSchema) && { outputSchema: outputSchema as JsonObject }),
    hints,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
