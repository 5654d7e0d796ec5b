import type { Approval, ApprovalPageRequest, Decided, DecisionFacts, JsonObject } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { approvalText, grantText, stateText } from '../../print/approval-text.ts';
import { plainLine } from '../../print/terminal.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import type { Given } from '../command.ts';
import { decideOneByOne } from './decide-one-by-one.ts';
import { readGrantRequest } from './read-grant.ts';
import { type CallSource, withCalls } from './with-calls.ts';

type Filter = Pick<ApprovalPageRequest, 'runId' | 'sessionId' | 'tool' | 'like'>;

/** Returns the approval, or throws for what cannot be decided so. */
export type Decide = (handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts) => Promise<Approval>;

/** Lists the calls that wait for an approval, or decides about one. */
export async function runApprovals(given: Given): Promise<number> {
  return withCalls(given, ({ approvals }) => act(given, approvals));
}

async function act({ words, flags, terminal }: Given, { list, decide: decideIn, grants }: CallSource['approvals']): Promise<number> {
  const decide: Decide = async (handle, verdict, facts) => {
    const decided = await decideIn(handle, verdict, { by: 'command line', ...facts });
    if (decided.ok) return decided.approval;
    throw new CliError(
      `${handle} was not decided: ${refusalText(decided)}`,
      decided.why === 'unknown' ? { fix: 'toolpact approvals lists those that wait.' } : {},
    );
  };
  const [what = 'list', ...handles] = words;
  const [handle] = handles;
  const filter = readFilter(flags);
  if (what === 'list') {
    const waiting = await list(filter);
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(waiting, null, 2)}\n`);
    else for (const approval of waiting) await terminal.out(`${approvalText(approval, terminal.outPaint)}\n`);
    terminal.say(
      waiting.length === 0
        ? 'No calls are waiting for approval.\n'
        : `${terminal.paint('dim', 'toolpact approvals approve <handle> lets a call run, deny <handle> refuses it.')}\n`,
    );
    return exitCodes.done;
  }
  if (what === 'grants') {
    const found = await grants.list({ all: flags.get('all') === true });
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    else for (const grant of found) await terminal.out(`${grantText(grant, terminal.outPaint)}\n`);
    if (found.length === 0) terminal.say('There are no standing grants.\n');
    return exitCodes.done;
  }
  if (what === 'revoke') {
    if (handle === undefined)
      throw usageError('toolpact approvals revoke needs the id of a grant.', 'toolpact approvals grants shows them.');
    const grant = await grants.revoke(handle, { by: (flags.get('by') as string | undefined) ?? 'command line' });
    if (grant === undefined) throw new CliError(`There is no grant ${handle}.`);
    terminal.say(`${plainLine(grant.words)}: ${stateText[grant.state]}.\n`);
    return exitCodes.done;
  }
  if (what === 'decide') return decideOneByOne(await list(filter), { list, decide }, terminal, readFacts(flags, 'approve'));
  if (what !== 'approve' && what !== 'deny') {
    const near = didYouMean(what, ['list', 'decide', 'approve', 'deny', 'grants', 'revoke']);
    throw usageError(`toolpact approvals takes list, decide, approve, deny, grants or revoke, not ${plainLine(what)}.${near}`);
  }
  const facts = readFacts(flags, what);
  const chosen = Object.keys(filter).length > 0 ? await list(filter) : undefined;
  if (handle === undefined && chosen === undefined)
    throw usageError(`toolpact approvals ${what} needs the handle of a call.`, 'toolpact approvals list shows them.');
  if (handle !== undefined && chosen !== undefined) throw usageError('Name handles, or choose with --run, --session and --like, not both.');
  const all = chosen?.map((approval) => approval.handle) ?? handles;
  if (all.length > 1 && (facts.input !== undefined || facts.grant !== undefined))
    throw usageError('--input and --grant are for one call.', 'Approve the others without them.');
  if (all.length === 0) terminal.say('No calls are waiting for approval.\n');
  for (const approval of chosen ?? []) await terminal.out(`${approvalText(approval, terminal.outPaint)}\n`);
  let failed: unknown;
  for (const one of all) {
    try {
      const { grant } = await decide(one, what, facts);
      terminal.say(`${all.length > 1 ? `${plainLine(one)}: ` : ''}${doneText[what]}\n`);
      const newGrant = grant === undefined ? undefined : (await grants.list()).find(({ id }) => id === grant);
      if (newGrant !== undefined) terminal.say(`${grantText(newGrant, terminal.paint)}\n`);
    } catch (error) {
      if (all.length === 1 || !(error instanceof CliError)) throw error;
      failed = error;
      terminal.say(`${plainLine(error.message)}\n`);
    }
  }
  return failed === undefined ? exitCodes.done : exitCodes.cannotRun;
}

const doneText = {
  approve: 'Approved. The call runs when it is made again.',
  deny: 'Denied. The call will not run.',
} as const;

function readFilter(flags: Given['flags']): Filter {
  const [runId, sessionId, like] = ['run', 'session', 'like'].map((name) => flags.get(name) as string | undefined);
  return { ...(runId !== undefined && { runId }), ...(sessionId !== undefined && { sessionId }), ...(like !== undefined && { like }) };
}

/** Says why nothing was decided. */
function refusalText({ why, message, issues = [] }: Decided & { readonly ok: false }): string {
  if (why === 'forbidden') return message ?? 'you may not decide about it.';
  if (why === 'invalid') return `${issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')}.`;
  return { unknown: 'there is no such approval.', decided: 'it is decided already.', expired: 'it has expired.' }[why];
}

function readFacts(flags: Given['flags'], verdict: 'approve' | 'deny'): DecisionFacts {
  const grant = readGrantRequest(flags);
  if (verdict === 'deny' && (grant ?? flags.get('input')) !== undefined) throw usageError('--grant and --input go with approve.');
  if (grant !== undefined && flags.get('input') !== undefined) throw usageError('Give --grant or --input, not both.');
  const [reason, by, input] = ['reason', 'by', 'input'].map((name) => flags.get(name) as string | undefined);
  const roles = flags.get('role') as readonly string[] | undefined;
  return {
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(roles !== undefined && { roles }),
    ...(input !== undefined && { input: readInput(input) }),
    ...(grant !== undefined && { grant }),
  };
}

function readInput(text: string): JsonObject {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as JsonObject;
  } catch {
    // Said below.
  }
  throw usageError(`--input must be a JSON object, not ${plainLine(text).slice(0, 60)}.`);
}
