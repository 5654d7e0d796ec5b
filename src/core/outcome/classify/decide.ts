import type { FailureKind } from '../catalogue.ts';
import type { Evidence, Finding } from './evidence.ts';

/** What the evidence comes down to. */
export interface Decision {
  readonly kind: FailureKind;
  /** Set where it differs from the catalogue's. */
  readonly retryable?: boolean | undefined;
  readonly finding?: Finding | undefined;
}

/** Weighs the findings against each other and picks one. */
export function decide(evidence: Evidence): Decision {
  const { name, status, response, ownText } = evidence;
  const ownBug = status === undefined && /^(?:Type|Reference|Eval)Error$/.test(name ?? '');
  let best: Finding | undefined;
  for (const finding of evidence.findings) {
    const { verdict, weight, depth } = finding;
    if (best !== undefined && (weight < best.weight || (weight === best.weight && depth <= best.depth))) continue;
    // A service that says "no key" has read a request: the key was rejected there, not missing here.
    if (verdict === 'not_configured' && response !== undefined) continue;
    // A single word in the text of a TypeError says nothing about the outside world, but libraries check arguments with it.
    if (ownBug && weight < 30 && verdict !== 'invalid_input') continue;
    if (status !== undefined && finding.status === undefined) {
      // Whoever answered was reached; but some clients put a status of their own on a socket's error.
      if (verdict.startsWith('unreachable') && (response !== undefined || weight < 70)) continue;
      // Where the other side names an error by its status, an odd body is no news.
      if (verdict === 'bad_response' && status >= 400) continue;
      // What is not available there, or not to us, will not be later.
      if (verdict === 'not_ready' && status > 400 && status < 405) continue;
      // Who says how many requests are too many is up.
      if (status === 429 && (verdict === 'not_ready' || verdict === 'upstream')) continue;
      // These two are mixed up in words, not in numbers.
      if (status === 401 ? /^forbidden$/i.test(finding.text ?? '') : status === 403 && /^unauthorized$/i.test(finding.text ?? '')) continue;
      // What is not found there is the caller.
      if (verdict === 'not_found' && status === 401) continue;
      // A gateway or a doorkeeper answers before anything could be unsupported.
      if (verdict === 'unsupported' && [401, 403, 502, 503, 504].includes(status)) continue;
    }
    best = finding;
  }
  // What the engine says about our own code may name anything, also a class called TimeoutError; only a code shows that it is the code of others.
  if (status === undefined && (ownBug || (best?.weight ?? 0) < 40) && engineText.test(ownText ?? '')) return { kind: 'internal' };
  // Who says nothing but how long to wait has a limit.
  if (best === undefined) return { kind: evidence.waits.length > 0 ? 'rate_limited' : (byName[name as 'RangeError'] ?? 'internal') };
  const [kind, mark] = best.verdict.split(/(?=[+-])/);
  return { kind: kind as FailureKind, retryable: mark === undefined ? undefined : mark === '+', finding: best };
}

// Who throws a RangeError in words of his own checks what he was given; a TypeError is as often a bug, worded by any engine.
const byName = { __proto__: null, SyntaxError: 'bad_response', RangeError: 'invalid_input' } as const;

const engineText =
  /^Cannot (?:read|set|access|convert (?:a|un|ob)|destr|delete|redef)|is not (?:a function|a constructor|an object \(|iterable)\b|^\S+ is not defined$|^(?:Assignment to|Illegal inv|Reduce of|Invalid (?:array|string) len)/;
