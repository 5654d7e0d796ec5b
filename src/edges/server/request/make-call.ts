import type { CallContext, Progress } from '../../../core/contract/index.ts';
import { makeFailure, type Outcome } from '../../../core/outcome/index.ts';
import type { Identity } from '../auth/identity.ts';
import { checkReader, type ReadingRefused, readsResult } from '../routes/authorize-result-read.ts';
import type { ServedToolbox } from '../server-options.ts';
import { encodeOutcome } from './encode-outcome.ts';
import type { Gate } from './gate.ts';
import type { ReadJson } from './read-json.ts';
import { traceOf, usualFormOf } from './refusal.ts';
import type { Answer, Asked } from './request-head.ts';
import { type Form, formNames, selectForm } from './response-format.ts';

/** A request for a call that was let in: its form is known, and who sent it. */
export interface Admitted {
  readonly asked: Asked;
  readonly form: Form;
  readonly identity: Identity;
}

/** A call that is ready to be made. */
export interface ReadyCall extends Admitted {
  /** The exact name, or what was asked for if there is no such tool: the toolbox then tells the nearest names. */
  readonly name: string;
  readonly args: unknown;
  readonly context: CallContext;
  readonly echo: Readonly<Record<string, string>> | undefined;
  /** The toolbox bound to all that is in the context, where that is the same for many calls. */
  readonly view?: ServedToolbox | undefined;
}

/** Lets a request for a call in, or refuses it: in a form that exists, while the server takes calls, from somebody it knows. */
export function admit(gate: Gate, asked: Asked): Admitted | Answer | Promise<Admitted | Answer> {
  const form = selectForm(asked, usualFormOf(asked));
  if (form === undefined) {
    return gate.refuse(asked, 'invalid_input', `There is no such dialect here. There are ${formNames.join(', ')}.`);
  }
  if (gate.inFlight.draining) {
    const headers = { connection: 'close' };
    return gate.refuse(asked, 'not_ready', 'This server is shutting down and takes no more calls.', { retryAfterMs: 1000, headers });
  }
  const identity = gate.identify(asked);
  const known = (who: Identity | Answer): Admitted | Answer => ('body' in who ? who : { asked, form, identity: who });
  return identity instanceof Promise ? identity.then(known) : known(identity);
}

/** Reads a call of one tool, whose body is its arguments. */
export function readToolCall(gate: Gate, admitted: Admitted, read: ReadJson): ReadyCall | Answer {
  const { asked } = admitted;
  if (!('value' in read)) return gate.refuse(asked, read.kind, read.message, read.options);
  const { value = {} } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return gate.refuse(asked, 'invalid_input', 'The body must be a JSON object with the arguments of the tool.');
  }
  return readyCall(gate, admitted, toolNameOf(asked.path), value);
}

/** Checks that the caller may make a call, and reads its headers. */
export function readyCall(
  gate: Gate,
  admitted: Admitted,
  asked: string,
  args: unknown,
  own?: CallContext,
  body?: unknown,
): ReadyCall | Answer {
  const name = gate.permit(admitted.asked, admitted.identity, asked);
  if (typeof name === 'object') return name;
  const read = gate.contextOf(admitted.asked, admitted.identity, body);
  if ('status' in read) return read;
  const { asked: request, form, identity } = admitted;
  const { context, echo, isPlain } = read;
  const isShared = own === undefined && isPlain && request.isLasting === true;
  return {
    asked: request,
    form,
    identity,
    name: name ?? asked,
    args,
    context: own === undefined ? context : { ...own, ...context },
    echo,
    view: isShared ? gate.viewOf(identity, request.signal) : undefined,
  };
}

/** Makes a call. Never rejects, like the toolbox itself; a denial is told to the audit. */
export function makeCall(gate: Gate, ready: ReadyCall, signal: AbortSignal | undefined, onProgress?: OnProgress): Promise<Outcome> {
  return runCall(gate, ready, signal, onProgress).then((outcome) => heard(gate, ready, outcome));
}

