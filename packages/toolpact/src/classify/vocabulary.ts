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

/** Gives phrases their meaning. */
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
    eaddrnotavail
    eai
    econnrefused
    econnreset
    eformerr
    ehostunreach
    enetunreach
    enodata
    enotfound
    enotimp
    epipe
    erefused
    eservfail
    host down
    host not found
    name resolution
    not reach
    not route host
    unknown host
  `,
  meaning({ verdict: 'not_found', identifier: 72, phrase: 62, word: 62 })`
    enoent
    esrch
    file miss
    http not found
    noscript
    not open database
    such file
    unknown database/topic
  `,
  meaning({ verdict: 'not_found', identifier: 72, phrase: 64, word: 0 })`
    not * result found
    not match found
    not result
    nothing found
  `,
  meaning({ verdict: 'invalid_input', identifier: 72, phrase: 62, word: 62 })`
    bad null
    boundary
    data truncate
    ebadname
    einval
    header value/name
    invalid arg
    not mix
    parse entity
    req content
    require parameter
    thinking
    unacceptable
    unexpected/unknown/invalid/bad option
    unresolvable
  `,
  meaning({ verdict: 'bad_response', identifier: 88, phrase: 73, word: 0 })`
    accept header
    asn1
    close tag
    ebadresp
    end stream/buffer
    end/valid json
    header token
    invalid * frame
    invalid redirect
    line * column
    line : * column
    not close
    output schema
    redirect mode/count
    response not match
    response schema
    server indicate/sent
    stream end
    type/response not json
    unsupported zip
    z data
  `,
  meaning({ verdict: 'not_ready', identifier: 72, phrase: 60, word: 24 })`
    =loading
    busy
    circuit open
    connection not initialize
    connection not open/establish
    currently loading
    eagain
    econnclosed
    enotconn
    eshutdown
    loading model
    masterdown
    must wait
    shutting down
    start up
    still loading
    tryagain
    warm up
  `,
  meaning({ verdict: 'upstream', identifier: 72, phrase: 60, word: 0 })`
    clusterdown
    enough replica
    internal/service fail
    noreplicas
    not * respond
    not currently available
    overload
    server overload/busy/unavailable
    shutdown
    storage error
    try again later
    went wrong
  `,
  meaning({ verdict: 'timeout', identifier: 80, phrase: 75, word: 0 })`
    took longer
    took too long
  `,
  meaning({ verdict: 'unreachable-', identifier: 80, phrase: 66, word: 62 })`
    cert
    eproto
    handshake fail
    host denied
    self sign
    ssl
    tls
    verify first/leaf
  `,
  meaning({ verdict: 'internal', identifier: 80, phrase: 75, word: 0 })`
    already execute/call/read
    assertion
    call stack
    ebadf
    invariant fail/violation/violate
    more than once
    not happen
    promise during
  `,
  // Phrases that win over a status.
  meaning({ verdict: 'denied', identifier: 74, phrase: 68, word: 0 })`
    blocked due
    content filter
    input flagged
    legal reason
    moderation
    nsfw content
    policy violation
    reject reviewer
    reject/denied policy/user
    user reject/denied
    violate * policies/guideline
  `,
  meaning({ verdict: 'too_large', identifier: 73, phrase: 72, word: 0 })`
    e2big
    emfile
    emsgsize
    enobufs
    excessive * count
    header overflow
    longer/larger than
    max * size
    maxbuffer
    out memory
    over/size limit
    prompt/context length
    token count
    too long/large/big
  `,
  meaning({ verdict: 'too_large', identifier: 45, phrase: 31, word: 0 })`
    exceed * size/limit/length
    length exceed
    size exceed
  `,
  meaning({ verdict: 'budget_exhausted', identifier: 74, phrase: 70, word: 0 })`
    account/credit balance
    billing
    card/payment/transaction decline
    daily/monthly * quota/limit
    disk/storage * full
    edquot
    enomem
    enospc
    insufficient * balance
    insufficient/enough fund/storage/quota/credit/space/balance
    not enough * balance
    oom
    out fund
    out/used * quota/credit
    payment require
    quota * exhaust
    quota/credit exceed
    space left
    spend/storage/usage/quota/plan limit
    subscription expire
    trial ended
    upgrade plan
  `,
  meaning({ verdict: 'rate_limited', identifier: 74, phrase: 71, word: 30 })`
    attempt/concurrency/message/queue limit
    enhance calm
    excessive request
    max client
    max number client
    rate limit/limiter
    ratelimit
    request limit * exceed/reach
    slow down
    throttl
    throughput/capacity exceed
    too many * attempt/connection/request/call/user
    too many client/simultaneous
    too many message
  `,
  meaning({ verdict: 'cancelled', identifier: 76, phrase: 76, word: 0 })`
    abort error : operation
    client close request
  `,
  meaning({ verdict: 'conflict+', identifier: 76, phrase: 73, word: 30 })`
    concurrent modification
    conflict * operation
    database lock
    deadlock
    ebusy
    lock timeout
    transaction abort
    write/transaction conflict
  `,
  meaning({ verdict: 'rate_limited', identifier: 71, phrase: 71, word: 0 })`
    resource exhaust
  `,
  meaning({ verdict: 'conflict', identifier: 72, phrase: 64, word: 32 })`
    : file exist
    already exist/connected/running/declare/define/register/set/start/use/boot
    already/name taken
    bucket/directory not empty
    conditional check
    conflict
    duplicate
    eaddrinuse
    eexist
    enotempty
    fast forward
    lease
    miss lock
    not met
    overwritten
    precondition fail
    progress
    resource use
    stale
    twice
    unique
    unique constraint
    version error/mismatch
  `,
  meaning({ verdict: 'rate_limited', identifier: 75, phrase: 75, word: 0 })`
    hourly * limit
    max wait
    per minute/hour
    queue size/full
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
    not acceptable
    not implement
    not longer support
    not yet implement
    only support
    operation/version/protocol/server/method not support
    unimplemented
    unknown scheme/command/method
    unsupported media
    upgrade require
  `,
  meaning({ verdict: 'unknown_tool', identifier: 73, phrase: 66, word: 0 })`
    unknown tool
  `,
  meaning({ verdict: 'unknown_tool', identifier: 73, phrase: 58, word: 0 })`
    tool not exist
    tool not found
  `,
  // Without an answer from outside (see `decide`), a missing key is our own.
  meaning({ verdict: 'not_configured', identifier: 76, phrase: 65, word: 0 })`
    broker * empty
    callback set
    client password must
    configuration option/error/must
    configure setting
    connection string
    credential * require
    credential provider
    credential unavailable
    disabled setting
    empty token
    env
    environment variable
    executable path
    key nor
    key not found/set
    key/token must
    miss * secret
    miss access/api key/token
    miss configuration
    miss credential
    miss setting
    module not
    need install
    not * credential/key * configure/provide/found/specify
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
    pem
    please install
    provide setting
    provide/require/supply * access/api key/token
    provide/require/supply * secret
    region miss
    region require
    require * api key
    require setting
    secret not empty/set
    set setting
    setting miss
    setting must
    setting not set/define/provide/found/configure
    setting require
    token set
    url/token not provide/set
    url/token/credential/key/secret require/miss
  `,
  meaning({ verdict: 'not_configured', identifier: 0, phrase: 76, word: 0 })`
    command not found
    decoder routine
  `,
  // Phrases that a status usually says better.
  meaning({ verdict: 'not_found', identifier: 70, phrase: 34, word: 26 })`
    empty result
    file/entity delete
    gone
    key * job
    not * found
    not cache/element
    not data
    not exist/find/such
  `,
  meaning({ verdict: 'unauthenticated', identifier: 70, phrase: 56, word: 24 })`
    auth/authentication fail/error/require/session
    authentication
    claim
    expire token
    incorrect * key/password
    interaction require
    invalid * signature/auth/client/grant/token/credential/password
    invalid access/api key
    jwt
    key * reject/invalid/expire
    log first
    login fail/require
    match signature
    must logged
    noauth
    not auth/authenticate
    not logged
    not signed
    password require
    please log
    please login
    please sign
    read username
    require login
    session/token revoke/expire
    signature not match
    signature verification
    token refresh
    unauthenticated
    unauthorized
    unrecognized client
    wrong/bad * token/credential/password
    wrongpass
  `,
  meaning({ verdict: 'forbidden', identifier: 71, phrase: 57, word: 24 })`
    access denied
    access disable/refuse
    account/store/organization suspend/disable/inactive
    admin access
    authorization fail/error
    available country
    cant
    denied
    eacces
    enough right
    eperm
    forbidden
    insufficient scope/access/privilege
    miss scope
    noperm
    not accessible
    not allow * list
    not channel
    not grant
    not permitted
    not privilege
    only admin/owner
    operation/action/write/command/tool * not allow
    outside workspace/sandbox
    paid team
    path outside
    permission
    permission denied
    read only
    readonly
    require admin
    restrict
    unauthorized operation
  `,
  meaning({ verdict: 'not_configured', identifier: 32, phrase: 32, word: 0 })`
    not found path
  `,
  meaning({ verdict: 'cancelled', identifier: 52, phrase: 50, word: 22 })`
    abort
    cancelled
    cancelled user
    ecancelled
    interrupt
    operation abort
    request/operation/run/task/user cancelled
    stopped
    terminate worker
    worker terminate
  `,
  meaning({ verdict: 'unreachable', identifier: 70, phrase: 52, word: 24 })`
    close error code
    connect fail/error
    connection
    connection not/terminate/refuse/close
    disconnect
    dns
    fail fetch/connect
    fetch fail
    max retries exceed/per
    network
    not connect
    not host available
    not resolve host
    premature close
    socket disconnect/close
    transport error
    und err socket
    unreachable
  `,
  meaning({ verdict: 'not_ready', identifier: 70, phrase: 49, word: 22 })`
    after end/done
    already complete/finish/release/close
    breaker open
    call * first
    call after
    consumer running
    dispose
    draining
    maintenance
    not alive/yet/writeable/initialize/open/establish/ready/active/running/connected/available
    paused
    shut down
  `,
  meaning({ verdict: 'upstream', identifier: 47, phrase: 46, word: 20 })`
    =internal
    bad gateway
    fatal error
    internal error/service
    server exception/error
    unavailable
  `,
  meaning({ verdict: 'bad_response', identifier: 63, phrase: 42, word: 29 })`
    data loss
    deserialize error
    empty response
    expect 200
    expect content type
    found response
    hpe
    html head
    incorrect header
    invalid * header
    invalid * response
    json receive
    malformed/bad response
    max redirect
    not object/image generate
    not return * response
    out order
    output parser
    parse response
    protocol error
    resp type
    response body
    response not include/contain
    too many redirect
    unexpected * response
  `,
  meaning({ verdict: 'unsupported', identifier: 70, phrase: 44, word: 26 })`
    disabled
    not support/enable
    unsupported
  `,
  meaning({ verdict: 'timeout', identifier: 75, phrase: 58, word: 26 })`
    deadline
    esockettimedout
    etime
    etimedout
    etimeout
    not complete time
    not complete/finish/respond/answer within
    operation/request/polling/connection/poll/wait timeout
    read/statement timeout
    time limit/exceed/out
    timed out
    timedout
    timeout
    timeout * exceed
    timeout wait/after/reach/expire
  `,
  meaning({ verdict: 'bad_response', identifier: 63, phrase: 41, word: 28 })`
    central directory
    checksum
    content type expect
    corrupt
    fail parse
    insufficient/enough data
    invalid json
    length mismatch
    magic number
    not look/decode
    transform response
    unclosed
    unexpected end
    yaml
  `,
  meaning({ verdict: 'invalid_input', identifier: 39, phrase: 33, word: 28 })`
    accept only
    ambiguous
    argument
    bad
    constraint
    empty
    expect
    illegal
    invalid
    invalid parameter/param
    least one
    malformed
    mismatch
    miss
    must
    mutually exclusive
    negative
    not * both
    not * format
    not allow/png/convert/valid/match
    not both
    not combine
    not object/array/string/number/integer/boolean
    not same
    out range/bound
    require
    should
    syntax
    too few/short
    undefined
    unrecognized
    validation
    wrong
  `,
  // Hints of last resort.
  meaning({ verdict: 'bad_response', identifier: 40, phrase: 42, word: 21 })`
    decode
    parse
    unexpected
    unexpected server
  `,
  meaning({ verdict: 'forbidden', identifier: 60, phrase: 0, word: 0 })`
    not allow
  `,
  meaning({ verdict: 'too_large', identifier: 45, phrase: 28, word: 21 })`
    exceed
    limit exceed
    too many
  `,
  meaning({ verdict: 'invalid_input', identifier: 21, phrase: 26, word: 0 })`
    only * allow
  `,
  meaning({ verdict: 'conflict', identifier: 55, phrase: 0, word: 0 })`
    exist
  `,
  meaning({ verdict: 'denied', identifier: 45, phrase: 0, word: 30 })`
    blocked
    decline
    flagged
    guardrail
  `,
  meaning({ verdict: 'conflict+', identifier: 21, phrase: 0, word: 20 })`
    lock
  `,
  meaning({ verdict: 'internal', identifier: 25, phrase: 25, word: 9 })`
    callback
    exit
    process
    unexpected/unknown error
  `,
  meaning({ verdict: 'not_ready', identifier: 21, phrase: 0, word: 20 })`
    close
    destroy
  `,
  meaning({ verdict: 'conflict', identifier: 55, phrase: 0, word: 32 })`
    already
  `,
  meaning({ verdict: 'unreachable', identifier: 36, phrase: 0, word: 21 })`
    fetch error
    proxy
    socket
  `,
  meaning({ verdict: 'invalid_input', identifier: 21, phrase: 0, word: 20 })`
    incorrect
    sqlite error
    unknown
  `,
];
