// SPDX-License-Identifier: Apache-2.0
import type { TLSSocket } from 'node:tls';
import type { User } from '../messages/server-request.ts';
import { authenticated } from './authenticate.ts';

/** The user of a client certificate: common name, and organizations as groups. */
export function certificateUser(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const { CN, O } = subject as { CN?: string; O?: string | string[] };
  if (CN === undefined) return undefined;
  const credential = `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`;
  const extra = { 'authentication.kubernetes.io/credential-id': [credential] };
  return authenticated({ name: CN, groups: [O ?? []].flat(), extra });
}
