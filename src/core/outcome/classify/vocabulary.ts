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
  ['unreachable', 72, 62, 62, 'name resolution,eformerr,ehostunreach,enetunreach,enotfound,enodata,econnrefused,broken pipe,eaddrnotavail,econnreset,host not found,not reach,erefused,epipe,eservfail,eai,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,such file,esrch,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'einval,unprocessable,not support option,input * not parse,unknown/invalid/bad option/url,unresolvable,not mix'],
  ['not_ready', 72, 60, 24, 'loading model,eagain,connection not open/establish,masterdown,enotconn,circuit open/break,=loading,semaphore,eshutdown,busy,tryagain,currently loading,start up'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,overload,not currently available,noreplicas,clusterdown,went wrong,internal/service fail,fail dependency,try again later,shutdown,backend error'],
  ['internal', 80, 75, 0, 'assertion,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,cert,host denied,eproto,certificate expire,self sign,ssl,handshake fail,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,type/response not json,invalid * frame,unsupported zip,redirect mode/count,end/valid json,invalid redirect,accept header,response not match,line * column,ebadresp,header token,not close,close tag,response schema,output schema,outside root,error format,line : * column,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,policy violation,user reject/denied,content filter,violate * policies/guideline,moderation,input flagged,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too deep/long/large/big,exceed * length,maxbuffer,longer/larger than,over/size limit,max * size,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,than max,out memory,header overflow,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'upgrade plan,enospc,edquot,credit/account balance,out fund,enomem,insufficient/enough balance/storage/quota/credit/fund/space,oom,quota/credit exceed,spend/storage/quota/usage/plan limit,monthly/daily * quota/limit,disk/storage * full,space left,billing,payment require,used/out * credit'],
  ['rate_limited', 74, 71, 30, 'too many * connection/request/user/attempt/call,slow down,throughput/capacity exceed,too many client/simultaneous,concurrency/queue limit,max client,rate limiter/limit,max number client,ratelimit,throttl,request limit * exceed/reach,excessive request'],
  ['rate_limited', 75, 75, 0, 'per minute/second,queue full/size,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,ebusy,transaction abort,write/transaction conflict,concurrent modification,lock timeout'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,conditional check,enotempty,dup entry,duplicate,resource use,unique,eaddrinuse,conflict,already/name taken,not met,already present/start/running/connected/boot/define/register/exist/use/set,eexist,progress,stale,redefine exist,precondition fail,twice,unique constraint,lease'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'method not allow,enosys,command not,unknown command/method/scheme,unimplemented,not implement,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,require * api key,environment variable,not configure/register,client password must,pem,broker * empty,miss access/api key/token,region miss,miss credential,empty token,not resolve authentication,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,connection string,parameter access token,not * install,credential unavailable,not * credential/key * configure/provide/found/specify,env,need install,not find module,not load * credential,url/token/credential/key/secret require/miss,miss * secret,key nor,module not,miss configuration'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,wrongpass,please log,incorrect * password/key,unauthenticated,key * invalid/reject/expire,session/token revoke/expire,not auth/authenticate,expire token,noauth,auth/authentication fail/error/require/session,invalid * auth/grant/client/signature/token/credential/password/authentication,signature not match,authentication,unauthorized,signature verification,unrecognized client,password not accept,jwt,invalid access/api key,interaction require,wrong/bad * token/credential/password'],
  ['forbidden', 71, 57, 24, 'not permitted,not grant,restrict,permission denied,eacces,denied,store/account suspend/inactive/disable,access refuse/disable,access denied,erofs,eperm,unauthorized operation,cant,read only,miss scope,forbidden,insufficient scope/access/privilege,not privilege,noperm,enough right,readonly,authorization fail/error,permission'],
  ['not_found', 70, 34, 26, 'not exist/find/such/locate,gone,not * found,not data,not element/cache,empty result'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,etimeout,etimedout,timed out,etime,esockettimedout,time out/limit,deadline,connection/request/socket timeout,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'operation abort,worker terminate,ecancelled,cancelled,abort,terminate worker,interrupt,job dropped,stopped'],
  ['unreachable', 70, 52, 24, 'unreachable,premature close,close connection,connection,connect fail/error,socket disconnect/error/close,close error code,connection not/refuse/terminate/close,disconnect,not resolve host,dns,und err socket,fetch fail,fail fetch/connect,max retries per/exceed,not host available,not connect,network,stream/transport error'],
  ['not_ready', 70, 49, 22, 'draining,paused,breaker open,call * first,client disconnect,not available/active/alive/writable/open/establish/ready/yet/start/running/connected/initialize,maintenance,still loading,after end/done/close/destroy,already finish/release/complete'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,bad gateway,2 unknown,=internal,unavailable,fatal error'],
  ['bad_response', 63, 42, 29, 'data loss,too many redirect,deserialize,max redirect,hpe,expect 200,bad response,invalid * result/response,invalid * header,resp type,incorrect header,protocol error'],
  ['bad_response', 63, 41, 28, 'not database,fail parse,unexpected end,checksum,insufficient/enough data,yaml,unclosed,not decode/parse/look,transform response,invalid character/json,length mismatch,magic number,central directory,unterminated,corrupt,parse error'],
  ['unsupported', 70, 44, 26, 'not enable/support,unsupported,disabled,not determine'],
  ['invalid_input', 39, 33, 28, 'argument,syntax,out range/bound,not query,undefined,too few/short,must,require,wrong,miss,not * format,validation,unrecognized,fail precondition,bad,mismatch,malformed,negative,expect,illegal,empty,invalid,should,not contain/recognize/png/convert/allow/valid/match,constraint'],
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
  ['invalid_input', 21, 0, 20, 'incorrect,sqlite error'],
];
