// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { ControlPlane } from '@forge/controlplane/api/control-plane.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { Event, Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { remainsOf } from '../kubernetes/control-plane-remains.ts';
import { at, names, type Answer, type Operations } from './cluster.ts';

/** How long a deletion may take: of a ControlPlane from its beginning, of a namespace once Keystone is gone. */
const limit = { minutes: 0.5 };

/** Deletes a ControlPlane while all components are up: it is gone within 30 s, and Keystone refuses its credential by then. */
export async function checkDeletion(
  { client, cluster, namespace }: { client: Client; cluster: Operations; namespace: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  const answers = await credentialAnswers(client, cluster, namespace);
  await remove();
  const isGone = async () => {
    await answers.ask();
    return (await client.find(ControlPlane, at(namespace))) === undefined;
  };
  await eventually('the ControlPlane is deleted', isGone, {
    ...limit,
    observed: () => cluster.conditionOf(namespace, 'KORCReady'),
  });
  assert.equal(answers.last(), 'refused', answers.all());
  for (const reason of ['CredentialNotRevoked', 'ORCTeardownStalled']) {
    assert.equal(await cluster.eventsOf(namespace, reason), 0, reason);
  }
}

/**
 * Deletes a namespace with its ControlPlane: it is gone within 30 s after Keystone, and either Keystone refused the
 * credential, or an Event in `default` names it.
 */
export async function checkNamespaceDeletion(client: Client, cluster: Operations, namespace: string): Promise<void> {
  const { id } = (await cluster.mirrored(namespace)) ?? assert.fail('there is no clouds.yaml');
  const answers = await credentialAnswers(client, cluster, namespace);
  await client.delete(Namespace, { name: namespace });
  const isKeystoneGone = async () => {
    await answers.ask();
    return (await client.find(Keystone, at(namespace, names.keystone))) === undefined;
  };
  await eventually('Keystone is deleted', isKeystoneGone);
  const isGone = async () => (await client.find(Namespace, { name: namespace })) === undefined;
  await eventually('the namespace is deleted', isGone, { ...limit, observed: () => remainsOf(client, namespace) });
  const { items } = await client.list(Event, { namespace: 'default' });
  const named = items.filter(
    ({ reason, involvedObject, message = '' }) =>
      reason === 'CredentialNotRevoked' && involvedObject.name === namespace && message.includes(id),
  );
  assert.ok(answers.last() === 'refused' || named.length === 1, answers.all());
}

/** What Keystone answers to logins with the current credential, also when its Secret is gone. */
async function credentialAnswers(client: Client, cluster: Operations, namespace: string) {
  const secret = await client.get(Secret, at(namespace, names.cloudsYaml));
  const all: Answer[] = [await cluster.loginWith(secret)];
  assert.deepEqual(all, ['accepted']);
  return {
    ask: async () => void all.push(await cluster.loginWith(secret)),
    all: () => all.join(' '),
    /** The last answer that Keystone gave. */
    last: () => all.findLast((answer) => answer !== 'unavailable'),
  };
}
