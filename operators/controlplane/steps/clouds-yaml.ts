// SPDX-License-Identifier: Apache-2.0
// The credential has to reach K-ORC and other users by way of OpenBao, which also keeps a backup of it. The way is long: the
// document goes into the Secret of the credential, a PushSecret copies that to OpenBao, and an ExternalSecret copies
// clouds.yaml back into the Secret that everybody logs in with. This step is the sole writer of all three.
//
// External Secrets watches neither end, so a stamp on the PushSecret triggers the push, and a trigger on the ExternalSecret,
// set after the push, the way back. When a document does not arrive, because somebody changed the entry, it is pushed again.
//
// Before the first credential the document holds the password. During a re-mint the document of the old credential stays.
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { secretStoreRead } from '@forge/openstack/secret-store.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError, StepFailure } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, ready, type Unsatisfied } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../api/control-plane.ts';
import { namesOf } from '../api/names.ts';
import { wasMinted } from '../api/settings.ts';
import type { Services } from '../clients/services.ts';
import { cloudsYamlKey, credentialDocument, passwordDocument } from '../objects/credential/clouds-yaml.ts';
import { valueIn, valueKey } from '../objects/credential/credential-secrets.ts';
import { fitsValue } from '../objects/korc/application-credential.ts';
import { isAvailable } from '../objects/korc/korc-object.ts';
import { secretPredicate } from '../objects/secret-changes.ts';
import { korc } from './korc.ts';
import { publishing, publishDocument, seeding, type Published } from './korc/publish-document.ts';
import { releaseMaterialized } from './korc/release-materialized.ts';
import { terminatingFor } from './korc/release-terminating.ts';
import { secretInTheWay } from './korc/secret-in-the-way.ts';
import { passwordCloud } from './password-cloud.ts';
import { step } from './step.ts';

/** The output for AdminCredential, which observes whether the credential has arrived. */
export interface CloudsYaml extends Partial<Published> {
  /** The document of the current credential; undefined while there is none. */
  readonly document?: SecretValue;
  /** What the API server refused. */
  readonly refused?: Unsatisfied<never>;
}

/** The Secrets with the value of the credential and with the materialised clouds.yaml. */
export const credentialSecrets = reads<ControlPlane, Services, Secret>(
  Secret,
  (controlPlane) => {
    const { applicationCredential, cloudsYaml: materialized } = namesOf(controlPlane);
    return [applicationCredential, materialized];
  },
  { predicate: secretPredicate },
);

/** Writes clouds.yaml, and has External Secrets copy it to OpenBao and from there into the Secret that K-ORC logs in with. */
export const cloudsYaml = step({
  name: 'CloudsYaml',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { passwordCloud },
  after: [korc],
  owns: [owned(PushSecret, ['apply', 'adopt']), owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [
    credentialSecrets,
    reads(ApplicationCredential, (controlPlane) => [namesOf(controlPlane).applicationCredential]),
    secretStoreRead,
  ],
  modifies: [modified(Secret, 'patch', 'release')],
  async run(context) {
    const { object: controlPlane, needs, get } = context;
    const { applicationCredential: name, cloudsYaml: materialized } = namesOf(controlPlane);
    const terminating = terminatingFor(get(Secret, materialized), context);
    const secret = get(Secret, name);
    if (secret === undefined) return finished({});
    const inTheWay = secretInTheWay(context);
    if (inTheWay !== undefined) return blocked(inTheWay);
    const document = documentOf(controlPlane, secret, get(ApplicationCredential, name));
    const seed = wasMinted(controlPlane) ? undefined : passwordDocument(controlPlane, needs.passwordCloud.password);
    const content = document ?? valueIn(secret, cloudsYamlKey) ?? seed;
    if (content === undefined) return finished({});
    try {
      const refusals = document === undefined ? seeding : publishing;
      const published = await publishDocument(
        { secret, content, isCredential: document !== undefined },
        refusals,
        context,
      );
      if (document === undefined) return finished(published);
      const recheck = await failOnError(
        (error) => publishing.sync({ error }),
        () => releaseMaterialized(document, published, terminating, context),
      );
      return finished({ ...published, document }, recheck);
    } catch (error) {
      if (document === undefined || !(error instanceof StepFailure)) throw error;
      return finished({ refused: error.outcome });
    }
  },
});

const finished = (output: CloudsYaml, recheck?: Duration) =>
  ready({ output, ...(recheck !== undefined && { recheck }) });

/** The document of a credential that K-ORC has minted with the secret that is there. */
function documentOf(
  controlPlane: ControlPlane,
  secret: Secret,
  credential: ApplicationCredential | undefined,
): SecretValue | undefined {
  const value = valueIn(secret, valueKey);
  const id = credential?.status?.id;
  if (credential === undefined || value === undefined || !id) return undefined;
  const isCurrent = isAvailable(credential) && fitsValue(credential, controlPlane, value);
  return isCurrent ? credentialDocument(controlPlane, { id, secret: value }) : undefined;
}
