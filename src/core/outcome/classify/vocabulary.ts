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
  ['unreachable', 72, 62, 62, 'name resolution,eformerr,ehostunreach,econnrefused,enodata,host not found,enetunreach,econnreset,broken pipe,eaddrnotavail,eservfail,epipe,erefused,enotfound,eai,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'key length,input * not parse,unprocessable,wrongtype,unresolvable,einval,division zero,invalid/bad/unknown url/option,not mix/store,eisdir,enotdir,ebadname'],
  ['not_ready', 72, 60, 24, 'loading model,eshutdown,currently loading,shut down,masterdown,busy,tryagain,=loading,semaphore,eagain,not primary/leader,connection not open,circuit open/break,enotconn,start up'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,went wrong,shutdown,clusterdown,overload,internal/service fail,fail dependency,try again later,not currently available,not * respond,noreplicas,backend error'],
  ['internal', 80, 75, 0, 'not happen,call stack,ebadf,assertion error'],
  ['timeout', 80, 75, 0, 'took longer,took too long'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,tls,host denied,eproto,invalid/bad/unknown certificate,certificate expire,cert,handshake fail,self sign,ssl'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,ebadresp,end stream/buffer,error format,not generation,accept header,well form,invalid redirect,type/response not json,redirect mode/count,end/valid json,line * column,line : * column,response not match,invalid * frame,response schema,output schema,unsupported zip,not close,close tag,outside root,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,moderation,user reject/denied,input flagged,policy violation,violate * policies/guideline,card decline,blocked due,nsfw content,prohibit content'],
  ['too_large', 73, 72, 0, 'too deep/large/long/big,out memory,header overflow,e2big,longer/larger than,max * size,prompt/context length,maxbuffer,emsgsize,than max,over/size limit,excessive * count,enobufs,exceed * length,token count,emfile,enametoolong'],
  ['budget_exhausted', 74, 72, 0, 'edquot,enospc,oom,upgrade plan,monthly/daily * limit/quota,billing,spend/storage/quota/usage/plan limit,payment require,credit/account balance,out * credit,enomem,insufficient/enough fund/storage/quota/credit/balance/space,out fund,quota/credit exceed,storage/disk * full,space left'],
  ['rate_limited', 74, 71, 30, 'throughput exceed,too many * connection/request/user,concurrency/queue limit,max client,ratelimit,max number client,slow down,request limit * exceed/reach,throttl,too many simultaneous/client,rate limiter/limit,excessive request'],
  ['rate_limited', 75, 75, 0, 'queue full/size,per second/minute,bulkhead capacity,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'lock timeout,concurrent modification,not serialize,already lock,database lock,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,duplicate,dup entry,resource use,unique,eaddrinuse,unique constraint,already present/start/running/connected/set/define/register/exist/use/boot,already/name taken,stale,=archived,enotempty,redefine exist,precondition fail,conflict,conditional check,eexist'],
  ['forbidden', 75, 72, 0, 'not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'unknown cipher,unknown scheme/command/method,not implement,media type,unimplemented,not acceptable,command/method not,enosys,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,broker * empty,empty token,not find module,environment variable,not configure/register,region miss,client password must,parameter access token,config error,connection string,require * api key,miss access/api key/token,not resolve authentication,miss configuration,credential unavailable,credential provider,key/token/credential/url/secret miss/require,url/variable not set,key/token must,please install,url must,executable path,token set,key not found/set/define,not * credential/key * configure/found/provide/specify,need install,not * install,not load * credential,key nor,miss * secret,must provide * key,miss credential,pem,module not,env'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,authentication,unauthenticated,must logged,incorrect * password/key,wrongpass,key * invalid/reject/expire,signature not match,invalid * auth/grant/client/signature/token/credential/password/key/authentication,unauthorized,auth/authentication fail/require/error/session,noauth,wrong/bad * token/credential/password,expire token,not auth/authenticate,password not accept/correct,session/token revoke/expire,signature verification,unrecognized client,jwt'],
  ['forbidden', 71, 57, 24, 'not privilege,insufficient access/privilege/scope,erofs,eacces,permission,not permitted,noperm,eperm,authorization fail,permission denied,access denied,readonly,miss scope,store/account disable/suspend/inactive,restrict,denied,read only,enough right,not grant,forbidden'],
  ['not_found', 70, 34, 26, 'not data,file miss,gone,not * found,not form field,empty result,not exist/find/locate/such,not element/cache'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,etimeout,timed out,etimedout,time out/limit,socket/connection/request/operation timeout,timeout * exceed,deadline,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,worker terminate,terminate worker,interrupt,cancelled,ecancelled,operation abort,job dropped'],
  ['unreachable', 70, 52, 24, 'not host available,stream/transport error,premature close,close error code,max retries exceed/reach/per,connection,socket disconnect/error/close,disconnect,not resolve host,connect fail/error,connection reset/refuse/close/terminate/not,und err socket,fetch fail,fail fetch/connect,not connect,network,close connection,unreachable,dns'],
  ['not_ready', 70, 49, 22, 'after end,not accept new,stream close,breaker open,call * first,still loading,draining,client disconnect,not available/establish/writable/open/ready/yet/start/running/connected/initialize,already finish/release'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,2 unknown,unavailable,bad gateway,=internal,fatal error'],
  ['bad_response', 63, 41, 28, 'unbalanced,empty response,decryption,protocol error,prematurely,misformed,not database,bad response,deserialize,serialization,unmatched,not decode/transform/parse,unexpected end,parse error,expect 200,yaml,fail parse,unclosed,incorrect header,invalid * header,invalid * response/result,length mismatch,resp type,unquoted,invalid json/character,incomplete,max redirect,trail,corrupt,central directory,hpe,unterminated,too many redirect,truncate,csv,checksum,insufficient/enough data,data loss'],
  ['unsupported', 70, 44, 26, 'unsupported,only available/support,not enable/support,disabled,not determine'],
  ['invalid_input', 39, 33, 28, 'schema,undefined,together,coerce,illegal,both,wrong,only,miss,fail precondition,circular,must,validation,unrecognized,not * format,not number/convert/recognize/allow/null/string/valid/contain/change/png/match,invalid,bad,syntax,expect,out range/bound,not object/use/begin/query,malformed,need,too few/small/short,not * pass/provide/specify,negative,require,please provide/specify,should,empty,mismatch,constraint,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'limit reach/exceed,exceed,too many'],
  ['internal', 25, 25, 0, 'unknown/unexpected error,exit unexpected'],
  ['bad_response', 40, 0, 21, 'parse,unexpected,decode'],
  ['denied', 45, 0, 30, 'guardrail,flagged,decline,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'socket,fetch error,proxy,econnaborted'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 25, 0, 20, 'parameter,incorrect'],
];
