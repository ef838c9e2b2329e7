// SPDX-License-Identifier: Apache-2.0
import { Pod, Secret, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { now, type Duration } from '@forge/runtime/environment/duration.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { withCondition } from '../../objects/with-condition.ts';
import { ensureChild } from '../ensure-child.ts';
import { saveStatus } from '../save-status.ts';
import { instanceLabel, rootSecret, serverLabel, serverServices, serverSet } from './server-objects.ts';
import { tlsStatus } from './tls-status.ts';
import { nextStalePod, updatedVerdict, type Verdict } from './update-pods.ts';

/** The default image: the version of the machine's own Debian release in the image catalogue. */
const image = 'docker-registry1.mariadb.com/library/mariadb:10.11';

/** The controller of MariaDBs: runs their servers. It needs no finalizer, since objects are garbage collected. */
export const mariadbController: Controller = {
  name: 'mariadb-controller',
  for: MariaDB,
  owns: [StatefulSet, Service],
  watches: [watch(Pod, serverOf, { labels: `${serverLabel}=mariadb` })],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const live = context.cache.get(MariaDB, ref);
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) return undefined;
    const mariadb = await withDefaults(live, context);
    if (mariadb.status?.conditions === undefined) {
      const ready = { status: 'False', reason: 'Initializing', message: 'Initializing' } as const;
      await report(mariadb, { Ready: ready }, {}, context);
      return now;
    }
    if (mariadb.spec.suspend === true) {
      const ready = { status: 'False', reason: 'Suspended', message: 'Suspended' } as const;
      await report(mariadb, { Ready: ready }, {}, context);
      return undefined;
    }
    const owner = { kind: MariaDB, object: mariadb };
    await ensureRootPassword(mariadb, context);
    for (const service of serverServices(mariadb)) await ensureChild(owner, Service, service, context);
    const found = await ensureChild(owner, StatefulSet, serverSet(mariadb), context);
    const set = await adjusted(found, mariadb, context);
    const { observedGeneration = 0 } = set.status ?? {};
    // Until the StatefulSet controller has observed a change, the status is outdated.
    if (set.status?.updateRevision !== undefined && observedGeneration < (set.metadata.generation ?? 0))
      return undefined;
    const pods = podsOf(mariadb, context);
    await reportServer(mariadb, set, pods, context);
    const stale = nextStalePod(mariadb, set, pods);
    if (stale !== undefined) await removeObject(context.client, Pod, stale);
    return undefined;
  },
};

function serverOf({ metadata: { namespace, labels } }: Pod): ObjectRef[] {
  const name = labels?.[instanceLabel];
  return name === undefined ? [] : [{ namespace, name }];
}

function podsOf({ metadata }: MariaDB, { cache }: ReconcileContext): Pod[] {
  return cache
    .list(Pod, { namespace: metadata.namespace })
    .filter(
      ({ metadata: { labels } }) => labels?.[serverLabel] === 'mariadb' && labels[instanceLabel] === metadata.name,
    );
}

/** Generates the password of root, unless it exists: data of an earlier MariaDB has the same password. */
async function ensureRootPassword(mariadb: MariaDB, { client, random }: ReconcileContext): Promise<void> {
  const { name, generate } = mariadb.spec.rootPasswordSecretKeyRef ?? {};
  if (name === undefined || generate !== true) return;
  const secret = rootSecret(mariadb, name, random);
  if ((await client.find(Secret, refOf(secret))) === undefined) await client.create(Secret, secret);
}

/** The MariaDB with defaults written into its spec, which changes its generation. */
async function withDefaults(mariadb: MariaDB, { client }: ReconcileContext): Promise<MariaDB> {
  const { spec, metadata } = mariadb;
  const root = spec.rootEmptyPassword === true || spec.rootPasswordSecretKeyRef !== undefined;
  if (spec.image !== undefined && spec.tls !== undefined && root) return mariadb;
  const generated = { name: `${metadata.name}-root`, key: 'password', generate: true };
  const patch = {
    image: spec.image ?? image,
    tls: spec.tls ?? { enabled: true },
    serviceAccountName: metadata.name,
    updateStrategy: { type: 'ReplicasFirstPrimaryLast', ...spec.updateStrategy },
    ...(!root && { rootPasswordSecretKeyRef: generated }),
  };
  return await client.patch(MariaDB, refOf(mariadb), 'merge', { spec: patch });
}

/** The StatefulSet, updated to the replicas and the image of the MariaDB. */
async function adjusted(set: StatefulSet, mariadb: MariaDB, { client }: ReconcileContext): Promise<StatefulSet> {
  const { replicas, template } = serverSet(mariadb).spec ?? {};
  const [{ name, image: wanted } = {}] = template?.spec?.containers ?? [];
  const [{ image: found } = {}] = set.spec?.template.spec?.containers ?? [];
  if (set.spec?.replicas === replicas && found === wanted) return set;
  const containers = [{ name, image: wanted }];
  return await client.patch(StatefulSet, refOf(set), 'strategic', {
    spec: { replicas, template: { spec: { containers } } },
  });
}

async function reportServer(
  mariadb: MariaDB,
  set: StatefulSet,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const updated = updatedVerdict(mariadb, set, pods);
  const ready = readyVerdict(set, updated);
  const { readyReplicas: replicas = 0 } = set.status ?? {};
  const tls = tlsStatus(mariadb);
  const primary = { currentPrimary: `${mariadb.metadata.name}-0`, currentPrimaryPodIndex: 0 };
  const fields = { replicas, ...primary, ...(tls !== undefined && { tls }) };
  await report(mariadb, { Ready: ready, ...(updated !== undefined && { Updated: updated }) }, fields, context);
}

function readyVerdict(set: StatefulSet, updated: Verdict | undefined): Verdict {
  const desired = set.spec?.replicas ?? 1;
  const { readyReplicas = 0, observedGeneration = 0 } = set.status ?? {};
  if (updated?.reason === 'Updating') return updated;
  const isCurrent = observedGeneration >= (set.metadata.generation ?? 0);
  if (!isCurrent || desired === 0 || readyReplicas !== desired) {
    return { status: 'False', reason: 'StatefulSetNotReady', message: 'Not ready' };
  }
  if (updated?.reason === 'PendingUpdate') return { ...updated, status: 'True' };
  return { status: 'True', reason: 'StatefulSetReady', message: 'Running' };
}

async function report(
  mariadb: MariaDB,
  verdicts: { Ready: Verdict; Updated?: Verdict },
  fields: Partial<NonNullable<MariaDB['status']>>,
  context: ReconcileContext,
): Promise<void> {
  const lastTransitionTime = timestamp(context.clock);
  const conditions = Object.entries(verdicts).reduce(
    (list, [type, verdict]) => withCondition(list, { type, ...verdict, lastTransitionTime }),
    mariadb.status?.conditions ?? [],
  );
  await saveStatus(MariaDB, mariadb, { ...mariadb.status, ...fields, conditions }, context);
}
