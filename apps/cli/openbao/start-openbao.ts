// SPDX-License-Identifier: Apache-2.0
import { VaultError, vaultHttp, type VaultHttp } from '@forge/cluster/stand-ins/external-secrets/vault-http.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, minutes, seconds } from '@forge/runtime/environment/duration.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { HttpError } from '@forge/runtime/http/http-error.ts';
import { podProblem } from '@forge/runtime/jobs/pod-problem.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { Progress } from '../terminal/progress.ts';
import { configureOpenBao } from './configure-openbao.ts';
import { openbaoFiles, type OpenBaoFiles } from './openbao-files.ts';
import { openbao, openbaoObjects } from './openbao-objects.ts';
import { mount } from './policies.ts';

/** Options of the OpenBao of a local cluster. */
export interface OpenBaoOptions {
  client: Client;
  dial: Dial;
  data: DataFolder;
  progress: Progress;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
}

const pollInterval = milliseconds(200);
/** Unsealing takes less than a second; an OpenBao that is sealed longer has another key. */
const unsealTimeout = seconds(30);
const mountTimeout = seconds(30);
const usualStart = seconds(10);
/** The response comes after the election of the first leader. */
const initialisationDeadline = minutes(1);

/**
 * Starts OpenBao in the cluster, initialised, unsealed and configured, and resolves with its API as root. Each part is
 * created only if it is missing, so that the next start completes one that was interrupted.
 */
export async function startOpenBao(options: OpenBaoOptions): Promise<VaultHttp> {
  const { client, dial, data, progress, clock, signal } = options;
  const files = openbaoFiles(data, options);
  const secrets = await files.secrets();
  const api = { http: httpClient({ clock, dial, ca: secrets.ca }), server: openbao.address, signal };
  const apply = async () => {
    for (const { kind, object } of openbaoObjects(secrets)) {
      await client.apply(kind, object, { fieldManager: 'forge', force: true });
    }
  };

  await apply();
  let state = await untilAnswering(vaultHttp(api), files, options);
  if (state === 'active' && (await files.rootToken()) === undefined) {
    await requireInterrupted(files);
    progress.doing('openbao', 'its initialisation was interrupted; starting again with an empty volume');
    await deleteServer(client, options);
    await apply();
    state = await untilAnswering(vaultHttp(api), files, options);
  }
  if (state === 'uninitialised') {
    progress.doing('openbao', 'is being initialised');
    await initialise(vaultHttp({ ...api, deadline: initialisationDeadline }), files);
    // On a busy machine, it responds before it is active.
    await untilAnswering(vaultHttp(api), files, options);
  }
  await files.endInitialisation();
  const token = await files.rootToken();
  const asRoot = vaultHttp({ ...api, ...(token !== undefined && { token }) });
  await configureOpenBao(asRoot);
  await untilMountServes(asRoot, options);
  progress.done('openbao', `is ready at ${openbao.address}`);
  return asRoot;
}

async function initialise({ call }: VaultHttp, files: OpenBaoFiles): Promise<void> {
  await files.beginInitialisation();
  const answer = await call('PUT', 'sys/init', {});
  const token = answer?.['root_token'];
  if (typeof token !== 'string') throw new Error('PUT sys/init: the response has no root token');
  await files.saveRootToken(new SecretValue(token));
}

/** Throws when the token is missing although OpenBao may contain secrets. */
async function requireInterrupted(files: OpenBaoFiles): Promise<void> {
  if (await files.wasInterrupted()) return;
  throw new CliError(
    `OpenBao is initialised, but ${files.rootTokenFile} is missing. Restore that file, or start with another folder (--data).`,
  );
}

/** Waits until OpenBao serves requests or waits for its initialisation; shows problems of its pod. */
async function untilAnswering(
  { call }: VaultHttp,
  { sealKeyFile }: OpenBaoFiles,
  { client, progress, clock, signal }: OpenBaoOptions,
): Promise<'active' | 'uninitialised'> {
  const since = clock.now();
  let sealedSince: number | undefined;
  for (;;) {
    const state = await call('GET', 'sys/health').then(() => 'active' as const, stateOf);
    if (state === 'active' || state === 'uninitialised') return state;
    if (state !== 'sealed') sealedSince = undefined;
    else if (clock.now() - (sealedSince ??= clock.now()) > unsealTimeout) {
      throw new CliError(
        `OpenBao stays sealed: ${sealKeyFile} is not the key it was initialised with. Restore that file.`,
      );
    }
    // Immediately after a restart, the status is that of the previous run.
    const isSlow = clock.now() - since > usualStart;
    const pods = isSlow ? (await client.list(Pod, { namespace: openbao.namespace })).items : [];
    const problem = podProblem(pods);
    progress.doing('openbao', problem === undefined ? 'is starting' : `is starting: ${problem}`);
    await sleep(clock, pollInterval, signal);
  }
}

/** Waits until a new KV mount is ready, which takes a moment. */
async function untilMountServes({ call }: VaultHttp, { clock, signal }: OpenBaoOptions): Promise<void> {
  for (const end = clock.now() + mountTimeout; ;) {
    try {
      await call('GET', `${mount}/config`);
      return;
    } catch (error) {
      if (!(error instanceof VaultError) || clock.now() > end) throw error;
      await sleep(clock, pollInterval, signal);
    }
  }
}

function stateOf(error: unknown): 'uninitialised' | 'sealed' | 'starting' {
  if (error instanceof VaultError) {
    if (error.status === 501) return 'uninitialised';
    return error.status === 503 ? 'sealed' : 'starting';
  }
  if (error instanceof HttpError && error.failure.kind !== 'aborted') return 'starting';
  throw error;
}

/** Deletes the server and its volume, and resolves when both are deleted. */
async function deleteServer(client: Client, { clock, signal }: OpenBaoOptions): Promise<void> {
  const { namespace } = openbao;
  const gone = async (kind: Kind, name: string) => {
    while ((await client.find(kind, { namespace, name })) !== undefined) await sleep(clock, pollInterval, signal);
  };
  await client.delete(StatefulSet, { namespace, name: openbao.name }, { propagation: 'Foreground' });
  await gone(StatefulSet, openbao.name);
  await gone(Pod, `${openbao.name}-0`);
  await client.delete(PersistentVolumeClaim, { namespace, name: openbao.claim });
  await gone(PersistentVolumeClaim, openbao.claim);
}
