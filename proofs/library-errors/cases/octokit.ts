import { request } from '@octokit/request';
import { cancelled, casesOf, unreachable } from '../error-case.ts';
import { abortSoon, hang, html, refused, reply, reset } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const get = (baseUrl: string, signal?: AbortSignal) =>
  request('GET /repos/{owner}/{repo}', {
    baseUrl,
    owner: 'octo',
    repo: 'cat',
    access_token: secrets.token,
    headers: { authorization: `token ${secrets.token}` },
    request: signal ? { signal } : {},
  });

const says = async (status: number, message: string, headers = {}, more = {}) =>
  get(
    await reply(
      status,
      { message, documentation_url: 'https://docs.github.com/rest/repos/repos', status: String(status), ...more },
      { 'x-github-request-id': 'AB12:3C4D', ...headers },
    ),
  );

export const octokitCases = casesOf('@octokit/request', [
  { id: 'a 401', run: () => says(401, 'Bad credentials'), expect: { kind: 'unauthenticated', status: 401 } },
  {
    id: 'a 403',
    run: () => says(403, 'Resource not accessible by personal access token', { 'x-ratelimit-remaining': '4987' }),
    expect: { kind: 'forbidden', status: 403 },
  },
  {
    id: 'the primary rate limit',
    run: () =>
      says(403, 'API rate limit exceeded for user ID 1.', {
        'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 60),
      }),
    expect: { kind: 'rate_limited', status: 403, retryable: true, retryAfterMs: 60_000 },
  },
  {
    id: 'the secondary rate limit',
    run: () =>
      says(403, 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.', {
        'retry-after': '60',
        'x-ratelimit-remaining': '4321',
      }),
    expect: { kind: 'rate_limited', status: 403, retryable: true, retryAfterMs: 60_000 },
  },
  { id: 'a 404', run: () => says(404, 'Not Found'), expect: { kind: 'not_found', status: 404 } },
  { id: 'a merge conflict', run: () => says(409, 'Merge conflict'), expect: { kind: 'conflict', status: 409, retryable: 'either' } },
  {
    id: 'a 422',
    run: () => says(422, 'Validation Failed', {}, { errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] }),
    expect: { kind: 'invalid_input', status: 422 },
  },
  {
    id: 'a 422 that means it already exists',
    run: () =>
      says(
        422,
        'Validation Failed',
        {},
        { errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for octo:fix.' }] },
      ),
    expect: { kinds: ['conflict', 'invalid_input'], status: 422, retryable: false },
  },
  {
    id: 'a repository that is blocked for legal reasons',
    run: () => says(451, 'Repository access blocked'),
    expect: { kinds: ['forbidden', 'denied', 'not_found'], status: 451 },
  },
  { id: 'a 500', run: () => says(500, 'Server Error'), expect: { kind: 'upstream', status: 500, retryable: true } },
  { id: 'a 502 page', run: async () => get(await html(502, 'Bad Gateway')), expect: { kind: 'upstream', status: 502, retryable: true } },
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'a reset', run: async () => get(await reset()), expect: unreachable },
  { id: "the caller's abort", run: async () => get(await hang(), abortSoon()), expect: cancelled },
]);
