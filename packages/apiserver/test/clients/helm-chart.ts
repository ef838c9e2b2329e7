// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const name = '{{ .Release.Name }}';
const metadata = { name };
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example:1' }] } };
const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
};

/** The files of a chart: built-in objects, a CustomResourceDefinition, and a custom resource. */
const files: Readonly<Record<string, object>> = {
  'Chart.yaml': { apiVersion: 'v2', name: 'web', version: '0.1.0' },
  'values.yaml': { color: 'red' },
  'crds/widgets.yaml': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.helm.example.com' },
    spec: {
      group: 'helm.example.com',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  },
  'templates/config.yaml': { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { color: '{{ .Values.color }}' } },
  'templates/service.yaml': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: labels, ports: [{ port: 80 }] },
  },
  'templates/deployment.yaml': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector: { matchLabels: labels }, template },
  },
  'templates/widget.yaml': { apiVersion: 'helm.example.com/v1', kind: 'Widget', metadata, spec: { size: 1 } },
};

/** Writes the chart into a folder. */
export async function writeChart(folder: string): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify(content));
  }
}
