// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential } from '@forge/kube/third-party/korc.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import type { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { failOnError, StepFailure } from '@forge/runtime/steps/fail-on-error.ts';
import { blocked, ready, type Unsatisfied } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads } from '@forge/runtime/steps/reads.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import type { Duration } from '@forge/runtime/time/duration.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { namesOf } from '../../names.ts';
import {
  cloudsYamlKey,
  credentialDocument,
  hasSameLogin,
  passwordDocument,
} from '../../objects/credential/clouds-yaml.ts';
import { valueIn, valueKey } from '../../objects/credential/credential-secrets.ts';
import { fitsValue } from '../../objects/korc/application-credential.ts';
import { isAvailable } from '../../objects/korc/korc-object.ts';
import { concernsSecret } from '../../objects/secret-changes.ts';
import { wasMinted } from '../../settings.ts';
import { step, type Services } from '../../step.ts';
import { korc } from '../korc.ts';
import { passwordCloud } from './password-cloud.ts';
import { publishing, publishDocument, seeding, type Published } from './publish-document.ts';
import { releaseTerminating, terminatingFor, terminatingTimeout } from './release-terminating.ts';
import { secretInTheWay } from './secret-in-the-way.ts';

/** What the judge of the credential gets. */
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
  { predicate: concernsSecret },
);

/**
 * Writes clouds.yaml, and has External Secrets copy it to OpenBao and from there into the Secret that K-ORC logs in with: the
 * sole writer of all three. The document with the password is for the time before the first credential only; during a re-mint
 * the one of the old credential stays.
 */
export const cloudsYaml = step({
  name: 'CloudsYaml',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { passwordCloud },
  after: [korc],
  owns: [owned(PushSecret, ['apply', 'adopt']), owned(ExternalSecret, ['apply', 'adopt'])],
  reads: [
    credentialSecrets,
    reads(ApplicationCredential, (controlPlane) => [namesOf(controlPlane).applicationCredential]),
  ],
  touches: [touched(Secret, 'patch', 'release')],
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
        () => releaseMaterialized(document, published.sync, terminating, context),
      );
      return finished({ ...published, document }, recheck);
    } catch (error) {
      if (document === undefined || !(error instanceof StepFailure)) throw error;
      return finished({ refused: error.outcome });
    }
  },
});

const finished = (output: CloudsYaml, recheck?: Duration) =>
  ready(rows.minted(), { output, ...(recheck !== undefined && { recheck }) });

/** Has a deleted Secret replaced, once External Secrets is known to be at work: until then, its content is still of use. */
async function releaseMaterialized(
  document: SecretValue,
  sync: ExternalSecret | undefined,
  terminating: Duration,
  context: Pick<StepContext<ControlPlane, Services, unknown>, 'object' | 'get' | 'release'>,
): Promise<Duration | undefined> {
  const secret = context.get(Secret, namesOf(context.object).cloudsYaml);
  const content = valueIn(secret, cloudsYamlKey);
  if (!isReady(sync) || content === undefined || !hasSameLogin(document, content)) return undefined;
  const refreshed = Date.parse(sync?.status?.refreshTime ?? '');
  const deleted = Date.parse(secret?.metadata.deletionTimestamp ?? '');
  return refreshed >= deleted - terminatingTimeout ? await releaseTerminating(secret, terminating, context) : undefined;
}

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
