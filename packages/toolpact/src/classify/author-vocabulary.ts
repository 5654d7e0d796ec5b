import type { Meaning } from './vocabulary.ts';

/** A meaning that is read only in what the author of a tool says during a call. */
export interface AuthorMeaning extends Pick<Meaning, 'verdict' | 'phrase' | 'phrases'> {
  /** Whether it counts also where the message repeats nothing of the call. */
  readonly isAlone: boolean;
}

/**
 * The words in which authors refuse a call, in the notation of `vocabulary`. Libraries use many of them for something else, so they are
 * read of nothing but a sentence that a handler threw.
 */
export const authorVocabulary: readonly AuthorMeaning[] = [
  // What the operator's rules do not let through. Words about an argument weigh more, and count where it is repeated: a caller that can
  // send something else is told to.
  {
    verdict: 'denied',
    phrase: 25,
    isAlone: true,
    phrases: `
      address/command/domain/extension/host/operation/operator/protocol/request/url blocked
      attachment/command/file/link/path/upload/url reject
      blocked access/address/argument/command/domain/extension/host/operation/operator/path/pattern/protocol/request/url
      command/method/operation/protocol/query/request/statement/url allow/permit/permitted
      dangerous/forbidden/malicious/unsafe argument/character/command/flag/operation/operator/path/pattern
      directory/path traversal
      disallow
      escape * base/directory/folder/path/root/sandbox/workspace
      must * inside/under/within * allow
      must * inside/under/within * base/directory/folder/root/sandbox/workspace
      not * list allow/approve/permit * address/command/directory/domain/folder/host/operation/origin/path/project/repository/url
      not allowlist/whitelist
      not inside/under/within * allow
      not inside/under/within * base/directory/folder/root/sandbox/workspace
      only http/https * allow/permit/permitted
      outside * allow/approve/permitted * directory/folder/path/root
      outside * base/directory/folder/root/sandbox/workspace
      security policy/reason/violation
    `,
  },
  {
    verdict: 'unknown_tool',
    phrase: 60,
    isAlone: true,
    phrases: `
      disable/hidden/inactive/invalid/restrict/unavailable unknown tool
      unknown/unrecognized disable/hidden/inactive/invalid/restrict/unavailable tool
    `,
  },
  {
    verdict: 'not_configured',
    phrase: 50,
    isAlone: true,
    phrases: `
      access/api/app/private/secret key * need/require
      error/fail load/read certificate/credential
    `,
  },
  {
    verdict: 'not_ready',
    phrase: 50,
    isAlone: true,
    phrases: `
      already progress
      still active/progress/running
      while another
    `,
  },
  {
    verdict: 'not_found',
    phrase: 64,
    isAlone: true,
    phrases: `
      not return * match/record/result/row/rows
      return not match/record/result/row/rows
    `,
  },
  {
    verdict: 'too_large',
    phrase: 31,
    isAlone: true,
    phrases: `
      max 0 * allow
    `,
  },
  {
    verdict: 'invalid_input',
    phrase: 33,
    isAlone: true,
    phrases: `
      least one * argument/field/filter/option/parameter/property
    `,
  },
  {
    verdict: 'not_found',
    phrase: 30,
    isAlone: false,
    phrases: `
      check/ensure/sure/verify * exist
    `,
  },
  {
    verdict: 'invalid_input',
    phrase: 33,
    isAlone: false,
    phrases: `
      additional/extra/undeclare/unexpected/unknown/unrecognized argument/field/key/option/parameter/property
    `,
  },
  {
    verdict: 'conflict',
    phrase: 65,
    isAlone: true,
    phrases: `
      already archive/cancelled/close/complete/delete/finish/merge/release
      already taken
      must unique
      not unique
    `,
  },
  {
    verdict: 'budget_exhausted',
    phrase: 60,
    isAlone: true,
    phrases: `
      credit/quota/allowance * exceed/exhaust/reach/used
      exceed/exhaust/use/used * credit/quota/allowance
      plan * limit
      please upgrade
    `,
  },
  // Read where a wait is stated: a quota that comes back is a rate.
  {
    verdict: 'rate_limited',
    phrase: 59,
    isAlone: true,
    phrases: `
      credit/quota/allowance * exceed/exhaust/reach/used
      exceed/exhaust/use/used * credit/quota/allowance
    `,
  },
  {
    verdict: 'forbidden',
    phrase: 57,
    isAlone: true,
    phrases: `
      insufficient/lack/miss/require * permission/privilege/role/scope
      not authorize
    `,
  },
  {
    verdict: 'unauthenticated',
    phrase: 56,
    isAlone: true,
    phrases: `
      bearer token
      must/need/please/run/use * authenticate
      not * authentication/access token/cookie
      run/use * login
    `,
  },
  {
    verdict: 'not_configured',
    phrase: 50,
    isAlone: true,
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
    isAlone: true,
    phrases: `
      invalid * argument/format
      must array/boolean/integer/number/object/string
      must contain
      need least
      not argument provide/given/supply
      not valid * provide
      not valid date/email/number/url
      provide/specify either
    `,
  },
];
