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
  ['unreachable', 72, 62, 62, 'name resolution,eservfail,host not found,econnrefused,econnreset,broken pipe,enodata,erefused,eformerr,ehostunreach,eaddrnotavail,epipe,enotfound,enetunreach,eai,enotimp'],
  ['not_found', 72, 62, 62, 'not open database,http not found,noscript,enoent'],
  ['forbidden', 72, 62, 62, 'noperm,eacces,eperm,erofs'],
  ['invalid_input', 72, 58, 58, 'key length,invalid option/url/arg,wrongtype,unprocessable,enotdir,ebadname,einval,input * not parse,unresolvable,eisdir,not mix/store,http token,connection header,division zero'],
  ['not_ready', 72, 60, 24, 'not primary/leader,semaphore,start up,eshutdown,connection not open,maintenance,enotconn,shut down,eagain,masterdown,busy,tryagain,going away,=loading,currently loading,circuit open/break'],
  ['upstream', 72, 60, 0, 'not currently available,server busy/overload/unavailable,overload,shutdown,clusterdown,backend error,not * respond,noreplicas,service/internal fail,fail dependency,try again later,went wrong'],
  ['internal', 80, 75, 0, 'ebadf,assertion error,not happen,call stack'],
  ['timeout', 80, 75, 0, 'took too long'],
  ['unreachable-', 80, 66, 62, 'verify leaf/first,self sign,bad/unknown/invalid certificate,certificate expire,cert,tls,handshake fail,host denied,ssl,eproto'],
  ['bad_response', 88, 70, 0, 'response not match,invalid * frame,response schema,end stream/buffer,well form,output schema,end/valid json,return not output,unsupported zip,error format,unexpected token,not close,close tag,outside root,format error,line : * column,not choice/generation/chunk'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'reject/denied policy/user,content filter,moderation,policy violation,violate * policy,violate * policies,harmful/inappropriate content,nsfw content,user denied,card decline,blocked due,prohibit content,user reject'],
  ['too_large', 73, 72, 0, 'too deep/large/long/big,out memory,header overflow,e2big,larger/longer than,max * size,bigger than,maxbuffer,emsgsize,emfile,over/size limit,than max/limit/allow,excessive * count,exceed * length,token count,enametoolong'],
  ['budget_exhausted', 74, 65, 0, 'edquot,enospc,quota exceed,upgrade plan,monthly/daily * limit/quota,oom,spend/storage/quota/usage/plan limit,payment require,credit/account balance,enomem,space left,disk/storage * full,insufficient fund/storage/quota/credit/space/balance,out * credit,out fund,billing'],
  ['rate_limited', 74, 71, 30, 'too many * connection/request/user,concurrency/queue limit,max client,ratelimit,throttl,max number client,rate limiter/limit,throughput exceed,request limit * exceed/reach,too many simultaneous/client,slow down,excessive request'],
  ['rate_limited', 75, 75, 0, 'queue full/size,bulkhead capacity,per second/minute,max wait'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict+', 76, 73, 30, 'not serialize,already lock,concurrent modification,lock timeout,database lock,ebusy,transaction/write conflict,transaction abort'],
  ['conflict', 72, 64, 32, 'version error/mismatch,already taken,resource use,unique,eaddrinuse,unique constraint,already present/start/running/open/connected/set/define/register/exist/use/boot,foreign key,duplicate,stale,enotempty,dup/duplicate key/entry,=archived,redefine exist,precondition fail,conflict,conditional check,eexist'],
  ['forbidden', 75, 72, 0, 'command denied,not sufficient permission,not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'authentication error,skew'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['unsupported', 73, 66, 0, 'unknown scheme/command/method,not implement,command/method not,enosys,unknown cipher,media type,unimplemented,not acceptable,enotsup'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'configuration option/error/must,private key,miss configuration,miss * secret,broker * empty,empty token,not register/configure,not find module,environment variable,module not,region miss,url must,parameter access token,connection string,client password must,pem,require * api key,miss access/api key/token,not resolve authentication,key/token/credential/url/secret miss/require,url/variable not set,key/token must,credential unavailable,executable path,token set,key not found/set/define,not * credential/key * found/provide/configure,not find credential,need install,not * install,not load * credential,key nor,must provide * key,miss credential,credential provider'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['unauthenticated', 70, 56, 24, 'login fail/require,please log,authentication,unauthenticated,authentication require/method,noauth,must logged,auth fail/require/error/session,not auth/authenticate,token/session revoke/expire,signature not match,invalid * auth/grant/client/key/token/credential/password/signature/authentication,unauthorized,wrongpass,wrong/bad * token/credential/password,expire token,key * reject/invalid/expire,signature verification,unrecognized client,jwt'],
  ['forbidden', 71, 57, 24, 'not privilege,permission,forbidden,not permitted,store/account disable/suspend/inactive,insufficient scope/privilege,permission denied,readonly,miss scope,access denied,read only,authorization fail,enough/sufficient right'],
  ['not_found', 70, 34, 26, 'not data,file miss,gone,not * found,empty result,not cache/element/result,not form field,not exist/locate/such/find'],
  ['timeout', 75, 58, 26, 'read/statement timeout,etimeout,timeout,etimedout,time limit/out,timed out,timeout * exceed,socket/connection/request/operation timeout,deadline,not * complete time'],
  ['cancelled', 52, 50, 22, 'abort,interrupt,cancelled,ecancelled,request/operation abort,pool/worker terminate,terminate worker,sigterm,job dropped'],
  ['unreachable', 70, 52, 24, 'not host available,dns,close connection,premature close,close error code,network,socket disconnect/error/close,stream/transport error,disconnect,not resolve host,und err socket,fetch fail,fail connect/fetch,connection not/close/terminate,connect fail/error,not connect,not reach,connection,max retries,unreachable'],
  ['not_ready', 70, 49, 22, 'must * connect,disposed,still loading,breaker open,call * first,after call,after end,not accept new,stream close,draining,client disconnect,not available/connected/establish/ready/writable/yet/start/running/open/initialize,already finish/release'],
  ['upstream', 47, 46, 20, '2 unknown,internal error/service,unavailable,bad gateway,=internal,fatal error,server exception/error'],
  ['bad_response', 63, 41, 28, 'unbalanced,empty response,decryption,prematurely,misformed,not database,length mismatch,data loss,unmatched,not decode/transform/parse,unexpected end/response,deserialize,protocol error,incomplete,expect 200,yaml,fail parse,unquoted,invalid * result/response,serialization,unclosed,insufficient data,parse error,invalid json/character/header,json position,max redirect,trail,corrupt,central directory,hpe,unterminated,too many redirect,truncate,csv,incorrect header,checksum,bad response,resp type'],
  ['unsupported', 70, 44, 26, 'not determine,unsupported,only available/support,not enable/support,disabled'],
  ['invalid_input', 39, 33, 28, 'undefined,together,malformed,both,must,circular,expect,bad,fail precondition,syntax,only,miss,constraint,validation,unrecognized,not number/convert/allow/valid/null/string/recognize/integer/contain/change/png/match,invalid,negative,mismatch,argument,coerce,out range/bound,empty,illegal,need,too few/small/short,not object/use/begin/query/pass/provide/specify,require,please provide/specify,schema,should,wrong'],
  // Hints of last resort.
  ['too_large', 45, 28, 21, 'exceed,limit exceed/reach,too many'],
  ['internal', 25, 25, 0, 'unknown/unexpected error'],
  ['bad_response', 40, 0, 21, 'parse,unexpected,decode'],
  ['not_configured', 45, 41, 41, 'env,please install,config error'],
  ['denied', 45, 0, 30, 'flagged,guardrail,decline,blocked'],
  ['conflict', 55, 0, 0, 'already,exist'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['unreachable', 36, 0, 21, 'proxy,econnaborted,socket,fetch error'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['invalid_input', 0, 0, 20, 'unknown'],
  ['invalid_input', 25, 0, 20, 'parameter,incorrect'],
];
