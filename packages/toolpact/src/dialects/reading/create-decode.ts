import { isRecord } from '../../json/index.ts';
import { type Failure, isFailureKind, type JsonObject, type JsonValue, type Outcome } from '../../outcome/index.ts';
import type { Decoded, DecodeOptions } from '../dialect.ts';
import { extensionKey, type Held, isNewer, readExtension } from '../extension.ts';
import { foreignFailure } from './foreign.ts';
import { takeJson } from './take-json.ts';
import { broken, type Path, Undecodable, wrong } from './undecodable.ts';

/** How one format is read. */
export interface Reading<TNative> {
  readonly name: string;
  /** Checks the documented fields and refuses an envelope that breaks them. */
  readonly native: (envelope: JsonObject) => TNative;
  /** Returns a part of the outcome that the documented fields hold unchanged. */
  readonly part?: (native: TNative, held: Held, block: JsonObject) => JsonValue | undefined;
  /** Checks whether the documented fields can belong to the outcome that the extension states. */
  readonly agrees: (native: TNative, outcome: Outcome) => boolean;
  /** Checks whether the documented fields can belong to the failure that the extension states; not asked for kinds that only a newer peer knows. */
  readonly names?: (native: TNative, error: Failure) => boolean;
  /** Returns the message of a failure where a documented field has it: what a middleman redacted or translated there counts, not the extension. */
  readonly message?: (native: TNative) => string | undefined;
  /** Reads an outcome from the documented fields alone. */
  readonly foreign: (native: TNative, options: DecodeOptions) => Outcome;
  /** Finds the extension block; by default it lies at top level. */
  readonly block?: (envelope: JsonObject) => JsonValue | undefined;
  readonly blockPath?: Path;
}

const noOptions: DecodeOptions = Object.freeze({});
const topLevel: Path = [extensionKey];

/** Creates the `decode` of a format: its documented fields are always checked, and the extension is believed only where it agrees with them. */
export function createDecode<TNative>(reading: Reading<TNative>): (json: unknown, options?: DecodeOptions) => Decoded {
  const {
    native: readNative,
    part = () => undefined,
    agrees,
    names = () => true,
    message = () => undefined,
    foreign,
    block: findBlock,
    blockPath = topLevel,
  } = reading;

  function read(json: unknown, options: DecodeOptions): Outcome {
    const envelope = takeJson(json);
    if (typeof envelope === 'string') return broken([], 'the envelope is a text; parse it first');
    if (!isRecord(envelope)) return wrong([], 'an object', envelope);
    if (Object.hasOwn(envelope, '__proto__')) broken(['__proto__'], '__proto__ is not a field of any envelope');
    const native = readNative(envelope);
    const block = findBlock === undefined ? envelope[extensionKey] : findBlock(envelope);
    if (block === undefined) return foreign(native, options);
    if (isNewer(block)) return withWarning(foreign(native, options), blockPath.join('.'));
    const outcome = readExtension(block, blockPath, (held) => part(native, held, block as JsonObject));
    if (!agrees(native, outcome)) disagree(['status'], 'how the call ended');
    if (outcome.status === 'error' && hasKnownKind(block) && !names(native, outcome.error)) disagree(['error', 'kind'], 'what went wrong');
    return withMessage(outcome, message(native));
  }

  function disagree(at: Path, on: string): never {
    return broken([...blockPath, ...at], `the envelope and its ${blockPath.join('.')} block disagree on ${on}`);
  }

  return (json, options) => {
    // Callers without types pass null for nothing.
    const known = options ?? noOptions;
    try {
      return { ok: true, outcome: read(json, known) };
    } catch (thrown) {
      return { ok: false, failure: toFailure(reading.name, thrown, known) };
    }
  };
}

function toFailure(name: string, thrown: unknown, options: DecodeOptions): Failure {
  if (thrown instanceof Undecodable) {
    const { issue } = thrown;
    return foreignFailure(
      'bad_response',
      { code: 'undecodable', message: `Not a sound ${name} envelope: ${issue.message}.`, issues: [issue] },
      options,
    );
  }
  return foreignFailure('bad_response', { code: 'undecodable', message: `Not a sound ${name} envelope: reading it failed.` }, options);
}

function hasKnownKind(block: JsonValue): boolean {
  return isRecord(block) && isRecord(block.error) && isFailureKind(block.error.kind);
}

/** An empty message says nothing, so there is nothing to prefer. */
function withMessage(outcome: Outcome, message = ''): Outcome {
  if (outcome.status !== 'error' || message === '' || message === outcome.error.message) return outcome;
  return Object.freeze({ ...outcome, error: Object.freeze({ ...outcome.error, message }) });
}

function withWarning(outcome: Outcome, block: string): Outcome {
  const warning = `the ${block} block is of a newer version; only the documented fields were read`;
  return Object.freeze({ ...outcome, meta: Object.freeze({ ...outcome.meta, warnings: [...(outcome.meta.warnings ?? []), warning] }) });
}
