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
  ['unreachable', 72, 62, 62, 'name resolution,not reach,ehostunreach,enetunreach,econnrefused,enotfound,enodata,econnreset,host not found,broken pipe,eai,erefused,epipe,eaddrnotavail,eservfail,eformerr,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,such file,esrch,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'wrongtype,not support option,input * not parse,unprocessable,einval,unknown/invalid/bad option/url,unresolvable,eisdir,enotdir,ebadname,not mix'],
  ['not_ready', 72, 60, 24, 'loading model,semaphore,currently loading,enotconn,eshutdown,busy,tryagain,masterdown,not primary/leader,connection not open,circuit open/break,=loading,eagain,start up'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not currently available,noreplicas,went wrong,shutdown,overload,internal/service fail,fail dependency,try again later,clusterdown,not * respond,backend error'],
  ['internal', 80, 75, 0, 'assertion,not happen,call stack,ebadf'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,host denied,eproto,handshake fail,certificate expire,self sign,ssl,cert,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,ebadresp,unsupported zip,type/response not json,invalid * frame,redirect mode/count,end/valid json,invalid redirect,accept header,response not match,line * column,line : * column,header token,error format,not close,close tag,response schema,output schema,outside root,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,user reject/denied,policy violation,input flagged,moderation,violate * guideline/policies,content filter,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too deep/long/large/big,exceed * length,maxbuffer,longer/larger than,over/size limit,max * size,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,than max,out memory,header overflow,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'spend/storage/quota/usage/plan limit,monthly/daily * quota/limit,disk/storage * full,payment require,credit/account balance,out fund,enomem,insufficient/enough balance/storage/quota/credit/fund/space,oom,quota/credit exceed,out * credit,upgrade plan,edquot,billing,enospc,space left'],
  ['rate_limited', 74, 71, 30, 'too many * connection/request/user/attempt/call,slow down,throughput/capacity exceed,too many client/simultaneous,concurrency/queue limit,max client,rate limiter/limit,max number client,ratelimit,throttl,request limit * exceed/reach,excessive request'],
  ['rate_limited', 75, 75, 0, 'queue full/size,per minute/second,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,ebusy,transaction/write conflict,lock timeout,concurrent modification,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,enotempty,dup entry,duplicate,resource use,unique constraint,eaddrinuse,unique,already/name taken,stale,already present/start/running/connected/boot/define/register/exist/use/set,conditional check,eexist,precondition fail,redefine exist,conflict,lease,not met'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'method not allow,enosys,command not,unknown command/method/scheme,unimplemented,not implement,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,miss credential,environment variable,not configure/register,client password must,parameter access token,require * api key,miss access/api key/token,region miss,not * install,not resolve authentication,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,empty token,not * credential/key * configure/provide/found/specify,miss configuration,env,need install,credential unavailable,not find module,not load * credential,url/token/credential/key/secret require/miss,pem,key nor,connection string,miss * secret,module not,broker * empty'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,wrongpass,incorrect * password/key,invalid * auth/grant/client/signature/token/credential/password/authentication,unauthorized,signature not match,unauthenticated,key * invalid/reject/expire,session/token revoke/expire,not auth/authenticate,expire token,noauth,signature verification,auth/authentication fail/error/require/session,invalid access/api key,please log,authentication,unrecognized client,password not accept,jwt,interaction require,wrong/bad * token/credential/password'],
  ['forbidden', 71, 57, 24, 'not permitted,noperm,not privilege,restrict,permission,access denied,erofs,store/account suspend/inactive/disable,eacces,permission denied,authorization fail/error/violation,eperm,not grant,denied,cant,read only,miss scope,readonly,forbidden,insufficient scope/access/privilege,enough right,unauthorized operation,access refuse/disable'],
  ['not_found', 70, 34, 26, 'not data,file miss,not * found,not exist/locate/such/find,empty result,not cache/element,gone'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,etimeout,etimedout,timed out,esockettimedout,time out/limit,deadline,connection/request/socket timeout,timeout * exceed,not * complete time,etime'],
  ['cancelled', 52, 50, 22, 'abort,cancelled,ecancelled,operation abort,worker terminate,terminate worker,interrupt,job dropped,stopped'],
  ['unreachable', 70, 52, 24, 'network,unreachable,premature close,close connection,connection,connect fail/error,socket disconnect/error/close,close error code,disconnect,not resolve host,max retries exceed/per,connection not/refuse/terminate/close,dns,fetch fail,fail fetch/connect,not connect,not host available,stream/transport error,und err socket'],
  ['not_ready', 70, 49, 22, 'after end,not accept new,stream close,still loading,draining,breaker open,call * first,client disconnect,not available/active/alive/writable/open/establish/ready/yet/start/running/connected/initialize,already finish/release/complete'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,unavailable,=internal,bad gateway,2 unknown,fatal error'],
  ['bad_response', 63, 42, 29, 'too many redirect,data loss,incorrect header,resp type,max redirect,deserialize,hpe,expect 200,bad response,invalid * result/response,invalid * header,protocol error'],
  ['bad_response', 63, 41, 28, 'not database,fail parse,unexpected end,not decode/parse,unterminated,checksum,insufficient/enough data,transform response,invalid character/json,yaml,length mismatch,unclosed,central directory,corrupt,parse error'],
  ['unsupported', 70, 44, 26, 'not enable/support,disabled,unsupported,not determine'],
  ['invalid_input', 39, 33, 28, 'not * format,illegal,bad,miss,not use/query,constraint,syntax,out range/bound,negative,expect,fail precondition,mismatch,should,too few/small/short,malformed,undefined,empty,require,wrong,invalid,validation,unrecognized,not contain/string/recognize/png/convert/allow/valid/match,must,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,too many'],
  ['internal', 25, 25, 9, 'process,launch,exit,worker,callback,unknown/unexpected error'],
  ['bad_response', 40, 42, 21, 'parse,unexpected server,unexpected,decode'],
  ['denied', 45, 0, 30, 'guardrail,flagged,decline,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'proxy,econnaborted,fetch error,socket'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 21, 0, 20, 'incorrect,sqlite error'],
];
