// SPDX-License-Identifier: Apache-2.0
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from './server-process.ts';

/** The cost that a program, started with these parameters, reports of itself once the server has made these changes. */
export async function costInProcess<Cost>(
  program: URL,
  parameters: object,
  { server, changes }: { server: ServerProcess; changes: object },
): Promise<Cost> {
  const child = fork(fileURLToPath(program), { execArgv: ['--expose-gc'] });
  const exited = once(child, 'exit');
  const next = async <T>(): Promise<T> => {
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [T];
    if (child.exitCode !== null) throw new Error(`${program.pathname} ended early: ${JSON.stringify(parameters)}`);
    return message;
  };
  child.send(parameters);
  await next();
  server.send(changes);
  const cost = await next<Cost>();
  child.send('stop');
  await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 1000))]);
  child.kill('SIGKILL');
  return cost;
}
