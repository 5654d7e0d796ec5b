import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { cancelled, casesOf, timeout, unreachable } from '../error-case.ts';
import { abortSoon, afterwards, hang, html, refused, reply, reset } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const base = { region: 'eu-central-1', maxAttempts: 1, credentials: { accessKeyId: secrets.awsKeyId, secretAccessKey: secrets.awsSecret } };

function s3(endpoint: string, config: S3ClientConfig = {}): S3Client {
  const client = new S3Client({ ...base, endpoint, forcePathStyle: true, ...config });
  afterwards(() => client.destroy());
  return client;
}
const object = { Bucket: 'reports', Key: 'july.pdf' };
const get = (endpoint: string, config?: S3ClientConfig, abortSignal?: AbortSignal) =>
  s3(endpoint, config).send(new GetObjectCommand(object), abortSignal ? { abortSignal } : {});

const xml = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>TX0A</RequestId><HostId>aG9zdA==</HostId></Error>`;
const says = (status: number, code: string, message: string) =>
  reply(status, xml(code, message), { 'content-type': 'application/xml', 'x-amz-request-id': 'TX0A', 'x-amz-id-2': 'aG9zdA==' });

export const s3Cases = casesOf('@aws-sdk/client-s3', [
  {
    id: 'a missing key',
    run: async () => get(await says(404, 'NoSuchKey', 'The specified key does not exist.')),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a missing bucket',
    run: async () =>
      s3(await says(404, 'NoSuchBucket', 'The specified bucket does not exist')).send(new ListObjectsV2Command({ Bucket: 'nope' })),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'a HEAD of a missing key',
    run: async () => s3(await reply(404)).send(new HeadObjectCommand(object)),
    expect: { kind: 'not_found', status: 404 },
  },
  {
    id: 'denied access',
    run: async () => get(await says(403, 'AccessDenied', 'Access Denied')),
    expect: { kind: 'forbidden', status: 403 },
  },
  {
    id: 'an unknown access key',
    run: async () => get(await says(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.')),
    expect: { kind: 'unauthenticated', status: 403 },
  },
  {
    id: 'a wrong signature',
    run: async () =>
      get(
        await says(
          403,
          'SignatureDoesNotMatch',
          'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
        ),
      ),
    expect: { kinds: ['unauthenticated', 'forbidden'], status: 403 },
  },
  {
    id: 'an expired token',
    run: async () => get(await says(400, 'ExpiredToken', 'The provided token has expired.')),
    expect: { kind: 'unauthenticated', status: 400 },
  },
  {
    id: 'a bucket name that is taken',
    run: async () =>
      s3(await says(409, 'BucketAlreadyExists', 'The requested bucket name is not available.')).send(
        new CreateBucketCommand({ Bucket: 'reports' }),
      ),
    expect: { kind: 'conflict', status: 409, retryable: false },
  },
  {
    id: 'a failed precondition',
    run: async () =>
      s3(await says(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')).send(
        new PutObjectCommand({ ...object, Body: 'x', IfNoneMatch: '*' }),
      ),
    expect: { kind: 'conflict', status: 412, retryable: 'either' },
  },
  {
    id: 'an object that is too large',
    run: async () =>
      s3(await says(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')).send(
        new PutObjectCommand({ ...object, Body: 'x' }),
      ),
    expect: { kind: 'too_large', status: 400 },
  },
  {
    id: 'a request to slow down',
    run: async () => get(await says(503, 'SlowDown', 'Please reduce your request rate.')),
    expect: { kinds: ['rate_limited', 'upstream'], status: 503, retryable: true },
  },
  {
    id: 'an internal error',
    run: async () => get(await says(500, 'InternalError', 'We encountered an internal error. Please try again.')),
    expect: { kind: 'upstream', status: 500, retryable: true },
  },
  {
    id: 'a 502 page',
    run: async () => get(await html(502, 'Bad Gateway')),
    expect: { kinds: ['upstream', 'bad_response'], status: 502, retryable: 'either' },
  },
  {
    id: 'XML that stops early',
    run: async () =>
      s3(await reply(200, '<?xml version="1.0"?><ListBucketResult><Contents><Key>a</K', { 'content-type': 'application/xml' })).send(
        new ListObjectsV2Command({ Bucket: 'reports' }),
      ),
    expect: { kind: 'bad_response' },
  },
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  {
    id: 'a timeout',
    run: async () => get(await hang(), { requestHandler: { requestTimeout: 120, throwOnRequestTimeout: true } }),
    expect: timeout,
  },
  { id: "the caller's abort", run: async () => get(await hang(), {}, abortSoon()), expect: cancelled },
  {
    id: 'no credentials at all',
    run: async () => {
      const client = new S3Client({ region: 'eu-central-1', endpoint: await hang(), forcePathStyle: true, maxAttempts: 1 });
      afterwards(() => client.destroy());
      return client.send(new GetObjectCommand(object));
    },
    expect: { kind: 'not_configured' },
  },
  {
    id: 'no region at all',
    run: async () => {
      const { region, ...rest } = base;
      return new S3Client({ ...rest, endpoint: await hang(), forcePathStyle: true }).send(new GetObjectCommand(object));
    },
    expect: { kind: 'not_configured' },
  },
]);

function dynamo(endpoint: string, config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({ ...base, endpoint, ...config });
  afterwards(() => client.destroy());
  return client;
}
const item = { TableName: 'orders', Item: { id: { S: 'o-1' } } };

const answers = async (status: number, type: string, message: string, more: object = {}) => {
  const namespace = /Unrecognized|AccessDenied|Throttling|Validation/.test(type)
    ? 'com.amazon.coral.service'
    : 'com.amazonaws.dynamodb.v20120810';
  const endpoint = await reply(
    status,
    { __type: `${namespace}#${type}`, message, ...more },
    { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'DYN1' },
  );
  return dynamo(endpoint).send(new PutItemCommand(item));
};

