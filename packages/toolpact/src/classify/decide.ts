import { peek } from '../json/index.ts';
import { believeAlone } from './believe-alone.ts';
import { believeAtCall, isDefaultStatus } from './believe-at-call.ts';
import type { Decision } from './decision.ts';
import type { Echo } from './echo.ts';
import { type Evidence, type Finding, isComplaint } from './evidence.ts';
import { isBugName } from './is-bug-name.ts';
import { toKind } from './reading.ts';

/** Weighs the findings against each other and picks the heaviest that nothing else refutes. `echo` is what an error repeats of its call. */
export function decide(evidence: Evidence, thrown: unknown, echo: Echo): Decision {
  const { name, status, ownText = '', waits, structured } = evidence;
  const belief = evidence.isRunning ? believeAtCall(evidence, echo) : believeAlone(evidence, thrown);
  const findings = evidence.findings.toSorted((a, b) => b.weight - a.weight || b.depth - a.depth);
  const best = findings.find((finding) => !refutations.some((refutes) => refutes(finding, evidence)) && belief.believes(finding));
  // The engine's messages about our own code may name anything, also a class called TimeoutError; only a code shows that it is the code of others.
  const isBug = isOwnBug(evidence) || (best?.weight ?? 0) < 40;
  if (status === undefined && isBug && engineText.test(ownText)) return { kind: 'internal' };
  // A schema complains about what came back.
  if (best?.text !== undefined && best.text === evidence.issue && isFine(evidence.response)) return { kind: 'bad_response', finding: best };
  if (best === undefined && evidence.succeeded) return { kind: 'bad_response' };
  // A service that says nothing but how long to wait has a limit.
  if (best === undefined && waits.length > 0) return { kind: 'rate_limited' };
  const decision = belief.correct({ ...toKind(best?.verdict ?? 'internal'), finding: best }, findings);
  const isUnread = decision.kind === 'internal' && (best?.weight ?? 0) < 40 && !structured && ownText !== '';
  return isUnread && !isBugName(name) ? { ...decision, kind: 'failed' } : decision;
}

function isOwnBug({ status, name }: Evidence): boolean {
  return status === undefined && /^(Type|Reference|Eval|Runtime)Error$/.test(name ?? '');
}

/** Each says for what reason a finding counts for nothing. */
const refutations: readonly ((finding: Finding, evidence: Evidence) => boolean)[] = [
  // A service that says "no key" has read a request: the key was rejected there, not missing here.
  ({ verdict }, { response }) => verdict === 'not_configured' && response !== undefined,
  // Who says how long to wait has a limit, no empty account.
  ({ verdict, text = '', isSpoken }, { waits }) =>
    verdict === 'budget_exhausted' && (waits.some(([, unit]) => unit) || (isSpoken && statedWait.test(text))),
  // Why it is not ready, its cause says.
  ({ verdict, isBehind }, { findings }) =>
    verdict === 'not_ready' && !isBehind && findings.some((other) => other.isBehind && other.weight >= 30 && other.verdict !== 'internal'),
  // A service that failed says so in an answer, or its client quotes the number. What complains without either made its number up.
  ({ status: own = 0, text }, { response, remoteText, ownText, findings }) =>
    own >= 500 &&
    text === undefined &&
    (response ?? remoteText) === undefined &&
    !ownText?.includes(`${own}`) &&
    findings.some(isComplaint),
  ({ verdict, weight, status: own, text = '', isSpoken }, evidence) => {
    const { status, response } = evidence;
    if (status === undefined || own !== undefined || (isSpoken && status === 500 && isDefaultStatus(evidence))) return false;
    switch (verdict) {
      // A service that answered was reached; but some clients put a status of their own on a socket's error.
      case 'unreachable':
      case 'unreachable-':
        return response !== undefined || weight < 62;
      // Where the other side names an error by its status, an odd body is no news.
      case 'bad_response':
        return status >= 400 && !isFine(response);
      // A status below 500 says that the request was refused; a body may call every error that of its service.
      case 'upstream':
        return !text.includes(' ') && status >= 400 && status < 500;
      // A status of 500 or more says that the service failed, not that the request was too large.
      case 'too_large':
        return status >= 500;
      // A service that is not available there, or not to us, will not be later; and one that counts its requests is up.
      case 'not_ready':
        return (status > 400 && status < 405) || status === 429;
      // These two are mixed up in words, not in numbers.
      case 'unauthenticated':
        return status === 403 && /^unauthorized$/i.test(text);
      // Here the caller is the one that is not found or not allowed.
      case 'forbidden':
      case 'not_found':
        return status === 401;
      // A gateway or an access check answers before anything could be unsupported; 501 is a finding of its own.
      case 'unsupported':
        return status > 400 && status % 100 < 5;
      default:
        return false;
    }
  },
];

const statedWait = /\b(?:again|retry) (?:after|in) \d/i;

/** Checks whether an answer calls itself a success: then what is wrong is its body. */
function isFine(response: unknown): boolean {
  return Number(peek(response, 'status') ?? peek(response, 'statusCode')) < 300;
}

const engineText =
  /^Cannot ((read|set|delete|redefine) propert|access ('|uninit)|convert (a|un|ob)|destructure|assign to (read|'|prop)|mix BigInt|use 'in'|perform ')|is not (a function|a constructor|an object \(|iterable|extensible)\b|^\S+ is not defined$|^[\w$]+(\.[\w$]+)+ is (undefined|null)$|^unreachable$|^(Assignment to|Class constr|Illegal inv|Reduce of|Invalid (array|string) len|Converting circ|Do not know how|Method \S+ called on)/;
