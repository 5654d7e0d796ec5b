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
  ['unreachable', 72, 62, 62, 'name resolution,ehostunreach,enetunreach,enodata,econnreset,eformerr,econnrefused,broken pipe,eaddrnotavail,host not found,not reach,enotfound,erefused,epipe,eservfail,eai,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,such file,esrch,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'input * not parse,unprocessable,not support option,einval,unknown/invalid/bad option/url,unresolvable,not mix'],
  ['not_ready', 72, 60, 24, 'loading model,eagain,connection not open/establish,masterdown,enotconn,circuit open/break,=loading,start up,eshutdown,busy,tryagain,currently loading,semaphore'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,clusterdown,overload,not currently available,noreplicas,went wrong,internal/service fail,fail dependency,try again later,shutdown,backend error'],
  ['internal', 80, 75, 0, 'assertion,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,ssl,host denied,eproto,handshake fail,certificate expire,self sign,cert,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,response schema,invalid * frame,unsupported zip,redirect mode/count,end/valid json,ebadresp,invalid redirect,error format,accept header,response not match,output schema,line * column,type/response not json,header token,not close,close tag,line : * column,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,policy violation,moderation,violate * policies/guideline,user reject/denied,content filter,input flagged,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too long/large/big,exceed * length,maxbuffer,longer/larger than,over/size limit,max * size,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,than max,out memory,header overflow,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'used/out * credit,upgrade plan,enomem,credit/account balance,out fund,insufficient/enough balance/storage/quota/credit/fund/space,oom,edquot,enospc,spend/storage/quota/usage/plan limit,monthly/daily * quota/limit,disk/storage * full,space left,quota/credit exceed,billing,payment require'],
  ['rate_limited', 74, 71, 30, 'too many * attempt/connection/request/call/user,slow down,throughput/capacity exceed,too many client/simultaneous,concurrency/queue limit,max client,rate limiter/limit,max number client,ratelimit,throttl,request limit * exceed/reach,excessive request'],
  ['rate_limited', 75, 75, 0, 'per minute/second,queue full/size,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,ebusy,transaction abort,write/transaction conflict,lock timeout,concurrent modification'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,conditional check,enotempty,dup entry,duplicate,resource use,unique,eaddrinuse,conflict,already/name taken,not met,already present/start/running/connected/boot/define/register/exist/use/set,eexist,progress,twice,stale,redefine exist,precondition fail,lease,unique constraint'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'method not allow,enosys,command not,unknown command/method/scheme,unimplemented,not implement,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,require * api key,environment variable,not resolve authentication,client password must,pem,broker * empty,miss access/api key/token,not configure/register,region miss,miss credential,empty token,need install,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,connection string,parameter access token,not find module,not * install,credential unavailable,not * credential/key * configure/provide/found/specify,env,not load * credential,url/token/credential/key/secret require/miss,miss configuration,key nor,miss * secret,module not'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,wrongpass,invalid access/api key,incorrect * password/key,key * invalid/reject/expire,session/token revoke/expire,not auth/authenticate,expire token,noauth,auth/authentication fail/error/require/session,invalid * auth/grant/client/signature/token/credential/password/authentication,unauthenticated,signature not match,authentication,unauthorized,signature verification,unrecognized client,password not accept,jwt,please log,interaction require,wrong/bad * token/credential/password'],
  ['forbidden', 71, 57, 24, 'not permitted,not grant,restrict,permission denied,eacces,enough right,permission,denied,store/account suspend/inactive/disable,not privilege,access denied,erofs,eperm,unauthorized operation,cant,read only,miss scope,insufficient scope/access/privilege,access refuse/disable,noperm,authorization fail/error,readonly,forbidden'],
  ['not_found', 70, 34, 26, 'not exist/find/such/locate,gone,not * found,not data,not element/cache,empty result'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,timed out,etimedout,etimeout,esockettimedout,etime,time out/limit,deadline,connection/request/socket timeout,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'operation abort,worker terminate,ecancelled,abort,cancelled,terminate worker,interrupt,job dropped,stopped'],
  ['unreachable', 70, 52, 24, 'dns,max retries per/exceed,unreachable,connection not/refuse/terminate/close,connection,premature close,close error code,socket disconnect/error/close,connect fail/error,disconnect,not resolve host,und err socket,fetch fail,fail fetch/connect,not connect,not host available,network,transport error'],
  ['not_ready', 70, 49, 22, 'still loading,draining,paused,breaker open,call * first,client disconnect,not available/active/alive/writable/open/establish/ready/yet/start/running/connected/initialize,maintenance,after end/done/destroy,already finish/release/complete'],
  ['upstream', 47, 46, 20, 'server exception/error,bad gateway,internal error/service,=internal,2 unknown,unavailable,fatal error'],
  ['bad_response', 63, 42, 29, 'data loss,max redirect,hpe,expect 200,too many redirect,deserialize error,bad response,invalid * result/response,invalid * header,protocol error,incorrect header,resp type'],
  ['bad_response', 63, 41, 28, 'yaml,fail parse,unexpected end,central directory,unterminated,insufficient/enough data,not decode/look,transform response,invalid json,length mismatch,magic number,corrupt,checksum,unclosed'],
  ['unsupported', 70, 44, 26, 'not enable/support,not determine,unsupported,disabled'],
  ['invalid_input', 39, 33, 28, 'syntax,out range/bound,not query,undefined,mismatch,must,require,wrong,fail precondition,invalid,miss,validation,unrecognized,constraint,expect,negative,not contain/recognize/png/convert/allow/valid/match,malformed,bad,should,too few/short,not * format,illegal,empty,argument'],
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
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 21, 0, 20, 'sqlite error,incorrect'],
];
