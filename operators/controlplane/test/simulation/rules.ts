// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import type { FakeKeystone } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { Keystone } from '@forge/keystone/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { ControlPlane } from '../../control-plane.ts';
import { credentialPrefixOf, namesOf } from '../../names.ts';
import { cloudsYamlKey } from '../../objects/credential/clouds-yaml.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { passwords } from '../neighbours.ts';
import type { MintedValues } from './minted-values.ts';
import { nextPassword } from './user-steps.ts';

type Rule = NonNullable<ScenarioRun['rules']>[string];

/** What holds in every state of one run of a ControlPlane, whatever fails. */
export function safetyRules(keystone: FakeKeystone, values: MintedValues): NonNullable<ScenarioRun['rules']> {
  return {
    'no secret value is outside of Secrets': noSecretOutside(values),
    'there are no two unrevoked application credentials, but while one is being revoked': oneCredential(keystone),
    'no application credential is left by a deletion during which Keystone answered': noneLeft(keystone),
    'the Keystone of a ControlPlane is created once': createdOnce(),
    'no clouds.yaml holds the password again after an application credential': noPasswordAgain(),
  };
}

/** Application credentials of the ControlPlane in its Keystone. */
function credentialsIn({ state }: FakeKeystone): number {
  const prefix = credentialPrefixOf(controlPlaneFixture());
  return [...state.credentials.values()].filter(({ shown }) => String(shown['name']).startsWith(prefix)).length;
}

function oneCredential(keystone: FakeKeystone): Rule {
  const name = { ...home, name: namesOf(controlPlaneFixture()).applicationCredential };
  return (cluster) => {
    const isRevoking = cluster.find(ApplicationCredential, name)?.metadata.deletionTimestamp !== undefined;
    return isRevoking || credentialsIn(keystone) <= 1;
  };
}

const isControlPlane = ({ object: { key } }: Change): boolean => key.startsWith(`${resourceName(ControlPlane)}/`);

function noneLeft(keystone: FakeKeystone): Rule {
  return (_, change) => {
    if (change.type !== 'DELETED' || !isControlPlane(change)) return true;
    return keystone.health !== 'up' || credentialsIn(keystone) === 0;
  };
}

function createdOnce(): Rule {
  const created = new Set<string | undefined>();
  return (_, { type, object: { key, value } }) => {
    if (type !== 'ADDED' || !key.startsWith(`${resourceName(Keystone)}/`)) return true;
    const owner = controllerOf(value)?.uid;
    const isFirst = !created.has(owner);
    created.add(owner);
    return isFirst;
  };
}

/** The password is there before the first credential only. */
function noPasswordAgain(): Rule {
  const minted = new Set<string>();
  return (cluster) => {
    const controlPlane = cluster.find(ControlPlane, home);
    if (controlPlane === undefined) return true;
    const { applicationCredential, cloudsYaml } = namesOf(controlPlane);
    const { id } = controlPlane.status?.adminApplicationCredential ?? {};
    return [applicationCredential, cloudsYaml].every((name) => {
      const content = Buffer.from(cluster.find(Secret, { ...home, name })?.data?.[cloudsYamlKey] ?? '', 'base64');
      const secret = `${controlPlane.metadata.uid} ${name}`;
      // One that an earlier ControlPlane left in OpenBao does not count.
      if (id !== undefined && content.includes(id)) minted.add(secret);
      return !minted.has(secret) || !content.includes('password');
    });
  };
}

function noSecretOutside(values: MintedValues): Rule {
  const known = [passwords.database, passwords.admin, nextPassword];
  return (cluster, { object: { key, value } }) => {
    values.note(cluster);
    if (key.startsWith('secrets/')) return true;
    const text = JSON.stringify(value);
    return ![...known, ...values.seen].some((each) => text.includes(each) || text.includes(base64(each)));
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '');
}
