// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { configKeys } from '../../api/config-keys.ts';
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { auditBlocks, pluginBlocks, telemetryBlocks } from './extension-blocks.ts';
import { listenerBlock } from './listener-block.ts';
import { attributes, renderHcl, type HclAttribute, type HclItem, type HclValue } from './render-hcl.ts';
import { sealBlock } from './seal-block.ts';
import { storageBlock, type Joins } from './storage-block.ts';

/** What the configuration of a pod depends on besides the spec. */
export interface ConfigInputs {
  /** Whom a pod with an empty disk joins. */
  readonly joins: Joins;
  /** Whether audit devices are written: never before initialisation, since a broken one would use up the root token. */
  readonly audit: boolean;
}

/** The text of config.hcl: equal inputs give equal bytes. */
export function configHcl(cluster: OpenBaoCluster, { joins, audit: hasAudit }: ConfigInputs): string {
  const { audit = [], plugins = [], telemetry } = cluster.spec;
  const settings = settingsOf(cluster);
  const body: HclItem[] = [
    ...attributes({
      ui: true,
      cluster_name: cluster.metadata.name,
      plugin_directory: '/openbao/plugins',
    }).map((own) => settings.top.find(({ name }) => name === own.name) ?? own),
    listenerBlock(cluster, settings.listener),
    sealBlock(cluster),
    storageBlock(cluster, joins),
    { type: 'service_registration', labels: ['kubernetes'], body: [] },
    ...settings.top.filter(({ name }) => !ownAttributes.has(name)),
    ...(hasAudit ? auditBlocks(audit) : []),
    ...pluginBlocks(plugins),
    ...telemetryBlocks(telemetry),
  ];
  return renderHcl(body);
}

/** Top-level attributes that the operator writes first, and whose value a setting replaces in place. */
const ownAttributes = new Set(['ui', 'cluster_name', 'plugin_directory']);

/** SHA-256 of the part of the configuration that needs a restart; which pods to join is not part of it. */
export const configHash = (cluster: OpenBaoCluster, inputs: Omit<ConfigInputs, 'joins'>): string =>
  createHash('sha256')
    .update(configHcl(cluster, { ...inputs, joins: { with: 'nobody' } }))
    .digest('hex');

/** The settings of `spec.config`, typed and sorted; empty ones and unknown ones are left out. */
function settingsOf({ spec: { config = {} } }: OpenBaoCluster): { top: HclAttribute[]; listener: HclAttribute[] } {
  const known = Object.entries(config)
    .map(([name, value]) => ({ name, text: value.trim(), key: configKeys[name] }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const attributesWhere = (inListener: boolean) =>
    known.flatMap(({ name, text, key }) =>
      key === undefined || (key.inListener === true) !== inListener ? [] : [{ name, value: typed(text, key.type) }],
    );
  return { top: attributesWhere(false), listener: attributesWhere(true) };
}

/** The server exits when some of its booleans are quoted. */
function typed(text: string, type: (typeof configKeys)[string]['type']): HclValue {
  switch (type) {
    case 'bool':
      return text === 'true';
    case 'int':
      return Number(text);
    case 'duration':
    case 'permissions':
    case 'text':
      return text;
  }
}
