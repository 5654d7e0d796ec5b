// The proofs: runs that take too long for the test command. One table gives the help, the options and their defaults.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './build.mjs';
import { installKillBattery, installPeers } from './peers.mjs';
import { root, runInherited, sourceArguments } from './run-step.mjs';

const store = { about: 'the only store to use', oneOf: ['sqlite', 'postgres'] };

/** `takes` is a rough guide, on two cores and with the default options; `needsHosts` installs the durable frameworks of proofs/kill, too. */
const proofs = {
  pauses: {
    file: 'proofs/crash/prove-pauses.ts',
    about: 'stops processes for longer than their lease: no step runs twice',
    takes: '3 min',
    options: { pauses: { about: 'how many pauses on each store', number: 500 }, store },
  },
  crashes: {
    file: 'proofs/crash/prove-crashes.ts',
    about: 'kills processes at any moment: no effect is lost or doubled, no answer changes',
    takes: '5 min',
    options: { kills: { about: 'how many kills on each store', number: 200 }, store },
  },
  steps: {
    file: 'proofs/crash/prove-steps.ts',
    about: 'kills processes at 22 moments around five steps and their end: a worker ends every order, no step that writes runs twice',
    takes: '3 min',
    options: { orders: { about: 'how many orders on each store', number: 200 }, store },
  },
  restate: {
    file: 'packages/restate/test/prove-restate.ts',
    about: 'kills workers of Restate at 15 moments around five steps: no step that writes runs twice',
    takes: '10 min',
    options: { kills: { about: 'how many kills', number: 200 } },
  },
  fleet: {
    file: 'proofs/fleet/prove-fleet.ts',
    about: 'kills and restarts the members of fleets: every call is answered, no step that writes runs twice',
    takes: '10 min',
    options: {
      calls: { about: 'how many calls are in flight', number: 50 },
      away: { about: 'how many seconds PostgreSQL is stopped', number: 20 },
      only: { about: 'the only fleet to use', oneOf: ['postgres', 'restate'] },
    },
  },
  simulation: {
    file: 'proofs/simulation/simulate.ts',
    about: 'simulates processes, faults and people with seeds that nobody has run, and keeps those that break something',
    takes: '5 min',
    options: { new: { about: 'how many seeds', number: 10_000 } },
  },
  calls: {
    file: 'proofs/many-calls/prove-many.ts',
    about: 'lists a million calls, lets thousands wait, takes over and resumes thousands that a dead process left: within stated bounds',
    takes: '20 min',
    options: {
      calls: { about: 'how many calls are listed', number: 1_000_000 },
      waiting: { about: 'how many calls are waited for', number: 2_000 },
      left: { about: 'how many calls a dead process leaves', number: 10_000 },
      store,
    },
  },
  load: {
    file: 'proofs/load/prove-load.ts',
    about: 'holds a server under hostile load: heap and disk stay within their bounds, ordinary calls are answered',
    takes: '10 min',
    options: { seconds: { about: 'how long', number: 600 } },
  },
  battery: {
    file: 'proofs/battery/prove-battery.ts',
    about: '47 faults in every framework, through its adapter and in tools of its own: each run goes on, and the model reads the truth',
    takes: '2 min',
    options: {},
  },
  kill: {
    file: 'proofs/kill/prove-kills.ts',
    needsHosts: true,
    about: 'kills durable frameworks around a payment: with Toolpact nothing is paid twice or lost, and nobody is told what is not true',
    takes: '15 min, with downloads',
    options: {},
  },
  'workflow-engines': {
    file: 'proofs/kill/workflow-engines/prove-workflow-engines.ts',
    needsHosts: true,
    about: 'runs tools in steps of workflow engines as their page shows: refusals are tried again, a payment whose answer was lost is not',
    takes: '2 min, with downloads',
    options: { only: { about: 'the only engine to use', oneOf: ['vercel-workflow', 'inngest', 'temporal', 'dbos'] } },
  },
  'tool-search': {
    file: 'proofs/tool-search/prove-tool-search.ts',
    about: 'searches the tools of published APIs in the words of users, beside the rankings of others; measures time and tokens',
    takes: '1 min, with downloads',
    options: {},
  },
  gateway: {
    file: 'proofs/gateway/prove-gateway.ts',
    about: 'a plain call through the gateway costs at most 1.3 times the shortest proxy by hand, and its memory stays flat',
    takes: '10 min',
    options: {
      calls: { about: 'how many calls the memory is watched over', number: 100_000 },
      round: { about: 'how many calls a round of the comparison has', number: 2_000 },
    },
  },
  'gateway-servers': {
    file: 'proofs/gateway/prove-servers.ts',
    about: 'puts the gateway before published MCP servers: wrong arguments reach none of them, right ones are answered as without it',
    takes: '3 min, with downloads',
    options: { only: { about: 'the only package to try, such as @playwright/mcp' } },
  },
  properties: {
    file: 'proofs/prove-properties.ts',
    about: 'tries what must hold for any input, history, schema or outcome with many new ones',
    takes: '5 min',
    options: { times: { about: 'how many times as many as a test names', number: 10 } },
  },
  installs: {
    file: 'proofs/prove-installs.ts',
    about:
      'installs the library alone, all packages together, and the library beside every framework and every two of them, in fresh projects: there is no conflict, and all of it works',
    takes: '15 min, with downloads',
    options: { only: { about: 'the only part', oneOf: ['alone', 'all', 'each', 'pairs'] } },
  },
  runtimes: {
    file: 'proofs/prove-runtimes.ts',
    about: 'runs the packages in Bun, Deno, workerd and Next.js: calls, guards, stores, servers, clients and MCP work there as in Node',
    takes: '10 min, with downloads',
    options: { only: { about: 'the only runtime to use', oneOf: ['node', 'bun', 'deno', 'workerd', 'next'] } },
  },
};

