// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap, CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { Certificate, Theme, Website } from '../websites.ts';

/** Polls until the condition holds. */
export type Until = (condition: () => Promise<boolean>) => Promise<void>;

/** One chapter: a rejected request, or the cluster's state once it has settled. */
export interface Chapter {
  title: string;
  refused?: string | undefined;
  website?: unknown;
  page?: unknown;
}

const home = { namespace: 'default', name: 'home' };
const dark = { namespace: 'default', name: 'dark' };

const website = (spec: Website['spec']): Website => ({
  apiVersion: Website.apiVersion,
  kind: Website.kind,
  metadata: home,
  spec,
});

/** Installs the two kinds. */
export async function installKinds(api: Client, until: Until): Promise<void> {
  for (const kind of [Website, Theme]) await install(api, until, crdOf(kind));
}

/**
 * Runs through the lifecycle of a Website while the operator runs, and records the cluster's state after each chapter.
 */
export async function tellStory(api: Client, until: Until): Promise<Chapter[]> {
  const chapters: Chapter[] = [];
  const hasReason = async (type: string, reason: string) => {
    const found = await api.find(Website, home);
    return found?.status?.conditions?.some((each) => each.type === type && each.reason === reason) === true;
  };
  const page = async () => (await api.find(ConfigMap, home))?.data ?? {};
  const chapter = async (title: string, change: () => Promise<unknown>, settled: () => Promise<boolean>) => {
    await change();
    await until(settled);
    const [found, written] = [await api.find(Website, home), await api.find(ConfigMap, home)];
    chapters.push({ title, website: found && withoutRunDetails(found), page: written && withoutRunDetails(written) });
  };

  const refused = await refusal(() => api.create(Website, website({ text: '', theme: 'dark' })));
  chapters.push({ title: 'a Website that says nothing', refused });
  await chapter(
    'a Website that leaves it to others, without its Theme',
    () => api.create(Website, website({ theme: 'dark' })),
    () => hasReason('StyleReady', 'NoTheme'),
  );
  await chapter(
    'its Theme comes',
    () =>
      api.create(Theme, { apiVersion: Theme.apiVersion, kind: Theme.kind, metadata: dark, spec: { color: 'white' } }),
    () => hasReason('Ready', 'AllReady'),
  );
  await chapter(
    'the Theme changes',
    () => api.patch(Theme, dark, 'merge', { spec: { color: 'grey' } }),
    async () => (await page())['style.css'] === 'body { color: grey }',
  );
  await chapter(
    'somebody spoils the page',
    () => api.patch(ConfigMap, home, 'merge', { data: { 'index.html': 'spoiled' } }),
    async () => (await page())['index.html'] === 'Hello',
  );
  await chapter(
    'certificates become known, and one comes',
    async () => {
      await install(api, until, crdOf(Certificate));
      const { apiVersion, kind } = Certificate;
      await api.create(Certificate, { apiVersion, kind, metadata: home, spec: {} });
    },
    () => hasReason('Encrypted', 'Found'),
  );
  await chapter(
    'the Website goes',
    () => api.delete(Website, home, { propagation: 'Background' }),
    async () => (await api.find(Website, home)) === undefined && (await api.find(ConfigMap, home)) === undefined,
  );
  return chapters;
}

/** The server's answer to a rejected write. */
export async function refusal(write: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status.message;
  }
}

async function install(api: Client, until: Until, crd: CustomResourceDefinition): Promise<void> {
  await api.create(CustomResourceDefinition, crd);
  await until(async () => {
    const { status } = await api.get(CustomResourceDefinition, crd.metadata);
    return status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') === true;
  });
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const different = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'lastTransitionTime', 'time']);

/** An object without what differs between runs; managedFields are sorted, since their order depends on timing. */
function withoutRunDetails(object: KubeObject): unknown {
  const plain = JSON.stringify(object, (key, value: unknown) => (different.has(key) ? undefined : value));
  const same = JSON.parse(plain.replaceAll(uuid, 'a uid')) as KubeObject;
  const { managedFields: managers = [] } = same.metadata;
  const keyOf = ({ manager, operation, subresource }: (typeof managers)[number]) =>
    `${manager} ${operation} ${subresource}`;
  const managedFields = managers.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { ...same, metadata: { ...same.metadata, managedFields } };
}
