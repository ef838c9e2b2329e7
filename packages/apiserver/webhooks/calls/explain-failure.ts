// SPDX-License-Identifier: Apache-2.0
import { isIP } from 'node:net';
import type { WebhookCall } from './call-webhook.ts';

interface Failure extends Error {
  code?: string;
  /** The peer's certificate, when it is for another name. */
  cert?: { subjectaltname?: string };
}

/** Why a webhook could not be reached, worded as kube-apiserver does. */
export function explainFailure(
  { code = '', message, cert }: Failure,
  { address: { host, port }, serverName }: Pick<WebhookCall, 'address' | 'serverName'>,
): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${host}:${port}: connect: connection refused`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return unverified(otherName(serverName, cert?.subjectaltname));
    case 'CERT_HAS_EXPIRED':
      return unverified('certificate has expired or is not yet valid');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return unverified('certificate signed by unknown authority');
    default:
      return message;
  }
}

function otherName(wanted: string, names = ''): string {
  const isAddress = isIP(wanted) !== 0;
  const sort = isAddress ? 'IP Address:' : 'DNS:';
  const known = names.split(', ').flatMap((name) => (name.startsWith(sort) ? [name.slice(sort.length)] : []));
  if (known.length > 0) return `certificate is valid for ${known.join(', ')}, not ${wanted}`;
  return isAddress
    ? `cannot validate certificate for ${wanted} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${wanted}`;
}

function unverified(why: string): string {
  return `tls: failed to verify certificate: x509: ${why}`;
}
