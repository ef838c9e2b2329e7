// SPDX-License-Identifier: Apache-2.0
import type {
  Container,
  ContainerPort,
  EnvVar,
  HTTPGetAction,
  PodSpec,
  PodTemplateSpec,
  Probe,
  Volume,
} from '@forge/kube/generated/types.ts';

/** A pod's spec with all that a writer may leave out; the same in pods and in templates of pods. */
export function defaultPodSpec(spec: PodSpec): PodSpec {
  const { serviceAccountName } = spec;
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    // The field's old name is kept equal for old readers.
    ...(serviceAccountName !== undefined && { serviceAccount: serviceAccountName }),
    ...spec,
    containers: spec.containers.map(defaultContainer),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(defaultContainer) }),
    ...(spec.volumes !== undefined && { volumes: spec.volumes.map(defaultVolume) }),
  };
}

/** A template whose pods have their defaults. */
export function defaultPodTemplate(template: PodTemplateSpec): PodTemplateSpec {
  return template.spec === undefined ? template : { ...template, spec: defaultPodSpec(template.spec) };
}

function defaultContainer(container: Container): Container {
  const { ports, env, livenessProbe, readinessProbe, startupProbe } = container;
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(container.image ?? ''),
    ...container,
    ...(ports !== undefined && { ports: ports.map(defaultPort) }),
    ...(env !== undefined && { env: env.map(defaultEnv) }),
    ...(livenessProbe !== undefined && { livenessProbe: defaultProbe(livenessProbe) }),
    ...(readinessProbe !== undefined && { readinessProbe: defaultProbe(readinessProbe) }),
    ...(startupProbe !== undefined && { startupProbe: defaultProbe(startupProbe) }),
  };
}

function defaultPort(port: ContainerPort): ContainerPort {
  return { protocol: 'TCP', ...port };
}

/** Only an image that may change under its name is pulled every time. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultEnv(variable: EnvVar): EnvVar {
  const { valueFrom } = variable;
  if (valueFrom?.fieldRef === undefined) return variable;
  return { ...variable, valueFrom: { ...valueFrom, fieldRef: { apiVersion: 'v1', ...valueFrom.fieldRef } } };
}

function defaultProbe(probe: Probe): Probe {
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(probe.httpGet !== undefined && { httpGet: defaultHttpGet(probe.httpGet) }),
    ...(probe.grpc !== undefined && { grpc: { service: '', ...probe.grpc } }),
  };
}

function defaultHttpGet(action: HTTPGetAction): HTTPGetAction {
  return { path: '/', scheme: 'HTTP', ...action };
}

const readableByAll = 0o644;

function defaultVolume(volume: Volume): Volume {
  const { configMap, secret, downwardAPI, projected, hostPath } = volume;
  const { name: _, ...source } = volume;
  if (Object.keys(source).length === 0) return { ...volume, emptyDir: {} };
  return {
    ...volume,
    ...(configMap !== undefined && { configMap: { defaultMode: readableByAll, ...configMap } }),
    ...(secret !== undefined && { secret: { defaultMode: readableByAll, ...secret } }),
    ...(downwardAPI !== undefined && { downwardAPI: { defaultMode: readableByAll, ...downwardAPI } }),
    ...(projected !== undefined && { projected: { defaultMode: readableByAll, ...projected } }),
    ...(hostPath !== undefined && { hostPath: { type: '', ...hostPath } }),
  };
}

/** A container that limits itself reserves as much, unless it says otherwise; true of pods, not yet of their templates. */
export function reserveLimits(container: Container): Container {
  const { limits, requests } = container.resources ?? {};
  if (limits === undefined) return container;
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
}
