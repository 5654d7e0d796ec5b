import type { Meaning } from './vocabulary.ts';

/** A meaning that is read only in what the author of a tool says during a call. */
export type AuthorMeaning = Pick<Meaning, 'verdict' | 'phrase' | 'phrases'>;

/**
 * The words in which authors refuse a call, in the notation of `vocabulary`. Libraries use many of them for something else, so they are
 * read of nothing but a sentence that a handler threw.
 */
export const authorVocabulary: readonly AuthorMeaning[] = [
  // Refusals by the operator's rules. Words about an argument weigh more, and count where it is repeated: a caller that can
  // send something else is told to.
  {
    verdict: 'denied',
    phrase: 25,
    phrases: `
      attachment/command/file/link/path/upload/url reject
      blocked access/address/argument/command/domain/extension/host/operation/operator/path/pattern/protocol/request/url
      command/method/operation/protocol/query/request/statement/url allow/permit/permitted
      dangerous/forbidden/malicious/unsafe argument/character/command/flag/operation/operator/path/pattern
      directory/path traversal
      escape/outside * base/directory/folder/root/sandbox/workspace
      must * inside/under/within * allow/base/directory/folder/root/sandbox/workspace
      not * list allow/approve/permit * address/command/directory/domain/folder/host/operation/origin/path/project/repository/url
      not inside/under/within * allow/base/directory/folder/root/sandbox/workspace
      outside * allow/approve/permitted * directory/folder/path/root
      security policy/reason/violation
    `,
  },
  {
    verdict: 'not_configured',
    phrase: 50,
    phrases: `
      access/api/app/private/secret key * need/require
      error/fail load/read certificate/credential
    `,
  },
  {
    verdict: 'not_ready',
    phrase: 50,
    phrases: `
      already progress
      still active/progress/running
    `,
  },
  {
    verdict: 'not_found',
    phrase: 64,
    phrases: `
      not return * match/record/result/row/rows
    `,
  },
  {
    verdict: 'too_large',
    phrase: 31,
    phrases: `
      max 0 * allow
    `,
  },
  {
    verdict: 'invalid_input',
    phrase: 33,
    phrases: `
      least one * argument/field/filter/option/parameter/property
    `,
  },
  {
    verdict: 'conflict',
    phrase: 65,
    phrases: `
      already archive/cancelled/close/complete/delete/finish/merge/release/taken
    `,
  },
  {
    verdict: 'budget_exhausted',
    phrase: 60,
    phrases: `
      credit/quota/allowance * exceed/exhaust/reach/used
      exceed/exhaust/use/used * credit/quota/allowance
      please upgrade
    `,
  },
  // Read where a wait is stated: a quota that comes back is a rate.
  {
    verdict: 'rate_limited',
    phrase: 59,
    phrases: `
      credit/quota/allowance * exceed/exhaust/reach/used
      exceed/exhaust/use/used * credit/quota/allowance
    `,
  },
  {
    verdict: 'forbidden',
    phrase: 57,
    phrases: `
      insufficient/lack/miss/require * permission/privilege/role/scope
      not authorize
    `,
  },
  {
    verdict: 'unauthenticated',
    phrase: 56,
    phrases: `
      bearer token
      must/need/please/run/use * authenticate/login
      not * authentication/access token/cookie
    `,
  },
  {
    verdict: 'not_configured',
    phrase: 50,
    phrases: `
      config/configuration file not/miss/invalid
      fail * install browser/dependency/package
      not * config/configuration * found
      not set
    `,
  },
  {
    verdict: 'invalid_input',
    phrase: 33,
    phrases: `
      invalid * argument/format
      need least
      not argument provide/given/supply
      not valid * provide
      not valid date/email/number/url
      provide/specify either
    `,
  },
];
