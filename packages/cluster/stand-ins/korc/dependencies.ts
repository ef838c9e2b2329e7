// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { AuthenticatedClients } from './authenticated-clients.ts';
import { cloudOf } from './clouds-yaml.ts';
import type { Identity } from './identity.ts';
import { withKorcFinalizer } from './korc-finalizer.ts';
import { isAvailable, type KorcObject, type Reference } from './korc-object.ts';
import { Waiting } from './outcome.ts';

/** The objects that an object refers to, all of them available. */
export interface Dependencies {
  /** Its id in OpenStack; undefined without a name. */
  idOf(kind: Kind<KorcObject>, name: string | undefined): string | undefined;
  /** Its observed resource. */
  observed(kind: Kind<KorcObject>, name: string): object;
}

/** Finds the referenced objects, or throws `Waiting`; with `guard`, the finalizer of that kind is added to each. */
export async function findDependencies(
  { metadata: { namespace } }: KorcObject,
  references: readonly Reference[],
  context: ReconcileContext,
  guard?: Kind,
): Promise<Dependencies> {
  const found = new Map<string, KorcObject>();
  const waits = new Set<string>();
  for (const { kind, name } of references) {
    const target = context.cache.get(kind, { namespace, name });
    if (target !== undefined && isAvailable(target)) found.set(`${kind.kind}/${name}`, target);
    else waits.add(`Waiting for ${kind.kind}/${name} to be ${target === undefined ? 'created' : 'ready'}`);
  }
  if (waits.size > 0) throw new Waiting([...waits]);
  if (guard !== undefined) {
    const kinds = new Map(references.map((reference) => [`${reference.kind.kind}/${reference.name}`, reference.kind]));
    for (const [key, kind] of kinds) await withKorcFinalizer(kind, found.get(key) as KorcObject, guard, context);
  }
  const get = (kind: Kind, name: string) => found.get(`${kind.kind}/${name}`);
  return {
    idOf: (kind, name) => (name === undefined ? undefined : get(kind, name)?.status?.id),
    observed: (kind, name) => get(kind, name)?.status?.resource ?? {},
  };
}

/** The content of a Secret's key; throws `Waiting` when the Secret or the key is missing. */
export async function keyOfSecret(
  ref: ObjectRef,
  key: string,
  missing: string,
  { client, signal }: ReconcileContext,
): Promise<SecretValue> {
  const secret = await client.find(Secret, ref, { signal });
  if (secret === undefined) throw new Waiting([`Waiting for Secret/${ref.name} to be created`]);
  const value = fieldOf(secret.data ?? {}, key);
  if (value === undefined) throw new Waiting([missing]);
  return SecretValue.fromBase64(value);
}

/** Guards the credentials of an object and logs in with them; throws `Waiting` when there are none. */
export async function authenticate(
  kind: Kind<KorcObject>,
  { metadata: { namespace }, spec: { cloudCredentialsRef } }: KorcObject,
  clients: AuthenticatedClients,
  context: ReconcileContext,
): Promise<Identity> {
  const { secretName: name, cloudName } = cloudCredentialsRef;
  const secret = await context.client.find(Secret, { namespace, name }, { signal: context.signal });
  if (secret === undefined) throw new Waiting([`Waiting for Secret/${name} to be created`]);
  const guarded = await withKorcFinalizer(Secret, secret, kind, context);
  return await clients.connect(cloudOf(guarded, cloudName), context.signal);
}
