import type { FailureKind } from '../catalogue.ts';

/** A kind, with `+` or `-` where its transience differs from the catalogue's. */
export type Verdict = FailureKind | `${FailureKind}${'+' | '-'}`;

/** What words stand for, and how much they weigh as an identifier, as a phrase in a sentence and as a single word in one. */
export type VocabularyRow = readonly [verdict: Verdict, identifier: number, phrase: number, word: number, phrases: string];

/**
 * The words that services, drivers and runtimes use for each kind of failure. Phrases are separated by commas and compared as stems
 * (see `stemOf`); `a/b` is a choice, `*` up to two words of anything, a leading `=` means the whole identifier.
 * The order inside a row means nothing; it is the one that compresses best.
 *
 * Weights are on one scale with the statuses' (`numbers.ts`): what outweighs a status is the meaning that wins over its number.
 */
// biome-ignore format: one row, one line
export const vocabulary: readonly VocabularyRow[] = [
  // Codes and words that leave no doubt, in a sentence too. File systems explain theirs in words (further down).
  ['unreachable', 72, 62, 62, 'econnrefused,eformerr,eservfail,econnreset,erefused,epipe,name resolution,ehostunreach,enetunreach,enodata,enotimp,enotfound'],
  // Also what some clients report for their own timeout, so the text may say better.
  ['unreachable', 50, 0, 40, 'econnaborted'],
  ['timeout', 75, 62, 62, 'etimedout,etimeout'],
  ['not_found', 72, 62, 62, 'enoent,noscript,not open database,not such file/directory,http not found'],
  ['forbidden', 72, 62, 62, 'eacces,eperm'],
  ['unauthenticated', 72, 62, 62, 'wrongpass'],
  ['conflict', 72, 62, 62, 'enotempty,eaddrinuse'],
  ['conflict+', 74, 64, 64, 'ebusy,deadlock,already lock/held'],
  ['too_large', 72, 62, 62, 'maxbuffer,out memory,e2big,emsgsize'],
  ['budget_exhausted', 72, 62, 62, 'oom'],
  ['invalid_input', 72, 58, 58, 'unresolvable,connection specific/header,einval,http token,input * not parse,not mix/store,not match * schema,miss require,invalid url/arg/option,key length/size/usage'],
  ['not_ready', 72, 60, 24, 'semaphore,eshutdown'],
  ['not_ready', 72, 60, 0, 'eagain,=busy,tryagain,=loading,not master/primary/leader,masterdown'],
  ['upstream', 72, 60, 0, 'clusterdown,overload,not currently available,server/service busy/unavailable/overload,not * respond,noreplicas,shutdown'],
  ['internal', 72, 60, 0, 'ebadf,assertion,invariant,not happen'],
  ['internal', 80, 75, 0, 'call stack'],
  ['internal', 95, 80, 0, 'assertion error/fail'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'eproto,tls,certificate verify/unknown/invalid/expire/not,unknown/invalid/bad certificate,handshake fail,self sign,cert,ssl,host denied'],
  ['bad_response', 88, 70, 0, 'return not content/output/choice,output schema/parser/parse,response not match,invalid * frame,redirect mode,bad decrypt,not authenticate data,end input/stream/buffer,outside root,response schema/validation,unsupported zip,line : * column,unexpected root/element/server/tag/opcode,block length,before first,not close,close tag'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'payment/card decline,moderation,denied/reject/decline human/operator/user/policy,human/operator/user denied/reject/decline,blocked reason/safety/policy,=safety,guardrail,content/response/prompt blocked,content filter/policy,harmful/inappropriate/sensitive/prohibit content,violate * policies/policy,flagged'],
  ['too_large', 73, 72, 0, 'exceed * length/size/bytes/pixel,context length/window,too long/big/large/deep,too many token/files/parameter,max * token/size/context,longer/larger than,over/size limit,length/size over/exceed,excessive * count,token limit/exceed/count'],
  ['budget_exhausted', 74, 65, 0, 'exceed * quota,billing,usage/storage/plan limit/quota,daily/monthly * limit/quota,quota exhaust/exceed/reach,enough * credit/fund/balance,out * credit,credit balance,payment require,insufficient credit/fund/balance/storage/space/quota,storage/table/disk * full,space left'],
  ['rate_limited', 74, 71, 30, 'throughput exceed,excessive request,too many/much * request/connection/user,throttl,too many simultaneous/attempt/concurrent/client/call,slow down,concurrency/queue limit,ratelimit,rate limit/exceed/limiter,max number client,request limit * exceed/reach'],
  ['rate_limited', 75, 75, 0, 'per minute/second,queue full/size,request per,max queue,bulkhead reject/capacity'],
  ['rate_limited', 71, 71, 0, 'resource exhaust/exceed'],
  ['conflict+', 76, 73, 30, 'transaction retry/abort,concurrent modification/update,write/transaction conflict,not serialize,row/table/database/resource lock,lock timeout/not/error/wait'],
  ['conflict', 60, 60, 35, 'unique'],
  ['conflict', 72, 64, 26, 'resource use,foreign key,conflict,duplicate,unique key/violation/index/constraint,dup/duplicate key/value/entry/name,redefine exist,conditional check,already taken/own/exist/start/register/running/use,version conflict/error/mismatch,precondition fail,stale object/version,=archived'],
  ['forbidden', 75, 72, 0, 'command/dbaccess denied,not authorize * execute/perform/access,not allow connect/access,not sufficient privilege/permission'],
  ['unauthenticated', 75, 73, 0, 'password * incorrect,skew'],
  ['cancelled', 76, 76, 0, 'cancelled/abort/cancel client/caller/user,client close request,user abort/cancel,abort error : operation'],
  ['unsupported', 73, 66, 0, 'unknown tool/transport/protocol/command/method/scheme/operation,media type,unimplemented,not implement,command/method not'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'pem,credential unavailable,not register/configure,miss configuration/credential/config,region miss,parameter api/access key/token,key/token/secret/credential/region must,not * key/token/credential * provide/found/set/configure,configuration error/invalid/miss/option/must,not resolve authentication,key nor,client password must,not * install,host/broker/server/endpoint/node * empty,private key,miss auth/api/access key/token,key/token/secret/credential/endpoint/url/password empty/miss/require/mandatory,environment variable,connection string,not find/load * key/token/credential,executable path/not,key/token/secret/credential/endpoint/url not provide/found/set/define,not find module/chrome,miss * secret,module not'],
  ['not_configured', 0, 76, 0, 'decoder routine'],
  ['not_configured', 0, 67, 0, 'command not found'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'security token,authentication,unauthenticated,miss * token,authentication error/fail/require/method,auth error/fail/require/session,authorization * invalid/miss/require/violation,jwt,key * incorrect/reject/invalid/expire/revoke,wrong/bad * key/token/credential/password,token/credential/signature/session/password reject/invalid/expire/revoke/malformed,not authorize/logged/auth/authenticate,signature not match,invalid * key/token/credential/auth/authentication/password/signature/session/jwt/login/grant/client,login fail/require,authenticate,signature verification,unauthorized'],
  ['forbidden', 71, 57, 24, 'access denied/refused/forbidden,readonly,permission error/denied/require,insufficient privilege/permission/scope/access,not permission/permitted,miss permission/scope,forbidden,read only,permission'],
  ['not_found', 70, 34, 26, 'gone,notfound,not such/exist/find/locate,not * found,not form field'],
  ['timeout', 75, 58, 26, 'deadline,statement/socket/response/request/connection/gateway/operation/query/read timeout,timeout,time limit/out,timed out,timeout * exceed'],
  ['cancelled', 52, 50, 22, 'cancelled,task/operation/query/job/request cancelled/abort/cancel,ecancelled,task/job/request dropped,task/pool/worker/thread terminate,sigterm,terminate worker/thread,interrupt,cancel,abort'],
  ['unreachable', 70, 52, 24, 'network,unreachable,dns,not host/broker/server/connection/node available/alive/living,not reach/connect,disconnect,connect error/fail,connection,max retries,fail reach/connect/fetch,premature close,close error code,fetch fail,connection reset/abort/lost/terminate/refused/close/error/fail/unexpected/not,websocket/stream/poll/transport error,socket disconnect/hang/close/error'],
  ['not_ready', 70, 49, 22, 'call * first,not accept new,already destroy/close/end,queue/reader/browser/page/context/handle/database/driver/worker close,after call/close/end,must * initialize/connect,disposed,not writable/establish/available/running/initialize/connected/yet/start/ready/open,client disconnect/offline,still * start/loading,breaker open,client/session/channel/server/connection/target/stream/pool destroy/close'],
  ['upstream', 47, 46, 20, 'transient,2 unknown,internal error/server/service,=internal,bad gateway,database/fatal error,unavailable,server exception/error/fail/down'],
  ['bad_response', 63, 41, 28, 'unterminated,invalid * response/result,empty response,not parse/decode/transform,parse error/fail,json error/invalid/parse/decode,unexpected status/character/end/token/eof/close/content/response,data loss,fail parse/decode,unparsed,invalid json/character/encode/header,checksum,length mismatch,protocol error,yaml,bad/malformed json/response,incorrect header,central directory,toml,json position,max redirect,trail,corrupt,csv,too many redirect,truncate,not database,expect 200,resp type'],
  ['unsupported', 70, 44, 26, 'unsupported,only available/support,not enable/support,fail/not determine'],
  ['invalid_input', 39, 33, 28, 'undefined,wrong,only,mismatch,syntax,too small/few/short,fail precondition,empty,schema,miss,not allow/match/valid/png/integer/null/string/empty/recognize/contain/change/cast/exceed/convert/pdf/number,argument,coerce,out range/bound,constraint,malformed,need,invalid,expect,require,illegal,bad,validation,unrecognized,must,should'],
  // Hints of last resort.
  ['too_large', 45, 28, 0, 'limit exceed/reach/hit,too many/much'],
  ['internal', 25, 25, 0, 'unknown error/exception/reason'],
  ['invalid_input', 0, 0, 20, 'unknown'],
];
