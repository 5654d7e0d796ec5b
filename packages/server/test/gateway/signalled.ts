import { spawn } from 'node:child_process';
import process from 'node:process';
import * as sdk from '@modelcontextprotocol/client';
import { createProcessTransport } from '../../src/gateway/process-transport.ts';

// Starts a program that ignores the end of its input, and prints its id; with an argument, listens for Ctrl-C once.
const [listens] = process.argv.slice(2);
const stays = "require('node:net').createServer().listen(0, '127.0.0.1')";
const transport = createProcessTransport({ command: process.execPath, args: ['-e', stays], env: {} }, spawn, sdk, () => undefined);
await transport.start();
if (listens !== undefined)
  process.once('SIGINT', () => {
    void transport.close().then(() => {
      console.log('closed');
      process.exit(0);
    });
  });
console.log(transport.pid);
