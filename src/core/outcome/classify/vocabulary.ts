import type { FailureKind } from '../catalogue.ts';

/** A kind, with `+` or `-` where its transience differs from the catalogue's. */
export type Verdict = FailureKind | `${FailureKind}${'+' | '-'}`;

/** What words stand for, and how much they weigh as an identifier, as a phrase in a sentence and as a single word in one. */
export type VocabularyRow = readonly [verdict: Verdict, identifier: number, phrase: number, word: number, phrases: string];

/**
 * The words that services, drivers and runtimes use for each kind of failure. Phrases are separated by commas and compared as stems
 * (see `stemOf`); `a/b` is a choice, `*` up to two words of anything, a leading `=` means the whole identifier.
 *
 * Weights are on one scale with the statuses' (`numbers.ts`): what outweighs a status is the meaning that wins over its number.
 */
// biome-ignore format: one row, one line
export const vocabulary: readonly VocabularyRow[] = [
  // Codes and words that leave no doubt, in a sentence too. File systems explain theirs in words (further down).
  ['unreachable', 72, 62, 62, 'econnrefused,erefused,eformerr,enodata,enotimp,econnreset,enotfound,eservfail,enetunreach,ehostunreach,epipe,name resolution'],
  // Also what some clients report for their own timeout, so the text may say better.
  ['unreachable', 50, 0, 40, 'econnaborted'],
  ['timeout', 75, 62, 62, 'etimedout,etimeout'],
  ['not_found', 72, 62, 62, 'enoent,not open database,not such file/directory,noscript,http not found'],
  ['forbidden', 72, 62, 62, 'eacces,eperm'],
  ['unauthenticated', 72, 62, 62, 'wrongpass'],
  ['conflict', 72, 62, 62, 'enotempty,eaddrinuse'],
  ['conflict+', 74, 64, 64, 'ebusy,deadlock,already locked/held'],
  ['too_large', 72, 62, 62, 'maxbuffer,out memory,e2big,emsgsize'],
  ['budget_exhausted', 72, 62, 62, 'oom'],
  ['invalid_input', 72, 58, 58, 'einval,unresolvable,not store,invalid url/arg/option,input * not parse,not match * schema,missing required,http token,key length/size/usage,connection header/specific,not mix'],
  ['not_ready', 72, 60, 24, 'semaphore,eshutdown'],
  ['not_ready', 72, 60, 0, '=loading,=busy,tryagain,masterdown,eagain,not leader/primary/master'],
  ['upstream', 72, 60, 0, 'clusterdown,noreplicas,server/service busy/overloaded/unavailable,overloaded,shutdown,not * responding,not currently available'],
  ['internal', 72, 60, 0, 'ebadf,assertion,invariant,not happen'],
  ['internal', 80, 75, 0, 'call stack'],
  ['internal', 95, 80, 0, 'assertion error/failed'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'eproto,cert,self signed,certificate expired/invalid/unknown/verify/not,bad/invalid/unknown certificate,ssl,tls,host denied,handshake failed'],
  ['bad_response', 88, 70, 0, 'response validation/schema,output parser/parsing/schema,response not match,unsupported zip,bad decrypt,outside root,end buffer/stream/input,unexpected root/server/element/tag/opcode,redirect mode,returned not output/content/choice,not authenticate data,invalid * frame,not closed,closing tag,before first,line : * column,block length'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'content filter/policy,=safety,moderation,flagged,guardrail,violates * policy/policies,blocked policy/safety/reason,prompt/content/response blocked,user/human/operator denied/rejected/declined,denied/rejected/declined user/human/operator/policy,card/payment declined,inappropriate/prohibited/harmful/sensitive content'],
  ['too_large', 73, 72, 0, 'context length/window,max * context/token,too many token/parameters/files,token limit/count/exceed,too large/big/long/deep,size/length exceed/over,exceed * size/length/bytes/pixel,larger than,size limit,longer than,over limit,max * size,excessive * count'],
  ['budget_exhausted', 74, 65, 0, 'insufficient quota/credit/fund/balance/space/storage,exceed * quota,credit balance,billing,payment required,monthly/daily/usage/plan/storage limit/quota,quota exceed/exhausted/reached,space left,disk/storage/table * full,enough * credit/balance/fund,out * credit,daily/monthly * quota/limit'],
  ['rate_limited', 74, 71, 30, 'rate limit/limiter/exceed,ratelimit,excessive request,too many/much * request/connection/user,too many simultaneous/concurrent,too many client/attempt/call,throttl,throughput exceed,slow down,request limit * exceed/reached,queue limit/full,max queue,max number client,concurrency limit'],
  ['rate_limited', 75, 75, 0, 'requests per,per second/minute,queue size/full,max queue,bulkhead capacity/rejected'],
  ['rate_limited', 71, 71, 0, 'resource exhausted/exceed'],
  ['conflict+', 76, 73, 30, 'not serialize,write/transaction conflict,transaction aborted/retry,lock wait/timeout/not/error,database/table/row/resource locked,concurrent modification/update'],
  ['conflict', 60, 60, 35, 'unique'],
  ['conflict', 72, 64, 26, 'already exist/own/use/taken/registered/running/started,duplicate,duplicate/dup entry/key/name/value,unique constraint/key/index/violation,foreign key,conflict,version conflict/mismatch/error,=archived,precondition failed,resource use,stale object/version,conditional check,redefine existing'],
  ['forbidden', 75, 72, 0, 'not authorized * execute/perform/access,dbaccess/command denied,not sufficient permission/privilege,not allowed connect/access'],
  ['unauthenticated', 75, 73, 0, 'password * incorrect,skewed'],
  ['cancelled', 76, 76, 0, 'client closed request,user abort/cancel,cancelled/canceled/aborted user/client/caller,abort error : operation'],
  ['unsupported', 73, 66, 0, 'method not,not implemented,unimplemented,unknown command/method/operation/scheme/tool/transport/protocol,command not,media type'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'not configured,key/token/secret/credential/password/endpoint/url missing/required/mandatory/empty,key/token/secret/credential/endpoint/url not provided/set/found/defined,key/token/secret/credential/region must,missing * secret,missing api/access/auth key/token,credential unavailable,missing credential/configuration/config,region missing,not * key/token/credential * provided/found/set/configured,not load/find * key/credential/token,private key,pem,configuration option/error/missing/invalid/must,environment variable,executable not/path,module not,not find module/chrome,connection string,not * installed,client password must,not resolve authentication,key nor,broker/host/server/endpoint/node * empty,parameter access/api key/token,not registered'],
  ['not_configured', 0, 76, 0, 'decoder routine'],
  ['not_configured', 0, 67, 0, 'command not found'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'unauthenticated,unauthorized,not authenticated/authed/logged/authorized,authentication,authentication failed/required/error/method,auth failed/error/required/session,invalid * key/token/credential/auth/authentication/password/login/signature/jwt/grant/client/session,key * invalid/rejected/expired/incorrect/revoked,bad/wrong * key/credential/password/token,security token,token/credential/session/signature/password expired/revoked/invalid/malformed/rejected,login failed/required,signature not match,signature verification,missing * token,authorization * missing/required/invalid/violation,jwt,authenticate'],
  ['forbidden', 71, 57, 24, 'forbidden,permission,permission denied/error/required,insufficient permission/privilege/scope/access,access denied/refused/forbidden,not permission/permitted,missing permission/scope,read only,readonly'],
  ['not_found', 70, 34, 26, 'not exist,not * found,notfound,not such,not find/locate,not form field,gone'],
  ['timeout', 75, 58, 26, 'timed out,timeout,time out,deadline,time limit,timeout * exceed,request/connection/query/read/socket/statement/operation/gateway/response timeout'],
  ['cancelled', 52, 50, 22, 'abort,ecancelled,operation/request/query/task/job aborted/cancelled/canceled,cancelled,canceled,interrupted,sigterm,worker/thread/pool/task terminated,terminating worker/thread,job/task/request dropped'],
  ['unreachable', 70, 52, 24, 'socket hang/closed/disconnected/error,connection refused/reset/closed/lost/terminated/error/aborted/failed/unexpected/not,connect error/failed,connection,network,fetch failed,failed fetch/connect/reach,unreachable,dns,not host/broker/server/node/connection available/alive/living,not reach/connect,premature close,websocket/transport/poll error,disconnect,max retries,closed error code,stream error'],
  ['not_ready', 70, 49, 22, 'not ready/initialized/connected/started/open/available/writable,client disconnecting/offline,pool/connection/client/session/channel/server/target/stream destroyed/closing,database/context/page/browser/driver closed,already closed/destroyed/ended,must * connect/initialize,still * loading/starting,breaker open,not running,after close/end/calling,reader/handle/queue/worker closed,not established,not yet,disposed,call * first,not accept new'],
  ['upstream', 47, 46, 20, 'internal server/error/service,=internal,2 unknown,server error/failed/exception/down,unavailable,bad gateway,transient,database/fatal error'],
  ['bad_response', 63, 41, 28, 'bad response/json,expected 200,json position,unexpected end/eof/close/token/response/character/content/status,json parse/error/invalid/decode,parse error/failed,not parse/decode/transform,failed parse/decode,invalid * response/result,invalid json/header/encoding/character,too many redirect,max redirect,corrupt,incorrect header,malformed response/json,empty response,protocol error,trailing,not database,checksum,truncated,central directory,csv,yaml,toml,unparsed,unterminated,length mismatch,data loss,resp type'],
  ['unsupported', 70, 44, 26, 'not supported/enabled,unsupported,not/failed determine,only supported/available'],
  ['invalid_input', 39, 33, 28, 'invalid,validation,bad,illegal,argument,malformed,missing,required,must,should,expected,out range/bounds,mismatch,syntax,not valid/match/integer/number/string/allowed/png/pdf/null/empty/recognized/contain/change/exceed/cast/convert,empty,undefined,wrong,only,unrecognized,too short/few/small,constraint,failed precondition,coerce,schema,needed'],
  // Hints of last resort.
  ['too_large', 45, 28, 0, 'limit exceed/reached/hit,too many/much'],
  ['internal', 25, 25, 0, 'unknown error/exception/reason'],
  ['invalid_input', 0, 0, 20, 'unknown'],
];
