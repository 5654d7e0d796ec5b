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
  ['unreachable', 72, 62, 62, 'name resolution,ehostunreach,enetunreach,enodata,host not found,enotfound,econnreset,broken pipe,eai,econnrefused,epipe,eaddrnotavail,eservfail,erefused,eformerr,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,such file,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'key length,input * not parse,unprocessable,wrongtype,unresolvable,einval,invalid/bad/unknown url/option,not mix/store,eisdir,enotdir,ebadname'],
  ['not_ready', 72, 60, 24, 'loading model,eshutdown,currently loading,masterdown,busy,tryagain,semaphore,eagain,=loading,shut down,not primary/leader,connection not open,circuit open/break,enotconn,start up'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,went wrong,overload,shutdown,clusterdown,internal/service fail,fail dependency,try again later,not currently available,not * respond,noreplicas,backend error'],
  ['internal', 80, 75, 0, 'not happen,call stack,ebadf,assertion error'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,ssl,invalid/bad/unknown certificate,certificate expire,cert,host denied,eproto,self sign,handshake fail,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,ebadresp,accept header,invalid redirect,type/response not json,redirect mode/count,end/valid json,line * column,line : * column,response not match,invalid * frame,well form,not generation,output schema,error format,not close,close tag,outside root,response schema,unsupported zip,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,moderation,user reject/denied,policy violation,input flagged,prohibit content,violate * policies/guideline,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too deep/large/long/big,out memory,header overflow,e2big,maxbuffer,enametoolong,over/size limit,max * size,than max,prompt/context length,emfile,excessive * count,longer/larger than,exceed * length,emsgsize,token count,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'billing,edquot,enospc,upgrade plan,usage/storage/quota/spend/plan limit,monthly/daily * quota/limit,payment require,credit/account balance,out fund,enomem,insufficient/enough balance/storage/quota/credit/fund/space,out * credit,space left,oom,quota/credit exceed,disk/storage * full'],
  ['rate_limited', 74, 71, 30, 'too many simultaneous/client,slow down,throughput exceed,too many * connection/request/user,concurrency/queue limit,max client,ratelimit,max number client,rate limiter/limit,request limit * exceed/reach,throttl,excessive request'],
  ['rate_limited', 75, 75, 0, 'queue full/size,bulkhead capacity,max wait,per second/minute'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'lock timeout,database lock,concurrent modification,not serialize,already lock,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,dup entry,duplicate,resource use,unique,eaddrinuse,unique constraint,already/name taken,stale,enotempty,already present/start/running/connected/set/define/register/exist/use/boot,redefine exist,precondition fail,conflict,conditional check,eexist'],
  ['forbidden', 75, 72, 0, 'not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'unknown cipher,command/method not,enosys,media type,unimplemented,not acceptable,not implement,unknown command/method/scheme,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,miss configuration,broker * empty,empty token,not find module,environment variable,not configure/register,client password must,parameter access token,config error,connection string,require * api key,miss access/api key/token,not resolve authentication,credential unavailable,region miss,credential provider,key/token/credential/url/secret miss/require,url/variable not set,key/token must,please install,url must,executable path,token set,key not found/set/define,not * credential/key * configure/found/provide/specify,need install,not * install,not load * credential,must provide * key,miss * secret,pem,miss credential,module not,env,key nor'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,authentication,unauthenticated,incorrect * password/key,password not accept/correct,key * reject/invalid/expire,signature not match,invalid * auth/grant/client/signature/token/credential/password/key/authentication,unauthorized,auth/authentication fail/require/error/session,noauth,wrong/bad * token/credential/password,expire token,not authenticate/auth,wrongpass,session/token revoke/expire,signature verification,unrecognized client,jwt'],
  ['forbidden', 71, 57, 24, 'not privilege,insufficient privilege/access/scope,eacces,authorization fail,permission,not permitted,noperm,eperm,access denied,erofs,permission denied,readonly,miss scope,forbidden,store/account disable/suspend/inactive,restrict,denied,read only,enough right,not grant'],
  ['not_found', 70, 34, 26, 'not data,file miss,gone,not * found,not form field,not exist/such/locate/find,empty result,not cache/element'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,etimeout,timed out,timeout * exceed,etimedout,time out/limit,socket/connection/request/operation timeout,deadline,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,interrupt,cancelled,job dropped,ecancelled,operation abort,worker terminate,terminate worker'],
  ['unreachable', 70, 52, 24, 'network,dns,stream/transport error,premature close,close error code,unreachable,max retries exceed/reach/per,connection,socket disconnect/error/close,close connection,disconnect,not resolve host,connect fail/error,connection reset/refuse/close/terminate/not,und err socket,fetch fail,fail fetch/connect,not connect,not host available'],
  ['not_ready', 70, 49, 22, 'after end,not accept new,stream close,draining,still loading,breaker open,call * first,client disconnect,not available/writable/establish/open/ready/yet/start/running/connected/initialize,already finish/release'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,2 unknown,bad gateway,unavailable,=internal,fatal error'],
  ['bad_response', 63, 41, 28, 'unclosed,empty response,decryption,protocol error,prematurely,misformed,not database,bad response,deserialize,serialization,unmatched,not decode/transform/parse,unexpected end,parse error,expect 200,length mismatch,yaml,fail parse,unbalanced,incorrect header,invalid * header,invalid * response/result,resp type,unquoted,invalid json/character,incomplete,max redirect,trail,corrupt,central directory,hpe,unterminated,too many redirect,truncate,csv,checksum,insufficient/enough data,data loss'],
  ['unsupported', 70, 44, 26, 'unsupported,only available/support,not enable/support,disabled,not determine'],
  ['invalid_input', 39, 33, 28, 'schema,undefined,together,invalid,bad,both,wrong,mismatch,only,miss,expect,validation,unrecognized,not * format,not png/convert/number/allow/null/string/recognize/contain/change/valid/match,illegal,fail precondition,coerce,out range/bound,not object/use/begin/query,malformed,need,too few/small/short,not * pass/provide/specify,negative,require,please provide/specify,constraint,must,syntax,should,empty,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,too many,limit exceed/reach'],
  ['internal', 25, 25, 0, 'unknown/unexpected error,exit unexpected'],
  ['bad_response', 40, 0, 21, 'parse,unexpected,decode'],
  ['denied', 45, 0, 30, 'flagged,guardrail,decline,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'socket,fetch error,econnaborted,proxy'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 21, 0, 20, 'parameter,incorrect,sqlite error'],
];
