// SPDX-License-Identifier: Apache-2.0
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from './package.json' with { type: 'json' };
import { startServer } from './start-server.ts';
import { CliError, report } from './terminal/cli-error.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { stopSignal } from './terminal/stop-signal.ts';

const help = `Usage: forge-apiserver [options]

A Kubernetes API server for developing and testing controllers, in any language: no nodes, no etcd.

Options:
  --port <number>      port on 127.0.0.1 (default: a free one)
  --data <dir>         keep objects in this folder (default: in memory only)
  --kubeconfig <file>  where to write the administrator's kubeconfig
                       (default: kubeconfig in the data folder, or a temporary file)
  --version            print the version
  --help               print this text

Exit codes: 0 stopped, 1 failed, 2 wrong usage, 4 the data folder is in use, 130 stopped at once by a second signal.`;

try {
  await main();
} catch (error) {
  report(error);
}

async function main(): Promise<void> {
  const { values } = usage(() =>
    parseArgs({
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        kubeconfig: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help === true) return console.log(help);
  if (values.version === true) return console.log(manifest.version);
  const stopping = stopSignal('Stopped before the server was ready.');
  const { port, data, kubeconfig } = values;
  const server = await startServer({ port: portOf(port), data, kubeconfig, onDown: stopping.stop });
  console.log(`Kubernetes API at ${server.url}

  export KUBECONFIG=${server.kubeconfig}
  kubectl api-resources

Ctrl-C stops it${data === undefined ? ', and all objects are gone' : `; the objects stay in ${resolve(data)}`}.`);
  void stopping.stopped.then(() => server.stop()).catch(report);
}

function portOf(text = '0'): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CliError(`--port ${text}: a port is a number from 0 to 65535; 0 takes a free one.`, exitCodes.usage.code);
}

function usage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new CliError(`${(error as Error).message}\nSee forge-apiserver --help.`, exitCodes.usage.code);
  }
}
