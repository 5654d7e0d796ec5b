import type { Approval, ApprovalPageRequest, Decided, DecisionFacts, Grant, JsonObject } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { approvalText, grantText, stateText } from '../../print/approval-text.ts';
import { plainLine } from '../../print/terminal.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf, foundIn } from './client-of.ts';
import { decideOneByOne } from './decide-one-by-one.ts';
import { readGrantRequest } from './read-grant.ts';
import { withCalls } from './with-calls.ts';

type Filter = Pick<ApprovalPageRequest, 'runId' | 'sessionId' | 'tool' | 'like'>;

/** Where approvals are kept: a store, an engine, or a server. */
export interface ApprovalSource {
  readonly list: (filter?: Filter) => Promise<readonly Approval[]>;
  /** Gives the approval, or throws for what cannot be decided so. */
  readonly decide: (handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts) => Promise<Pick<Approval, 'grant'>>;
  readonly grants: (all: boolean) => Promise<readonly Grant[]>;
  readonly revoke: (id: string, by: string | undefined) => Promise<Grant | undefined>;
}

/** Lists the calls that wait for an approval, or decides about one. */
export async function runApprovals(given: Given): Promise<number> {
  const client = clientOf(given);
  if (client !== undefined) {
    return act(given, {
      list: async (filter) => dataOf(await client.listApprovals(filter)),
      // A server knows from the credential who decides.
      decide: async (handle, verdict, { by: _, roles: __, ...facts }) => dataOf(await client.decide(handle, verdict, facts)),
      grants: async (all) => dataOf(await client.listGrants({ all })),
      revoke: async (id) => foundIn(await client.revokeGrant(id)),
    });
  }
  return withCalls(given, ({ approvals }) =>
    act(given, {
      list: (filter) => approvals.list(filter),
      async decide(handle, verdict, facts) {
        const decided = await approvals.decide(handle, verdict, { by: 'command line', ...facts });
        if (!decided.ok)
          throw new CliError(
            `${handle} was not decided: ${refusalText(decided)}`,
            decided.why === 'unknown' ? { fix: 'toolpact approvals lists those that wait.' } : {},
          );
        return decided.approval;
      },
      grants: (all) => approvals.grants.list({ all }),
      revoke: (id, by = 'command line') => approvals.grants.revoke(id, { by }),
    }),
  );
}

async function act({ words, flags, terminal }: Given, source: ApprovalSource): Promise<number> {
  const [what = 'list', ...handles] = words;
  const [handle] = handles;
  const filter = readFilter(flags);
  if (what === 'list') {
    const waiting = await source.list(filter);
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
    const grants = await source.grants(flags.get('all') === true);
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(grants, null, 2)}\n`);
    else for (const grant of grants) await terminal.out(`${grantText(grant, terminal.outPaint)}\n`);
    if (grants.length === 0) terminal.say('There are no standing grants.\n');
    return exitCodes.done;
  }
  if (what === 'revoke') {
    if (handle === undefined)
      throw usageError('toolpact approvals revoke needs the id of a grant.', 'toolpact approvals grants shows them.');
    const grant = await source.revoke(handle, flags.get('by') as string | undefined);
    if (grant === undefined) throw new CliError(`There is no grant ${handle}.`);
    terminal.say(`${plainLine(grant.words)}: ${stateText[grant.state]}.\n`);
    return exitCodes.done;
  }
  if (what === 'decide') return decideOneByOne(await source.list(filter), source, terminal, readFacts(flags, 'approve'));
  if (what !== 'approve' && what !== 'deny') {
    const near = didYouMean(what, ['list', 'decide', 'approve', 'deny', 'grants', 'revoke']);
    throw usageError(`toolpact approvals takes list, decide, approve, deny, grants or revoke, not ${plainLine(what)}.${near}`);
  }
  const facts = readFacts(flags, what);
  const chosen = Object.keys(filter).length > 0 ? await source.list(filter) : undefined;
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
      const { grant } = await source.decide(one, what, facts);
      terminal.say(`${all.length > 1 ? `${plainLine(one)}: ` : ''}${doneText[what]}\n`);
      const newGrant = grant === undefined ? undefined : (await source.grants(false)).find(({ id }) => id === grant);
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