/** Makes a call for an answer. */
export function makeAnswer(gate: Gate, ready: ReadyCall, signal: AbortSignal): Promise<Answer> {
  return runCall(gate, ready, signal, undefined).then((outcome) => answerWith(ready, heard(gate, ready, outcome)));
}

/** Tells the audit of a call that somebody denied. */
function heard({ audit }: Gate, { asked: { method, path }, identity, name }: ReadyCall, outcome: Outcome): Outcome {
  if (outcome.status === 'error' && outcome.error.kind === 'denied') {
    const { message } = outcome.error;
    const { scopes: _, ...who } = identity;
    audit({ at: Date.now(), reason: 'denied', message, method, path, traceId: outcome.meta.traceId ?? '', tool: name, ...who });
  }
  return outcome;
}

type OnProgress = (progress: Progress) => void;

async function runReader(
  gate: Gate,
  ready: ReadyCall,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<Outcome> {
  const refused = await checkReader(gate.toolbox, ready.identity, ready.args);
  return refused === undefined ? runTool(gate, ready, signal, onProgress) : refuseReading(gate, ready, refused);
}

function refuseReading({ audit }: Gate, { asked, identity, name, context }: ReadyCall, { kind, message, maker }: ReadingRefused): Outcome {
  const traceId = context.traceId ?? traceOf(asked);
  const { method, path } = asked;
  const { scopes: _, ...who } = identity;
  if (maker !== undefined) audit({ at: Date.now(), reason: 'forbidden', message, method, path, traceId, tool: maker, ...who });
  const meta = Object.freeze({ tool: name, traceId, tookMs: 0.001, attempts: 0 });
  return Object.freeze({ status: 'error', error: makeFailure(kind, { message, effect: 'none' }), meta });
}

function runCall(gate: Gate, ready: ReadyCall, signal: AbortSignal | undefined, onProgress: OnProgress | undefined): Promise<Outcome> {
  return (readsResult(ready.identity, ready.name) ? runReader : runTool)(gate, ready, signal, onProgress);
}

function runTool(
  { toolbox, settings: { within } }: Gate,
  { asked, name, args, context, view }: ReadyCall,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<Outcome> {
  if (view !== undefined && within === undefined && onProgress === undefined && signal === asked.signal) {
    return view.call(name as never, args as never) as Promise<Outcome>;
  }
  const own: CallContext = { ...context, ...(signal !== undefined && { signal }), ...(onProgress !== undefined && { onProgress }) };
  const call = (): Promise<Outcome> => toolbox.answer({ name, args }, own as CallContext<never>);
  return within === undefined ? call() : runWithin(within, asked, call);
}

/** Writes the answer to a call. */
export function answerWith({ form, echo }: Pick<ReadyCall, 'form' | 'echo'>, outcome: Outcome): Answer {
  return encodeOutcome(outcome, form, echo);
}

/** Reads the name of a tool off a path such as `/v1/tools/rag%3Asearch`. */
export function toolNameOf(path: string): string {
  const raw = path.slice(path.lastIndexOf('/') + 1);
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

const carried = ['traceparent', 'tracestate', 'baggage'] as const;

/** Makes calls inside the trace that a request brings. What belongs to the trace must not cost the call. */
export function runWithin<TValue>(
  within: NonNullable<Gate['settings']['within']>,
  { header }: Asked,
  call: () => Promise<TValue>,
): Promise<TValue> {
  let running: Promise<TValue> | undefined;
  const run = (): Promise<TValue> => {
    running ??= call();
    return running;
  };
  try {
    const headers = Object.fromEntries(carried.flatMap((name) => [[name, header(name)]].filter(([, value]) => value !== undefined)));
    void Promise.resolve(within(headers, run)).catch(() => undefined);
  } catch {
    // The call is made below, outside of any trace.
  }
  return run();
}
