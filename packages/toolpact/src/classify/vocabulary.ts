import type { Verdict } from './reading.ts';

/** Phrases with one meaning, and how much they weigh as an identifier, as a phrase in a sentence, and as a single word in one. */
export interface Meaning {
  readonly verdict: Verdict;
  readonly identifier: number;
  readonly phrase: number;
  readonly word: number;
  /** One phrase per line. */
  readonly phrases: string;
}

/** Returns phrases their meaning. */
export function meaning(weights: Omit<Meaning, 'phrases'>): (phrases: TemplateStringsArray) => Meaning {
  return ([phrases = '']) => ({ ...weights, phrases });
}

/**
 * The words that services, drivers and runtimes use for each kind of failure, sorted within their meaning. They are compared as stems
 * (see `stemOf`); `a/b` is a choice, `*` up to two words of anything, a leading `=` means the whole identifier.
 *
 * Weights are on one scale with those of statuses and codes (`codes/`): what outweighs a status is the meaning that wins over its number.
 */
export const vocabulary: readonly Meaning[] = [
  // Codes and words that leave no doubt, in a sentence too. File systems explain theirs in words (further down).
  meaning({ verdict: 'unreachable', identifier: 72, phrase: 62, word: 62 })`
    broken pipe
    eaddrnotavail/eai/econnrefused/econnreset/eformerr/ehostunreach/enetunreach/enodata/enotfound
    enotimp/epipe/erefused/eservfail
    host down
    host not found
    name resolution
    not reach
    not route host
    unknown host
  `,
  meaning({ verdict: 'not_found', identifier: 72, phrase: 62, word: 62 })`
    enoent/esrch/noscript
    file miss
    http not found
    not open database
    such file
    unknown database/topic
  `,
  meaning({ verdict: 'not_found', identifier: 72, phrase: 64, word: 0 })`
    not * result found
    not result
    nothing found
  `,
  meaning({ verdict: 'invalid_input', identifier: 72, phrase: 62, word: 62 })`
    bad null
    bad/invalid/unexpected/unknown option
    boundary/ebadname/einval/thinking/unacceptable/unresolvable
    data truncate
    header name/value
    invalid arg
    not mix
    parse entity
    req content
    require parameter
  `,
  meaning({ verdict: 'bad_response', identifier: 88, phrase: 73, word: 0 })`
    accept header
    asn1/ebadresp
    close tag
    end buffer/stream
    end/valid json
    header token
    invalid * frame
    invalid redirect
    line * column
    line : * column
    not close
    output/response schema
    redirect count/mode
    response not match
    response/type not json
    server indicate/sent
    stream end
    unsupported zip
    z data
  `,
  meaning({ verdict: 'not_ready', identifier: 72, phrase: 60, word: 24 })`
    =loading
    busy/eagain/econnclosed/enotconn/eshutdown/masterdown/tryagain
    circuit open
    connection not establish/open
    currently/still loading
    loading model
    must wait
    shutting down
    start/warm up
  `,
  meaning({ verdict: 'upstream', identifier: 72, phrase: 60, word: 0 })`
    clusterdown/noreplicas/overload/shutdown
    enough replica
    internal/service fail
    not * respond
    not currently available
    server busy/overload/unavailable
    storage error
    try again later
    went wrong
  `,
  meaning({ verdict: 'timeout', identifier: 80, phrase: 75, word: 0 })`
    took longer
    took too long
  `,
  meaning({ verdict: 'unreachable-', identifier: 80, phrase: 66, word: 62 })`
    cert/eproto/ssl/tls
    handshake fail
    host denied
    self sign
    verify first/leaf
  `,
  meaning({ verdict: 'internal', identifier: 80, phrase: 75, word: 0 })`
    already call/execute/read
    assertion/ebadf
    call stack
    invariant fail/violate/violation
    more than once
    not happen
    promise during
  `,
  // Phrases that win over a status.
  meaning({ verdict: 'denied', identifier: 74, phrase: 68, word: 0 })`
    blocked due
    content filter
    denied/reject policy/user
    input flagged
    legal reason
    moderation
    nsfw content
    policy violation
    reject reviewer
    user denied/reject
    violate * guideline/policies
  `,
  meaning({ verdict: 'too_large', identifier: 73, phrase: 72, word: 0 })`
    context/prompt length
    e2big/emfile/emsgsize/enobufs/maxbuffer
    excessive * count
    header overflow
    larger/longer than
    max * size
    out memory
    over/size limit
    token count
    too big/large/long
  `,
  meaning({ verdict: 'budget_exhausted', identifier: 74, phrase: 70, word: 0 })`
    account/credit balance
    billing/edquot/enomem/enospc/oom
    card/payment/transaction decline
    credit/quota exceed
    daily/monthly * limit/quota
    disk/storage * full
    enough/insufficient balance/credit/fund/quota/space/storage
    insufficient * balance
    out fund
    out/used * credit/quota
    payment require
    plan/quota/spend/storage/usage limit
    quota * exhaust
    space left
    subscription expire
    trial ended
    upgrade plan
  `,
  meaning({ verdict: 'rate_limited', identifier: 74, phrase: 71, word: 30 })`
    attempt/concurrency/message/queue limit
    capacity/throughput exceed
    enhance calm
    excessive request
    max client
    max number client
    rate limit/limiter
    ratelimit/throttl
    request limit * exceed/reach
    slow down
    too many * attempt/call/connection/request/user
    too many client/message/simultaneous
  `,
  meaning({ verdict: 'cancelled', identifier: 76, phrase: 76, word: 0 })`
    abort error : operation
    client close request
  `,
  meaning({ verdict: 'conflict+', identifier: 76, phrase: 73, word: 30 })`
    concurrent modification
    conflict * operation
    database lock
    deadlock/ebusy
    lock timeout
    transaction abort
    transaction/write conflict
  `,
  meaning({ verdict: 'rate_limited', identifier: 71, phrase: 71, word: 0 })`
    resource exhaust
  `,
  meaning({ verdict: 'conflict', identifier: 72, phrase: 64, word: 32 })`
    : file exist
    already boot/connected/declare/define/exist/register/running/set/start/use
    already/name taken
    bucket/directory not empty
    conditional check
    conflict/duplicate/eaddrinuse/eexist/enotempty/lease/overwritten/progress/stale/twice/unique
    fast forward
    miss lock
    not met
    precondition fail
    resource use
    unique constraint
    version error/mismatch
  `,
  meaning({ verdict: 'rate_limited', identifier: 75, phrase: 75, word: 0 })`
    hourly * limit
    max wait
    per hour/minute
    queue full/size
  `,
  meaning({ verdict: 'forbidden', identifier: 75, phrase: 72, word: 0 })`
    not authorize * execute
  `,
  meaning({ verdict: 'unauthenticated', identifier: 75, phrase: 73, word: 0 })`
    authentication error
    skew
    using password
  `,
  meaning({ verdict: 'unsupported', identifier: 73, phrase: 66, word: 0 })`
    command not
    default risk
    method not allow
    method/operation/protocol/server/version not support
    not acceptable/implement
    not longer support
    not yet implement
    only support
    unimplemented
    unknown command/method/scheme
    unsupported media
    upgrade require
  `,
  meaning({ verdict: 'unknown_tool', identifier: 73, phrase: 66, word: 0 })`
    unknown tool
  `,
  // Without an answer from outside (see `decide`), a missing key is our own.
  meaning({ verdict: 'not_configured', identifier: 76, phrase: 65, word: 0 })`
    broker * empty
    callback/token set
    client password must
    configuration error/must/option
    connection string
    credential * require
    credential provider/unavailable
    credential/key/region/secret/token/url miss/require
    empty token
    env/pem
    environment variable
    executable path
    key nor
    key not found/set
    key/token must
    miss access/api key/token
    miss configuration/credential
    miss/provide/require/supply * secret
    module not
    need/please install
    not * credential/key * configure/found/provide/specify
    not * install
    not configure
    not default region
    not find module
    not load * credential
    not password supply
    not provider configure
    not resolve authentication
    not set up
    parameter access token
    provide/require/supply * access/api key/token
    secret not empty/set
    setting miss/must/require
    setting not configure/define/found/provide/set
    token/url not provide/set
  `,
  meaning({ verdict: 'not_configured', identifier: 0, phrase: 76, word: 0 })`
    command not found
    decoder routine
  `,
  // Phrases that a status usually says better.
  meaning({ verdict: 'not_found', identifier: 70, phrase: 34, word: 26 })`
    empty result
    entity/file delete
    gone
    key * job
    not * found
    not cache/data/element/exist/find/such
  `,
  meaning({ verdict: 'unauthenticated', identifier: 70, phrase: 56, word: 24 })`
    auth/authentication error/fail/require/session
    authentication/claim/jwt/noauth/unauthenticated/unauthorized/wrongpass
    bad/wrong * credential/password/token
    expire token
    incorrect * key/password
    interaction/password require
    invalid * auth/client/credential/grant/password/signature/token
    invalid access/api key
    key * expire/invalid/reject
    login fail/require
    match signature
    must logged
    not auth/authenticate/logged/signed
    please log/login/sign
    read username
    session/token expire/revoke
    signature not match
    signature verification
    unrecognized client
  `,
  meaning({ verdict: 'forbidden', identifier: 71, phrase: 57, word: 24 })`
    access disable/refuse
    access/permission denied
    account/organization/store disable/inactive/suspend
    action/command/operation/tool/write * not allow
    authorization error/fail
    available country
    cant/denied/eacces/eperm/forbidden/noperm/permission/readonly/restrict
    enough right
    insufficient access/privilege/scope
    miss scope
    not accessible/channel/grant/permitted/privilege
    not allow * list
    paid team
    read only
    require admin
    unauthorized operation
  `,
  meaning({ verdict: 'cancelled', identifier: 52, phrase: 50, word: 22 })`
    abort/cancelled/ecancelled/interrupt/stopped
    operation abort
    operation/request/run/task/user cancelled
    terminate worker
    worker terminate
  `,
  meaning({ verdict: 'unreachable', identifier: 70, phrase: 52, word: 24 })`
    close error code
    connect error/fail
    connection close/not/refuse/terminate
    connection/disconnect/dns/network/unreachable
    fail connect/fetch
    fetch fail
    max retries exceed/per
    not connect
    not host available
    not resolve host
    premature close
    socket close/disconnect
    transport error
    und err socket
  `,
  meaning({ verdict: 'not_ready', identifier: 70, phrase: 49, word: 22 })`
    after done/end
    already close/complete/finish/release
    breaker open
    call * first
    call after
    consumer running
    dispose/draining/maintenance/paused
    not active/alive/available/connected/establish/initialize/open/ready/running/writeable/yet
    shut down
  `,
  meaning({ verdict: 'upstream', identifier: 47, phrase: 46, word: 20 })`
    =internal
    bad gateway
    fatal error
    internal error/service
    server error/exception
    unavailable
  `,
  meaning({ verdict: 'bad_response', identifier: 63, phrase: 42, word: 29 })`
    bad/empty/malformed/parse response
    data loss
    deserialize/protocol error
    expect 200
    expect content type
    hpe
    html head
    incorrect header
    invalid * header/response
    json receive
    max redirect
    not image/object generate
    out order
    output parser
    resp type
    response body
    response not contain/include
    too many redirect
    unexpected * response
  `,
  meaning({ verdict: 'unsupported', identifier: 70, phrase: 44, word: 26 })`
    disabled/unsupported
    not enable/support
  `,
  meaning({ verdict: 'timeout', identifier: 75, phrase: 58, word: 26 })`
    connection/operation/poll/polling/read/request/statement/wait timeout
    deadline/esockettimedout/etime/etimedout/etimeout/timedout/timeout
    not answer/complete/finish/respond within
    not complete time
    time exceed/limit/out
    timed out
    timeout * exceed
    timeout after/expire/reach/wait
  `,
  meaning({ verdict: 'bad_response', identifier: 63, phrase: 41, word: 28 })`
    central directory
    checksum/corrupt/unclosed/yaml
    content type expect
    enough/insufficient data
    fail parse
    length mismatch
    magic number
    not decode/look
    unexpected end
  `,
  meaning({ verdict: 'invalid_input', identifier: 39, phrase: 33, word: 28 })`
    accept only
    ambiguous/argument/bad/constraint/empty/expect/illegal/invalid/malformed/mismatch/miss/must
    negative/require/should/syntax/undefined/unrecognized/validation/wrong
    not * both/format
    not allow/array/boolean/both/combine/convert/integer/match/number/object/png/same/string/valid
    out bound/range
    too few/short
  `,
  // Hints of last resort.
  meaning({ verdict: 'bad_response', identifier: 40, phrase: 42, word: 21 })`
    decode/parse/unexpected
  `,
  meaning({ verdict: 'forbidden', identifier: 60, phrase: 0, word: 0 })`
    not allow
  `,
  meaning({ verdict: 'too_large', identifier: 45, phrase: 31, word: 21 })`
    exceed
    exceed * length/limit/size
    too many
  `,
  meaning({ verdict: 'conflict', identifier: 55, phrase: 0, word: 0 })`
    exist
  `,
  meaning({ verdict: 'denied', identifier: 45, phrase: 0, word: 30 })`
    blocked/decline/flagged/guardrail
  `,
  meaning({ verdict: 'conflict+', identifier: 21, phrase: 0, word: 20 })`
    lock
  `,
  meaning({ verdict: 'internal', identifier: 25, phrase: 25, word: 9 })`
    callback/exit/process
    unexpected/unknown error
  `,
  meaning({ verdict: 'not_ready', identifier: 21, phrase: 0, word: 20 })`
    close/destroy
  `,
  meaning({ verdict: 'conflict', identifier: 55, phrase: 0, word: 32 })`
    already
  `,
  meaning({ verdict: 'unreachable', identifier: 36, phrase: 0, word: 21 })`
    fetch error
    proxy/socket
  `,
  meaning({ verdict: 'invalid_input', identifier: 21, phrase: 0, word: 20 })`
    incorrect/unknown
    sqlite error
  `,
];
