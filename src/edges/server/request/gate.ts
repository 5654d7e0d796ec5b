import { createIdentify, type Identify } from '../auth/identify.ts';
import { type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import { createFindToolName } from '../routes/find-tool-name.ts';
import type { Denied, ServedToolbox } from '../server-options.ts';
import type { InFlight } from './in-flight.ts';
import { callerOf, type RequestContext, readContext } from './read-context.ts';
import { checkBodyHead, parseJson, type ReadJson, readBody, tooLarge } from './read-json.ts';
import type { Refuse } from './refusal.ts';
import type { Answer, Asked } from './request-head.ts';

/** What stands between a request and the toolbox, whichever listener it came through. What gives an answer has refused. */
export interface Gate {
  readonly toolbox: ServedToolbox;
  readonly settings: ServerSettings;
  readonly inFlight: InFlight;
  readonly audit: (record: Denied) => void;
  readonly refuse: Refuse;
  /** Reads a JSON body within the limits. */
  readonly readBody: (request: Request) => Promise<ReadJson>;
  readonly identify: Identify;
  readonly permit: (asked: Asked, identity: Identity, name: string) => string | undefined | Answer;
  readonly contextOf: (asked: Asked, identity: Identity, body?: unknown) => RequestContext | Answer;
  /** Gives the toolbox bound to a caller and the signal of its connection. */
  readonly viewOf: (identity: Identity, signal: AbortSignal) => ServedToolbox;
}

/** Makes the gate of a server. */
export function createGate(parts: Pick<Gate, 'toolbox' | 'settings' | 'refuse' | 'inFlight' | 'audit'>): Gate {
  const { toolbox, settings, refuse } = parts;
  const findName = createFindToolName(toolbox);
  const rules = { hasAuth: settings.authenticators.length > 0, keepsKeys: toolbox['~provides']?.('idempotency') === true };
  // Binding costs more than a call, and a connection brings many calls of one caller.
  const views = new WeakMap<AbortSignal, { readonly identity: Identity; readonly view: ServedToolbox }>();
  return {
    ...parts,
    viewOf(identity, signal) {
      const known = views.get(signal);
      if (known?.identity === identity) return known.view;
      const view = toolbox.with({ ...callerOf(identity), signal });
      views.set(signal, { identity, view });
      return view;
    },
    readBody: (request) => readWithin(request, settings),
    identify: createIdentify(settings, refuse),
    permit(asked, identity, name) {
      const found = findName(name);
      // Whoever may call a few tools only learns nothing about the others, not even whether they exist.
      if (found === undefined ? mayCallAll(identity) : mayCall(identity, found)) return found;
      return refuse(asked, 'forbidden', 'This credential may not call this tool.', {
        denied: 'forbidden',
        identity,
        tool: name.slice(0, 64),
        ...(found !== undefined && { meant: found }),
      });
    },
    contextOf(asked, identity, body) {
      const read = readContext(asked, identity, rules, body);
      if (!('issues' in read)) return read;
      const issues = read.issues.map(({ message, path = [] }) => ({ path: path.map(String), problem: 'format' as const, message }));
      const message = `The headers of the request are wrong: ${issues.map(({ message }) => message).join('; ')}.`;
      return refuse(asked, 'invalid_input', message, { issues });
    },
  };
}

async function readWithin(request: Request, limits: ServerSettings): Promise<ReadJson> {
  const refused = checkBodyHead((name) => request.headers.get(name) ?? undefined, limits);
  if (refused !== undefined) return refused;
  try {
    const bytes = await readBody(request, limits.maxBodyBytes);
    return bytes === undefined ? tooLarge(limits.maxBodyBytes) : parseJson(bytes, limits);
  } catch {
    return { kind: 'cancelled', message: 'The body did not come to its end.' };
  }
}
