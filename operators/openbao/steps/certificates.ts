// SPDX-License-Identifier: Apache-2.0
// One certificate serves all pods. Its Secret is written as a whole, at a known version, so that certificate and key always
// belong together. Pods notice a new one by themselves: the kubelet renews the mounted files, sooner when an annotation of the
// pod changes, and the wrapper makes the server reload them, which neither restarts nor seals it.
//
// The former CA stays trusted until every ready pod serves a certificate of the new one. Otherwise a pod that trusts only one of
// them could not connect to a pod that serves a certificate of the other. External Secrets are not ours to write: which CAs their
// pods trust is the user's affair, and for the operator and its Jobs a ConfigMap has the former one.
import { ConfigMap, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { certificatesIn, readCertificate } from '@forge/pki/read-certificate.ts';
import { milliseconds, now as immediately, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready, waiting, type Outcome } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { annotations, namesOf, podUrl } from '../api/names.ts';
import { OpenBaoError } from '../clients/openbao-error.ts';
import type { ContextWith } from '../clients/services.ts';
import { certificateExpiry, certificateRotations, tlsReady } from '../conditions/tls.ts';
import { planCertificates } from '../objects/tls/certificate-plan.ts';
import { externalProblem } from '../objects/tls/external-certificates.ts';
import { issueCertificates } from '../objects/tls/issue-certificates.ts';
import { serverHosts } from '../objects/tls/server-hosts.ts';
import type { ServerTrust } from '../objects/tls/server-trust.ts';
import {
  authoritySecret,
  certificateHash,
  serverSecret,
  storedCertificates,
  textIn,
} from '../objects/tls/stored-certificates.ts';
import { externalAuthorities, trustedAuthorities } from '../objects/tls/trusted-authorities.ts';
import { applied, ofCluster } from './adopted.ts';
import { isServing, podsOf, serverPods } from './servers.ts';
import { step } from './step.ts';
import { authorities, trustOf } from './trust.ts';

const servedRecheck = seconds(30);

/** Issues and renews the certificates, or waits for external ones. */
export const certificates = step({
  name: 'Certificates',
  condition: 'TLSReady',
  owns: [owned(Secret, ['create', 'replace', 'adopt']), ofCluster(ConfigMap)],
  reads: [serverPods, ...authorities, reads(Secret, (cluster) => [namesOf(cluster).serverSecret])],
  modifies: [modified(Pod, 'patch')],
  async run(context) {
    switch (context.object.spec.tls.mode) {
      case 'OperatorManaged':
        return await managed(context);
      case 'External':
        return await external(context);
      case 'ACME':
        // Each pod orders its own certificate.
        return ready(tlsReady.ready(), { output: trustOf(context) });
    }
  },
});

async function external(context: ContextWith): Promise<Outcome<ServerTrust, object>> {
  const { object: cluster, get } = context;
  const { caSecret: ca, serverSecret: server } = namesOf(cluster);
  const [authority, served] = [get(Secret, ca), get(Secret, server)];
  switch (externalProblem(authority, served)) {
    case 'AuthorityMissing':
      return waiting(tlsReady.noAuthority({ name: ca }));
    case 'ServerMissing':
      return waiting(tlsReady.noServer({ name: server }));
    case 'Mismatch':
      return waiting(tlsReady.mismatch({ ca, server }));
    case undefined:
      await notifyPods(served, context);
      return await publishedTrust({ authority, server: served }, context);
  }
}

/** Publishes the CAs to trust; former ones while a pod serves a certificate of theirs. */
async function publishedTrust(
  secrets: Parameters<typeof externalAuthorities>[0],
  context: ContextWith,
): Promise<Outcome<ServerTrust, object>> {
  const { object: cluster, get, clock } = context;
  const published = get(ConfigMap, namesOf(cluster).trustedAuthorities);
  const { current, former } = externalAuthorities(secrets, published, clock.now());
  const isServed = former.length === 0 || (await serves(current.join(''), context));
  const trusted = isServed ? current : [...current, ...former];
  await applied(ConfigMap, trustedAuthorities(cluster, trusted), context);
  return ready(tlsReady.ready(), { output: { ca: trusted.join('') }, ...(!isServed && { recheck: servedRecheck }) });
}

async function managed(context: ContextWith): Promise<Outcome<ServerTrust, object>> {
  const { object: cluster, get, clock, random, metrics } = context;
  const names = namesOf(cluster);
  const stored = storedCertificates(get(Secret, names.caSecret), get(Secret, names.serverSecret));
  const now = clock.now();
  const hosts = serverHosts(cluster);
  const rotationPeriod = parseDuration(cluster.spec.tls.rotationPeriod ?? '') ?? immediately;
  const plan = planCertificates(stored, { hosts, rotationPeriod, now });
  const isServed = await servesCurrentAuthority(stored.authority?.certificate, stored.trusted, context);
  const { secret, trusted } = await failOnError(
    (cause) => tlsReady.failed({ cause }),
    async () => {
      const made = issueCertificates(cluster, stored, plan, { hosts, now, keys: random.keys, isServed });
      // First the CA: after a crash in between, a server certificate of an unknown CA would be issued again.
      await store(authoritySecret(cluster, made), context);
      return { secret: await store(serverSecret(cluster, made), context), trusted: made.trusted };
    },
  );
  const { metadata } = cluster;
  const labels = { namespace: metadata.namespace ?? '', name: metadata.name };
  metrics.count(certificateRotations, labels, plan.server === undefined || stored.server === undefined ? 0 : 1);
  await notifyPods(secret, context);
  const hasFormerAuthority = certificatesIn(trusted).length > 1;
  return ready(tlsReady.ready(), {
    output: { ca: trusted },
    recheck: hasFormerAuthority ? servedRecheck : untilDue(plan.dueAt, now),
  });
}

/** Writes the whole Secret; one without an owner, left by an earlier cluster of this name, is adopted. */
async function store(secret: Secret, { create, replace }: ContextWith): Promise<Secret> {
  await create(secret, { adopt: true });
  return await replace(secret);
}

/** The time until the next change; after one was just made, the pass that its write triggers computes it. */
function untilDue(dueAt: number | undefined, now: number): Duration {
  return dueAt === undefined ? servedRecheck : milliseconds(Math.max(0, dueAt - now));
}

/** Whether every ready pod serves a certificate of the current CA; they are asked only while another CA is trusted, too. */
async function servesCurrentAuthority(
  authority: string | undefined,
  trusted: string,
  context: ContextWith,
): Promise<boolean> {
  const [ca] = certificatesIn(authority ?? '');
  return ca === undefined || new Set(certificatesIn(trusted)).size < 2 || (await serves(ca, context));
}

/** Whether every ready pod answers with a certificate of these CAs. */
async function serves(ca: string, context: ContextWith): Promise<boolean> {
  const { object: cluster, services, signal } = context;
  const pods = podsOf(context).filter(isServing);
  const answers = await Promise.all(
    pods.map(async ({ metadata: { name } }) => {
      try {
        await services.openbao.health({ url: podUrl(cluster, name), ca }, signal);
        return true;
      } catch (error) {
        if (error instanceof OpenBaoError) return false;
        throw error;
      }
    }),
  );
  return answers.every(Boolean);
}

/** Notifies every ready pod of the certificate that it should serve, and records in a metric when that expires. */
async function notifyPods(secret: Secret | undefined, context: ContextWith): Promise<void> {
  const { object: cluster, patch, metrics } = context;
  if (secret === undefined) return;
  const hash = certificateHash(secret);
  const { namespace = '', name } = cluster.metadata;
  const end = readCertificate(textIn(secret, 'tls.crt')).notAfter / 1000;
  metrics.set(certificateExpiry, { namespace, name, type: cluster.spec.tls.mode }, end);
  const outdated = podsOf(context).filter(
    (pod) => isServing(pod) && pod.metadata.annotations?.[annotations.certificateHash] !== hash,
  );
  const change = { metadata: { annotations: { [annotations.certificateHash]: hash } } };
  const results = await Promise.allSettled(outdated.map((pod) => patch(Pod, pod, change)));
  const failure = results.findLast((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
