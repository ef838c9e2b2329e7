// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { ConfigMap, Secret, type Pod } from '@forge/kube/kinds/builtin.ts';
import { specOf } from '../../objects/pod-spec.ts';
import type { WatchedObject } from '../../objects/watched-objects.ts';
import { writePodFiles } from '../containers/pod-files.ts';
import type { BindMount } from '../mounts/compose-root.ts';
import { folderIn } from '../mounts/folder-in.ts';
import type { PodNetwork } from '../network/network.ts';
import { referencesOf, type PodObjects } from '../references/pod-objects.ts';
import { podTokens } from '../volumes/pod-tokens.ts';
import { prepareVolumes, type PreparedVolume } from '../volumes/pod-volumes.ts';
import type { PodContext } from './pod-context.ts';

/** What must exist before a pod's first container starts. */
export interface PodEnvironment {
  /** The latest version of the pod. */
  pod: Pod;
  network: PodNetwork;
  objects: PodObjects;
  volumes: ReadonlyMap<string, PreparedVolume>;
  files: readonly BindMount[];
}

/** Prepares a pod's network, files and volumes; completed steps are kept when a later one fails and is retried. */
export function podEnvironment(bound: Pod, context: PodContext, changed: () => void) {
  const { uid = '' } = bound.metadata;
  let pod = bound;
  const folder = folderIn(context.podsFolder, uid);
  let watched: Promise<WatchedObjects> | undefined;
  let network: PodNetwork | undefined;
  let isProtected = false;
  let stored: Promise<void> | undefined;
  let files: readonly BindMount[] | undefined;
  let volumes: Promise<PodEnvironment['volumes']> | undefined;
  const outdate = () => {
    volumes = undefined;
    changed();
  };
  const tokens = podTokens(bound, context, outdate);

  async function fill(podIP: string, objects: PodObjects): Promise<PodEnvironment['volumes']> {
    const places = { podFolder: folder, volumesDir: context.volumesDir, client: context.client };
    return prepareVolumes({ pod, podIP, objects, tokenOf: await tokens.current() }, places);
  }

  async function store(): Promise<void> {
    try {
      await context.storage.create(folder, specOf(pod));
    } catch (error) {
      stored = undefined;
      throw error;
    }
  }

  async function release(): Promise<void> {
    const old = watched;
    watched = undefined;
    for (const object of (await old)?.all ?? []) object.release();
  }

  return {
    folder,
    get address(): string | undefined {
      return network?.address;
    },
    get networkNamespace(): string | undefined {
      return network?.namespace;
    },

    /**
     * Updates to a new version of the pod: its labels and annotations may be in volumes, and new ephemeral containers
     * may refer to other objects.
     */
    update(next: Pod): void {
      const before = pod;
      pod = next;
      context.policies?.update(next);
      if (!isDeepStrictEqual(referencesOf(before), referencesOf(next))) void release();
      const { labels, annotations } = before.metadata;
      const isSame = isDeepStrictEqual([labels, annotations], [next.metadata.labels, next.metadata.annotations]);
      if (!isSame) outdate();
    },

    /** Updates everything to the current state of the referenced objects. */
    async prepare(): Promise<PodEnvironment> {
      watched ??= watchAll(pod, context, outdate);
      const { objects } = await watched;
      // In parallel with the network: both run a child process.
      stored ??= store();
      stored.catch(() => undefined);
      network ??= await context.network.attach(uid);
      if (!isProtected) await context.policies?.protect(pod, network.address);
      isProtected = true;
      await stored;
      files ??= await writePodFiles(folder, pod, network.address);
      // The promise is kept, not its value: a change during preparation must not be masked by older data.
      volumes ??= fill(network.address, objects);
      const pending = volumes;
      try {
        return { pod, network, objects, volumes: await pending, files };
      } catch (error) {
        if (volumes === pending) volumes = undefined;
        throw error;
      }
    },

    /** Removes everything, after the pod's containers have stopped. */
    async remove(): Promise<void> {
      await release();
      tokens.stop();
      context.policies?.forget(uid);
      if (network) await context.network.detach(network);
      network = undefined;
      isProtected = false;
      files = undefined;
      volumes = undefined;
      const removed = stored;
      stored = undefined;
      const exists = await removed?.then(
        () => true,
        () => false,
      );
      if (exists === true) await context.storage.remove(folder);
    },
  };
}

interface WatchedObjects {
  all: readonly WatchedObject<ConfigMap | Secret>[];
  objects: PodObjects;
}

async function watchAll(pod: Pod, { objects }: PodContext, changed: () => void): Promise<WatchedObjects> {
  const configMaps = new Map<string, WatchedObject<ConfigMap>>();
  const secrets = new Map<string, WatchedObject<Secret>>();
  await Promise.all(
    referencesOf(pod).map(async ({ kind, name }) => {
      const ref = { namespace: pod.metadata.namespace, name };
      if (kind === 'ConfigMap') configMaps.set(name, await objects.watch(ConfigMap, ref, changed));
      else secrets.set(name, await objects.watch(Secret, ref, changed));
    }),
  );
  return {
    all: [...configMaps.values(), ...secrets.values()],
    objects: {
      configMap: (name) => configMaps.get(name)?.current(),
      secret: (name) => secrets.get(name)?.current(),
    },
  };
}
