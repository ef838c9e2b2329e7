// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { systemKeys } from '@forge/pki/keys.ts';
import { issueCertificates } from '../../objects/tls/issue-certificates.ts';
import { serverHosts } from '../../objects/tls/server-hosts.ts';
import { authoritySecret, serverSecret, storedCertificates } from '../../objects/tls/stored-certificates.ts';
import { openbaoFixture } from '../openbao-fixture.ts';
import { at, names } from './stored-data.ts';
import type { Step } from './user-steps.ts';

const cluster = openbaoFixture();
const missing = { reason: 'Missing', message: '' } as const;
const day = 86_400_000;

/** Somebody else provides the certificates, some time after the cluster was created. */
export const provideCertificates: Step = async (user, { clock }) => {
  const plan = { authority: missing, server: missing };
  const issuing = { hosts: serverHosts(cluster), now: clock.now(), keys: systemKeys, isServed: true };
  const made = issueCertificates(cluster, storedCertificates(undefined, undefined), plan, issuing);
  for (const secret of [authoritySecret(cluster, made), serverSecret(cluster, made)]) {
    await user.create(Secret, { ...secret, metadata: at(secret.metadata.name) });
  }
};

/** The certificate is one that was issued 350 days ago. */
export const ageCertificate: Step = async (user, { clock, state }) => {
  const [authority, server] = [names.caSecret, names.serverSecret].map((name) => state.find(Secret, at(name)));
  const issuing = { hosts: serverHosts(cluster), now: clock.now() - 350 * day, keys: systemKeys, isServed: true };
  const plan = { authority: undefined, server: missing };
  const made = issueCertificates(cluster, storedCertificates(authority, server), plan, issuing);
  await user.patch(Secret, at(names.serverSecret), 'merge', { data: serverSecret(cluster, made).data ?? {} });
};
