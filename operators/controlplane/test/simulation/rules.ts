// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import type { FakeKeystone } from '@forge/cluster/stand-ins/korc/fake-keystone.ts';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { loginRecheck } from '@forge/openstack/remembered-logins.ts';
import { defaultSecretStore } from '@forge/openstack/secret-store.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { textOf, type ClusterState } from '@forge/simulation/scenario/cluster-state.ts';
import type { ScenarioRun } from '@forge/simulation/scenario/scenario.ts';
import { ControlPlane } from '../../api/control-plane.ts';
import { credentialPrefixOf, namesOf } from '../../api/names.ts';
import { cloudsYamlKey } from '../../objects/credential/clouds-yaml.ts';
import { controlPlaneFixture, home } from '../control-plane-fixture.ts';
import { passwords } from '../neighbours.ts';
import { numberedValue, type MintedValues } from './minted-values.ts';
import { processName } from './operator.ts';
import { ruleNames } from './rule-names.ts';
import { nextPassword } from './user-steps.ts';

type Rules = Required<Pick<ScenarioRun, 'rules' | 'invariants'>>;
type Rule = Rules['rules'][string];

/** What holds in every state of one run of a ControlPlane that starts like this, whatever fails. */
export function safetyRules(keystone: FakeKeystone, values: MintedValues, start: ClusterState): Rules {
  return {
    rules: {
      [ruleNames.noSecretOutside]: noSecretOutside(values),
      [ruleNames.noneLeft]: noneLeft(keystone),
      [ruleNames.createdOnce]: createdOnce(start),
      [ruleNames.keptWithoutStore]: keptWithoutStore(keystone),
      [ruleNames.noPasswordAgain]: noPasswordAgain(),
    },
    invariants: {
      [ruleNames.oneCredential]: oneCredential(keystone),
      [ruleNames.readyLogins]: readyLogins(keystone),
    },
  };
}

const names = namesOf(controlPlaneFixture());
const prefix = credentialPrefixOf(controlPlaneFixture());

/** Application credentials of the ControlPlane in its Keystone. */
function credentialsIn({ state }: FakeKeystone): number {
  return [...state.credentials.values()].filter(({ shown }) => String(shown['name']).startsWith(prefix)).length;
}

function oneCredential(keystone: FakeKeystone): Rules['invariants'][string] {
  const name = { ...home, name: names.applicationCredential };
  return (cluster) => {
    const isRevoking = cluster.find(ApplicationCredential, name)?.metadata.deletionTimestamp !== undefined;
    return isRevoking || credentialsIn(keystone) <= 1;
  };
}

/** A login is looked at again after a recheck; an outage of Keystone at that moment delays it. */
const noticed = loginRecheck + minutes(2);

function readyLogins(keystone: FakeKeystone): Rules['invariants'][string] {
  let since: number | undefined;
  return (cluster, now) => {
    const controlPlane = cluster.find(ControlPlane, home);
    const isTrue =
      controlPlane === undefined || !isReady(controlPlane) || keystone.health !== 'up' || logsIn(cluster, keystone);
    since = isTrue ? undefined : (since ?? now);
    return since === undefined || now - since <= noticed;
  };
}

/** Whether Keystone has the application credential of clouds.yaml. */
function logsIn(cluster: ClusterState, { state }: FakeKeystone): boolean {
  const encoded = cluster.find(Secret, { ...home, name: names.cloudsYaml })?.data?.[cloudsYamlKey] ?? '';
  const content = Buffer.from(encoded, 'base64').toString();
  return [...state.credentials].some(([id, { secret }]) => content.includes(id) && content.includes(secret));
}

const isControlPlane = ({ object: { key } }: Change): boolean => key.startsWith(`${resourceName(ControlPlane)}/`);

/** Unless an Event named it because nobody could revoke it: no Secret had a password any more. */
function noneLeft(keystone: FakeKeystone): Rule {
  let isNamed = false;
  return (cluster, change) => {
    const { type, object } = change;
    if (object.key.startsWith('events/') && (object.value as { reason?: string }).reason === 'CredentialNotRevoked')
      isNamed = !hasPassword(cluster);
    if (type !== 'DELETED' || !isControlPlane(change)) return true;
    return keystone.health !== 'up' || isNamed || credentialsIn(keystone) === 0;
  };
}

