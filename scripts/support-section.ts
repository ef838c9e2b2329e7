// SPDX-License-Identifier: Apache-2.0
import { workloadControllers } from '@forge/cluster/controllers/controllers.ts';
import { fieldsOf } from '@forge/cluster/support/api-fields.ts';
import {
  ignoredFields,
  inertKinds,
  notEnforced,
  notEnforcedWithoutNftables,
  volumeSources,
} from '@forge/cluster/support/support.ts';
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';
import { markdownTable } from './markdown-table.ts';

const section = /(?<=<!-- support -->\n)[^]*?(?=<!-- end of support -->)/;

/** The page with an updated section about what the local cluster supports. */
export function writeSupport(page: string): string {
  const acted = builtinKinds.map(({ kind }) => kind).filter((kind) => !inertKinds.includes(kind));
  const rows = [...notEnforced, ...notEnforcedWithoutNftables].map(({ feature, effect }) => [feature, effect]);
  const fields = Object.entries(ignoredFields).map(([type, ignored]) => {
    const acting = fieldsOf(type).filter((field) => !ignored.includes(field));
    return [`\`${type}\``, codes(acting), codes(ignored)];
  });
  const controllers = workloadControllers().map(({ name }) => name);
  const text = [
    `Kinds that something acts on: ${codes(acted)}.`,
    `Kinds that are stored, and on which nothing acts: ${codes(inertKinds)}.`,
    `Controllers: ${codes(controllers)}.`,
    markdownTable(['accepted, not enforced', 'effect'], rows),
    markdownTable(['type', 'fields with an effect', 'fields that are accepted and ignored'], fields),
    `Volumes of ${codes(volumeSources)}; a pod with another waits, and an Event says so.`,
    'Of the kubelet: probes (exec, httpGet, tcpSocket) and lifecycle hooks, init, sidecar and ephemeral containers, restarts with backoff, live updates ' +
      'of mounted ConfigMaps, Secrets and fields of the pod, renewed tokens, termination messages, logs, exec, attach, cp, ' +
      'port-forward, eviction by the size of an emptyDir and of what all pods have written, Events.',
  ].join('\n\n');
  return page.replace(section, `\n${text}\n\n`);
}

const codes = (names: readonly string[]) => [...new Set(names)].map((name) => `\`${name}\``).join(', ');
