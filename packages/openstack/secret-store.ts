// SPDX-License-Identifier: Apache-2.0
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { readinessChanged } from '@forge/runtime/objects/ready-condition.ts';
import { textFlag } from '@forge/runtime/process/flag.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { Services, StepResource } from '@forge/runtime/steps/step.ts';

/** The ClusterSecretStore unless a flag names another. */
export const defaultSecretStore = 'openbao-cluster-store';

/** The flag that names the ClusterSecretStore of an operator. */
export const secretStoreFlag = (contents: string) =>
  textFlag(`the ClusterSecretStore of ${contents}`, 'name', { default: defaultSecretStore });

/** The ClusterSecretStore that the flag names, as a read of a step; only its readiness matters. */
export const secretStoreRead = reads<StepResource, Services<{ secretStore: string }>, ClusterSecretStore>(
  ClusterSecretStore,
  (_, { secretStore }) => [secretStore],
  { predicate: readinessChanged },
);

/** Annotation on PushSecrets: changes with what they push, since External Secrets does not watch the source. */
export const pushContentHashAnnotation = 'c5c3.io/push-content-hash';

interface Push extends Pick<PushSecret['spec'], 'deletionPolicy' | 'updatePolicy'> {
  readonly name: string;
  readonly labels?: Record<string, string>;
  /** Value of the annotation that has the Secret pushed again. */
  readonly stamp: string;
  /** Name of the Secret that is copied, all of it. */
  readonly secret: string;
  /** Name of the ClusterSecretStore, and where in it the copy goes. */
  readonly store: string;
  readonly remoteKey: string;
}

/** Copies a whole Secret to the store. */
export function pushSecret({ name, labels, stamp, secret, store, remoteKey, ...policies }: Push): PushSecret {
  const { apiVersion, kind } = PushSecret;
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), annotations: { [pushContentHashAnnotation]: stamp } },
    spec: {
      ...policies,
      secretStoreRefs: [{ kind: 'ClusterSecretStore', name: store }],
      selector: { secret: { name: secret } },
      // Defaults are left to the server, except inside a list, where they would show as a difference whenever an operator starts.
      data: [{ conversionStrategy: 'None', match: { remoteRef: { remoteKey } } }],
    },
  };
}
