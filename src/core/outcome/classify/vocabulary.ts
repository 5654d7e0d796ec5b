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
  ['unreachable', 72, 62, 62, 'name resolution,econnrefused,enotfound,enodata,econnreset,ehostunreach,host not found,enetunreach,eservfail,erefused,epipe,eaddrnotavail,broken pipe,eai,eformerr,enotimp'],
  ['not_found', 72, 62, 62, 'noscript,such file,enoent,http not found,not open database'],
  ['invalid_input', 72, 58, 58, 'key length,not support option,wrongtype,unsupported option/number/input,input * not parse,unprocessable,einval,unknown/invalid/bad option/url,unresolvable,eisdir,enotdir,ebadname,not mix'],
  ['not_ready', 72, 60, 24, 'loading model,semaphore,enotconn,=loading,eshutdown,busy,tryagain,masterdown,not primary/leader,connection not open,circuit break/open,currently loading,eagain,start up'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not currently available,noreplicas,shutdown,went wrong,overload,internal/service fail,fail dependency,try again later,clusterdown,not * respond,backend error'],
  ['internal', 80, 75, 0, 'not happen,call stack,ebadf,assertion error'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'verify leaf/first,certificate expire,cert,handshake fail,ssl,self sign,host denied,eproto,tls'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,end stream/buffer,ebadresp,invalid redirect,type/response not json,redirect mode/count,end/valid json,line * column,line : * column,response not match,invalid * frame,not generation,accept header,outside root,error format,not close,close tag,output schema,response schema,unsupported zip,format error'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,user reject/denied,moderation,policy violation,violate * policies/guideline,input flagged,card decline,blocked due,nsfw content'],
  ['too_large', 73, 72, 0, 'too deep/long/large/big,out memory,maxbuffer,enametoolong,longer/larger than,over/size limit,max * size,prompt/context length,token count,emfile,e2big,excessive * count,emsgsize,than max,exceed * length,header overflow,enobufs'],
  ['budget_exhausted', 74, 70, 0, 'upgrade plan,oom,spend/storage/quota/usage/plan limit,monthly/daily * quota/limit,disk/storage * full,enospc,payment require,credit/account balance,out fund,enomem,insufficient/enough balance/storage/quota/credit/fund/space,out * credit,quota/credit exceed,billing,edquot,space left'],
  ['rate_limited', 74, 71, 30, 'too many client/simultaneous,request limit * exceed/reach,slow down,throughput exceed,too many * connection/request/user,concurrency/queue limit,max number client,rate limiter/limit,max client,ratelimit,throttl,excessive request'],
  ['rate_limited', 75, 75, 0, 'queue full/size,per minute/second,bulkhead capacity,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'database lock,concurrent modification,lock timeout,not serialize,already lock,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,=archived,enotempty,dup entry,duplicate,resource use,unique,eaddrinuse,unique constraint,already/name taken,stale,already present/start/running/connected/boot/define/register/exist/use/set,conflict,redefine exist,precondition fail,conditional check,eexist'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,authentication error'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'media type,method not allow,enosys,unknown cipher,command not,unknown command/method/scheme,unimplemented,not acceptable,not implement,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,miss credential,broker * empty,env,environment variable,not configure/register,client password must,parameter access token,require * api key,miss access/api key/token,region miss,not * install,not resolve authentication,url/token not provide/set,key/token must,please install,credential provider,executable path,token set,key not found/set,empty token,not * credential/key * configure/provide/found/specify,miss configuration,need install,credential unavailable,not find module,not load * credential,url/token/credential/key/secret require/miss,module not,key nor,connection string,must provide * key,miss * secret,url must,pem'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,unauthenticated,authentication,incorrect * password/key,key * invalid/reject/expire,signature not match,invalid * auth/grant/client/signature/token/credential/password/key/authentication,unauthorized,auth/authentication fail/error/require/session,not auth/authenticate,expire token,noauth,wrong/bad * token/credential/password,wrongpass,session/token revoke/expire,signature verification,unrecognized client,password not accept,jwt,please log'],
  ['forbidden', 71, 57, 24, 'not permitted,noperm,not privilege,restrict,permission,not grant,access denied,erofs,forbidden,permission denied,eacces,enough right,read only,miss scope,insufficient scope/access/privilege,authorization fail/error,readonly,denied,store/account suspend/inactive/disable,eperm'],
  ['not_found', 70, 34, 26, 'not data,file miss,not * found,not exist/locate/such/find,not cache/element,gone,empty result'],
  ['timeout', 75, 58, 26, 'read/statement timeout,timeout,timed out,etimedout,etimeout,time out/limit,deadline,connection/request/socket timeout,timeout * exceed,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,ecancelled,cancelled,operation abort,worker terminate,terminate worker,interrupt,job dropped'],
  ['unreachable', 70, 52, 24, 'network,dns,premature close,close connection,connection,connect fail/error,socket disconnect/error/close,close error code,disconnect,not resolve host,und err socket,max retries exceed/per,connection not/refuse/terminate/close,stream/transport error,fetch fail,fail fetch/connect,not connect,not host available,unreachable'],
  ['not_ready', 70, 49, 22, 'after end,not accept new,stream close,still loading,draining,breaker open,call * first,client disconnect,not available/writable/open/establish/ready/yet/start/running/connected/initialize,already finish/release'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,=internal,bad gateway,2 unknown,unavailable,fatal error'],
  ['bad_response', 63, 42, 29, 'too many redirect,data loss,prematurely,deserialize,serialization,incorrect header,hpe,expect 200,max redirect,empty response,bad response,invalid * result/response,invalid * header,resp type,protocol error'],
  ['bad_response', 63, 41, 28, 'corrupt,transform response,incomplete,trail,fail parse,unexpected end,not decode/parse,unterminated,csv,checksum,insufficient/enough data,yaml,unclosed,not database,invalid character/json,central directory,length mismatch,parse error'],
  ['unsupported', 70, 44, 26, 'only available/support,not enable/support,unsupported,disabled,not determine'],
  ['invalid_input', 39, 33, 28, 'require,invalid,schema,undefined,not * format,constraint,illegal,bad,only,miss,mismatch,both,wrong,empty,validation,unrecognized,need,together,coerce,expect,out range/bound,not use/query,malformed,too few/small/short,not * pass/specify/provide,syntax,must,please provide,should,negative,fail precondition,not contain/string/recognize/png/convert/allow/valid/match,argument'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,too many,limit exceed/reach'],
  ['internal', 25, 25, 9, 'exit,worker,callback,launch,process,unknown/unexpected error'],
  ['bad_response', 40, 42, 21, 'parse,unexpected server,unexpected,decode'],
  ['denied', 45, 0, 30, 'guardrail,flagged,decline,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'proxy,econnaborted,fetch error,socket'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 21, 0, 20, 'parameter,incorrect,sqlite error'],
];
