// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger, type LogEntry } from '@forge/runtime/observability/logger.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { fakeBucket } from '@forge/simulation/world/fake-bucket.ts';
import type { Health } from '../../clients/openbao-answers.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import type { BackupContext } from '../../executor/run-backup.ts';
import { runExecutor } from '../../executor/run-executor.ts';
import { packed, snapshotFiles } from './snapshots.ts';

/** What a Job sets. */
export const environment = {
  CLUSTER_NAMESPACE: 'ops',
  CLUSTER_NAME: 'demo',
  CLUSTER_REPLICAS: '3',
  STATEFULSET_NAME: 'demo',
  BACKUP_ENDPOINT: 'https://s3.test',
  BACKUP_BUCKET: 'snapshots',
  BACKUP_REGION: 'us-east-1',
  BACKUP_AUTH_METHOD: 'jwt',
  BACKUP_JWT_AUTH_ROLE: 'backup',
} as const;

/** What a Job mounts. */
export const files = {
  '/etc/bao/tls/ca.crt': 'PEM\n',
  '/var/run/secrets/tokens/openbao-token': 'header.payload.signature\n',
  '/etc/bao/backup/token/token': 's.token\n',
  '/etc/bao/backup/credentials/accessKeyId': 'AKIA\n',
  '/etc/bao/backup/credentials/secretAccessKey': 'storage-secret\n',
} as const;

const serving: Health = { initialized: true, sealed: false, standby: true, version: '2.7.2' };

/** The states of servers. */
export const states = {
  leader: { ...serving, standby: false },
  standby: serving,
  sealed: { ...serving, sealed: true },
  uninitialised: { ...serving, initialized: false, sealed: true },
} as const;

type State = keyof typeof states | 'unreachable';

/** An error as the client of OpenBao rejects with. */
export const refused = (failure: OpenBaoError['failure'], text: string) => new OpenBaoError('GET x', failure, text);

/** A cluster, a bucket and a Job, in memory. */
export function playedBackup() {
  const clock = virtualClock();
  const bucket = fakeBucket();
  const log: LogEntry[] = [];
  const stopping = new AbortController();
  const played = {
    clock,
    bucket,
    log,
    stopping,
    environment: { ...environment } as Record<string, string | undefined>,
    files: { ...files } as Record<string, string | undefined>,
    /** The servers, by ordinal, now or at this time after the start. */
    servers: ['standby', 'leader', 'standby'] as readonly State[],
    /** The URLs that were asked for their health, and what was used to log in and to read. */
    asked: [] as string[],
    snapshot: packed(snapshotFiles) as Buffer | OpenBaoError,
    login: undefined as OpenBaoError | undefined,
    isTokenValid: true,

    /** Runs the Job to its end, while the clock goes on. */
    async run() {
      const working = new Set<Promise<unknown>>();
      let end: Awaited<ReturnType<typeof runExecutor>> | undefined;
      const ended = runExecutor({
        environment: played.environment,
        readFile: (path) => Promise.resolve(played.files[path]),
        clock,
        random: { bytes: (count) => Buffer.alloc(count, 0xab) },
        openbao,
        storage: () => bucket.reachedBy(clock),
        async external(work) {
          working.add(work);
          return await work.finally(() => working.delete(work));
        },
        signal: stopping.signal,
        log: logger({ clock, write: (entry) => log.push(entry) }),
      });
      void ended.then((value) => (end = value));
      await clock.until(async () => {
        while (working.size > 0) await setImmediate();
        return end !== undefined;
      });
      return { ...(await ended), lines: log.map(({ message }) => message) };
    },
  };

  const openbao: BackupContext['openbao'] = {
    async health({ url }) {
      played.asked.push(`health of ${url}`);
      const state = played.servers[Number(/-(\d+)\./.exec(url)?.[1])] ?? 'unreachable';
      if (state === 'unreachable') throw refused('unreachable', 'connection refused');
      return await Promise.resolve(states[state]);
    },
    async logIn({ url }, { role, jwt }) {
      played.asked.push(`login at ${url} with ${role} ${jwt.reveal()}`);
      if (played.login !== undefined) throw played.login;
      return await Promise.resolve({ token: new SecretValue('s.lease'), leaseSeconds: 60, isRenewable: true });
    },
    knowsToken: () => Promise.resolve(played.isTokenValid),
    async snapshot({ url }, token) {
      played.asked.push(`snapshot of ${url} with ${token.reveal()}`);
      const { snapshot } = played;
      if (snapshot instanceof OpenBaoError) throw snapshot;
      return await Promise.resolve(inPieces(snapshot));
    },
  };
  return played;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
}
