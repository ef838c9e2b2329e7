// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { planCertificates } from '../objects/tls/certificate-plan.ts';
import { issueCertificates } from '../objects/tls/issue-certificates.ts';
import { serverHosts } from '../objects/tls/server-hosts.ts';
import { authoritySecret, serverSecret, storedCertificates } from '../objects/tls/stored-certificates.ts';
import { home, openbaoFixture } from './openbao-fixture.ts';

/** The Secrets with certificates for the cluster of the tests, as somebody else would make them at this time. */
export function issuedSecrets(now: number, authority?: Secret): { ca: Secret; server: Secret } {
  const cluster = openbaoFixture();
  const wanted = { hosts: serverHosts(cluster), rotationPeriod: minutes(1), now };
  const stored = storedCertificates(authority, undefined);
  const { keys } = seededRandom(now);
  const issued = issueCertificates(cluster, stored, planCertificates(stored, wanted), {
    ...wanted,
    keys,
    isServed: true,
  });
  return { ca: inHome(authoritySecret(cluster, issued)), server: inHome(serverSecret(cluster, issued)) };
}

const inHome = (secret: Secret): Secret => ({ ...secret, metadata: { ...secret.metadata, namespace: home.namespace } });