/** Runs one proof, or all of them one after the other; gives the exit code. Everything is checked before anything runs. */
export async function prove([name, ...words]) {
  if ([name, ...words].some((word) => word === '--help' || word === '-h') || name === 'help') {
    console.log(help());
    return 0;
  }
  const read = readProofs(name, words);
  if ('problem' in read) {
    console.error(`${read.problem}\n\n${help()}`);
    return 1;
  }
  // Some pack or run what is built.
  const install = read.chosen.some(({ name }) => proofs[name].needsHosts) ? installKillBattery : installPeers;
  const failed = (await buildIfStale()) || (await install());
  if (failed) return failed;
  const broken = [];
  for (const [index, { name, words }] of read.chosen.entries()) {
    const { file, about, takes } = proofs[name];
    console.log(`proof ${index + 1} of ${read.chosen.length}, ${name}: ${about} (about ${takes} with the default options)`);
    const startedAt = performance.now();
    const code = runInherited([...sourceArguments, join(root, file), ...words]);
    if (code !== 0) broken.push(name);
    console.log(`proof ${index + 1} of ${read.chosen.length}, ${name}: ${code === 0 ? 'held' : 'BROKEN'} after ${seconds(startedAt)} s\n`);
  }
  console.log(broken.length === 0 ? 'every proof held' : `broken: ${broken.join(', ')}`);
  return broken.length === 0 ? 0 : 1;
}

/** Reads what the command asks for: the proofs with all their options, or a sentence about what is wrong. */
function readProofs(name, words) {
  if (name === undefined) return { chosen: Object.keys(proofs).map((each) => ({ name: each, words: wordsOf(each, {}) })) };
  if (name.startsWith('-')) return { problem: `Options come after the name of a proof: ${name} belongs to none.` };
  if (!Object.hasOwn(proofs, name)) return { problem: `There is no proof "${name}".` };
  const { options } = proofs[name];
  try {
    const asStrings = Object.fromEntries(Object.keys(options).map((option) => [option, { type: 'string' }]));
    const { values } = parseArgs({ args: words, options: asStrings });
    for (const [option, value] of Object.entries(values)) {
      const { number, oneOf } = options[option];
      if (number !== undefined && !/^[1-9]\d*$/.test(value))
        return { problem: `--${option} must be a whole number from 1, not "${value}".` };
      if (oneOf !== undefined && !oneOf.includes(value)) return { problem: `--${option} must be ${oneOf.join(' or ')}, not "${value}".` };
    }
    return { chosen: [{ name, words: wordsOf(name, values) }] };
  } catch (error) {
    return { problem: error.message };
  }
}

/** Writes every option out, so that the programs need no defaults of their own. */
function wordsOf(name, values) {
  return Object.entries(proofs[name].options).flatMap(([option, { number }]) => {
    const value = values[option] ?? number;
    return value === undefined ? [] : [`--${option}`, String(value)];
  });
}

function help() {
  const lines = Object.entries(proofs).flatMap(([name, { about, takes, options }]) => [
    `  ${name.padEnd(16)} ${about} (about ${takes})`,
    ...Object.entries(options).map(
      ([option, { about, number, oneOf }]) =>
        `    --${option.padEnd(9)} ${about}${number === undefined ? '' : `; ${number} unless stated`}${oneOf === undefined ? '' : `: ${oneOf.join(' or ')}`}`,
    ),
  ]);
  return ['Usage: npm run proof -- [name] [options]', '', 'Runs all proofs one after the other, or the one named:', '', ...lines].join(
    '\n',
  );
}

function seconds(startedAt) {
  return Math.round((performance.now() - startedAt) / 1000);
}
