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
  ['unreachable', 72, 62, 62, 'eai,erefused,econnrefused,econnreset,name resolution,broken pipe,enotimp,eaddrnotavail,enotfound,enodata,eformerr,enetunreach,epipe,ehostunreach,eservfail,host not found'],
  ['not_found', 72, 62, 62, 'enoent,noscript,not open database,http not found'],
  ['forbidden', 72, 62, 62, 'eacces,eperm,erofs,noperm'],
  ['invalid_input', 72, 58, 58, 'key length,invalid option/url/arg,wrongtype,unprocessable,enotdir,einval,input * not parse,unresolvable,eisdir,not mix/store,http token,connection header,ebadname,division zero'],
  ['not_ready', 72, 60, 24, 'not primary/leader,eshutdown,enotconn,=loading,shut down,maintenance,start up,eagain,masterdown,busy,tryagain,currently loading,semaphore,going away,circuit open/break,connection not open'],
  ['upstream', 72, 60, 0, 'not currently available,server busy/overload/unavailable,service/internal fail,overload,shutdown,noreplicas,clusterdown,backend error,not * respond,fail dependency,try again later,went wrong'],
  ['internal', 80, 75, 0, 'assertion error,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'verify leaf/first,tls,self sign,certificate expire,handshake fail,eproto,bad/unknown/invalid certificate,cert,ssl,host denied'],
  ['bad_response', 88, 70, 0, 'response not match,invalid * frame,return not output,response schema,end stream/buffer,well form,unsupported zip,output schema,end/valid json,error format,not close,close tag,outside root,format error,line : * column,unexpected token,not choice/generation/chunk'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,card decline,user reject,violate * policy,violate * policies,policy violation,blocked due,harmful/inappropriate content,moderation,prohibit content,user denied,nsfw content'],
  ['too_large', 73, 72, 0, 'too long/large/deep/big,out memory,longer/larger than,max * size,enametoolong,header overflow,e2big,emsgsize,bigger than,maxbuffer,over/size limit,excessive * count,exceed * length,token count,emfile,than limit/max/allow'],
  ['budget_exhausted', 74, 65, 0, 'out * credit,edquot,upgrade plan,monthly/daily * quota/limit,enomem,spend/storage/quota/usage/plan limit,enospc,credit/account balance,oom,space left,insufficient fund/storage/quota/space/credit/balance,out fund,billing,storage/disk * full,quota exceed,payment require'],
  ['rate_limited', 74, 71, 30, 'too many * connection/request/user,concurrency/queue limit,excessive request,max client,ratelimit,throttl,max number client,rate limiter/limit,throughput exceed,request limit * exceed/reach,too many simultaneous/client,slow down'],
  ['rate_limited', 75, 75, 0, 'queue full/size,bulkhead capacity,per minute/second,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'lock timeout,not serialize,already lock,concurrent modification,database lock,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,conflict,resource use,unique constraint,already taken,eaddrinuse,unique,already present/start/running/open/define/set/connected/register/exist/use/boot,foreign key,duplicate,stale,enotempty,dup/duplicate key/entry,=archived,redefine exist,precondition fail,conditional check,eexist'],
  ['forbidden', 75, 72, 0, 'command denied,not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'client close request,abort error : operation'],
  ['unsupported', 73, 66, 0, 'unknown scheme/command/method,not implement,command/method not,unknown cipher,media type,unimplemented,not acceptable,enotsup,enosys'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'miss * secret,private key,miss configuration,broker * empty,empty token,not find module,environment variable,module not,configuration option/error/must,parameter access token,connection string,client password must,pem,require * api key,miss access/api key/token,not resolve authentication,key/token/credential/url/secret require/miss,credential unavailable,executable path,token set,not register/configure,key/token must,region miss,not * credential/key * found/provide/configure,key nor,need install,not * install,not load * credential,not find credential,variable/url not set,must provide * key,url must,credential provider,key not found/set/define,miss credential'],
  ['not_configured', 0, 76, 0, 'decoder routine,command not found'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,wrongpass,authentication,unauthenticated,authentication require/method,noauth,must logged,auth fail/require/error/session,not auth/authenticate,session/token revoke/expire,signature not match,invalid * auth/grant/client/key/token/credential/password/signature/authentication,unauthorized,wrong/bad * token/credential/password,key * reject/invalid/expire,signature verification,unrecognized client,expire token,jwt'],
  ['forbidden', 71, 57, 24, 'not privilege,permission,not permitted,store/account disable/suspend/inactive,authorization fail,enough/sufficient right,insufficient scope/privilege,permission denied,read only,miss scope,access denied,readonly,forbidden'],
  ['not_found', 70, 34, 26, 'not * found,empty result,not find/such/exist/locate,not element/cache/result,not form field,gone,file miss,not data'],
  ['timeout', 75, 58, 26, 'not * complete time,read/statement timeout,timeout,timed out,time out/limit,etimeout,timeout * exceed,deadline,etimedout,connection/socket/request/operation timeout'],
  ['cancelled', 52, 50, 22, 'interrupt,cancelled,ecancelled,job dropped,request/operation abort,abort,terminate worker,sigterm,worker/pool terminate'],
  ['unreachable', 70, 52, 24, 'network,premature close,close error code,und err socket,close connection,stream/transport error,socket disconnect/close/error,not host available,disconnect,not resolve host,fetch fail,fail connect/fetch,connection not/close/terminate,connect fail/error,not connect,not reach,connection,max retries,dns,unreachable'],
  ['not_ready', 70, 49, 22, 'after end,must * connect,disposed,not accept new,stream close,breaker open,call * first,draining,client disconnect,not available/writable/establish/ready/connected/yet/start/running/open/initialize,already finish/release,after call,still loading'],
  ['upstream', 47, 46, 20, 'unavailable,server exception/error,internal error/service,2 unknown,=internal,bad gateway,fatal error'],
  ['bad_response', 63, 41, 28, 'unterminated,bad response,prematurely,resp type,not database,length mismatch,invalid * response/result,not decode/transform/parse,unexpected response/end,deserialize,parse error,incomplete,yaml,fail parse,unmatched,serialization,unbalanced,decryption,protocol error,invalid json/character/header,expect 200,json position,max redirect,trail,corrupt,central directory,checksum,hpe,unclosed,too many redirect,truncate,csv,data loss,insufficient data,incorrect header,empty response,misformed,unquoted'],
  ['unsupported', 70, 44, 26, 'disabled,only available/support,not determine,not enable/support,unsupported'],
  ['invalid_input', 39, 33, 28, 'undefined,together,malformed,constraint,schema,mismatch,both,must,expect,syntax,only,miss,fail precondition,validation,unrecognized,not convert/integer/allow/recognize/null/string/valid/number/contain/change/png/match,invalid,too few/small/short,negative,argument,coerce,out range/bound,empty,illegal,bad,need,not object/use/begin/query/pass/provide/specify,circular,require,please provide/specify,should,wrong'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,limit exceed/reach,too many'],
  ['internal', 25, 25, 0, 'unknown/unexpected error'],
  ['bad_response', 40, 0, 21, 'unexpected,parse,decode'],
  ['not_configured', 45, 41, 41, 'env,config error,please install'],
  ['denied', 45, 0, 30, 'decline,flagged,guardrail,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'fetch error,socket,proxy,econnaborted'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 25, 0, 20, 'incorrect,parameter'],
];
