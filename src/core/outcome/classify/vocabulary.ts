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
  ['unreachable', 72, 62, 62, 'enetunreach,erefused,eformerr,ehostunreach,eaddrnotavail,econnrefused,eai,eservfail,epipe,econnreset,enotimp,name resolution,enodata,enotfound'],
  // Also what some clients report for their own timeout, so the text may say better.
  ['not_found', 72, 62, 62, 'enoent,noscript,not open database,http not found'],
  ['forbidden', 72, 62, 62, 'eacces,eperm,erofs,noperm'],
  ['invalid_input', 72, 58, 58, 'wrongtype,unprocessable,enotdir,einval,input * not parse,unresolvable,key length,invalid arg/url/option,not mix/store,http token,connection header,eisdir,ebadname,least one,division zero'],
  ['not_ready', 72, 60, 24, 'not primary/leader,eagain,eshutdown,masterdown,busy,tryagain,semaphore,start up,enotconn,circuit open/break,=loading'],
  ['upstream', 72, 60, 0, 'not currently available,server overload/unavailable/busy,try again later,went wrong,shutdown,overload,not * respond,noreplicas,clusterdown,backend error'],
  ['internal', 80, 75, 0, 'assertion error,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'ssl,self sign,verify first/leaf,certificate expire,handshake fail,eproto,cert,tls,host denied'],
  ['bad_response', 88, 70, 0, 'response schema,response not match,invalid * frame,line : * column,end stream/buffer,well form,end/valid json,not close,close tag,output schema,return not output,unsupported zip,error format,outside root,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,user reject,violate * policies,policy violation,blocked due,card decline,moderation'],
  ['too_large', 73, 72, 0, 'too long/deep/large/big,out memory,longer/larger than,max * size,bigger than,maxbuffer,emsgsize,header overflow,over/size limit,excessive * count,exceed * length,token count,efbig,e2big,emfile,enametoolong'],
  ['budget_exhausted', 74, 65, 0, 'upgrade plan,monthly/daily * limit/quota,enospc,quota exceed,disk/storage * full,enomem,spend/storage/quota/usage/plan limit,edquot,oom,space left,payment require,insufficient fund/storage/space/credit/quota/balance,credit/account balance,out * credit,billing'],
  ['rate_limited', 74, 71, 30, 'too many * request/connection/user,concurrency/queue limit,excessive request,slow down,max client,ratelimit,throttl,max number client,rate limiter/limit,throughput exceed,request limit * exceed/reach,too many client/simultaneous'],
  ['rate_limited', 75, 75, 0, 'queue full/size,max wait,bulkhead capacity,per minute/second'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,concurrent modification,not serialize,already lock,lock timeout,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'resource use,unique constraint,already taken,conditional check,conflict,=archived,redefine exist,already present/start/running/open/exist/define/use/set/connected/register/boot,foreign key,duplicate,stale,enotempty,dup/duplicate key/entry,eaddrinuse,unique,version error/mismatch,precondition fail,eexist'],
  ['forbidden', 75, 72, 0, 'command denied,not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'client close request,abort error : operation'],
  ['unsupported', 73, 66, 0, 'unknown scheme/command/method,not implement,command/method not,unknown cipher,media type,unimplemented,not acceptable,enotsup,enosys'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'broker * empty,empty token,not find module,environment variable,module not,configuration option/error/must,parameter access token,connection string,client password must,pem,miss access/api key/token,not resolve authentication,key/token/credential/url/secret require/miss,credential unavailable,miss * secret,require * api key,miss configuration,executable path,token set,need install,not register/configure,key/token must,private key,region miss,credential provider/error,not * credential/key * provide/found/configure,key nor,not * install,not load * credential'],
  ['not_configured', 0, 76, 0, 'decoder routine,command not found'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,authentication,unauthenticated,authentication require/method,noauth,must logged,auth error/fail/require/session,not auth/authenticate,session/token revoke/expire,signature not match,invalid * grant/key/token/credential/password/auth/signature/client/authentication,unauthorized,key * reject/invalid/expire,signature verification,unrecognized client,expire token,wrong/bad * credential/password/token,wrongpass,jwt'],
  ['forbidden', 71, 57, 24, 'not privilege,authorization fail,forbidden,permission,permission denied,not permitted,access denied,store/account disable/suspend/inactive,insufficient privilege/scope,read only,miss scope,readonly,enough/sufficient right'],
  ['not_found', 70, 34, 26, 'not cache/element/result,not find/exist/locate/such,not * found,empty result,not form field,gone'],
  ['timeout', 75, 58, 26, 'deadline,read/statement timeout,etimeout,timeout,time limit/out,etimedout,timed out,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'cancelled,interrupt,abort,ecancelled,job dropped,request/operation abort,terminate worker'],
  ['unreachable', 70, 52, 24, 'not host available,not resolve host,unreachable,close error code,stream/transport error,socket disconnect/close/error,network,connection not/close/terminate,disconnect,not reach,not connect,connect error/fail,connection,max retries,fail connect/fetch,premature close,close connection,fetch fail,dns'],
  ['not_ready', 70, 49, 22, 'must * connect,after end,disposed,not accept new,stream close,breaker open,call * first,draining,client disconnect,not available/writable/establish/ready/connected/yet/start/running/open/initialize,already finish/release'],
  ['upstream', 47, 46, 20, 'unavailable,server exception/error,=internal,bad gateway,internal error/service,2 unknown,fatal error'],
  ['bad_response', 63, 41, 28, 'unterminated,yaml,bad response,invalid * response/result,not decode/transform/parse,unexpected response/end,parse error,length mismatch,base64,prematurely,expect 200,protocol error,fail parse,unbalanced,decompress,incomplete,csv,resp type,unmatched,decryption,not database,hpe,deserialize,data loss,invalid json/character/header,json position,max redirect,trail,central directory,unclosed,too many redirect,truncate,corrupt,checksum,serialization'],
  ['unsupported', 70, 44, 26, 'unsupported,not determine,only available/support,not enable/support,disabled'],
  ['invalid_input', 39, 33, 28, 'undefined,together,malformed,expect,negative,illegal,bad,mismatch,both,must,schema,syntax,circular,fail precondition,unrecognized,only,miss,not null/string/integer/convert/number/allow/contain/change/png/recognize/valid/match,invalid,too few/small/short,need,not begin/pass/use/object/provide/specify/query,constraint,argument,coerce,out range/bound,empty,wrong,should,require,please provide/specify,validation'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,limit exceed/reach,too many'],
  ['internal', 25, 25, 0, 'unknown/unexpected error'],
  ['bad_response', 40, 0, 21, 'unexpected,parse,decode'],
  ['not_configured', 45, 41, 41, 'env,not set,config error,please install'],
  ['denied', 45, 0, 30, 'decline,flagged,guardrail,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'fetch error,socket,proxy,econnaborted'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 25, 0, 20, 'incorrect,parameter'],
];
