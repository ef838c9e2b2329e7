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

/** imagePullPolicy: Always for the tag `latest`. */
function pullPolicyOf(image = ''): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Keeps serviceAccount and serviceAccountName in sync; the latter wins. */
function mirrorServiceAccountName(spec: PodSpec): PodSpec {
  const { serviceAccount: old = '', serviceAccountName: name = old } = spec;
  return name === '' ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** Defaults of pod specs, in pods and templates. */
export const defaultPodSpec: Defaults<PodSpec> = chain<PodSpec>(
  defaults(
    {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
    {
      containers: eachItem(container),
      initContainers: eachItem(container),
      ephemeralContainers: eachItem(container),
      volumes: eachItem(defaultVolume),
    },
  ),
  mirrorServiceAccountName,
);

/** Defaults of pod templates. */
export const defaultPodTemplate = defaults<PodTemplateSpec>({}, { spec: defaultPodSpec });

/** Requests default to limits; in pods, not in templates. */
export function requestsFromLimits(limited: Container): Container {
  const { limits, requests } = limited.resources ?? {};
  if (limits === undefined) return limited;
  return { ...limited, resources: { ...limited.resources, requests: { ...limits, ...requests } } };
}
