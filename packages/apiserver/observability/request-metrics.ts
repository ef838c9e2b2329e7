// SPDX-License-Identifier: Apache-2.0
import { kubernetesVersion } from '@forge/kube/kubernetes-version.ts';
import { operationsOf } from '../dispatch.ts';
import { parseResourcePath, verbOf } from '../request-info.ts';
import type { ResourceRegistry } from '../resource-registry.ts';
import { prefixOf } from '../resource.ts';
import type { ServerRequest } from '../server-request.ts';
import type { Store } from '../storage/store.ts';

type Series = ReadonlyMap<string, number>;

/** Counts requests, and tells the counts as Prometheus reads them, by the names a real server has for them. */
export class RequestMetrics {
  readonly #answered = new Map<string, number>();
  readonly #watching = new Map<string, number>();
  readonly #inFlight = new Map([
    ['request_kind="mutating"', 0],
    ['request_kind="readOnly"', 0],
  ]);

  /** A request has begun; to be called again with -1 when it is answered. */
  inFlight({ method }: ServerRequest, by: 1 | -1): void {
    add(this.#inFlight, method === 'GET' ? 'request_kind="readOnly"' : 'request_kind="mutating"', by);
  }

  /** A request was answered with this code. */
  answered(request: ServerRequest, code: number, resources: ResourceRegistry): void {
    add(this.#answered, `code="${code}",${labelsOf(request, resources)}`, 1);
  }

  /** A watch has begun; gives what is to be called at its end. */
  watching(resource: string): () => void {
    const labels = `resource="${resource}",verb="WATCH"`;
    add(this.#watching, labels, 1);
    return () => add(this.#watching, labels, -1);
  }

  /** Everything in Prometheus' text format. */
  text(store: Store, resources: ResourceRegistry): string {
    const { user, system } = process.cpuUsage();
    const stored = resources.all().map((each): [string, number] => {
      return [`resource="${each.name}"`, store.current.objects.count(prefixOf(each, undefined))];
    });
    return [
      family('apiserver_request_total counter', 'Requests by verb, resource and HTTP response code.', this.#answered),
      family('apiserver_current_inflight_requests gauge', 'Requests that are being answered.', this.#inFlight),
      family('apiserver_longrunning_requests gauge', 'Watches that are open, by resource.', this.#watching),
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

/** What a request is about: only what is served has a label of its own, so that callers cannot make up any number. */
function labelsOf({ method, path, query }: ServerRequest, resources: ResourceRegistry): string {
  const target = parseResourcePath(path);
  const resource = target && resources.find(target.group, target.version, target.plural);
  if (target === undefined || resource === undefined) {
    return `group="",resource="",subresource="",verb="${methods.has(method) ? method : 'other'}",version=""`;
  }
  const { group, version, plural } = resource.kind;
  const verb = verbOf(method, target.name !== undefined, query)?.toUpperCase() ?? 'other';
  const subresource = operationsOf(resource, target.subresource) === undefined ? '' : (target.subresource ?? '');
  return `group="${group}",resource="${plural}",subresource="${subresource}",verb="${verb}",version="${version}"`;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
