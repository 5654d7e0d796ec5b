import type { Verdict } from './reading.ts';
import { type Meaning, meaning } from './vocabulary.ts';

function said(verdict: Verdict, phrase: number): (phrases: TemplateStringsArray) => Meaning {
  return meaning({ verdict, identifier: 0, phrase, word: 0 });
}

/**
 * The words in which authors refuse a call, in the notation of `vocabulary`. Libraries use many of them for something else, so they are
 * read of nothing but a sentence that a handler threw.
 */
export const authorVocabulary: readonly Meaning[] = [
  // Refusals by the operator's rules. Words about an argument weigh more, and count where it is repeated: a caller that can
  // send something else is told to.
  said('denied', 25)`
    blocked access/address/argument/command/domain/extension/host/operation/operator/path/pattern/protocol/request/url
    command/method/operation/protocol/query/request/statement/url allow/permit/permitted
    dangerous/forbidden/malicious/unsafe argument/character/command/flag/operation/operator/path/pattern
    directory/path traversal
    escape/outside * root/base/directory/folder/sandbox/workspace
    must * inside/under/within * allow/root/base/directory/folder/sandbox/workspace
    security policy/reason/violation
  `,
  said('not_ready', 50)`
    already progress
    still active/progress/running
  `,
  said('not_found', 64)`
    not return * match/record/result/row/rows
  `,
  said('too_large', 31)`
    max 0 * allow
  `,
  said('conflict', 65)`
    already archive/cancelled/close/complete/delete/finish/merge/release/taken
  `,
  said('budget_exhausted', 60)`
    allowance/credit/quota * exceed/exhaust/reach/used
    exceed/exhaust/use/used * allowance/credit/quota
    please upgrade
  `,
  // Read where a wait is stated: a quota that comes back is a rate.
  said('rate_limited', 59)`
    allowance/credit/quota * exceed/exhaust/reach/used
    exceed/exhaust/use/used * allowance/credit/quota
  `,
  said('forbidden', 57)`
    insufficient/lack/miss * permission/privilege/role/scope
    not authorize
  `,
  said('unauthenticated', 56)`
    bearer token
    must/need/please/run/use * authenticate/login
    not * access/authentication cookie/token
  `,
  said('not_configured', 50)`
    access/api/app/private/secret key * need/require
    config/configuration file invalid/miss/not
    error/fail load/read certificate/credential
    fail * install browser/dependency/package
    not set
  `,
  said('invalid_input', 33)`
    invalid * argument/format
    least one * argument/field/filter/option/parameter/property
    need least
    not argument given/provide/supply
    not valid * provide
    not valid date/email/number/url
    provide/specify either
  `,
];
