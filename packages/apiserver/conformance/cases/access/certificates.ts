// SPDX-License-Identifier: Apache-2.0
import { as, binding, role } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { base64, certificateOf, requestFor } from '../../objects/certificate-requests.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'certificates.k8s.io';

function signingRequest(name: string, spec: object = {}) {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request: requestFor('someone'), signerName: 'example.com/signer', usages: ['client auth'], ...spec },
  };
}

function condition(type: string, more: object = {}) {
  return { type, status: 'True', reason: 'Decided', message: 'by the row', ...more };
}

function conditions(...list: readonly object[]) {
  return { status: { conditions: list } };
}

/** Grants a user access to a subresource of signing requests and this verb for a signer. */
async function grantSigner(
  api: Conversation,
  user: string,
  subresource: string,
  verb: string,
  ...signers: readonly string[]
): Promise<void> {
  const rules = [
    { apiGroups: [group], resources: [`certificatesigningrequests/${subresource}`], verbs: ['patch', 'update'] },
    { apiGroups: [group], resources: ['signers'], verbs: [verb], resourceNames: signers },
  ];
  await api.post(`${rbac}/clusterroles`, role(user, rules, 'ClusterRole'));
  const bound = binding(user, user, { kind: 'ClusterRole', name: user }, 'ClusterRoleBinding');
  await api.post(`${rbac}/clusterrolebindings`, bound);
  await api.catchUp();
}

/** Certificate signing requests: what they contain, and who decides about them. */
export const certificates: readonly ConformanceCase[] = [
  testCase('a signing request must be signed with the key that it contains', async (api) => {
    const name = `${api.namespace}-a`;
    const changed = requestFor('someone', [], (info) =>
      Buffer.from(info.toString('latin1').replace('some', 'nobo'), 'latin1'),
    );
    const labelled = base64(Buffer.from(requestFor('someone'), 'base64').toString().replaceAll(' REQUEST', ''));
    for (const request of [changed, labelled, base64('none'), base64('-----BEGIN CERTIFICATE REQUEST-----\n')]) {
      await api.post(requests, signingRequest(name, { request }));
    }
    await api.post(requests, signingRequest(name));
  }),

  testCase('a signing request for clients may not be for system:masters', async (api) => {
    const { namespace } = api;
    const masters = requestFor('someone', ['others', 'system:masters']);
    const client = 'kubernetes.io/kube-apiserver-client';
    await api.post(requests, signingRequest(`${namespace}-a`, { request: masters, signerName: client }));
    await api.post(requests, signingRequest(`${namespace}-b`, { request: masters }));
    const others = requestFor('someone', ['others']);
    await api.post(requests, signingRequest(`${namespace}-c`, { request: others, signerName: client }));
  }),

  testCase('what a signing request asks for is left to its signer', async (api) => {
    const { namespace } = api;
    for (const signer of ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving']) {
      const spec = { signerName: `kubernetes.io/${signer}`, usages: ['code signing'] };
      await api.post(requests, signingRequest(`${namespace}-${signer}`, spec));
    }
  }),

  testCase('who approves a signing request may approve for its signer', async (api) => {
    const { namespace } = api;
    const [one, all, other] = ['one', 'all', 'other'].map((each) => `${namespace}-${each}`) as [string, string, string];
    await grantSigner(api, one, 'approval', 'approve', 'example.com/signer');
    await grantSigner(api, all, 'approval', 'approve', 'example.com/*');
    await grantSigner(api, other, 'approval', 'approve', 'example.com/other');
    for (const user of [one, all, other]) {
      await api.post(requests, signingRequest(user));
      const path = `${requests}/${user}`;
      await api.patch('merge', `${path}/approval`, conditions(condition('Approved')), {}, as(user));
      await api.patch('merge', `${path}/status`, conditions(condition('Approved')), {}, as(user));
    }
  }),

  testCase('who signs a signing request may sign for its signer', async (api) => {
    const { namespace } = api;
    const [signer, other] = ['signer', 'other'].map((each) => `${namespace}-${each}`) as [string, string];
    await grantSigner(api, signer, 'status', 'sign', 'example.com/signer');
    await grantSigner(api, other, 'status', 'sign', 'example.com/other');
    await api.post(requests, signingRequest(signer));
    const path = `${requests}/${signer}`;
    const issued = { status: { certificate: certificateOf('first') } };
    await api.patch('merge', `${path}/status`, issued, {}, as(other));
    await api.patch('merge', `${path}/status`, conditions(condition('Failed')), {}, as(other));
    await api.patch('merge', `${path}/status`, {}, {}, as(other));
    await api.patch('merge', `${path}/approval`, conditions(condition('Approved')), {}, as(signer));
    await api.patch('merge', `${path}/status`, issued, {}, as(signer));
    await api.patch('merge', `${path}/status`, { status: { certificate: certificateOf('second') } }, {}, as(signer));
  }),

  testCase('an issued certificate is PEM', async (api) => {
    const name = `${api.namespace}-a`;
    await api.post(requests, signingRequest(name));
    const certificate = Buffer.from(certificateOf('first'), 'base64').toString();
    for (const text of [
      'none',
      certificate.replaceAll('CERTIFICATE', 'CERTIFICATION'),
      `${certificate}${certificate.replaceAll('CERTIFICATE', 'KEY')}`,
      certificate.replace('-----\n', '-----\nSome: header\n\n'),
      `some text\n${certificate}${certificate}`,
    ]) {
      await api.patch('merge', `${requests}/${name}/status`, { status: { certificate: base64(text) } });
    }
  }),

  testCase('a decision about a signing request stays', async (api) => {
    const name = `${api.namespace}-a`;
    const path = `${requests}/${name}`;
    await api.post(requests, signingRequest(name));
    const decide = (subresource: string, ...list: readonly object[]) =>
      api.patch('merge', `${path}/${subresource}`, conditions(...list));
    await decide('status', condition('Denied'));
    await decide('approval', condition('Approved'), condition('Denied'));
    await decide('approval', condition('Approved'), condition('Approved'));
    await decide('approval', { ...condition('Approved'), type: '' });
    await decide('approval', condition('Approved'), condition('Other', { status: 'False' }));
    await decide('status', condition('Approved', { reason: 'Changed' }), condition('Failed'));
    await decide('status', condition('Failed'));
    await decide('approval', condition('Denied'), condition('Failed'));
    await decide('status', condition('Approved'));
    const certificate = certificateOf('first');
    await api.patch('merge', `${path}/approval`, { status: { certificate } });
    await api.patch('merge', path, { status: { certificate }, spec: { usages: ['any'] } });
  }),
];
