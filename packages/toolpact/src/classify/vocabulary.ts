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

/**
 * The words that services, drivers and runtimes use for each kind of failure, sorted within their meaning. They are compared as stems
 * (see `stemOf`); `a/b` is a choice, `*` up to two words of anything, a leading `=` means the whole identifier.
 *
 * Weights are on one scale with those of statuses and codes (`codes/`): what outweighs a status is the meaning that wins over its number.
 */
export const vocabulary: readonly Meaning[] = [
  // Codes and words that leave no doubt, in a sentence too. File systems explain theirs in words (further down).
  {
    verdict: 'unreachable',
    identifier: 72,
    phrase: 62,
    word: 62,
    phrases: `
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
  },
  {
    verdict: 'not_found',
    identifier: 72,
    phrase: 62,
    word: 62,
    phrases: `
      enoent
      esrch
      file miss
      http not found
      noscript
      not open database
      such file
      unknown database/topic
    `,
  },
  {
    verdict: 'not_found',
    identifier: 72,
    phrase: 64,
    word: 0,
    phrases: `
      not * result found
      not match found
      not result
      nothing found
    `,
  },
  {
    verdict: 'invalid_input',
    identifier: 72,
    phrase: 62,
    word: 62,
    phrases: `
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
  },
  {
    verdict: 'bad_response',
    identifier: 88,
    phrase: 73,
    word: 0,
    phrases: `
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
  },
  {
    verdict: 'not_ready',
    identifier: 72,
    phrase: 60,
    word: 24,
    phrases: `
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
  },
  {
    verdict: 'upstream',
    identifier: 72,
    phrase: 60,
    word: 0,
    phrases: `
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
  },
  {
    verdict: 'timeout',
    identifier: 80,
    phrase: 75,
    word: 0,
    phrases: `
      took longer
      took too long
    `,
  },
  {
    verdict: 'unreachable-',
    identifier: 80,
    phrase: 66,
    word: 62,
    phrases: `
      cert
      eproto
      handshake fail
      host denied
      self sign
      ssl
      tls
      verify first/leaf
    `,
  },
  {
    verdict: 'internal',
    identifier: 80,
    phrase: 75,
    word: 0,
    phrases: `
      already execute/call/read
      assertion
      call stack
      ebadf
      invariant fail/violation/violate
      more than once
      not happen
      promise during
    `,
  },
  // Phrases that win over a status.
  {
    verdict: 'denied',
    identifier: 74,
    phrase: 68,
    word: 0,
    phrases: `
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
  },
  {
    verdict: 'too_large',
    identifier: 73,
    phrase: 72,
    word: 0,
    phrases: `
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
  },
  {
    verdict: 'too_large',
    identifier: 45,
    phrase: 31,
    word: 0,
    phrases: `
      exceed * size/limit/length
      length exceed
      size exceed
    `,
  },
  {
    verdict: 'budget_exhausted',
    identifier: 74,
    phrase: 70,
    word: 0,
    phrases: `
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
      quota/credit exceed
      space left
      spend/storage/usage/quota/plan limit
      subscription expire
      trial ended
      upgrade plan
    `,
  },
  {
    verdict: 'rate_limited',
    identifier: 74,
    phrase: 71,
    word: 30,
    phrases: `
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
  },
  {
    verdict: 'cancelled',
    identifier: 76,
    phrase: 76,
    word: 0,
    phrases: `
      abort error : operation
      client close request
    `,
  },
  {
    verdict: 'conflict+',
    identifier: 76,
    phrase: 73,
    word: 30,
    phrases: `
      concurrent modification
      conflict * operation
      database lock
      deadlock
      ebusy
      lock timeout
      transaction abort
      write/transaction conflict
    `,
  },
  {
    verdict: 'rate_limited',
    identifier: 71,
    phrase: 71,
    word: 0,
    phrases: `
      resource exhaust
    `,
  },
  {
    verdict: 'conflict',
    identifier: 72,
    phrase: 64,
    word: 32,
    phrases: `
      : file exist
      already exist/connected/running/define/set/start/use/boot
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
  },
  {
    verdict: 'rate_limited',
    identifier: 75,
    phrase: 75,
    word: 0,
    phrases: `
      max wait
      per minute/hour
      queue size/full
    `,
  },
  {
    verdict: 'forbidden',
    identifier: 75,
    phrase: 72,
    word: 0,
    phrases: `
      not authorize * execute
    `,
  },
  {
    verdict: 'unauthenticated',
    identifier: 75,
    phrase: 73,
    word: 0,
    phrases: `
      authentication error
      skew
      using password
    `,
  },
  {
    verdict: 'unsupported',
    identifier: 73,
    phrase: 66,
    word: 0,
    phrases: `
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
  },
  {
    verdict: 'unknown_tool',
    identifier: 73,
    phrase: 66,
    word: 0,
    phrases: `
      unknown tool
    `,
  },
  {
    verdict: 'unknown_tool',
    identifier: 73,
    phrase: 58,
    word: 0,
    phrases: `
      tool not exist
      tool not found
    `,
  },
  // Without an answer from outside (see `decide`), a missing key is our own.
  {
    verdict: 'not_configured',
    identifier: 76,
    phrase: 65,
    word: 0,
    phrases: `
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
      region miss
      region require
      require * api key
      require setting
      secret not set
      set setting
      setting miss
      setting must
      setting not set/define/provide/found/configure
      setting require
      token set
      url/token not provide/set
      url/token/credential/key/secret require/miss
    `,
  },
  {
    verdict: 'not_configured',
    identifier: 0,
    phrase: 76,
    word: 0,
    phrases: `
      command not found
      decoder routine
    `,
  },
  // Phrases that a status usually says better.
  {
    verdict: 'not_found',
    identifier: 70,
    phrase: 34,
    word: 26,
    phrases: `
      empty result
      file/entity delete
      gone
      key * job
      not * found
      not cache/element
      not data
      not exist/find/such
    `,
  },
  {
    verdict: 'unauthenticated',
    identifier: 70,
    phrase: 56,
    word: 24,
    phrases: `
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
  },
  {
    verdict: 'forbidden',
    identifier: 71,
    phrase: 57,
    word: 24,
    phrases: `
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
  },
  {
    verdict: 'not_configured',
    identifier: 32,
    phrase: 32,
    word: 0,
    phrases: `
      not found path
    `,
  },
  {
    verdict: 'cancelled',
    identifier: 52,
    phrase: 50,
    word: 22,
    phrases: `
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
  },
  {
    verdict: 'unreachable',
    identifier: 70,
    phrase: 52,
    word: 24,
    phrases: `
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
  },
  {
    verdict: 'not_ready',
    identifier: 70,
    phrase: 49,
    word: 22,
    phrases: `
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
  },
  {
    verdict: 'upstream',
    identifier: 47,
    phrase: 46,
    word: 20,
    phrases: `
      =internal
      bad gateway
      fatal error
      internal error/service
      server exception/error
      unavailable
    `,
  },
  {
    verdict: 'bad_response',
    identifier: 63,
    phrase: 42,
    word: 29,
    phrases: `
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
  },
  {
    verdict: 'unsupported',
    identifier: 70,
    phrase: 44,
    word: 26,
    phrases: `
      disabled
      not support/enable
      unsupported
    `,
  },
  {
    verdict: 'timeout',
    identifier: 75,
    phrase: 58,
    word: 26,
    phrases: `
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
  },
  {
    verdict: 'bad_response',
    identifier: 63,
    phrase: 41,
    word: 28,
    phrases: `
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
  },
  {
    verdict: 'invalid_input',
    identifier: 39,
    phrase: 33,
    word: 28,
    phrases: `
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
  },
  // Hints of last resort.
  {
    verdict: 'bad_response',
    identifier: 40,
    phrase: 42,
    word: 21,
    phrases: `
      decode
      parse
      unexpected
      unexpected server
    `,
  },
  {
    verdict: 'forbidden',
    identifier: 60,
    phrase: 0,
    word: 0,
    phrases: `
      not allow
    `,
  },
  {
    verdict: 'too_large',
    identifier: 45,
    phrase: 28,
    word: 21,
    phrases: `
      exceed
      limit exceed
      too many
    `,
  },
  {
    verdict: 'invalid_input',
    identifier: 21,
    phrase: 26,
    word: 0,
    phrases: `
      only * allow
    `,
  },
  {
    verdict: 'conflict',
    identifier: 55,
    phrase: 0,
    word: 0,
    phrases: `
      exist
    `,
  },
  {
    verdict: 'denied',
    identifier: 45,
    phrase: 0,
    word: 30,
    phrases: `
      blocked
      decline
      flagged
      guardrail
    `,
  },
  {
    verdict: 'conflict+',
    identifier: 21,
    phrase: 0,
    word: 20,
    phrases: `
      lock
    `,
  },
  {
    verdict: 'internal',
    identifier: 25,
    phrase: 25,
    word: 9,
    phrases: `
      callback
      exit
      process
      unexpected/unknown error
    `,
  },
  {
    verdict: 'not_ready',
    identifier: 21,
    phrase: 0,
    word: 20,
    phrases: `
      close
      destroy
    `,
  },
  {
    verdict: 'conflict',
    identifier: 55,
    phrase: 0,
    word: 32,
    phrases: `
      already
    `,
  },
  {
    verdict: 'unreachable',
    identifier: 36,
    phrase: 0,
    word: 21,
    phrases: `
      fetch error
      proxy
      socket
    `,
  },
  {
    verdict: 'invalid_input',
    identifier: 21,
    phrase: 0,
    word: 20,
    phrases: `
      incorrect
      sqlite error
      unknown
    `,
  },
];
