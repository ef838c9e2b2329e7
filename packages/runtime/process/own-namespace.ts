// SPDX-License-Identifier: Apache-2.0
import type { ReadFile } from '@forge/kube/client/connection.ts';

const serviceAccountFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** The namespace a process runs in: as it was told, else as its service account says; undefined outside of a cluster. */
export async function ownNamespace(told: string, readFile: ReadFile): Promise<string | undefined> {
  if (told !== '') return told;
  const found = await readFile(serviceAccountFile).catch(() => '');
  return found.trim() === '' ? undefined : found.trim();
}
