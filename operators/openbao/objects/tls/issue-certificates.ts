// SPDX-License-Identifier: Apache-2.0
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import type { KeyPair } from '@forge/pki/certificate.ts';
import { issuePeerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Keys } from '@forge/pki/keys.ts';
import { certificatesIn, readCertificate } from '@forge/pki/read-certificate.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { authorityDays, serverDays, type CertificatePlan, type WantedCertificates } from './certificate-plan.ts';
import type { Certificates, StoredCertificates, StoredPair } from './stored-certificates.ts';

/** What certificates are issued with. */
interface Issuing extends Pick<WantedCertificates, 'hosts' | 'now'> {
  readonly keys: Keys;
  /** Whether every ready pod serves a certificate of the current CA, so that former ones need not be trusted. */
  readonly isServed: boolean;
}

const common = { organizations: ['OpenBao Operator'], backdatedBy: minutes(60), keyEncoding: 'sec1' } as const;

/** Carries out a plan: the certificates of a cluster after it. A former CA stays trusted while pods serve its certificates. */
export function issueCertificates(
  cluster: OpenBaoCluster,
  stored: StoredCertificates,
  plan: Pick<CertificatePlan, 'authority' | 'server'>,
  issuing: Issuing,
): Certificates {
  const authority = (plan.authority === undefined && stored.authority) || newAuthority(cluster, issuing);
  const server = (plan.server === undefined && stored.server) || newServer(cluster, authority, issuing);
  const isChanged = plan.authority !== undefined || plan.server !== undefined;
  const former = isChanged || !issuing.isServed ? certificatesIn(stored.trusted) : [];
  const [current = ''] = certificatesIn(authority.certificate);
  const trusted = [current, ...former.filter((each) => isLasting(each, issuing.now))];
  return { authority, server, trusted: [...new Set(trusted)].join('') };
}

function newAuthority({ metadata }: OpenBaoCluster, { now, keys }: Issuing): StoredPair {
  const name = `${metadata.name} OpenBao Root CA`;
  return pairOf(certificateAuthority({ ...common, now, keys, name, validDays: authorityDays }));
}

function newServer({ metadata }: OpenBaoCluster, authority: StoredPair, { hosts, now, keys }: Issuing): StoredPair {
  const issuer = { cert: authority.certificate, key: authority.key.reveal() };
  const commonName = `${metadata.name}.openbao.svc`;
  return pairOf(issuePeerCertificate(issuer, { ...common, ...hosts, now, keys, commonName, validDays: serverDays }));
}

function pairOf({ cert, key }: KeyPair): StoredPair {
  return { certificate: cert, key: new SecretValue(key) };
}

/** Whether it is a CA that can be read and has not expired. */
export function isLasting(certificate: string, now: number): boolean {
  try {
    const { isAuthority, notAfter } = readCertificate(certificate);
    return isAuthority && notAfter > now;
  } catch {
    return false;
  }
}
