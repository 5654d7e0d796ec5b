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
  ['unreachable', 72, 62, 62, 'epipe,eaddrnotavail,ehostunreach,enotimp,econnrefused,broken pipe,eai,eservfail,host not found,enotfound,eformerr,enetunreach,enodata,not reach,erefused,unknown host,name resolution,econnreset'],
  ['not_found', 72, 62, 62, 'esrch,enoent,unknown database/topic,noscript,such file,not open database,http not found,file miss'],
  ['invalid_input', 72, 62, 62, 'boundary,header value/name,req content,unacceptable,not mix,data truncate,require parameter,invalid arg,unresolvable,thinking,unexpected/unknown/invalid/bad option,ebadname,parse entity,einval,bad null'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,invalid * frame,redirect mode/count,type/response not json,ebadresp,z data,not close,invalid redirect,response not match,end/valid json,close tag,unsupported zip,header token,line * column,line : * column,response schema,accept header,output schema,asn1,stream end,end stream/buffer'],
  ['not_ready', 72, 60, 24, 'eshutdown,start up,econnclosed,masterdown,eagain,currently loading,must wait,busy,loading model,connection not open/establish,enotconn,=loading,tryagain,circuit open'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,enough replica,not currently available,shutdown,storage error,internal/service fail,noreplicas,overload,clusterdown,went wrong,try again later'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'eproto,ssl,host denied,cert,handshake fail,verify first/leaf,self sign,tls'],
  ['internal', 80, 75, 0, 'promise during,more than once,already execute/call/read,assertion,ebadf,call stack'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'policy violation,moderation,violate * policies/guideline,input flagged,blocked due,nsfw content,user reject/denied,card decline,reject/denied policy/user,content filter'],
  ['too_large', 73, 72, 0, 'prompt/context length,enobufs,over/size limit,too long/large/big,emfile,e2big,emsgsize,token count,max * size,longer/larger than,out memory,header overflow,excessive * count,maxbuffer'],
  ['budget_exhausted', 74, 70, 0, 'account/credit balance,edquot,billing,quota/credit exceed,upgrade plan,out fund,enospc,oom,insufficient/enough fund/storage/quota/credit/space/balance,payment require,enomem,out/used * quota/credit,space left,spend/storage/usage/quota/plan limit,daily/monthly * quota/limit,disk/storage * full'],
  ['rate_limited', 74, 71, 30, 'too many * attempt/connection/request/call/user,attempt/concurrency/message/queue limit,throughput/capacity exceed,too many client/simultaneous,max client,ratelimit,throttl,request limit * exceed/reach,slow down,max number client,rate limit/limiter,excessive request'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['conflict+', 76, 73, 30, 'lock timeout,deadlock,concurrent modification,conflict * operation,ebusy,database lock,transaction abort,write/transaction conflict'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict', 72, 64, 32, 'already/name taken,lease,unique,enotempty,fast forward,resource use,unique constraint,bucket/directory not empty,miss lock,conditional check,twice,already exist/connected/running/define/set/start/use/boot,overwritten,stale,not met,: file exist,progress,duplicate,eaddrinuse,eexist,precondition fail,version error/mismatch,conflict'],
  ['rate_limited', 75, 75, 0, 'per minute/hour,max wait,queue size/full'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,using password,authentication error'],
  ['unsupported', 73, 66, 0, 'not implement,unimplemented,unknown scheme/command/method,operation/version/protocol/server/method not support,method not allow,default risk,only support,command not'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'pem,empty token,not set up,broker * empty,miss configuration,client password must,env,require * api key,miss access/api key/token,not resolve authentication,url/token not provide/set,key/token must,token set,key not found/set,callback set,key nor,url/token/credential/key/secret require/miss,connection string,credential provider,miss * secret,credential unavailable,not * credential/key * configure/provide/found/specify,miss credential,not load * credential,configuration option/error/must,environment variable,not configure,please install,parameter access token,not find module,not * install,executable path,region miss,module not'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['not_found', 70, 34, 26, 'gone,not exist/find/such,empty result,not data,not cache/element,key * job,not * found,file/entity delete'],
  ['unauthenticated', 70, 56, 24, 'not auth/authenticate,jwt,key * reject/invalid/expire,auth/authentication fail/error/require/session,claim,expire token,noauth,session/token revoke/expire,read username,unauthenticated,login fail/require,invalid * signature/auth/client/grant/token/credential/password,wrong/bad * token/credential/password,signature not match,wrongpass,match signature,authentication,unauthorized,interaction require,incorrect * key/password,signature verification,unrecognized client,password require,invalid access/api key'],
  ['forbidden', 71, 57, 24, 'not accessible,not permitted,permission,denied,cant,not grant,authorization fail/error,unauthorized operation,available country,miss scope,not privilege,read only,readonly,eperm,permission denied,forbidden,enough right,noperm,account/store/organization suspend/disable/inactive,not channel,paid team,insufficient scope/access/privilege,restrict,eacces,access disable/refuse'],
  ['cancelled', 52, 50, 22, 'abort,operation abort,worker terminate,ecancelled,cancelled,stopped,interrupt,terminate worker'],
  ['unreachable', 70, 52, 24, 'not host available,socket disconnect/close,disconnect,connection not/terminate/refuse/close,unreachable,close error code,not resolve host,network,not connect,connect fail/error,und err socket,fetch fail,fail fetch/connect,connection,transport error,premature close,dns,max retries exceed/per'],
  ['not_ready', 70, 49, 22, 'after end/done,not alive/yet/writeable/initialize/open/establish/ready/active/running/connected/available,consumer running,call after,already complete/finish/release/close,dispose,draining,call * first,shut down,maintenance,paused,breaker open'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,unavailable,=internal,bad gateway,fatal error'],
  ['bad_response', 63, 42, 29, 'too many redirect,resp type,expect content type,data loss,malformed/bad response,invalid * response,hpe,expect 200,json receive,not object/image generate,parse response,invalid * header,output parser,max redirect,deserialize error,incorrect header,out order,html head,protocol error'],
  ['unsupported', 70, 44, 26, 'not support/enable,unsupported,disabled'],
  ['timeout', 75, 58, 26, 'read/statement timeout,deadline,etimeout,timeout,timedout,timed out,timeout * exceed,esockettimedout,etimedout,time limit/exceed/out,etime'],
  ['bad_response', 63, 41, 28, 'checksum,insufficient/enough data,not look/decode,transform response,invalid json,unclosed,magic number,length mismatch,corrupt,yaml,fail parse,unexpected end,content type expect,central directory'],
  ['invalid_input', 39, 33, 28, 'not allow/png/convert/valid/match,wrong,mismatch,require,invalid,illegal,bad,too few/short,negative,empty,miss,expect,not * format,should,argument,undefined,must,syntax,validation,unrecognized,malformed,out range/bound,constraint'],
  // Hints of last resort.
  ['bad_response', 40, 42, 21, 'parse,unexpected,unexpected server,decode'],
  ['forbidden', 60, 0, 0, 'not allow'],
  ['too_large', 45, 28, 21, 'exceed,too many'],
  ['conflict', 55, 0, 0, 'exist'],
  ['denied', 45, 0, 30, 'guardrail,decline,flagged,blocked'],
  ['conflict+', 21, 0, 20, 'lock'],
  ['internal', 25, 25, 9, 'exit,callback,unexpected/unknown error,process'],
  ['not_ready', 21, 0, 20, 'close,destroy'],
  ['conflict', 55, 0, 32, 'already'],
  ['unreachable', 36, 0, 21, 'socket,fetch error,proxy'],
  ['invalid_input', 21, 0, 20, 'sqlite error,incorrect,unknown'],
];
