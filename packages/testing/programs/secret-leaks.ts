// SPDX-License-Identifier: Apache-2.0
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { builtinKinds, Secret } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ownProcesses } from './pod-processes.ts';
import { metricsReaderToken, scrapeMetrics, type ScrapedCluster } from './scrape-metrics.ts';
import { formsOf, secretForms } from './secret-forms.ts';

/** The cluster that is searched, including the metrics of its operator. */
export interface SearchedCluster extends ScrapedCluster {
  /** The folder with the logs of its pods, and of whatever else writes there. */
  readonly logs: string;
  /** Kinds besides the built-in ones. */
  readonly kinds: readonly Kind[];
}

/**
 * Where secret values appear outside of Secrets: in objects of the API with their Events, annotations and status, in
 * logs, in arguments of processes, and in the operator's metrics. Values are those of all existing Secrets, and further
 * ones that were in Secrets before.
 */
export async function secretLeaks(cluster: SearchedCluster, further: Iterable<string> = []): Promise<string[]> {
  const { items } = await cluster.client.list(Secret);
  const former = [...further].flatMap((value) => formsOf(Buffer.from(value)));
  const secrets = [...new Set([...former, ...items.flatMap(({ data }) => secretForms(data))])];
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

async function objectTexts({ client, kinds }: SearchedCluster): Promise<Text[]> {
  const lists = [...builtinKinds, ...kinds]
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

async function logTexts({ logs }: SearchedCluster): Promise<Text[]> {
  const texts: Text[] = [];
  for await (const file of glob('**/*.log*', { cwd: logs })) {
    texts.push({ place: `log ${file}`, text: await readFile(join(logs, file), 'utf8') });
  }
  if (texts.length === 0) throw new Error(`${logs} has no log files`);
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
