// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { type Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { watch, type Controller, type ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { releaseObject, withFinalizers } from '@forge/runtime/controller/finalizers.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { milliseconds, minutes, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { parseDuration } from '@forge/runtime/environment/parse-duration.ts';
import { isTrue, withCondition } from '../../objects/with-condition.ts';
import { saveStatus } from '../save-status.ts';
import { specOrMetadataPredicate } from '../stand-in.ts';
import type { SqlServers, SqlSession } from './sql.ts';

/** What Database, User and Grant have in common. */
interface SqlObject extends KubeObject {
  spec: Pick<Database['spec'], 'mariaDbRef' | 'requeueInterval' | 'retryInterval' | 'cleanupPolicy'>;
  status?: NonNullable<Database['status']>;
}

type SqlStatus<T extends SqlObject> = NonNullable<T['status']>;

/** The SQL operations of one of the three kinds. */
interface SqlWork<T extends SqlObject> {
  kind: Kind<T>;
  finalizer: string;
  /** Further watches. Default: none. */
  watches?: Controller['watches'];
  /** Returns the status fields after a success. */
  ensure(object: T, session: SqlSession, context: ReconcileContext): Promise<Partial<SqlStatus<T>> | void>;
  cleanUp(object: T, session: SqlSession): Promise<void>;
}

const whileWaiting = seconds(1);
const steady = minutes(10 * 60);
/** Random spread of requeues, so that many do not coincide. */
const spread = minutes(60);

/**
 * The controller of one of the three kinds. They do not wait for each other: objects created too early fail and are
 * retried.
 */
export function sqlController<T extends SqlObject>(servers: SqlServers, work: SqlWork<T>): Controller {
  const { kind, finalizer } = work;

  async function finalize(object: T, context: ReconcileContext): Promise<Duration | undefined> {
    if (!(object.metadata.finalizers ?? []).includes(finalizer)) return undefined;
    const server = serverOf(object, context);
    if (server !== undefined && server.metadata.deletionTimestamp === undefined) {
      if (!isHealthy(server)) return whileWaiting;
      if (object.spec.cleanupPolicy !== 'Skip') {
        await work.cleanUp(object, await servers.connect(refOfServer(object)));
      }
    }
    await releaseObject(kind, object, { finalizers: (each) => each === finalizer }, context);
    return undefined;
  }

  async function ensure(object: T, context: ReconcileContext): Promise<Duration | undefined> {
    const server = serverOf(object, context);
    if (server === undefined) return await failed(object, 'MariaDB not found', undefined, context);
    // The status is not updated while waiting: an old True is kept.
    if (!isHealthy(server)) return whileWaiting;
    let session: SqlSession;
    try {
      session = await servers.connect(refOfServer(object));
    } catch (error) {
      return await failed(object, `Error connecting to MariaDB: ${messageOf(error)}`, error, context);
    }
    let fields: Partial<SqlStatus<T>>;
    try {
      fields = (await work.ensure(object, session, context)) ?? {};
    } catch (error) {
      return await failed(object, `Error creating ${object.metadata.name}: ${messageOf(error)}`, error, context);
    }
    await withFinalizers(kind, object, [finalizer], context);
    await report(object, { status: 'True', reason: 'Created', message: 'Created' }, context, fields);
    const random = milliseconds(Math.floor(context.random.number() * spread));
    return parseDuration(object.spec.requeueInterval ?? '') ?? milliseconds(steady + random);
  }

  async function failed(
    object: T,
    message: string,
    cause: unknown,
    context: ReconcileContext,
  ): Promise<Duration | undefined> {
    await report(object, { status: 'False', reason: 'Failed', message }, context);
    const retry = parseDuration(object.spec.retryInterval ?? '');
    if (retry === undefined) throw new Error(message, { cause });
    return retry;
  }

  async function report(
    object: T,
    ready: { status: 'True' | 'False'; reason: string; message: string },
    context: ReconcileContext,
    fields: Partial<SqlStatus<T>> = {},
  ): Promise<void> {
    const condition = { type: 'Ready', ...ready, lastTransitionTime: timestamp(context.clock) };
    const conditions = withCondition(object.status?.conditions, condition);
    await saveStatus(kind, object, { ...object.status, ...fields, conditions }, context);
  }

  /** The objects of a MariaDB that are not ready: they are retried at once when their MariaDB changes. */
  function unsettledOn(server: MariaDB, { cache }: Pick<ReconcileContext, 'cache'>): ObjectRef[] {
    const { namespace, name } = server.metadata;
    return cache
      .list(kind)
      .filter((object) => {
        const ref = refOfServer(object);
        const isSettled = isTrue(object.status?.conditions, 'Ready') && object.metadata.deletionTimestamp === undefined;
        return !isSettled && ref.name === name && ref.namespace === namespace;
      })
      .map(refOf);
  }

  return {
    name: `${kind.singular}-controller`,
    for: kind,
    predicate: specOrMetadataPredicate,
    watches: [watch(MariaDB, unsettledOn), ...(work.watches ?? [])],
    async reconcile(ref, context) {
      const object = context.cache.get(kind, ref);
      if (object === undefined) return undefined;
      return object.metadata.deletionTimestamp === undefined
        ? await ensure(object, context)
        : await finalize(object, context);
    },
  };
}

function refOfServer({ metadata, spec: { mariaDbRef } }: SqlObject): ObjectRef {
  return { namespace: mariaDbRef.namespace ?? metadata.namespace, name: mariaDbRef.name ?? '' };
}

function serverOf(object: SqlObject, { cache }: ReconcileContext): MariaDB | undefined {
  return cache.get(MariaDB, refOfServer(object));
}

function isHealthy({ status }: MariaDB): boolean {
  return isTrue(status?.conditions, 'Ready');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
