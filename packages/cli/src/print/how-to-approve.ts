import type { ApprovalsOptions } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import type { Settings } from '../settings/read-settings.ts';
import { quoteWord } from './quote-word.ts';

/** A server that anyone who reaches it may ask. */
export interface OpenServer {
  readonly url: string;
  readonly hasInspector: boolean;
}

/** Where approvals are kept and decided. */
export interface ApprovalPlace {
  readonly settings: Pick<Settings, 'store' | 'setBy'>;
  /** The server, once it listens; undefined where there is none, or where callers need a key. */
  readonly server?: () => OpenServer | undefined;
  /** The folder to run the command in, where the user may not know it. */
  readonly folder?: string;
}

/**
 * Creates the function that says how a person lets a waiting call run: with a command, and on the page of the server. Its text ends the sentence
 * "The user may approve it …". Undefined where neither reaches the call.
 */
export function createHowToApprove({ settings, server, folder }: ApprovalPlace): NonNullable<ApprovalsOptions['howToApprove']> {
  return ({ handle, tenantId }) => {
    const open = server?.();
    const target = targetOf(settings, open);
    const tenant = tenantId === noTenant ? '' : ` --tenant ${quoteWord(tenantId)}`;
    const where = folder === undefined ? '' : ` in ${folder}`;
    // By the name of its own package npx finds the command line whether the project has it or not.
    const ways = [
      ...(target === undefined ? [] : [`with \`npx @toolpact/cli approvals approve ${handle}${tenant}${target}\`${where}`]),
      ...(open?.hasInspector ? [`at ${open.url}/inspector/#/approvals`] : []),
    ];
    return ways.length === 0 ? undefined : ways.join(' or ');
  };
}

/** Returns the flag with which a command finds the approval; undefined where it cannot. The address of a database may hold a password, so it is not shown. */
function targetOf({ store, setBy }: ApprovalPlace['settings'], open: OpenServer | undefined): string | undefined {
  const isFlag = setBy.get('store') === 'flag';
  if (store !== 'memory' && !isFlag) return '';
  if (open !== undefined) return ` --url ${open.url}`;
  return store === 'memory' || store.includes('://') ? undefined : ` --store ${quoteWord(store)}`;
}
