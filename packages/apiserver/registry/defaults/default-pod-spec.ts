// SPDX-License-Identifier: Apache-2.0
import type {
  Container,
  EnvVar,
  HTTPGetAction,
  LifecycleHandler,
  PodSpec,
  PodTemplateSpec,
  Probe,
} from '@forge/kube/generated/types.ts';
import { defaultFieldRef, defaultVolume } from './default-pod-volume.ts';
import { defaults, eachItem, chain, type Defaults } from './defaults.ts';

const env = eachItem<EnvVar>(defaults({}, { valueFrom: defaults({}, { fieldRef: defaultFieldRef }) }));
const httpGet = defaults<HTTPGetAction>({ path: '/', scheme: 'HTTP' });
const handler = defaults<LifecycleHandler>({}, { httpGet });
const probe = defaults<Probe>(
  { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  { httpGet, grpc: defaults({ service: '' }) },
);

const container: Defaults<Container> = chain<Container>(
  defaults(
    { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
    {
      env,
      livenessProbe: probe,
      readinessProbe: probe,
      startupProbe: probe,
      lifecycle: defaults({}, { postStart: handler, preStop: handler }),
    },
  ),
  (value) => ((value.imagePullPolicy ?? '') === '' ? { ...value, imagePullPolicy: pullPolicyOf(value.image) } : value),
);

/** Only an image that may change under its name is pulled every time. */
function pullPolicyOf(image = ''): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The account has two names, for old writers and readers; the new one counts. */
function mirrorServiceAccountName(spec: PodSpec): PodSpec {
  const { serviceAccount: old = '', serviceAccountName: name = old } = spec;
  return name === '' ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** A pod's spec with all that a writer may leave out; the same in pods and in templates of pods. */
export const defaultPodSpec: Defaults<PodSpec> = chain<PodSpec>(
  defaults(
    {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
    { containers: eachItem(container), initContainers: eachItem(container), volumes: eachItem(defaultVolume) },
  ),
  mirrorServiceAccountName,
);

/** A template whose pods have their defaults. */
export const defaultPodTemplate = defaults<PodTemplateSpec>({}, { spec: defaultPodSpec });

/** A container that limits itself reserves as much, unless it says otherwise; true of pods, not yet of their templates. */
export function requestsFromLimits(limited: Container): Container {
  const { limits, requests } = limited.resources ?? {};
  if (limits === undefined) return limited;
  return { ...limited, resources: { ...limited.resources, requests: { ...limits, ...requests } } };
}
