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
  ['unreachable', 72, 62, 62, 'name resolution,econnreset,econnrefused,ehostunreach,enetunreach,enotfound,enotimp,eaddrnotavail,broken pipe,eservfail,host not found,enodata,not reach,erefused,epipe,eformerr,eai'],
  ['not_found', 72, 62, 62, 'noscript,such file,esrch,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'not support option,input * not parse,unknown/invalid/bad option/url,unresolvable,not mix,einval'],
  ['not_ready', 72, 60, 24, 'loading model,=loading,start up,eagain,connection not open/establish,enotconn,circuit open/break,masterdown,eshutdown,busy,tryagain,currently loading,semaphore'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,not currently available,noreplicas,clusterdown,overload,went wrong,internal/service fail,fail dependency,try again later,shutdown,backend error'],
  ['internal', 80, 75, 0, 'assertion,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,host denied,eproto,handshake fail,certificate expire,self sign,ssl,cert,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,response schema,invalid * frame,redirect mode/count,end/valid json,ebadresp,output schema,invalid redirect,accept header,response not match,type/response not json,line * column,line : * column,header token,not close,close tag,unsupported zip,error format,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,user reject/denied,content filter,policy violation,input flagged,moderation,violate * policies/guideline,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too long/large/big,exceed * length,maxbuffer,longer/larger than,over/size limit,max * size,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,than max,out memory,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'upgrade plan,credit/account balance,enospc,out fund,enomem,spend/storage/quota/usage/plan limit,insufficient/enough balance/storage/quota/credit/fund/space,edquot,out/used * quota/credit,monthly/daily * quota/limit,disk/storage * full,oom,billing,payment require,quota/credit exceed,space left'],
  ['rate_limited', 74, 71, 30, 'too many * attempt/connection/request/call/user,slow down,throughput/capacity exceed,too many client/simultaneous,concurrency/queue limit,max client,rate limiter/limit,max number client,ratelimit,throttl,request limit * exceed/reach,excessive request'],
  ['rate_limited', 75, 75, 0, 'per minute/second,queue full/size,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,concurrent modification,ebusy,transaction abort,lock timeout,write/transaction conflict'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,twice,enotempty,dup entry,duplicate,resource use,unique,eaddrinuse,stale,unique constraint,already/name taken,not met,already present/start/running/connected/boot/define/register/exist/use/set,eexist,progress,conditional check,conflict,redefine exist,precondition fail,lease'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'method not allow,enosys,command not,unknown command/method/scheme,unimplemented,not implement,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,require * api key,environment variable,not configure/register,client password must,pem,broker * empty,miss access/api key/token,not resolve authentication,region miss,url/token/credential/key/secret require/miss,empty token,need install,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,connection string,parameter access token,not find module,not * install,credential unavailable,not * credential/key * configure/provide/found/specify,env,not load * credential,miss configuration,key nor,miss credential,miss * secret,module not'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,wrongpass,key * invalid/reject/expire,session/token revoke/expire,claim,not auth/authenticate,expire token,noauth,auth/authentication fail/error/require/session,password not accept,invalid * auth/grant/client/signature/token/credential/password/authentication,unauthenticated,signature not match,authentication,unauthorized,signature verification,unrecognized client,incorrect * password/key,invalid access/api key,jwt,please log,interaction require,wrong/bad * token/credential/password'],
  ['forbidden', 71, 57, 24, 'not permitted,not grant,restrict,permission denied,enough right,permission,denied,store/account suspend/inactive/disable,not privilege,access denied,erofs,eperm,unauthorized operation,cant,read only,miss scope,readonly,authorization fail/error,insufficient scope/access/privilege,access refuse/disable,noperm,eacces,forbidden'],
  ['not_found', 70, 34, 26, 'not exist/find/such/locate,gone,not * found,not data,not element/cache,empty result'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,timed out,time out/limit,deadline,esockettimedout,etimedout,etimeout,etime,connection timeout,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,interrupt,cancelled,worker terminate,ecancelled,operation abort,terminate worker,job dropped,stopped'],
  ['unreachable', 70, 52, 24, 'not host available,unreachable,dns,max retries exceed/per,socket disconnect/error/close,close error code,connection not/refuse/terminate/close,connection,premature close,connect fail/error,disconnect,not resolve host,und err socket,fetch fail,fail fetch/connect,not connect,network,transport error'],
  ['not_ready', 70, 49, 22, 'draining,paused,dispose,breaker open,call * first,client disconnect,not available/active/alive/writable/writeable/open/establish/ready/yet/start/running/connected/initialize,maintenance,already close/finish/release/complete,still loading,after end/destroy/done'],
  ['upstream', 47, 46, 20, 'server exception/error,bad gateway,internal error/service,unavailable,2 unknown,=internal,fatal error'],
  ['bad_response', 63, 42, 29, 'data loss,max redirect,hpe,bad response,invalid * result/response,invalid * header,resp type,expect 200,too many redirect,protocol error,incorrect header,deserialize error'],
  ['bad_response', 63, 41, 28, 'corrupt,central directory,yaml,fail parse,unexpected end,insufficient/enough data,not decode/look,transform response,invalid json,length mismatch,magic number,checksum,unclosed,unterminated,content type expect'],
  ['unsupported', 70, 44, 26, 'not enable/support,unsupported,disabled,not determine'],
  ['invalid_input', 39, 33, 28, 'must,syntax,out range/bound,require,wrong,miss,empty,invalid,mismatch,validation,unrecognized,negative,not contain/recognize/png/convert/allow/valid/match,malformed,too few/short,undefined,bad,not * format,should,expect,illegal,fail precondition,constraint,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,too many'],
  ['internal', 25, 25, 9, 'exit,callback,process,unknown/unexpected error'],
  ['bad_response', 40, 42, 21, 'parse,unexpected server,unexpected,decode'],
  ['denied', 45, 0, 30, 'guardrail,flagged,decline,blocked'],
  ['conflict', 55, 0, 0, 'exist,already'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'proxy,econnaborted,socket,fetch error'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 21, 0, 20, 'sqlite error,incorrect,unknown'],
];
