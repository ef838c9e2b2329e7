// SPDX-License-Identifier: Apache-2.0
// AdminCredentialReady is the promise that whoever reads the Secret with clouds.yaml can log in. The step compares: the
// Secret must hold the document of the current credential, as it came back from OpenBao. It writes nothing.
//
// It reports the first part of the way that is not done: the secret store, the id, the value, the push, the sync, the
// Secret. While the Secret holds the current document, an outage of the store, the push or the sync makes the step degraded,
// and the catalog goes on; otherwise the step waits. The cache may be late, so the Secret is read from the API server before
// the condition turns True. A document that has not arrived after 15 minutes is reported as stuck.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import type { Statement } from '@forge/runtime/conditions/cases.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { isTrue } from '@forge/runtime/objects/condition.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { namesOf } from '../api/names.ts';
import { adminCredentialReady as cases } from '../conditions/admin-credential.ts';
import { cloudsYamlKey, hasSameLogin } from '../objects/credential/clouds-yaml.ts';
import { valueIn, valueKey } from '../objects/credential/credential-secrets.ts';
import { pendingSince } from '../objects/credential/pending-since.ts';
import { cloudsYaml, credentialSecrets } from './clouds-yaml.ts';
import { korc } from './korc.ts';
import { step } from './step.ts';

/** How long a document may be on its way before this is reported as stuck. */
export const stuckTimeout = minutes(15);

/** Observes whether the Secret that K-ORC and others log in with holds the current credential. */
export const adminCredential = step({
  name: 'AdminCredential',
  condition: 'AdminCredentialReady',
  needs: { korc, cloudsYaml },
  skipped: { korc: cases.waitingForKORC() },
  reads: [secretStoreRead, credentialSecrets],
  async run({ object: controlPlane, needs, services: { secretStore: store }, get, fetch, clock }) {
    const { refused, document, push, sync } = needs.cloudsYaml;
    if (refused !== undefined) return refused;
    const names = namesOf(controlPlane);
    const holdsDocument = (secret: Secret | undefined) => {
      const content = valueIn(secret, cloudsYamlKey);
      return document !== undefined && content !== undefined && hasSameLogin(document, content);
    };

    const materialized = get(Secret, names.cloudsYaml);
    const unavailable = (text: Statement) => (holdsDocument(materialized) ? degraded(text) : waiting(text));
    if (!isReady(get(ClusterSecretStore, store))) return unavailable(cases.storeNotReady({ store }));
    if (!needs.korc.credential.status?.id) return waiting(cases.waitingForId());
    const missing = missingPart(names.applicationCredential, get(Secret, names.applicationCredential));
    if (missing !== undefined) return waiting(missing);
    if (!isReady(push)) return unavailable(cases.waitingForPush());
    if (!isReady(sync)) return unavailable(cases.waitingForCloudsYaml());

    const current =
      holdsDocument(materialized) && !isTrue(controlPlane, 'AdminCredentialReady')
        ? await failOnError(
            (error) => cases.cloudsYamlNotRead({ error }),
            () => fetch(Secret, names.cloudsYaml),
          )
        : materialized;
    if (holdsDocument(current)) return ready(cases.ready());
    const since = pendingSince(controlPlane) ?? clock.now();
    if (clock.now() - since > stuckTimeout) return waiting(cases.stuck());
    return waiting(current === undefined ? cases.notMaterialized() : cases.stale());
  },
});

function missingPart(name: string, secret: Secret | undefined): Statement | undefined {
  if (secret === undefined) return cases.waitingForSecret({ name });
  return valueIn(secret, valueKey) === undefined ? cases.waitingForValue({ name }) : undefined;
}
