// All faults in every framework, through its adapter and in tools that were written for it. Usage: node scripts/run.mjs proof battery
import process from 'node:process';
import { runVitest } from '../run-vitest.ts';

process.exitCode = runVitest(['--project', 'proof', 'proofs/battery']);
