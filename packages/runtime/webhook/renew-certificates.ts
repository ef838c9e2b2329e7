// SPDX-License-Identifier: Apache-2.0
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { backdated, type KeyPair } from '@forge/pki/certificate.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Keys } from '@forge/pki/keys.ts';

/** What the certificates of a webhook server consist of, all PEM. */
export interface StoredCertificates {
  /** Authorities to be trusted, the newest first. */
  authorities: readonly string[];
  /** The key of the newest authority. */
  authorityKey: string;
  serving: KeyPair;
}

/** For whom certificates are, at which time, and what they are made of. */
export interface RenewalContext {
  /** Names and addresses. */
  hosts: readonly string[];
  now: number;
  keys: Keys;
}

const day = 86_400_000;
const authorityDays = 730;
const servingDays = 90;

/** What has lived so long is renewed. */
const renewedAfter = 2 / 3;

/** So long everybody is told of a new authority before it signs what is served. */
const trustedAfter = 3_600_000;

/** So long an authority is trusted after nothing it signed is served any more. */
const forgottenAfter = day;

/**
 * The certificates as they should be on this occasion, and when to look again.
 *
 * Guarantees: what is served is signed by an authority that has been among the trusted ones for an hour at least, from
 * the second certificate on; it never expires, provided that somebody looks when asked to.
 */
export function renewCertificates(
  kept: StoredCertificates | undefined,
  occasion: RenewalContext,
): { certificates: StoredCertificates; lookAt: number } {
  const known = kept !== undefined && isReadable(kept) ? kept : createInitial(occasion);
  const certificates = dropOldAuthorities(renewServing(renewAuthority(known, occasion), occasion), occasion.now);
  return { certificates, lookAt: nextCheck(certificates, occasion.now) };
}

function createInitial(occasion: RenewalContext): StoredCertificates {
  const authority = newAuthority(occasion);
  const serving = servingCertificate(authority, occasion);
  return { authorities: [authority.cert], authorityKey: authority.key, serving };
}

function renewAuthority(kept: StoredCertificates, occasion: RenewalContext): StoredCertificates {
  if (occasion.now < renewalOf(newest(kept))) return kept;
  const { cert, key } = newAuthority(occasion);
  return { ...kept, authorities: [cert, ...kept.authorities], authorityKey: key };
}

function renewServing(kept: StoredCertificates, occasion: RenewalContext): StoredCertificates {
  const { now, hosts } = occasion;
  const due = servingDueAt(kept);
  const served = new X509Certificate(kept.serving.cert);
  const isNamed = hosts.every((host) => (isName(host) ? served.checkHost(host) : served.checkIP(host)) !== undefined);
  // What has expired, or names somebody else, serves nobody: then there is nothing to wait for.
  if (isNamed && now < due && now < expiresAt(served)) return kept;
  const authority = { cert: newest(kept), key: kept.authorityKey };
  return { ...kept, serving: servingCertificate(authority, occasion) };
}

/** When another certificate shall be served: when this one is old or of an old authority, but not before the newest is trusted. */
function servingDueAt(kept: StoredCertificates): number {
  const isOfNewest = new X509Certificate(kept.serving.cert).checkIssued(new X509Certificate(newest(kept)));
  const trusted = issuedAt(newest(kept)) + trustedAfter;
  return isOfNewest ? Math.max(renewalOf(kept.serving.cert), trusted) : trusted;
}

function dropOldAuthorities(kept: StoredCertificates, now: number): StoredCertificates {
  const isDone = now >= issuedAt(kept.serving.cert) + forgottenAfter;
  const authorities = kept.authorities.filter((cert, index) => {
    const authority = new X509Certificate(cert);
    if (index === 0) return true;
    return now < expiresAt(authority) && !(isDone && !new X509Certificate(kept.serving.cert).checkIssued(authority));
  });
  return authorities.length === kept.authorities.length ? kept : { ...kept, authorities };
}

function nextCheck(kept: StoredCertificates, now: number): number {
  const times = [renewalOf(newest(kept)), servingDueAt(kept)];
  if (kept.authorities.length > 1) times.push(issuedAt(kept.serving.cert) + forgottenAfter);
  return Math.max(now + 1000, Math.min(...times.filter((time) => time > now)));
}

function newest({ authorities }: StoredCertificates): string {
  return authorities[0] ?? '';
}

function servingCertificate(authority: KeyPair, { hosts, now, keys }: RenewalContext): KeyPair {
  const [names, addresses] = [hosts.filter(isName), hosts.filter((host) => !isName(host))];
  return issueServerCertificate(authority, { now, keys, validDays: servingDays, names, addresses });
}

function isName(host: string): boolean {
  return isIP(host) === 0;
}

function newAuthority({ now, keys }: RenewalContext): KeyPair {
  // Two authorities of one name could not be told apart.
  const name = `webhook authority ${new Date(now).toISOString()}`;
  return certificateAuthority({ now, keys, validDays: authorityDays, name });
}

/** Whether all of it is what it should be, and each key is that of its certificate. */
function isReadable({ authorities, authorityKey, serving }: StoredCertificates): boolean {
  try {
    for (const cert of authorities) issuedAt(cert);
    return matchesKey(authorities[0] ?? '', authorityKey) && matchesKey(serving.cert, serving.key);
  } catch {
    return false;
  }
}

function matchesKey(cert: string, key: string): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

/** When it was made. */
function issuedAt(cert: string): number {
  return new X509Certificate(cert).validFromDate.getTime() + backdated;
}

function expiresAt(cert: X509Certificate): number {
  return cert.validToDate.getTime();
}

function renewalOf(cert: string): number {
  const start = issuedAt(cert);
  return start + (expiresAt(new X509Certificate(cert)) - start) * renewedAfter;
}
