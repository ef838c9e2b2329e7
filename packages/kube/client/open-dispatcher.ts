// SPDX-License-Identifier: Apache-2.0
import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';

/** How an API server is reached; certificates and keys are PEM. */
export interface DispatcherOptions {
  /** Like `https://127.0.0.1:6443`; its host is what the server's certificate must name. */
  server: string;
  ca?: string | undefined;
  /** The name that the server's certificate must have, in place of the server's host. */
  tlsServerName?: string | undefined;
  /** Accepts any certificate of the server. */
  insecureSkipTlsVerify?: boolean | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  /** Connects to this Unix socket instead of the server's host and port. */
  socketPath?: string | undefined;
  /** Connects through this HTTP or HTTPS proxy, by CONNECT, with its user and password if it has any. */
  proxyUrl?: string | undefined;
}

/** The connections to an API server. */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { server, ca, insecureSkipTlsVerify, cert, key, socketPath, proxyUrl } = options;
  const common = {
    allowH2: false,
    // A watch may be silent for a minute; TCP keep-alive detects a dead peer sooner.
    keepAliveInitialDelay: 15_000,
    ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }),
  };
  const connect = {
    ...common,
    // Shared by all connections, so that certificates are parsed once.
    secureContext: createSecureContext({ ca, cert, key }),
    ...nameCheck(options),
    ...(socketPath !== undefined && { socketPath }),
  };
  // Loaded on first use: they cost more start-up time than everything else here.
  if (proxyUrl === undefined) {
    const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
    return new Pool(new URL(server).origin, { connect });
  }
  const { ProxyAgent } = await import('undici');
  // As in client-go, the certificate authority of the cluster also applies to an HTTPS proxy.
  const proxyTls = { ...common, secureContext: createSecureContext({ ca }) };
  return new ProxyAgent({ uri: proxyUrl, requestTls: connect, proxyTls });
}

/** TLS options to expect another name than the host's; an IP address cannot be sent as server name, only compared. */
function nameCheck({
  tlsServerName: name,
}: DispatcherOptions): Pick<ConnectionOptions, 'servername' | 'checkServerIdentity'> {
  if (name === undefined) return {};
  return isIP(name) ? { checkServerIdentity: (_, peer) => checkServerIdentity(name, peer) } : { servername: name };
}
