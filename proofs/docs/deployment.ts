import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const block = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8'),
  )?.[1] ?? '';

/** The command with which the Dockerfile of the docs starts, and the variables that it sets. */
export function readDockerfile(): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const text = block('deployment', 'dockerfile');
  return {
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]') as string[],
    env: Object.fromEntries([...text.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])),
  };
}

/** The command of the systemd unit. */
export function readUnit(): readonly string[] {
  return (/^ExecStart=(.*)$/m.exec(block('deployment', 'ini'))?.[1] ?? '').split(' ');
}

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly ports?: readonly { readonly targetPort: number }[];
    readonly template?: { readonly spec: { readonly containers: readonly Record<string, unknown>[] } };
  };
}

/** The manifests for Kubernetes. Throws for text that is no YAML. */
export function readManifests(): readonly Manifest[] {
  return parseAllDocuments(block('deployment', 'yaml')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** The commands of the workflow for CI, apart from those that install. */
export function readWorkflow(): readonly string[] {
  const [document] = parseAllDocuments(block('testing', 'yaml'));
  if (document === undefined || document.errors.length > 0) throw document?.errors[0];
  const { jobs } = document.toJS() as { jobs: { check: { steps: { run?: string }[] } } };
  return jobs.check.steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]));
}
