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
  ['unreachable', 72, 62, 62, 'epipe,eaddrnotavail,eservfail,ehostunreach,enotimp,econnrefused,broken pipe,eai,host not found,enotfound,enetunreach,enodata,not reach,erefused,unknown host,name resolution,eformerr,econnreset'],
  ['not_found', 72, 62, 62, 'esrch,enoent,unknown database/topic,such file,noscript,not open database,http not found,file miss'],
  ['invalid_input', 72, 62, 62, 'boundary,header value/name,req content,unacceptable,not mix,data truncate,require parameter,invalid arg,unresolvable,einval,thinking,unexpected/unknown/invalid/bad option,ebadname,parse entity,bad null'],
  ['bad_response', 88, 73, 0, 'server indicate/sent,invalid * frame,type/response not json,ebadresp,z data,not close,redirect mode/count,invalid redirect,response not match,end/valid json,line * column,line : * column,asn1,header token,response schema,accept header,output schema,close tag,unsupported zip,stream end,end stream/buffer'],
  ['not_ready', 72, 60, 24, 'eshutdown,start up,econnclosed,masterdown,currently loading,must wait,busy,loading model,eagain,connection not open/establish,enotconn,=loading,tryagain,circuit open'],
  ['upstream', 72, 60, 0, 'server overload/busy/unavailable,not * respond,internal/service fail,overload,enough replica,not currently available,shutdown,storage error,clusterdown,noreplicas,went wrong,try again later'],
  ['timeout', 80, 75, 0, 'took too long,took longer'],
  ['unreachable-', 80, 66, 62, 'eproto,host denied,cert,self sign,ssl,handshake fail,verify first/leaf,tls'],
  ['internal', 80, 75, 0, 'promise during,more than once,already execute/call/read,assertion,ebadf,call stack'],

  // What wins over a status.
  ['denied', 74, 68, 0, 'policy violation,input flagged,blocked due,violate * policies/guideline,moderation,nsfw content,user reject/denied,card decline,reject/denied policy/user,content filter'],
  ['too_large', 73, 72, 0, 'prompt/context length,enobufs,e2big,emsgsize,token count,max * size,longer/larger than,out memory,header overflow,over/size limit,too long/large/big,emfile,excessive * count,maxbuffer'],
  ['budget_exhausted', 74, 70, 0, 'billing,upgrade plan,out fund,enospc,quota/credit exceed,enomem,insufficient/enough fund/storage/quota/credit/space/balance,account/credit balance,payment require,oom,out/used * quota/credit,edquot,space left,spend/storage/usage/quota/plan limit,daily/monthly * quota/limit,disk/storage * full'],
  ['rate_limited', 74, 71, 30, 'too many * attempt/connection/request/call/user,attempt/concurrency/message/queue limit,throughput/capacity exceed,too many client/simultaneous,max client,ratelimit,throttl,request limit * exceed/reach,slow down,max number client,rate limit/limiter,excessive request'],
  ['cancelled', 76, 76, 0, 'abort error : operation,client close request'],
  ['conflict+', 76, 73, 30, 'lock timeout,deadlock,database lock,conflict * operation,ebusy,concurrent modification,transaction abort,write/transaction conflict'],
  ['rate_limited', 71, 71, 0, 'resource exhaust'],
  ['conflict', 72, 64, 32, 'already/name taken,lease,unique,enotempty,fast forward,resource use,unique constraint,bucket/directory not empty,miss lock,conditional check,twice,already exist/connected/running/define/set/start/use/boot,overwritten,stale,not met,: file exist,progress,duplicate,eaddrinuse,eexist,precondition fail,version error/mismatch,conflict'],
  ['rate_limited', 75, 75, 0, 'per minute/hour,max wait,queue size/full'],
  ['forbidden', 75, 72, 0, 'not authorize * execute'],
  ['unauthenticated', 75, 73, 0, 'skew,using password,authentication error'],
  ['unsupported', 73, 66, 0, 'operation/version/protocol/server/method not support,not implement,unimplemented,unknown scheme/command/method,method not allow,only support,default risk,command not'],
  // Without an answer from outside (see `decide`), a missing key is our own.
  ['not_configured', 76, 65, 0, 'pem,empty token,not set up,broker * empty,miss configuration,client password must,env,require * api key,miss access/api key/token,not resolve authentication,url/token/credential/key/secret require/miss,url/token not provide/set,key/token must,token set,key not found/set,callback set,key nor,credential provider,credential unavailable,not * credential/key * configure/provide/found/specify,miss * secret,region miss,configuration option/error/must,environment variable,not configure,connection string,executable path,please install,not load * credential,miss credential,parameter access token,not find module,not * install,module not'],
  ['not_configured', 0, 76, 0, 'command not found,decoder routine'],

  // What a status usually says better.
  ['not_found', 70, 34, 26, 'key * job,not data,not exist/find/such,empty result,gone,not cache/element,not * found,file/entity delete'],
  ['unauthenticated', 70, 56, 24, 'not auth/authenticate,unauthenticated,key * reject/invalid/expire,auth/authentication fail/error/require/session,claim,expire token,noauth,session/token revoke/expire,read username,login fail/require,invalid * signature/auth/client/grant/token/credential/password,wrong/bad * token/credential/password,signature not match,wrongpass,match signature,authentication,unauthorized,interaction require,incorrect * key/password,signature verification,unrecognized client,password require,invalid access/api key,jwt'],
  ['forbidden', 71, 57, 24, 'not accessible,not permitted,cant,not grant,permission,authorization fail/error,unauthorized operation,available country,miss scope,read only,not privilege,readonly,forbidden,permission denied,denied,eperm,enough right,noperm,eacces,account/store/organization suspend/disable/inactive,not channel,paid team,insufficient scope/access/privilege,restrict,access disable/refuse'],
  ['cancelled', 52, 50, 22, 'operation abort,worker terminate,ecancelled,stopped,interrupt,abort,cancelled,terminate worker'],
  ['unreachable', 70, 52, 24, 'not host available,socket disconnect/close,disconnect,connection not/terminate/refuse/close,unreachable,not resolve host,network,close error code,not connect,connect fail/error,und err socket,fetch fail,fail fetch/connect,connection,transport error,premature close,dns,max retries exceed/per'],
  ['not_ready', 70, 49, 22, 'after end/done,not alive/yet/writeable/initialize/open/establish/ready/active/running/connected/available,consumer running,call after,already complete/finish/release/close,dispose,draining,call * first,shut down,maintenance,paused,breaker open'],
  ['upstream', 47, 46, 20, 'server exception/error,internal error/service,unavailable,=internal,bad gateway,fatal error'],
  ['bad_response', 63, 42, 29, 'too many redirect,resp type,expect content type,data loss,malformed/bad response,invalid * response,hpe,expect 200,max redirect,json receive,not object/image generate,parse response,invalid * header,output parser,html head,deserialize error,incorrect header,out order,protocol error'],
  ['unsupported', 70, 44, 26, 'not support/enable,unsupported,disabled'],
  ['timeout', 75, 58, 26, 'read/statement timeout,deadline,etimeout,timeout,time limit/exceed/out,timedout,timed out,timeout * exceed,esockettimedout,etimedout,etime'],
  ['bad_response', 63, 41, 28, 'checksum,insufficient/enough data,not look/decode,transform response,invalid json,unclosed,magic number,length mismatch,corrupt,yaml,fail parse,unexpected end,content type expect,central directory'],
  ['invalid_input', 39, 33, 28, 'not allow/png/convert/valid/match,wrong,expect,malformed,require,illegal,bad,empty,miss,not * format,too few/short,syntax,should,invalid,mismatch,argument,undefined,negative,must,validation,unrecognized,out range/bound,constraint'],
  // Hints of last resort.
  ['bad_response', 40, 42, 21, 'parse,unexpected server,unexpected,decode'],
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
