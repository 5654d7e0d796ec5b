import { abortCases, jsonCases } from './cases/abort-and-json.ts';
import { anthropicCases } from './cases/anthropic.ts';
import { dynamodbCases, s3Cases } from './cases/aws.ts';
import { axiosCases } from './cases/axios.ts';
import { fetchCases } from './cases/fetch.ts';
import { googleGenaiCases } from './cases/google-genai.ts';
import { gotCases } from './cases/got.ts';
import { grpcCases } from './cases/grpc.ts';
import { ioredisCases } from './cases/ioredis.ts';
import { kyCases } from './cases/ky.ts';
import { mcpClientCases } from './cases/mcp-client.ts';
import { mcpSdkCases } from './cases/mcp-sdk.ts';
import { childProcessCases } from './cases/node-child-process.ts';
import { fsCases } from './cases/node-fs.ts';
import { dnsCases, httpCases, netCases } from './cases/node-net.ts';
import { sqliteCases } from './cases/node-sqlite.ts';
import { tlsCases } from './cases/node-tls.ts';
import { octokitCases } from './cases/octokit.ts';
import { openaiCases } from './cases/openai.ts';
import { pgCases } from './cases/pg.ts';
import { ajvCases, arktypeCases, valibotCases, zodCases } from './cases/schemas.ts';
import { stripeCases } from './cases/stripe.ts';
import { undiciCases } from './cases/undici.ts';
import type { ErrorCase } from './error-case.ts';

/** Every case of the corpus; PostgreSQL comes first, because it takes longest to start. */
export const allCases: readonly ErrorCase[] = [
  ...pgCases,
  ...fsCases,
  ...netCases,
  ...httpCases,
  ...dnsCases,
  ...tlsCases,
  ...childProcessCases,
  ...sqliteCases,
  ...abortCases,
  ...jsonCases,
  ...fetchCases,
  ...undiciCases,
  ...axiosCases,
  ...gotCases,
  ...kyCases,
  ...openaiCases,
  ...anthropicCases,
  ...googleGenaiCases,
  ...s3Cases,
  ...dynamodbCases,
  ...grpcCases,
  ...ioredisCases,
  ...mcpSdkCases,
  ...mcpClientCases,
  ...octokitCases,
  ...stripeCases,
  ...zodCases,
  ...valibotCases,
  ...arktypeCases,
  ...ajvCases,
];
