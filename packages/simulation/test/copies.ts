// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Secret } from '@forge/kube/kinds/builtin.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { electedProcesses, operatorProcess } from '../scenario/operator-process.ts';
import type { ProcessContext, Process, Scenario } from '../scenario/scenario.ts';

/** How a controller reconciles a ConfigMap. */
export type CopyWork = (ref: ObjectRef, context: ReconcileContext, host: ProcessContext) => Promise<void>;

const withText = (text: string) => ({ data: { text } });
const sourceRef = { namespace: 'default', name: 'source' };

/** A Secret with the content of the ConfigMap. */
export function copyOf(source: ConfigMap): Secret {
  const data = Object.fromEntries(Object.entries(source.data ?? {}).map(([key, text]) => [key, btoa(text)]));
  const { namespace, name } = source.metadata;
  const metadata = { namespace, name, ownerReferences: [controllerReference(source)] } as Secret['metadata'];
  return { apiVersion: 'v1', kind: 'Secret', metadata, data };
}

/** Announces the content of the copy on the ConfigMap, before writing it. */
export const announceCopy: CopyWork = async (ref, { client, cache }) => {
  const source = cache.get(ConfigMap, ref);
  const annotations = { announced: source?.data?.['text'] ?? '' };
  if (source === undefined || source.metadata.annotations?.['announced'] === annotations.announced) return;
  await client.patch(ConfigMap, ref, 'merge', { metadata: { annotations } });
};

/** Maintains a copy correctly. */
export const keepCopy: CopyWork = async (ref, { client, cache }) => {
  const source = cache.get(ConfigMap, ref);
  if (source === undefined) return;
  const copy = cache.get(Secret, ref);
  const wanted = copyOf(source);
  if (copy === undefined) await client.create(Secret, wanted);
  else if (JSON.stringify(copy.data) !== JSON.stringify(wanted.data)) {
    await client.update(Secret, { ...copy, data: wanted.data ?? {} });
  }
};

/** Labels every Secret, once. */
function labeller(): Process {
  const labelled = new Set<string | undefined>();
  const controller: Controller = {
    name: 'labeller',
    for: Secret,
    async reconcile(ref, { client, cache }) {
      const { uid } = cache.get(Secret, ref)?.metadata ?? {};
      if (uid === undefined || labelled.has(uid)) return undefined;
      await client.patch(Secret, ref, 'merge', { metadata: { labels: { seen: 'yes' } } });
      labelled.add(uid);
      return undefined;
    },
  };
  return { ...operatorProcess('labeller', () => [controller]), reliable: true };
}

/** A ConfigMap that is copied into a Secret: it is created and changed, while another process labels the copy. */
export function copies(work: () => CopyWork, { elected = false } = {}): Scenario {
  return {
    newRun() {
      const copy = work();
      const controllers = (host: ProcessContext): Controller[] => [
        {
          name: 'copy-controller',
          for: ConfigMap,
          owns: [Secret],
          async reconcile(ref, context) {
            await copy(ref, context, host);
            return undefined;
          },
        },
      ];
      return {
        processes: [
          labeller(),
          ...(elected ? electedProcesses('copies', controllers) : [operatorProcess('copies', controllers)]),
        ],
        steps: [
          async (user) => {
            await user.create(ConfigMap, {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: sourceRef,
              ...withText('one'),
            });
            await user.patch(ConfigMap, sourceRef, 'merge', withText('two'));
          },
          (user) => user.patch(ConfigMap, sourceRef, 'merge', withText('three')),
          (user) => user.patch(ConfigMap, sourceRef, 'merge', withText('four')),
        ],
      };
    },
  };
}