export const dynamodbCases = casesOf('@aws-sdk/client-dynamodb', [
  {
    id: 'a condition that does not hold',
    run: () => answers(400, 'ConditionalCheckFailedException', 'The conditional request failed'),
    expect: { kind: 'conflict', status: 400, retryable: false },
  },
  {
    id: 'a used-up throughput',
    run: () =>
      answers(
        400,
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      ),
    expect: { kind: 'rate_limited', status: 400 },
  },
  {
    id: 'throttling',
    run: () => answers(400, 'ThrottlingException', 'Rate of requests exceeds the allowed throughput.'),
    expect: { kind: 'rate_limited', status: 400 },
  },
  {
    id: 'a missing table',
    run: () => answers(400, 'ResourceNotFoundException', 'Requested resource not found'),
    expect: { kind: 'not_found', status: 400 },
  },
  {
    id: 'an item that breaks the key schema',
    run: () => answers(400, 'ValidationException', 'One or more parameter values were invalid: Missing the key pk in the item'),
    expect: { kind: 'invalid_input', status: 400 },
  },
  {
    id: 'a clash of transactions',
    run: () => answers(400, 'TransactionConflictException', 'Transaction is ongoing for the item'),
    expect: { kind: 'conflict', status: 400, retryable: true },
  },
  {
    id: 'a cancelled transaction',
    run: async () => {
      const endpoint = await reply(
        400,
        {
          __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
          Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, None]',
          CancellationReasons: [{ Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }, { Code: 'None' }],
        },
        { 'content-type': 'application/x-amz-json-1.0' },
      );
      return dynamo(endpoint).send(new TransactWriteItemsCommand({ TransactItems: [{ Put: item }] }));
    },
    expect: { kind: 'conflict', status: 400, retryable: 'either' },
  },
  {
    id: 'a security token that is not valid',
    run: () => answers(400, 'UnrecognizedClientException', 'The security token included in the request is invalid.'),
    expect: { kind: 'unauthenticated', status: 400 },
  },
  {
    id: 'a user who is not authorised',
    run: () =>
      answers(400, 'AccessDeniedException', 'User: arn:aws:iam::123456789012:user/agent is not authorized to perform: dynamodb:PutItem'),
    expect: { kind: 'forbidden', status: 400 },
  },
  {
    id: 'a table that is being created',
    run: () => answers(400, 'ResourceInUseException', 'Attempt to change a resource which is still in use: Table is being created: orders'),
    expect: { kinds: ['conflict', 'not_ready'], status: 400, retryable: 'either' },
  },
  {
    id: 'an item collection that is too large',
    run: () => answers(400, 'ItemCollectionSizeLimitExceededException', 'Item collection size limit of 10 GB exceeded'),
    expect: { kind: 'too_large', status: 400 },
  },
  {
    id: 'an account limit',
    run: () => answers(400, 'RequestLimitExceeded', 'Throughput exceeds the current throughput limit for your account.'),
    expect: { kinds: ['rate_limited', 'budget_exhausted'], status: 400, retryable: 'either' },
  },
  {
    id: 'an internal error',
    run: () => answers(500, 'InternalServerError', 'Internal server error'),
    expect: { kind: 'upstream', status: 500, retryable: true },
  },
  {
    id: 'a closed port',
    run: async () => dynamo(await refused()).send(new GetItemCommand({ TableName: 'orders', Key: { id: { S: '1' } } })),
    expect: unreachable,
  },
]);
