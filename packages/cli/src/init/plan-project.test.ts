import { describe, expect, test } from 'vitest';
import { frameworks } from './frameworks.ts';
import { type Project, planProject } from './plan-project.ts';

const empty: Project = { packageFile: undefined, folder: 'shop', files: [], version: '1.2.3' };
const npmInit: Project = {
  ...empty,
  packageFile: { name: 'shop', type: 'commonjs', scripts: { test: 'echo "Error: no test specified" && exit 1' } },
  files: ['package.json'],
};

test('an empty folder gets a tool, its test, settings for both and a package', () => {
  const { files, packageFile, kept } = planProject(empty);
  expect(Object.keys(files)).toEqual(['tools.ts', 'tools.test.ts', 'toolpact.config.ts', 'tsconfig.json']);
  expect(kept).toEqual([]);
  expect(packageFile).toEqual({
    name: 'shop',
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: { dev: 'toolpact dev', check: 'toolpact check', test: 'node --test tools.test.ts' },
    dependencies: { toolpact: '^1.2.3', zod: '^4.2.0' },
    devDependencies: { '@toolpact/cli': '^1.2.3', '@toolpact/testing': '^1.2.3', '@types/node': '^22.0.0' },
  });
});

test('what npm writes by itself is replaced: the missing test and the type', () => {
  const { packageFile, changes } = planProject(npmInit);
  expect(packageFile).toMatchObject({ type: 'module', scripts: { test: 'node --test tools.test.ts' } });
  expect(changes).toContain('type: module');
});

test('nothing of the author is replaced', () => {
  const packageFile = {
    name: 'shop',
    scripts: { dev: 'vite', test: 'vitest' },
    dependencies: { zod: '^4.6.0' },
    devDependencies: { vitest: '5.1.0', toolpact: '^1.0.0', '@toolpact/cli': '^1.0.0' },
  };
  const plan = planProject({ ...empty, packageFile, files: ['tools.ts', 'index.js'] });
  expect(plan.kept).toEqual(['tools.ts']);
  expect(plan.packageFile).toEqual({
    ...packageFile,
    scripts: { dev: 'vite', test: 'vitest', 'tools:dev': 'toolpact dev', check: 'toolpact check' },
  });
  // The test would import a tool that is not there.
  expect(Object.keys(plan.files)).toEqual(['toolpact.config.ts']);
  expect(plan.notes[0]).toContain('index.js');
});

test('a project with vitest gets a test for it', () => {
  const plan = planProject({ ...empty, packageFile: { scripts: { test: 'vitest' }, devDependencies: { vitest: '5.1.0' } } });
  expect(plan.files['tools.test.ts']).toContain("from 'vitest'");
  expect(plan.packageFile.scripts).toMatchObject({ test: 'vitest', 'tools:test': 'vitest run' });
});

test('tools in another usual place are kept, and the settings name them', () => {
  const plan = planProject({ ...empty, files: ['src', 'src/tools.ts'] });
  expect([Object.keys(plan.files), plan.kept]).toEqual([['toolpact.config.ts'], ['src/tools.ts']]);
  expect(plan.files['toolpact.config.ts']).toContain("tools: 'src/tools.ts'");
});

test.each(['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json'])('a project with %s keeps its settings for the compiler', (name) => {
  const { files, kept } = planProject({ ...empty, files: [name] });
  expect([Object.keys(files), kept]).toEqual([['tools.ts', 'tools.test.ts', 'toolpact.config.ts'], []]);
});

test('a second time there is nothing to do', () => {
  const first = planProject(npmInit);
  const files = [...Object.keys(first.files), 'package.json', 'AGENTS.md'];
  const second = planProject({ ...npmInit, packageFile: first.packageFile, files, agentsFile: first.agentsFile ?? '' });
  expect([second.changes, Object.keys(second.files), second.agentsFile]).toEqual([[], [], undefined]);
});

test('what coding agents read is added to what the author tells them', () => {
  expect(planProject(empty).agentsFile).toMatch(/^## Tools \(Toolpact\)\n/);
  expect(planProject({ ...empty, agentsFile: '# House rules\n\nBe brief.\n' }).agentsFile).toMatch(
    /^# House rules\n\nBe brief\.\n\n## Tools \(Toolpact\)\n[\s\S]*skills\/toolpact\/SKILL\.md/,
  );
});

describe.each(frameworks)('a project with $package', (framework) => {
  test('gets the line of its framework', () => {
    const plan = planProject({ ...npmInit, packageFile: { dependencies: { [framework.package]: '1.0.0' } } });
    expect(plan.framework).toBe(framework);
    expect(plan.files['tools.ts']).toContain(`from 'toolpact/adapters/${framework.from}'`);
    expect(plan.files['tools.ts']).toContain(framework.line);
  });
});
