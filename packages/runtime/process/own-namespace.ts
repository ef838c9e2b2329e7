// SPDX-License-Identifier: Apache-2.0
import type { ReadFile } from '@forge/kube/client/connection.ts';

const serviceAccountFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** The namespace of this process: as configured, else from its service account; undefined outside of a cluster. */
export async function ownNamespace(configured: string, readFile: ReadFile): Promise<string | undefined> {
  if (configured !== '') return configured;
  const found = await readFile(serviceAccountFile).catch(() => '');
  return found.trim() === '' ? undefined : found.trim();
}
