// SPDX-License-Identifier: Apache-2.0
import type { CertificateSigningRequest } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { parseCertificateRequest } from '@forge/pki/certificate-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Write, WriteStep } from '../request/write.ts';
import { admissionDenied } from './admission-denied.ts';

const requests = 'certificatesigningrequests.certificates.k8s.io';
const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** Requires permission to approve requests for the signer. */
export const certificateApproval: WriteStep = (write, server) => {
  if (write.resource.name === requests && write.subresource === 'approval') checkSigner('approve', write, server);
  return write.object;
};

/** Requires permission to sign for the signer when the certificate or the conditions of a request change. */
export const certificateSigning: WriteStep = (write, server) => {
  const { resource, subresource, object, before } = write;
  if (resource.name !== requests || subresource !== 'status') return object;
  const { status = {} } = object as CertificateSigningRequest;
  const { status: old = {} } = before as CertificateSigningRequest;
  const isSame =
    (status.certificate ?? '') === (old.certificate ?? '') && jsonEqual(status.conditions ?? [], old.conditions ?? []);
  if (!isSame) checkSigner('sign', write, server);
  return object;
};

/** Rejects requests for a client certificate of the group system:masters. */
export const certificateSubjectRestriction: WriteStep = (write) => {
  const { resource, object, before } = write;
  const { spec } = object as CertificateSigningRequest;
  if (resource.name !== requests || before !== undefined || spec.signerName !== clientSigner) return object;
  const { organizations } = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString());
  if (!organizations.includes('system:masters')) return object;
  throw admissionDenied(write, `use of ${clientSigner} signer with system:masters group is not allowed`);
};

/** Permission can be granted for the signer, or for all signers of its domain. */
function checkSigner(verb: 'approve' | 'sign', write: Write, { authorizer }: ServerContext): void {
  const { signerName } = (write.before as CertificateSigningRequest).spec;
  const group = 'certificates.k8s.io';
  const isAllowed = [signerName, `${signerName.split('/')[0]}/*`].some(
    (name) =>
      authorizer(write.user, { verb, group, resource: 'signers', subresource: '', namespace: '', name }).allowed,
  );
  if (isAllowed) return;
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`;
  throw admissionDenied(write, why);
}
