// SPDX-License-Identifier: Apache-2.0
import { Secret, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import { now, type Duration } from '@forge/runtime/time/duration.ts';
import { withCondition } from '../../objects/with-condition.ts';
import { ensureChild } from '../ensure-child.ts';
import { saveStatus } from '../save-status.ts';
import { rootSecret, serverServices, serverSet } from './server-objects.ts';

/** What the operator writes into a spec that leaves it open; the newest that the image catalogue has. */
const image = 'docker-registry1.mariadb.com/library/mariadb:10.11';

/** Runs the servers that MariaDBs ask for; without a finalizer, since garbage collection takes their objects away. */
export const mariadbController: Controller = {
  name: 'mariadb-controller',
  for: MariaDB,
  owns: [StatefulSet, Service, Secret],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const live = context.cache.get(MariaDB, ref);
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) return undefined;
    const mariadb = await withDefaults(live, context);
    if (mariadb.status?.conditions === undefined) {
      await report(mariadb, { status: 'False', reason: 'Initializing', message: 'Initializing' }, {}, context);
      return now;
    }
    if (mariadb.spec.suspend === true) {
      await report(mariadb, { status: 'False', reason: 'Suspended', message: 'Suspended' }, {}, context);
      return undefined;
    }
    const owner = { kind: MariaDB, object: mariadb };
    const { name, generate } = mariadb.spec.rootPasswordSecretKeyRef ?? {};
    if (name !== undefined && generate === true)
      await ensureChild(owner, Secret, rootSecret(mariadb, name, context.random), context);
    for (const service of serverServices(mariadb)) await ensureChild(owner, Service, service, context);
    const found = await ensureChild(owner, StatefulSet, serverSet(mariadb), context);
    const set = await adjusted(found, mariadb, context);
    await reportServer(mariadb, set, context);
    return undefined;
  },
};

/** The MariaDB with what the operator decides written into its spec, so that its generation moves. */
async function withDefaults(mariadb: MariaDB, { client }: ReconcileContext): Promise<MariaDB> {
  const { spec, metadata } = mariadb;
  const root = spec.rootEmptyPassword === true || spec.rootPasswordSecretKeyRef !== undefined;
  if (spec.image !== undefined && spec.tls !== undefined && root) return mariadb;
  const generated = { name: `${metadata.name}-root`, key: 'password', generate: true };
  const patch = {
    image: spec.image ?? image,
    tls: spec.tls ?? { enabled: true },
    serviceAccountName: metadata.name,
    updateStrategy: { type: 'ReplicasFirstPrimaryLast' },
    ...(!root && { rootPasswordSecretKeyRef: generated }),
  };
  return await client.patch(MariaDB, refOf(mariadb), 'merge', { spec: patch });
}

/** The StatefulSet with the replicas and the image that the MariaDB has by now. */
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

async function reportServer(mariadb: MariaDB, set: StatefulSet, context: ReconcileContext): Promise<void> {
  const { name } = mariadb.metadata;
  const desired = set.spec?.replicas ?? 1;
  const { readyReplicas = 0, observedGeneration = 0 } = set.status ?? {};
  const isCurrent = observedGeneration >= (set.metadata.generation ?? 0);
  const isReady = isCurrent && desired > 0 && readyReplicas === desired;
  const ready = isReady
    ? ({ status: 'True', reason: 'StatefulSetReady', message: 'Running' } as const)
    : ({ status: 'False', reason: 'StatefulSetNotReady', message: 'Not ready' } as const);
  const primary = isReady && { currentPrimary: `${name}-0`, currentPrimaryPodIndex: 0 };
  await report(mariadb, ready, { replicas: readyReplicas, ...primary }, context);
}

async function report(
  mariadb: MariaDB,
  ready: { status: 'True' | 'False'; reason: string; message: string },
  fields: Partial<NonNullable<MariaDB['status']>>,
  context: ReconcileContext,
): Promise<void> {
  const condition = { type: 'Ready', ...ready, lastTransitionTime: timestamp(context.clock) };
  const conditions = withCondition(mariadb.status?.conditions, condition);
  await saveStatus(MariaDB, mariadb, { ...mariadb.status, ...fields, conditions }, context);
}
