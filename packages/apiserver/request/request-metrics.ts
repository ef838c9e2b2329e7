// SPDX-License-Identifier: Apache-2.0
import { kubernetesVersion } from '@forge/kube/kinds/kubernetes-version.ts';
import type { ServerRequest } from '../messages/server-request.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { prefixOf, type Resource } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';

type Series = ReadonlyMap<string, number>;

/** Resource and verb of a request, for metrics. */
export interface RequestSubject {
  resource?: Resource;
  /** `list`, `update/status`. */
  verb?: string;
}

/** Request metrics in Prometheus format, with the names of kube-apiserver. */
export class RequestMetrics {
  /** By resource, then by code, verb and version: labels are formatted only on a scrape. */
  readonly #answered = new Map<string, Map<string, number>>();
  readonly #watching = new Map<string, number>();
  readonly #inFlight = new Map([
    ['request_kind="mutating"', 0],
    ['request_kind="readOnly"', 0],
  ]);

  /** Counts a request in flight; call again with -1 when it is done. */
  inFlight({ method }: ServerRequest, by: 1 | -1): void {
    add(this.#inFlight, method === 'GET' ? 'request_kind="readOnly"' : 'request_kind="mutating"', by);
  }

  /** Counts a response. Only served resources get labels: clients could make up any number of others. */
  recordResponse({ resource, verb = '' }: RequestSubject, code: number): void {
    const name = resource?.name ?? '';
    let counts = this.#answered.get(name);
    if (counts === undefined) this.#answered.set(name, (counts = new Map()));
    add(counts, resource === undefined ? String(code) : `${code} ${verb} ${resource.kind.version}`, 1);
  }

  /** Counts an open watch; returns a function to call when it ends. */
  watchStarted(resource: string): () => void {
    const labels = `resource="${resource}",verb="WATCH"`;
    add(this.#watching, labels, 1);
    return () => add(this.#watching, labels, -1);
  }

  #total(): Series {
    const total = new Map<string, number>();
    for (const [resource, counts] of this.#answered) {
      for (const [key, count] of counts) {
        total.set(labelsOf(resource, key), count);
      }
    }
    return total;
  }

  /** All metrics in the Prometheus text format. */
  text(store: Store, resources: ResourceRegistry): string {
    const { user, system } = process.cpuUsage();
    const stored = resources.all().map((each): [string, number] => {
      return [`resource="${each.name}"`, store.current.objects.count(prefixOf(each, undefined))];
    });
    return [
      family('apiserver_request_total counter', 'Requests by verb, resource and HTTP response code.', this.#total()),
      family('apiserver_current_inflight_requests gauge', 'Requests in progress.', this.#inFlight),
      family('apiserver_longrunning_requests gauge', 'Open watches by resource.', this.#watching),
      family('apiserver_storage_objects gauge', 'Stored objects by resource.', new Map(stored)),
      family(
        'kubernetes_build_info gauge',
        'The version of this server.',
        one(`git_version="${kubernetesVersion}"`, 1),
      ),
      family('process_cpu_seconds_total counter', 'CPU time spent.', one('', (user + system) / 1e6)),
      family('process_resident_memory_bytes gauge', 'Memory in use.', one('', process.memoryUsage.rss())),
    ].join('');
  }
}

function add(series: Map<string, number>, labels: string, by: number): void {
  series.set(labels, (series.get(labels) ?? 0) + by);
}

function one(labels: string, value: number): Series {
  return new Map([[labels, value]]);
}

function family(nameAndType: string, help: string, series: Series): string {
  const [name] = nameAndType.split(' ');
  const samples = [...series].map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${nameAndType}\n${samples.join('')}`;
}

function labelsOf(name: string, key: string): string {
  const [code, request = '', version = ''] = key.split(' ');
  const [verb = '', subresource = ''] = request.split('/');
  const [resource, ...group] = name.split('.');
  return `code="${code}",group="${group.join('.')}",resource="${resource}",subresource="${subresource}",verb="${verb.toUpperCase()}",version="${version}"`;
}
