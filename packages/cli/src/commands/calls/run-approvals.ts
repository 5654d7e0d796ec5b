import type { Approval, Decided, DecisionFacts, Grant, JsonObject } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { approvalText, grantText, stateText } from '../../print/approval-text.ts';
import { plainLine } from '../../print/terminal.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf, foundIn } from './client-of.ts';
import { readGrantRequest } from './read-grant.ts';
import { withCalls } from './with-calls.ts';

/** Where approvals are kept: a store, an engine, or a server. */
interface ApprovalSource {
  readonly list: () => Promise<readonly Approval[]>;
  readonly decide: (handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts) => Promise<Pick<Approval, 'grant'>>;
  readonly grants: (all: boolean) => Promise<readonly Grant[]>;
  readonly revoke: (id: string, by: string | undefined) => Promise<Grant | undefined>;
}

/** Lists the calls that wait for an approval, or decides about one. */
export async function runApprovals(given: Given): Promise<number> {
  const client = clientOf(given);
  if (client !== undefined) {
    return act(given, {
      list: async () => dataOf(await client.listApprovals()),
      // A server knows from the credential who decides.
      decide: async (handle, verdict, { by: _, roles: __, ...facts }) => dataOf(await client.decide(handle, verdict, facts)),
      grants: async (all) => dataOf(await client.listGrants({ all })),
      revoke: async (id) => foundIn(await client.revokeGrant(id)),
    });
  }
  return withCalls(given, ({ approvals }) =>
    act(given, {
      list: () => approvals.list(),
      async decide(handle, verdict, facts) {
        const decided = await approvals.decide(handle, verdict, { by: 'command line', ...facts });
        if (!decided.ok) throw new CliError(`Nothing was decided about ${handle}: ${refusalText(decided)}`);
        return decided.approval;
      },
      grants: (all) => approvals.grants.list({ all }),
      revoke: (id, by = 'command line') => approvals.grants.revoke(id, { by }),
    }),
  );
}

async function act({ words, flags, terminal }: Given, source: ApprovalSource): Promise<number> {
  const [what = 'list', handle] = words;
  if (what === 'list') {
    const waiting = await source.list();
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(waiting, null, 2)}\n`);
    else for (const approval of waiting) await terminal.out(`${approvalText(approval, terminal.outPaint)}\n`);
    terminal.say(
      waiting.length === 0
        ? 'No call waits for an approval.\n'
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
  if (what !== 'approve' && what !== 'deny') {
    const near = didYouMean(what, ['list', 'approve', 'deny', 'grants', 'revoke']);
    throw usageError(`toolpact approvals takes list, approve, deny, grants or revoke, not ${plainLine(what)}.${near}`);
  }
  if (handle === undefined)
    throw usageError(`toolpact approvals ${what} needs the handle of a call.`, 'toolpact approvals list shows them.');
  const { grant } = await source.decide(handle, what, readFacts(flags, what));
  terminal.say(what === 'approve' ? 'Approved. The call runs when it is made again.\n' : 'Denied. The call will not run.\n');
  if (grant !== undefined) {
    const given = (await source.grants(false)).find(({ id }) => id === grant);
    if (given !== undefined) terminal.say(`${grantText(given, terminal.paint)}\n`);
  }
  return exitCodes.done;
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
