// SPDX-License-Identifier: Apache-2.0
import { isKeyOf, isSignedBy, readCertificate, type CertificateContent } from '@forge/pki/read-certificate.ts';
import { minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import type { ServerHosts } from './server-hosts.ts';
import type { StoredCertificates, StoredPair } from './stored-certificates.ts';

/** Why a certificate is issued, and a sentence that explains it to users. */
interface PlannedChange {
  readonly reason: 'Missing' | 'Unreadable' | 'Expiring' | 'NotSigned' | 'HostMissing';
  readonly message: string;
}

/** What to change about the certificates of a cluster. */
export interface CertificatePlan {
  /** Why a new CA is generated; undefined when it stays. */
  readonly authority: PlannedChange | undefined;
  /** Why a server certificate is issued; undefined when the existing one stays. */
  readonly server: PlannedChange | undefined;
  /** When the next change is due if both stay, in milliseconds since the epoch; otherwise undefined. */
  readonly dueAt: number | undefined;
}

/** What the certificates must be. */
export interface WantedCertificates {
  readonly hosts: ServerHosts;
  /** A server certificate that lasts no longer than this is replaced. */
  readonly rotationPeriod: Duration;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How long certificates last. */
export const authorityDays = 3650;
export const serverDays = 365;

/** A CA that lasts no longer than a server certificate is replaced: no certificate may outlive its CA. */
const authorityRotation = minutes(serverDays * 24 * 60);

/**
 * Decides which certificates of a cluster to make. A server certificate may have more names than are wanted, so that a
 * smaller cluster keeps it.
 */
export function planCertificates(
  { authority, server }: StoredCertificates,
  { hosts, rotationPeriod, now }: WantedCertificates,
): CertificatePlan {
  const authorityContent = contentOf(authority);
  const newAuthority =
    problemOf(authority, authorityContent, 'CA') ??
    (authorityContent?.isAuthority === false
      ? change('Unreadable', 'The CA is not the certificate of a CA')
      : undefined) ??
    expiring(authorityContent, authorityRotation, now, 'CA');
  const serverContent = contentOf(server);
  const newServer =
    problemOf(server, serverContent, 'server certificate') ??
    (newAuthority === undefined ? unsigned(server, authority) : change('NotSigned', 'The CA is replaced')) ??
    missingHost(serverContent, hosts) ??
    expiring(serverContent, rotationPeriod, now, 'server certificate');
  const dueAt = Math.min(
    (authorityContent?.notAfter ?? now) - authorityRotation,
    (serverContent?.notAfter ?? now) - rotationPeriod,
  );
  return {
    authority: newAuthority,
    server: newServer,
    dueAt: newAuthority === undefined && newServer === undefined ? dueAt : undefined,
  };
}

function change(reason: PlannedChange['reason'], message: string): PlannedChange {
  return { reason, message };
}

function problemOf(
  pair: StoredPair | undefined,
  content: CertificateContent | undefined,
  what: string,
): PlannedChange | undefined {
  if (pair === undefined) return change('Missing', `There is no ${what}`);
  if (content === undefined) return change('Unreadable', `The ${what} cannot be read`);
  const isOwn = isKeyOf({ cert: pair.certificate, key: pair.key.reveal() });
  return isOwn ? undefined : change('Unreadable', `The key of the ${what} is not its key, or cannot be read`);
}

function unsigned(server: StoredPair | undefined, authority: StoredPair | undefined): PlannedChange | undefined {
  if (server === undefined || authority === undefined) return undefined;
  const isSigned = isSignedBy(server.certificate, authority.certificate);
  return isSigned ? undefined : change('NotSigned', 'The server certificate is not signed by the CA');
}

function missingHost(content: CertificateContent | undefined, hosts: ServerHosts): PlannedChange | undefined {
  if (content === undefined) return undefined;
  // Names are compared without regard to case.
  const known = new Set([...content.names, ...content.addresses].map((each) => each.toLowerCase()));
  const missing = [...hosts.names, ...hosts.addresses].filter((each) => !known.has(each.toLowerCase()));
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return missing.length === 0
    ? undefined
    : change('HostMissing', `The server certificate does not have ${missing[0]}${more}`);
}

function expiring(
  content: CertificateContent | undefined,
  remaining: Duration,
  now: number,
  what: string,
): PlannedChange | undefined {
  if (content === undefined || content.notAfter - now > remaining) return undefined;
  return change('Expiring', `The ${what} ends at ${new Date(content.notAfter).toISOString().replace('.000', '')}`);
}

function contentOf(pair: StoredPair | undefined): CertificateContent | undefined {
  if (pair === undefined) return undefined;
  try {
    return readCertificate(pair.certificate);
  } catch {
    return undefined;
  }
}
