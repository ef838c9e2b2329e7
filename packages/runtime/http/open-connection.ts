// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type SecureContext } from 'node:tls';
import type { Attempt } from './attempt.ts';
import type { Dial } from './dial.ts';
import type { ServerTrust } from './server-trust.ts';

interface ConnectionOptions {
  dial: Dial;
  secureContext: (trust: ServerTrust) => SecureContext;
  trust: ServerTrust;
}

/** Opens a connection for HTTP to the host of a URL. */
export async function openConnection(url: URL, options: ConnectionOptions, attempt: Attempt): Promise<Duplex> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const connection = await dialled(host, port, options.dial, attempt);
  return isSecure ? secured(connection, options.trust.serverName ?? host, options, attempt) : connection;
}

async function dialled(host: string, port: number, dial: Dial, attempt: Attempt): Promise<Duplex> {
  attempt.phase = 'connect';
  try {
    attempt.signal.throwIfAborted();
    const connection = await untilAborted(dial(host, port, attempt.signal), attempt.signal);
    // Errors surface through the layers above; later ones do not matter.
    return connection.on('error', () => undefined);
  } catch (error) {
    const code = codeOf(error) ?? '';
    const isUnresolved = code === 'ENOTFOUND' || code.startsWith('EAI_');
    throw attempt.errorOf(
      error,
      isUnresolved ? { kind: 'not-resolvable', host } : { kind: 'connect-failed', host, port },
    );
  }
}

async function secured(
  connection: Duplex,
  serverName: string,
  { secureContext, trust }: ConnectionOptions,
  attempt: Attempt,
): Promise<Duplex> {
  attempt.phase = 'tls';
  const socket = connect({
    socket: connection,
    secureContext: secureContext(trust),
    // The name that the certificate must have; TLS cannot ask for an IP address.
    host: serverName,
    ...(isIP(serverName) === 0 && { servername: serverName }),
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('error', () => undefined).on('close', () => connection.destroy());
  try {
    await once(socket, 'secureConnect', { signal: attempt.signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw attempt.errorOf(error, { kind: 'tls-failed', serverName });
  }
}

/** A dialler may ignore the signal: a connection that opens too late is closed. */
async function untilAborted(dialling: Promise<Duplex>, signal: AbortSignal): Promise<Duplex> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([dialling, aborted.promise]);
  } catch (error) {
    dialling.then(
      (late) => late.on('error', () => undefined).destroy(),
      () => undefined,
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The system's error code; a dialler may wrap it as the cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
