// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';

/** The TLS options of `serve`. */
export interface ServerTls {
  cert: string;
  key: string;
  clientCa: string;
}

/** The TLS options of a client. */
export interface ClientTls {
  ca: string;
  cert: string;
  key: string;
}

/** A certificate authority with one server on this machine and one administrator. */
export function benchCertificates(): { server: ServerTls; client: ClientTls } {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ name: 'bench', ...validity });
  const server = issueServerCertificate(authority, { names: ['localhost'], addresses: ['127.0.0.1'], ...validity });
  const client = issueClientCertificate(authority, { user: 'admin', groups: ['system:masters'], ...validity });
  return { server: { ...server, clientCa: authority.cert }, client: { ...client, ca: authority.cert } };
}

/** A server in another process. */
export interface ServerProcess {
  port: number;
  send(message: object | string): void;
  /** The next message of the process. */
  next<T>(): Promise<T>;
  stop(): Promise<void>;
}

/** Starts a server program and waits for its port. */
export async function startServerProcess(
  program: URL,
  tls: ServerTls,
  ...args: readonly string[]
): Promise<ServerProcess> {
  const child: ChildProcess = fork(fileURLToPath(program), args, { execArgv: [] });
  const exited = once(child, 'exit');
  const next = async <T>(): Promise<T> => {
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [T];
    if (child.exitCode !== null) throw new Error(`${program.pathname} has exited: run it by itself to see why`);
    return message;
  };
  child.send(tls);
  return {
    port: await next(),
    send: (message) => void child.send(message),
    next,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
