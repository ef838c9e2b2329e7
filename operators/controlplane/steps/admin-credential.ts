// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { isReady, readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { minutes } from '@forge/runtime/time/duration.ts';
import { adminCredentialReady as rows } from '../contract/admin-credential.ts';
import type { ControlPlane } from '../control-plane.ts';
import { namesOf } from '../names.ts';
import { cloudsYamlKey, hasSameLogin } from '../objects/credential/clouds-yaml.ts';
import { valueIn, valueKey } from '../objects/credential/credential-secrets.ts';
import { pendingSince } from '../objects/credential/pending-since.ts';
import { step } from '../step.ts';
import { korc } from './korc.ts';
import { cloudsYaml, credentialSecrets } from './korc/clouds-yaml.ts';

const stuckTimeout = minutes(15);

/**
 * Judges whether the Secret that K-ORC and others log in with holds the current credential. While it does, an outage of what
 * brought it there holds up nothing.
 */
export const adminCredential = step({
  name: 'AdminCredential',
  condition: 'AdminCredentialReady',
  needs: { korc, cloudsYaml },
  skipped: { korc: rows.waitingForKORC() },
  reads: [
    reads(ClusterSecretStore, (_, { secretStore }) => [secretStore], { predicate: readinessChanged }),
    credentialSecrets,
  ],
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
    if (!isReady(get(ClusterSecretStore, store))) return unavailable(rows.storeNotReady({ store }));
    if (!needs.korc.credential.status?.id) return waiting(rows.waitingForId());
    const missing = missingPart(names.applicationCredential, get(Secret, names.applicationCredential));
    if (missing !== undefined) return waiting(missing);
    if (!isReady(push)) return unavailable(rows.waitingForPush());
    if (!isReady(sync)) return unavailable(rows.waitingForCloudsYaml());

    // What the cache may be late to show must not be called ready.
    const current =
      holdsDocument(materialized) && !isTrue(controlPlane)
        ? await failOnError(
            (error) => rows.cloudsYamlNotRead({ error }),
            () => fetch(Secret, names.cloudsYaml),
          )
        : materialized;
    if (holdsDocument(current)) return ready(rows.ready());
    const since = pendingSince(controlPlane) ?? clock.now();
    if (clock.now() - since > stuckTimeout) return waiting(rows.stuck());
    return waiting(current === undefined ? rows.notMaterialized() : rows.stale());
  },
});

function missingPart(name: string, secret: Secret | undefined): Statement | undefined {
  if (secret === undefined) return rows.waitingForSecret({ name });
  return valueIn(secret, valueKey) === undefined ? rows.waitingForValue({ name }) : undefined;
}

function isTrue({ status }: ControlPlane): boolean {
  return status?.conditions?.some((each) => each.type === 'AdminCredentialReady' && each.status === 'True') === true;
}
