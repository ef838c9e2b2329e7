// SPDX-License-Identifier: Apache-2.0
import { glob, readFile } from 'node:fs/promises';
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { builtinKinds, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { ownProcesses } from '@forge/testing/programs/pod-processes.ts';
import { metricsReaderToken, scrapeMetrics } from '../scrape-metrics.ts';
import { decoded } from './decoded.ts';
import type { LocalKeystones } from './local-keystones.ts';
import { canaries, canaryCore } from './tenant.ts';

const ownKinds: readonly Kind[] = [
  Keystone,
  MariaDB,
  Database,
  User,
  Grant,
  Memcached,
  ExternalSecret,
  PushSecret,
  ClusterSecretStore,
];

/** The cluster that is searched, including the metrics of its operator. */
type SearchedCluster = Pick<LocalKeystones, 'client' | 'data' | 'dial' | 'operator'>;

/** Keys of Secrets whose values are not secret. */
const publicKeys = new Set(['ca.crt', 'tls.crt', 'namespace', 'username', 'user', 'host']);

/** Shorter values occur everywhere by chance. */
const minLength = 12;

/**
 * Where secret values appear outside of Secrets: in objects of the API with their Events, annotations and status, in
 * logs, in arguments of processes, and in the operator's metrics. Values are those of all existing Secrets and those
 * that tests generated before, each in plain text and as encoded in URLs and Secrets.
 */
export async function secretLeaks(cluster: SearchedCluster): Promise<string[]> {
  const values = (await cluster.client.list(Secret)).items.flatMap((secret) =>
    Object.entries(decoded(secret)).flatMap(([key, value]) => (publicKeys.has(key) ? [] : [value])),
  );
  const secrets = [...new Set([...canaries, ...values])].filter((value) => value.length >= minLength).flatMap(formsOf);
  const texts = [
    ...(await objectTexts(cluster)),
    ...(await logTexts(cluster)),
    ...(await ownProcesses()).map(({ command }) => ({ place: `arguments of ${command[0]}`, text: command.join(' ') })),
    ...(await metricTexts(cluster)),
  ];
  return texts.flatMap(({ place, text }) => {
    const found = secrets.find((secret) => text.includes(secret));
    return found === undefined ? [] : [`${place}: ${found.slice(0, 12)}…`];
  });
}

interface Text {
  place: string;
  text: string;
}

function formsOf(value: string): string[] {
  const core = canaryCore.exec(value)?.[0];
  const json = JSON.stringify(value).slice(1, -1);
  // The end of a base64 text depends on what follows it.
  const base64 = Buffer.from(value)
    .toString('base64')
    .replace(/.{0,3}=*$/, '');
  return [...new Set([core ?? value, json, encodeURIComponent(value), base64])];
}

async function objectTexts({ client }: SearchedCluster): Promise<Text[]> {
  const lists = [...builtinKinds, ...ownKinds]
    .filter((kind) => kind !== (Secret as Kind))
    .map(async (kind) => {
      try {
        return (await client.list(kind)).items.map(({ metadata, ...rest }) => ({
          place: `${kind.kind} ${metadata.namespace ?? ''}/${metadata.name}`,
          text: JSON.stringify({ metadata, ...rest }),
        }));
      } catch (error) {
        // Some kinds, such as reviews, are not stored.
        if (isApiError(error, 'MethodNotAllowed') || isApiError(error, 'NotFound')) return [];
        throw error;
      }
    });
  return (await Promise.all(lists)).flat();
}

async function logTexts({ data }: SearchedCluster): Promise<Text[]> {
  const texts: Text[] = [];
  for await (const file of glob('**/*.log*', { cwd: data.path('logs') })) {
    texts.push({ place: `log ${file}`, text: await readFile(data.path('logs', file), 'utf8') });
  }
  if (texts.length === 0) throw new Error(`${data.path('logs')} has no log files`);
  return texts;
}

/** What a scrape of the operator's pods returns. */
async function metricTexts(cluster: SearchedCluster): Promise<Text[]> {
  const pages = await scrapeMetrics(cluster, await metricsReaderToken(cluster));
  return pages.map(({ pod, status, text }) => {
    if (status !== 200) throw new Error(`${pod} does not serve its metrics: ${status} ${text}`);
    return { place: `metrics of ${pod}`, text };
  });
}
