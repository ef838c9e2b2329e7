// SPDX-License-Identifier: Apache-2.0
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { backdated, type KeyPair } from '@forge/pki/certificate.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Keys } from '@forge/pki/keys.ts';
import { isKeyOf } from '@forge/pki/read-certificate.ts';

/** The certificates of a server as stored, all PEM. */
export interface StoredCertificates {
  /** The trusted authorities, newest first. */
  authorities: readonly string[];
  /** The key of the newest authority. */
  authorityKey: string;
  serving: KeyPair;
}

/** The input of a renewal. */
export interface RenewalContext {
  /** DNS names and IP addresses. */
  hosts: readonly string[];
  now: number;
  keys: Keys;
}

const day = 86_400_000;
const authorityDays = 730;
const servingDays = 90;

/** The fraction of its lifetime after which a certificate is renewed. */
const renewedAfter = 2 / 3;

/** How long a new authority is published before it signs a serving certificate. */
const trustedAfter = 3_600_000;

/** How long an authority stays trusted after its last serving certificate was replaced. */
const forgottenAfter = day;

/**
 * The renewed certificates, and when to check again.
 *
 * Guarantees: from the second on, a serving certificate is signed by an authority that has been trusted for at least an
 * hour; it never expires, provided that the checks happen.
 */
export function renewCertificates(
  kept: StoredCertificates | undefined,
  occasion: RenewalContext,
): { certificates: StoredCertificates; checkAt: number } {
  const known = kept !== undefined && isReadable(kept) ? kept : createInitial(occasion);
  const certificates = dropOldAuthorities(renewServing(renewAuthority(known, occasion), occasion), occasion.now);
  return { certificates, checkAt: nextCheck(certificates, occasion.now) };
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
  // A certificate that has expired or names other hosts is replaced at once.
  if (isNamed && now < due && now < expiresAt(served)) return kept;
  const authority = { cert: newest(kept), key: kept.authorityKey };
  return { ...kept, serving: servingCertificate(authority, occasion) };
}

/** When the serving certificate is replaced: when it or its authority is old, but not before the newest is trusted. */
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
  // Authorities need distinct names.
  const name = `serving authority ${new Date(now).toISOString()}`;
  return certificateAuthority({ now, keys, validDays: authorityDays, name });
}

/** Whether all of it can be parsed, and each key matches its certificate. */
function isReadable({ authorities, authorityKey, serving }: StoredCertificates): boolean {
  try {
    for (const cert of authorities) issuedAt(cert);
    return isKeyOf({ cert: authorities[0] ?? '', key: authorityKey }) && isKeyOf(serving);
  } catch {
    return false;
  }
}

/** When it was issued. */
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
