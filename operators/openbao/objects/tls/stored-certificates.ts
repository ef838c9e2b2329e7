// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { labelsOf, namesOf } from '../../api/names.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';

/** A certificate (PEM) and its key. */
export interface StoredPair {
  readonly certificate: string;
  readonly key: SecretValue;
}

/** The certificates of a cluster. */
export interface Certificates {
  readonly authority: StoredPair;
  readonly server: StoredPair;
  /** The CAs that pods, Jobs and the operator trust: the authority, then former ones (PEM). */
  readonly trusted: string;
}

/** The existing certificates; undefined where the Secret or its content is missing. */
export interface StoredCertificates extends Pick<Certificates, 'trusted'> {
  readonly authority: StoredPair | undefined;
  readonly server: StoredPair | undefined;
}

/** The certificates in their Secrets. */
export function storedCertificates(authority: Secret | undefined, server: Secret | undefined): StoredCertificates {
  const trusted = [textIn(authority, 'ca.crt'), textIn(server, 'ca.crt')].join('\n');
  return { authority: pairIn(authority, 'ca'), server: pairIn(server, 'tls'), trusted };
}

/** The Secret of the CA; of its keys, all but the operator use `ca.crt` alone. */
export function authoritySecret(cluster: OpenBaoCluster, { authority, trusted }: Certificates): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: namesOf(cluster).caSecret, labels: labelsOf(cluster) },
    type: 'Opaque',
    data: { 'ca.crt': encoded(trusted), 'ca.key': authority.key.base64() },
  };
}

/** The Secret that pods mount. */
export function serverSecret(cluster: OpenBaoCluster, { server, trusted }: Certificates): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: namesOf(cluster).serverSecret, labels: labelsOf(cluster) },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': encoded(server.certificate), 'tls.key': server.key.base64(), 'ca.crt': encoded(trusted) },
  };
}

/** The value of the annotation on a pod that says which certificate it serves. */
export function certificateHash({ data }: Secret): string {
  return createHash('sha256')
    .update(data?.['tls.crt'] ?? '', 'base64')
    .digest('hex');
}

function pairIn(secret: Secret | undefined, name: 'ca' | 'tls'): StoredPair | undefined {
  const certificate = textIn(secret, `${name}.crt`);
  const key = secret?.data?.[`${name}.key`] ?? '';
  return certificate === '' || key === '' ? undefined : { certificate, key: SecretValue.fromBase64(key) };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** A text of a Secret; empty when it is missing. */
export function textIn(secret: Secret | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
}
