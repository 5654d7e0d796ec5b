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
  ['unreachable', 72, 62, 62, 'eservfail,econnrefused,broken pipe,eaddrnotavail,econnreset,ehostunreach,enetunreach,enotfound,enotimp,eformerr,host not found,not reach,enodata,name resolution,erefused,epipe,eai'],
  ['not_found', 72, 62, 62, 'esrch,enoent,noscript,such file,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'unresolvable,not mix,unknown/invalid/bad option,einval'],
  ['not_ready', 72, 60, 24, 'circuit open/break,start up,=loading,masterdown,eagain,connection not open/establish,enotconn,eshutdown,busy,tryagain,currently loading,semaphore,loading model'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,not currently available,noreplicas,overload,went wrong,internal/service fail,fail dependency,try again later,clusterdown,shutdown,backend error'],
  ['internal', 80, 75, 0, 'assertion,ebadf,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify first/leaf,host denied,eproto,handshake fail,certificate expire,self sign,ssl,cert,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,response schema,invalid * frame,output schema,invalid redirect,redirect mode/count,end/valid json,ebadresp,accept header,response not match,type/response not json,header token,not close,close tag,line : * column,line * column,unsupported zip'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,policy violation,violate * policies/guideline,user reject/denied,content filter,card decline,blocked due,input flagged,moderation,nsfw content'],
  ['too_large', 73, 72, 0, 'too long/large/big,exceed * length,longer/larger than,over/size limit,maxbuffer,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,max * size,than max,out memory,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'edquot,out fund,enomem,credit/account balance,insufficient/enough balance/storage/quota/credit/fund/space,enospc,space left,quota/credit exceed,out/used * quota/credit,upgrade plan,oom,billing,payment require,spend/storage/quota/usage/plan limit,monthly/daily * quota/limit,disk/storage * full'],
  ['rate_limited', 74, 71, 30, 'too many * attempt/connection/request/call/user,throughput/capacity exceed,too many client/simultaneous,throttl,concurrency/queue limit,max client,rate limiter/limit,max number client,ratelimit,slow down,request limit * exceed/reach,excessive request'],
  ['rate_limited', 75, 75, 0, 'per minute,queue full/size,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,ebusy,transaction abort,write/transaction conflict,concurrent modification,lock timeout'],
  ['conflict', 72, 64, 32, 'version error/mismatch,twice,enotempty,dup entry,duplicate,conflict,resource use,conditional check,stale,eaddrinuse,unique,unique constraint,already/name taken,already start/running/connected/boot/define/register/exist/use/set,eexist,progress,=archived,not met,precondition fail,lease'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'method not allow,unimplemented,not implement,unknown command/method/scheme,enotsup,enosys,command not'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,require * api key,environment variable,not configure/register,client password must,pem,empty token,need install,broker * empty,miss access/api key/token,not resolve authentication,region miss,url/token/credential/key/secret require/miss,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,connection string,parameter access token,not find module,not * install,credential unavailable,not * credential/key * configure/provide/found/specify,env,not load * credential,miss configuration,key nor,miss credential,miss * secret,module not'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'key * invalid/reject/expire,session/token revoke/expire,login fail/require,wrongpass,not auth/authenticate,expire token,noauth,claim,unauthorized,jwt,signature not match,authentication,unauthenticated,signature verification,unrecognized client,auth/authentication fail/error/require/session,invalid * auth/grant/client/signature/token/credential/password,invalid access/api key,please log,interaction require,wrong/bad * token/credential/password,incorrect * password/key'],
  ['forbidden', 71, 57, 24, 'not permitted,not grant,restrict,permission,authorization fail/error,enough right,permission denied,eperm,unauthorized operation,store/account suspend/inactive/disable,not privilege,cant,read only,forbidden,erofs,readonly,denied,miss scope,insufficient scope/access/privilege,access refuse/disable,noperm,eacces'],
  ['not_found', 70, 34, 26, 'not exist/find/such/locate,empty result,gone,not * found,not data,not element/cache'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,timed out,time out/limit,deadline,esockettimedout,etimedout,etimeout,etime,connection timeout,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,interrupt,cancelled,stopped,job dropped,operation abort,worker terminate,ecancelled,terminate worker'],
  ['unreachable', 70, 52, 24, 'premature close,close error code,connection not/refuse/terminate/close,unreachable,connection,disconnect,not resolve host,max retries exceed/per,socket disconnect/error/close,dns,connect fail/error,und err socket,fetch fail,fail fetch/connect,not connect,not host available,network,transport error'],
  ['not_ready', 70, 49, 22, 'after end/destroy/done,not available/active/alive/writeable/open/establish/ready/yet/running/connected/initialize,maintenance,breaker open,call * first,already close/finish/complete/release,dispose,draining,paused'],
  ['upstream', 47, 46, 20, 'server exception/error,unavailable,0 unknown,internal error/service,=internal,bad gateway,fatal error'],
  ['bad_response', 63, 42, 29, 'data loss,expect 200,max redirect,json receive,too many redirect,parse response,invalid * header,resp type,hpe,output parser,bad response,invalid * response,deserialize error,incorrect header,protocol error'],
  ['bad_response', 63, 41, 28, 'unclosed,yaml,fail parse,unexpected end,content type expect,insufficient/enough data,not decode/look,transform response,invalid json,length mismatch,magic number,checksum,unterminated,corrupt,central directory'],
  ['unsupported', 70, 44, 26, 'not enable/support,unsupported,disabled'],
  ['invalid_input', 39, 33, 28, 'undefined,empty,must,should,miss,not * format,fail precondition,mismatch,negative,too few/short,validation,unrecognized,expect,illegal,bad,syntax,out range/bound,not recognize/png/convert/allow/valid/match,malformed,invalid,require,wrong,constraint,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,too many'],
  ['internal', 25, 25, 9, 'exit,process,callback,unknown/unexpected error'],
  ['bad_response', 40, 42, 21, 'parse,unexpected server,unexpected,decode'],
  ['denied', 45, 0, 30, 'guardrail,flagged,decline,blocked'],
  ['conflict', 55, 0, 0, 'exist'],
  ['conflict', 55, 0, 19, 'already'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'proxy,econnaborted,socket,fetch error'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 21, 0, 20, 'sqlite error,incorrect,unknown'],
];
