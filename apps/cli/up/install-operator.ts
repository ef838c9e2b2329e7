// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { programImage } from '@forge/cluster/images/catalogue.ts';
import type { Recipe } from '@forge/cluster/images/recipe.ts';
import { waitUntilEstablished } from '@forge/cluster/stand-ins/start-stand-in.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { builtinKinds, CustomResourceDefinition, Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { parse, parseAllDocuments } from 'yaml';
import { operatorFile, operatorNamed, type OperatorName } from '../../../operators/operators.ts';

/** An operator as `forge up` installs it: the generated manifests, and their images. */
export interface OperatorInstallation {
  namespace: string;
  /** In the order in which they are applied. */
  objects: readonly KubeObject[];
  deployment: Deployment;
  /** That of the operator, then those of its Jobs. */
  images: readonly [Recipe, ...Recipe[]];
}

/** The namespace in the manifests of all operators. */
export const operatorNamespace = 'forge-system';

/** An operator from its production manifests, with one replica. */
export async function operatorInstallation(name: OperatorName): Promise<OperatorInstallation> {
  const installation = parseInstallation(name, await readFile(operatorFile(name, 'manifests/install.yaml'), 'utf8'));
  if (installation.deployment.spec !== undefined) installation.deployment.spec.replicas = 1;
  return installation;
}

/** Parses the manifests of an operator. */
export function parseInstallation(name: OperatorName, manifests: string): OperatorInstallation {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as KubeObject);
  const deployment = objects.find(isDeployment);
  if (deployment === undefined) throw new Error('The manifests have no Deployment');
  const { namespace = '' } = deployment.metadata;
  return { namespace, objects, deployment, images: imagesOf(name, deployment) };
}

/** The images in the manifests of an operator; its CRDs, which take the longest, are not parsed. */
export async function operatorImages(name: string): Promise<readonly Recipe[]> {
  const manifests = await readFile(operatorFile(name, 'manifests/install.yaml'), 'utf8');
  const text = manifests.split(/^---$/m).find((document) => /^kind: Deployment$/m.test(document));
  return imagesOf(name, parse(text ?? '') as Deployment | null);
}

function imagesOf(name: string, deployment: Deployment | null): [Recipe, ...Recipe[]] {
  const { operator, programs = {} } = operatorNamed(name);
  const reference = deployment?.spec?.template.spec?.containers[0]?.image;
  if (reference === undefined) throw new Error(`The Deployment of ${operator.name} has no image`);
  const own = programImage(reference, operatorFile(name, `${operator.name}.mjs`));
  const [tag = ''] = /:[^:/]*$/.exec(reference) ?? [];
  const further = Object.entries(programs).map(([repository, file]) =>
    programImage(`${repository}${tag}`, operatorFile(name, file)),
  );
  return [own, ...further];
}

/** Applies the manifests like `kubectl apply`, and waits until the operator's kinds are served. */
export async function installOperator({ objects }: OperatorInstallation, client: Client): Promise<void> {
  for (const object of objects) await client.apply(kindOf(object), object, { fieldManager: 'forge', force: true });
  const definitions = objects.filter(({ kind }) => kind === CustomResourceDefinition.kind);
  await Promise.all(definitions.map(({ metadata }) => waitUntilEstablished(metadata.name, client)));
}

/** The built-in kind of an object. */
export function kindOf({ apiVersion, kind, metadata }: KubeObject): Kind {
  const found = builtinKinds.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (found === undefined) throw new Error(`${kind} ${metadata.name} of the manifests is not of a built-in kind`);
  return found;
}

function isDeployment(object: KubeObject): object is Deployment {
  return object.kind === Deployment.kind;
}
