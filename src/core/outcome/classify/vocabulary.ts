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
  ['unreachable', 72, 62, 62, 'enetunreach,econnrefused,eaddrnotavail,erefused,eai,ehostunreach,econnreset,name resolution,eformerr,eservfail,epipe,enodata,enotimp,enotfound'],
  ['not_found', 72, 62, 62, 'enoent,noscript,not open database,http not found'],
  ['forbidden', 72, 62, 62, 'eacces,eperm,erofs,noperm'],
  ['invalid_input', 72, 58, 58, 'wrongtype,unprocessable,enotdir,input * not parse,unresolvable,einval,key length,invalid arg/url/option,not mix/store,http token,connection header,eisdir,division zero,ebadname'],
  ['not_ready', 72, 60, 24, 'not primary/leader,eagain,masterdown,busy,tryagain,semaphore,start up,enotconn,eshutdown,circuit open/break,=loading'],
  ['upstream', 72, 60, 0, 'not currently available,server overload/busy/unavailable,overload,not * respond,noreplicas,try again later,went wrong,shutdown,clusterdown,backend error'],
  ['internal', 80, 75, 0, 'assertion error,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'handshake fail,eproto,ssl,certificate expire,self sign,verify first/leaf,tls,cert,host denied'],
  ['bad_response', 88, 70, 0, 'response schema,response not match,invalid * frame,line : * column,unsupported zip,end stream/buffer,well form,end/valid json,not close,close tag,output schema,return not output,error format,outside root,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,user reject,violate * policies,blocked due,policy violation,card decline,moderation'],
  ['too_large', 73, 72, 0, 'too long/deep/large/big,out memory,header overflow,e2big,emsgsize,longer/larger than,max * size,maxbuffer,emfile,over/size limit,excessive * count,exceed * length,token count,enametoolong,bigger than'],
  ['budget_exhausted', 74, 65, 0, 'upgrade plan,monthly/daily * limit/quota,enomem,spend/storage/quota/usage/plan limit,edquot,quota exceed,storage/disk * full,enospc,credit/account balance,oom,space left,payment require,insufficient fund/storage/quota/credit/space/balance,out * credit,billing'],
  ['rate_limited', 74, 71, 30, 'too many * request/connection/user,concurrency/queue limit,excessive request,max client,ratelimit,throttl,max number client,rate limiter/limit,throughput exceed,request limit * exceed/reach,too many simultaneous/client,slow down'],
  ['rate_limited', 75, 75, 0, 'queue full/size,bulkhead capacity,per minute/second'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,concurrent modification,not serialize,already lock,lock timeout,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'resource use,unique constraint,already taken,conditional check,conflict,redefine exist,already present/start/running/open/exist/define/set/connected/register/use/boot,foreign key,duplicate,stale,enotempty,dup/duplicate key/entry,=archived,eaddrinuse,unique,version error/mismatch,precondition fail,eexist'],
  ['forbidden', 75, 72, 0, 'command denied,not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'client close request,abort error : operation'],
  ['unsupported', 73, 66, 0, 'unknown scheme/command/method,not implement,command/method not,unknown cipher,media type,unimplemented,not acceptable,enotsup,enosys'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'broker * empty,empty token,not find module,environment variable,module not,configuration option/error/must,parameter access token,connection string,client password must,pem,miss access/api key/token,not resolve authentication,url/key/token/credential/secret require/miss,credential unavailable,require * api key,miss configuration,miss * secret,executable path,token set,need install,not register/configure,key/token must,private key,region miss,credential provider/error,not * credential/key * found/provide/configure,key nor,not * install,not load * credential'],
  ['not_configured', 0, 76, 0, 'decoder routine,command not found'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,authentication,unauthenticated,authentication require/method,noauth,must logged,auth error/fail/require/session,not auth/authenticate,token/session revoke/expire,signature not match,invalid * signature/grant/client/auth/key/token/credential/password/authentication,unauthorized,key * reject/invalid/expire,signature verification,expire token,wrong/bad * credential/password/token,wrongpass,jwt,unrecognized client'],
  ['forbidden', 71, 57, 24, 'not privilege,permission,not permitted,store/account disable/suspend/inactive,insufficient scope/privilege,permission denied,read only,miss scope,forbidden,access denied,readonly,authorization fail,enough/sufficient right'],
  ['not_found', 70, 34, 26, 'not * found,empty result,not cache/element/result,not form field,not such/exist/find/locate,gone'],
  ['timeout', 75, 58, 26, 'deadline,statement/read timeout,etimeout,timeout,time limit/out,etimedout,timed out,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'interrupt,cancelled,job dropped,request/operation abort,ecancelled,abort,terminate worker'],
  ['unreachable', 70, 52, 24, 'unreachable,stream/transport error,socket disconnect/close/error,not host available,disconnect,not resolve host,not connect,not reach,network,connection not/close/terminate,connect error/fail,connection,max retries,fail connect/fetch,premature close,close connection,fetch fail,dns,close error code'],
  ['not_ready', 70, 49, 22, 'after end,not accept new,stream close,breaker open,call * first,client disconnect,not available/writable/establish/ready/connected/yet/start/running/open/initialize,already finish/release,draining'],
  ['upstream', 47, 46, 20, 'unavailable,server exception/error,internal error/service,=internal,bad gateway,2 unknown,fatal error'],
  ['bad_response', 63, 41, 28, 'unterminated,length mismatch,serialization,yaml,bad response,invalid * response/result,not decode/transform/parse,unexpected response/end,deserialize,parse error,incomplete,prematurely,fail parse,unbalanced,resp type,unmatched,decryption,not database,data loss,csv,invalid json/character/header,expect 200,checksum,json position,max redirect,trail,corrupt,central directory,hpe,unclosed,too many redirect,truncate,protocol error'],
  ['unsupported', 70, 44, 26, 'unsupported,only available/support,disabled,not enable/support,not determine'],
  ['invalid_input', 39, 33, 28, 'undefined,together,expect,unrecognized,mismatch,syntax,circular,schema,negative,illegal,bad,both,must,only,miss,too short/few/small,need,not integer/valid/null/string/allow/convert/number/contain/change/png/recognize/match,invalid,malformed,not use/begin/query/object/pass/provide/specify,fail precondition,constraint,argument,coerce,out range/bound,empty,wrong,should,require,please provide/specify,validation'],
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
