// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { backendAddress } from '../servers/backend-server.ts';

/** Whether this process can listen on the address that the pods of cases have. */
export function isInPrivateNetwork(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.some(({ address }) => address === backendAddress.host);
}

/** Runs a command in a network namespace with loopback and that address only; resolves with its exit code. */
export async function inPrivateNetwork(command: readonly string[]): Promise<number> {
  const script = `ip link set lo up && ip address add ${backendAddress.host}/32 dev lo && exec "$@"`;
  const args = ['--map-root-user', '--net', 'sh', '-c', script, 'sh', ...command];
  const child = spawn('unshare', args, { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
