import { isObject } from '../json/index.ts';
import { readHttpCode } from './codes/http-statuses.ts';
import { firstServerReply, readServerReply } from './codes/server-replies.ts';
import type { Reading } from './reading.ts';

/** A reading, with where it was found. */
export interface Finding extends Reading {
  readonly depth: number;
  readonly text: string | undefined;
  readonly status: number | undefined;
  /** The plain error whose sentence this was read from: where it was made decides whether its words count. */
  readonly author: object | undefined;
  /** Whether a call's own side said this in a sentence, with neither a status nor a code next to it. */
  readonly isSpoken: boolean;
  /** Whether this was said behind the thrown error. */
  readonly isBehind: boolean;
}

/** One value still to be looked into. */
export interface Step {
  readonly value: unknown;
  readonly depth: number;
  /** Whether this lies inside an answer of the other side. */
  readonly remote: boolean;
  /** Whether this is one of a list. */
  readonly listed: boolean;
  /** Whether this lies behind the thrown error, in its cause. */
  readonly isBehind: boolean;
}

/** Everything a thrown value says about what went wrong, and what is still to be looked into. */
export interface Evidence {
  readonly queue: Step[];
  /** Values that were read already. */
  readonly seen: unknown[];
  readonly findings: Finding[];
  /** Addresses that may have been called, nearest first. */
  readonly urls: string[];
  /** The other side as named by the thrown error: an address, or the name of a queue. */
  endpoint?: string | undefined;
  readonly headers: object[];
  /** Waits stated in fields, each with its unit in milliseconds. One without says when a limit ends: as a date, or as seconds from now. */
  readonly waits: (readonly [wait: unknown, unit?: number])[];
  /** The first error status of a response. */
  status?: number | undefined;
  /** The gRPC status of a service that was called. */
  grpcStatus?: number | undefined;
  /** The object that holds both a status and headers: the other side answered. */
  response?: unknown;
  /** Whether what is being read lies behind the thrown error. */
  isBehind: boolean;
  /** Whether what is being read is one of a list. */
  isListed: boolean;
  /** The other side's readable text, if there is any. */
  remoteText?: string | undefined;
  /** The author's words before a quoted body. */
  preface?: string | undefined;
  /** The complaints that it lists besides. */
  readonly complaints: string[];
  /** The other side's text in the cause of the thrown error. */
  causeText?: string | undefined;
  /** The text of the thrown value itself. */
  ownText?: string | undefined;
  /** A reason in another field or in the cause: an abort gives its reason there. */
  reason?: string | undefined;
  /** Whether sentences say nothing: only statuses, codes, names and causes count. */
  readonly structured: boolean;
  /** Whether a handler threw it. */
  readonly isRunning: boolean;
  /** The depth of the last thing with a status or a code of its own. */
  answered?: number;
  /** Whether it states a status of success: then something is wrong with the body. */
  succeeded?: boolean;
  /** Whether headers or an address show that a request was made. */
  requested?: boolean;
  /** One of the numbers by which a coded response names its error. */
  number?: number | undefined;
  /** A system or provider code. */
  code?: string | undefined;
  /** The text of the error with that code. */
  codeText?: string | undefined;
  /** The code inside a response body. */
  remoteCode?: string | undefined;
  /** The name of the thrown error, or its class where no call is known. */
  name?: string | undefined;
  /** The class of what a handler threw: it is shown, and decides nothing. */
  className?: string | undefined;
  /** An `error.type` given at the throw site. */
  errorType?: string | undefined;
  /** The plain error that is being read, if it is one. */
  author?: object | undefined;
  /** The depth of the last thing whose code said something. */
  coded?: number;
  requestId?: string | undefined;
  /** The first complaint of a schema library, with its field. */
  issue?: string | undefined;
  /** The values that schema libraries complain about. */
  readonly issueValues: unknown[];
}

/** Stands for a program that failed: it says anything in any words, and where it was started says nothing about them. */
export const program = {};

const maxNodes = 24;
const deepest = 7;

/** Checks whether a finding is a complaint about what was given. */
export function isComplaint({ verdict, weight }: Finding): boolean {
  return verdict === 'invalid_input' && weight > 27;
}

/** Queues a value that may say more, within bounds. */
export function follow(
  evidence: Evidence,
  value: unknown,
  depth: number,
  remote: boolean,
  listed = false,
  isBehind = evidence.isBehind,
): void {
  const { queue } = evidence;
  if (depth < deepest && queue.length < maxNodes && (isObject(value) || typeof value === 'string'))
    queue.push({ value, depth: depth + 1, remote, listed, isBehind });
}

/** Where readings were found, besides their depth. */
interface Source extends Partial<Pick<Finding, 'text' | 'status' | 'author' | 'isSpoken'>> {
  /** By how much they weigh less than usual. */
  readonly lighter?: number;
}

/** Puts readings on record. */
export function find({ findings, isBehind }: Evidence, readings: readonly Reading[], depth: number, source: Source = {}): void {
  const { text, status, author, lighter = 0, isSpoken = false } = source;
  for (const { verdict, weight, isAuthors } of readings) {
    if (isAuthors && !isSpoken) continue;
    findings.push({ verdict, weight: weight - lighter, isAuthors, depth, text, status, author, isSpoken, isBehind });
  }
}

/** Takes note of a status that comes with a failed request; `text` holds it in words. */
export function noteStatus(evidence: Evidence, status: number, depth: number, isHttp = status < firstServerReply, text?: string): void {
  if (isHttp) evidence.status ??= status;
  find(evidence, isHttp ? readHttpCode(status) : readServerReply(status), depth, { text, status });
}
