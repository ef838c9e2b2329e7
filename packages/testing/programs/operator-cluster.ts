// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { programImage } from '@forge/cluster/images/catalogue.ts';
import { imageStore } from '@forge/cluster/images/image-store.ts';
import type { Recipe } from '@forge/cluster/images/recipe.ts';
import { waitUntilEstablished } from '@forge/cluster/stand-ins/start-stand-in.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { builtinKinds, CustomResourceDefinition, Deployment, Pod } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { parseAllDocuments } from 'yaml';
import { eventually } from './eventually.ts';
import { processesOf, signalPod } from './pod-processes.ts';
import { processCluster, type ProcessCluster } from './process-cluster.ts';

/** A cluster of real processes on which an operator runs in a pod, with the permissions of its manifests. */
export interface OperatorCluster extends ProcessCluster {
  /** Namespace and name of the operator's Deployment. */
  readonly operator: { readonly namespace: string; readonly name: string };
  /** Kills the operator like `kill -9`, and replaces its pod, which avoids the back-off of a crash loop. */
  killOperator(): Promise<void>;
}

const program = 'node';

/**
 * Starts the cluster, and installs the operator from its manifests with one replica; resolves when it is available. `further`
 * are images besides its own and those of the catalogue.
 */
export async function operatorCluster(
  manifests: URL,
  entry: URL,
  further: readonly Recipe[] = [],
): Promise<OperatorCluster> {
  const documents = parseAllDocuments(await readFile(manifests, 'utf8'));
  const objects = documents.map((document) => document.toJS() as KubeObject);
  const deployment = objects.find((object): object is Deployment => object.kind === Deployment.kind);
  const image = deployment?.spec?.template.spec?.containers[0]?.image;
  if (deployment?.spec === undefined || image === undefined) throw new Error(`${manifests.pathname} has no Deployment`);
  deployment.spec.replicas = 1;
  const { namespace = '', name } = deployment.metadata;
  const operator = { namespace, name };
  const recipes = [programImage(image, entry), ...further];
  const images = imageStore({ cacheDir: join(homedir(), '.cache/forge'), recipes, log: console.error });

  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await processCluster(undefined, () => images));
  const { client } = cluster;
  for (const object of objects) await client.apply(kindOf(object), object, { fieldManager: 'kubectl', force: true });
  const definitions = objects.filter(({ kind }) => kind === CustomResourceDefinition.kind);
  await Promise.all(definitions.map(({ metadata }) => waitUntilEstablished(metadata.name, client)));
  await eventually(`${name} is available`, async () => {
    const { status } = await client.get(Deployment, operator);
    return status?.availableReplicas === 1;
  });
  const owned = stack.move();
  return {
    ...cluster,
    operator,
    killOperator: () => killPods(client, namespace),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function kindOf({ apiVersion, kind }: KubeObject) {
  const found = builtinKinds.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (found === undefined) throw new Error(`${kind} is not a built-in kind`);
  return found;
}

async function killPods(client: Client, namespace: string): Promise<void> {
  const pod = await eventually('the operator runs', async () => {
    const { items } = await client.list(Pod, { namespace });
    for (const { metadata } of items) {
      if (metadata.deletionTimestamp === undefined && (await processesOf(metadata.name, program)).length > 0)
        return metadata;
    }
    return undefined;
  });
  await signalPod(pod.name, program, 'SIGKILL');
  await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
}
