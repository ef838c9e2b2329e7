// SPDX-License-Identifier: Apache-2.0
import { invalidValue } from '@forge/kube/errors/field-error.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { blocked, degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import { stepFor } from '@forge/runtime/steps/step.ts';
import { webhook } from '@forge/runtime/webhook/webhook.ts';
import { Type } from 'typebox';

// Two kinds of our own, and a third-party kind that a cluster may not have.
const facts = { group: 'example.com', version: 'v1', status: Type.Object({ conditions: conditions() }) };
const text = Type.Object({ text: Type.Optional(Type.String()), theme: Type.String() });
const color = Type.Object({ color: Type.String({ default: 'black' }) });
export const Website = kind({ ...facts, kind: 'Website', plural: 'websites', description: 'A page.', spec: text });
export type Website = ObjectOf<typeof Website>;
export const Theme = kind({ ...facts, kind: 'Theme', plural: 'themes', description: 'How pages look.', spec: color });
const theirs = { group: 'cert-manager.io', description: 'Not ours.', spec: Type.Object({}) };
export const Certificate = kind({ ...facts, ...theirs, kind: 'Certificate', plural: 'certificates' });

/** Systems outside the cluster. */
export type Services = { reading: object; acting: { farewell: (website: string) => Promise<void> } };

const step = stepFor<Website, Services>();

const style = step({
  name: 'Style',
  condition: 'StyleReady',
  reads: [reads(Theme, ({ spec }) => [spec.theme])],
  async run({ object: { spec }, get }) {
    const theme = get(Theme, spec.theme);
    if (theme === undefined) return blocked('NoTheme', `create the Theme ${spec.theme}`);
    return ready('Found', `the Theme ${spec.theme} is there`, { output: `body { color: ${theme.spec.color} }` });
  },
});

const page = step({
  name: 'Page',
  condition: 'PageReady',
  needs: { style },
  owns: [ConfigMap],
  async run({ object: { metadata, spec }, needs, apply }) {
    const data = { 'index.html': spec.text ?? '', 'style.css': needs.style };
    await apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: metadata.name }, data });
    return ready('Written', 'the page is written');
  },
});

const encryption = step({
  name: 'Encryption',
  condition: { type: 'Encrypted', informational: true },
  reads: [reads(Certificate, ({ metadata }) => [metadata.name])],
  async run({ object: { metadata }, get }) {
    if (get(Certificate, metadata.name) !== undefined) return ready('Found', 'there is a certificate');
    return degraded('NoCertificate', 'anybody can read along');
  },
});

const farewell = deletionStepFor<Website, Services>()({
  name: 'Farewell',
  finalizer: 'example.com/farewell',
  async run({ object: { metadata }, act }) {
    await act(`say farewell to ${metadata.name}`, ({ farewell: say }) => say(metadata.name));
    return ready('Told', 'everybody knows');
  },
});

const manners = webhook(Website, {
  default: (website) => ({ ...website, spec: { text: 'Hello', ...website.spec } }),
  validate: ({ spec: { text: said = '' } }) => ({
    errors: said === '' ? [invalidValue('spec.text', said, 'say something')] : [],
    warnings: /[a-z]/.test(said) ? [] : ['spec.text: there is no need to shout'],
  }),
});

const names = { name: 'website-controller', fieldManager: 'websites', metricPrefix: 'websites_operator' };
const steps = [style, page, encryption];

/** The operator as a process runs it. */
export const websitesOperator = (acting: Services['acting']) => ({
  name: 'websites-operator',
  description: 'Keeps a page, in the colors of its Theme, for every Website.',
  version: '1.0.0',
  kinds: [Website, Theme],
  webhooks: [manners],
  controllers: () => [
    stepController({ ...names, for: Website, steps, deletion: [farewell], services: { reading: {}, acting } }),
  ],
});