function hasPassword(cluster: ClusterState): boolean {
  const encoded = cluster.list(Secret).flatMap(({ data = {} }) => Object.values(data));
  const contents = encoded.map((each) => Buffer.from(each, 'base64').toString());
  return [passwords.admin, nextPassword].some((password) => contents.some((each) => each.includes(password)));
}

function createdOnce(start: ClusterState): Rule {
  const created = new Set(start.list(Keystone).map((keystone) => controllerOf(keystone)?.uid));
  return (_, { type, object: { key, value } }, writer) => {
    if (!key.startsWith(`${resourceName(Keystone)}/`)) return true;
    const owner = controllerOf(value)?.uid;
    // What a person deletes is created again.
    if (writer === 'user') created.delete(owner);
    if (type !== 'ADDED') return true;
    const isFirst = !created.has(owner);
    created.add(owner);
    return isFirst;
  };
}

/** By the operator, whose status shows that it has noticed. */
function keptWithoutStore({ state }: FakeKeystone): Rule {
  const terminating = new Set<string | undefined>();
  let isKnown = false;
  return (cluster, { object: { key, value } }, writer) => {
    const { metadata, status } = cluster.find(ControlPlane, home) ?? {};
    const isDown = !isReady(cluster.find(ClusterSecretStore, { name: defaultSecretStore }));
    const isTold = status?.conditions?.some(({ reason }) => reason === 'SecretStoreNotReady') ?? false;
    isKnown = isDown && (isKnown || isTold);
    if (!key.startsWith(`${resourceName(ApplicationCredential)}/`)) return true;
    const { uid, deletionTimestamp } = value.metadata;
    if (deletionTimestamp === undefined || terminating.has(uid)) return true;
    terminating.add(uid);
    const works = state.credentials.has((value as ApplicationCredential).status?.id ?? '');
    const isReMint = metadata !== undefined && metadata.deletionTimestamp === undefined;
    return !(isKnown && works && isReMint && writer.startsWith(processName));
  };
}

/** The password is there before the first credential only. */
function noPasswordAgain(): Rule {
  const minted = new Set<string>();
  return (cluster) => {
    const controlPlane = cluster.find(ControlPlane, home);
    if (controlPlane === undefined) return true;
    const { id } = controlPlane.status?.adminApplicationCredential ?? {};
    return [names.applicationCredential, names.cloudsYaml].every((name) => {
      const content = Buffer.from(cluster.find(Secret, { ...home, name })?.data?.[cloudsYamlKey] ?? '', 'base64');
      const secret = `${controlPlane.metadata.uid} ${name}`;
      // One that an earlier ControlPlane left in OpenBao does not count.
      if (id !== undefined && content.includes(id)) minted.add(secret);
      return !minted.has(secret) || !content.includes('password');
    });
  };
}

function noSecretOutside(values: MintedValues): Rule {
  const known = formsOf([passwords.database, passwords.admin, nextPassword]);
  let seen = -1;
  let forms: string[] = [];
  return (cluster, { object: { key, value } }) => {
    values.note(cluster);
    if (key.startsWith('secrets/')) return true;
    // The next one, too: the Secret with it may be written last.
    if (seen !== values.seen.size)
      forms = [...known, ...formsOf([...values.seen, numberedValue(values.seen.size + 1)])];
    seen = values.seen.size;
    const text = textOf(value);
    return !forms.some((form) => text.includes(form));
  };
}

/** The texts in which these appear, plain or in base64. */
function formsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [text, ...base64Forms(text)]);
}

/** The part of a text that appears in the base64 of a longer one, wherever it begins there. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64');
    // The first and the last characters also depend on what surrounds it.
    const first = Math.ceil((before * 8) / 6);
    const length = Math.floor(((before + Buffer.byteLength(text)) * 8) / 6) - first;
    return encoded.slice(first, first + length);
  });
}
