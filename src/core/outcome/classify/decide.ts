import type { FailureKind } from '../catalogue.ts';
import type { Evidence, Finding } from './evidence.ts';

/** What the evidence comes down to. */
export interface Decision {
  readonly kind: FailureKind;
  /** Set where it differs from the catalogue's. */
  readonly retryable: boolean | undefined;
  readonly finding: Finding | undefined;
}

/** Weighs the findings against each other and picks one. */
export function decide(evidence: Evidence): Decision {
  const ownBug = evidence.name !== undefined && ownBugs.has(evidence.name);
  // What the engine says about our own code may name anything, also a class called TimeoutError.
  if (ownBug && evidence.status === undefined && engineText.test(evidence.ownText ?? ''))
    return { kind: 'internal', retryable: undefined, finding: undefined };
  let best: Finding | undefined;
  for (const finding of evidence.findings) {
    if (isRuledOut(finding, evidence, ownBug)) continue;
    if (best === undefined || finding.weight > best.weight || (finding.weight === best.weight && finding.depth > best.depth))
      best = finding;
  }
  if (best === undefined)
    return { kind: evidence.name === 'SyntaxError' ? 'bad_response' : 'internal', retryable: undefined, finding: undefined };
  const mark = best.verdict.at(-1);
  const marked = mark === '+' || mark === '-';
  return {
    kind: (marked ? best.verdict.slice(0, -1) : best.verdict) as FailureKind,
    retryable: marked ? mark === '+' : undefined,
    finding: best,
  };
}

const engineText =
  /^Cannot (?:read|set|access|convert|destructure|delete|redefine)|is not (?:a function|a constructor|iterable|defined)\b|^Assignment to/;
const ownBugs = new Set(['TypeError', 'ReferenceError', 'RangeError', 'EvalError']);

function isRuledOut({ verdict, weight, status }: Finding, evidence: Evidence, ownBug: boolean): boolean {
  if (evidence.status !== undefined && status === undefined) {
    // Whoever answered was reached; but some clients put a status of their own on a socket's error.
    if (verdict.startsWith('unreachable') && (evidence.responded || weight < 70)) return true;
    // Where the other side names an error by its status, an odd body is no news.
    if (verdict === 'bad_response' && evidence.status >= 400) return true;
  }
  // A service that says "no key" has read a request: the key was rejected there, not missing here.
  if (verdict === 'not_configured') return evidence.responded;
  // A single word in the text of a TypeError says nothing about the outside world.
  return ownBug && evidence.status === undefined && weight < 30;
}
